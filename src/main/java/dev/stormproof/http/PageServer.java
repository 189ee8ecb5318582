package dev.stormproof.http;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server that answers {@code GET} requests over HTTP/1.1, one for each connection, in one thread that waits for no client.
 *
 * <pre>
 *   connection ──head, whole──► names this server? ──► the answer ──► end
 *              ──head, too slow or too long──────────► end
 *              ──answer, taken too slowly────────────► end
 * </pre>
 *
 * <p>A client that sends the beginning of a request, or does not read its answer, costs a place and no thread; how many places there are, and who has to
 * go if there is none, {@link Crowd} says. There is neither TLS, nor a request with a body, nor a second one on a connection.
 */
public final class PageServer implements AutoCloseable {
    /** How much memory answers may take that nobody has taken yet. */
    static final long MOST_WAITING_BYTES = 64L << 20;

    private static final Logger LOG = LoggerFactory.getLogger(PageServer.class);
    private static final int MISDIRECTED = 421;
    private static final int IPV6_NETWORK_BYTES = 8;

    /** How often the time is looked at while somebody is there. */
    private static final long TICK_MILLIS = 100;

    private static final long CLOSE_MILLIS = 1_000;

    /** Something that is done for a connection. */
    private interface Step {
        void of(Connection connection) throws IOException;
    }

    private final ServerSocketChannel listening;
    private final Selector selector;
    private final KnownHosts hosts;
    private final Function<Request, Answer> pages;
    private final Patience patience;
    private final Crowd<Connection> crowd = new Crowd<>();
    private final SelectionKey accepting;
    private final Thread thread;
    private volatile boolean closing;

    private PageServer(
            ServerSocketChannel listening,
            Selector selector,
            SelectionKey accepting,
            KnownHosts hosts,
            Function<Request, Answer> pages,
            Patience patience,
            String name) {
        this.listening = listening;
        this.selector = selector;
        this.accepting = accepting;
        this.hosts = hosts;
        this.pages = pages;
        this.patience = patience;
        this.thread = new Thread(this::serve, name);
        thread.setDaemon(true);
    }

    /**
     * Starts a server.
     *
     * @param name of its thread
     * @param pages makes the answer to each request that names the server, in the server's thread, which it must not keep waiting
     */
    public static PageServer start(
            String name, InetSocketAddress address, KnownHosts hosts, Function<Request, Answer> pages)
            throws IOException {
        return start(name, address, hosts, pages, Patience.USUAL);
    }

    static PageServer start(
            String name,
            InetSocketAddress address,
            KnownHosts hosts,
            Function<Request, Answer> pages,
            Patience patience)
            throws IOException {
        ServerSocketChannel listening = ServerSocketChannel.open();
        try {
            listening.bind(address, Crowd.MOST);
            listening.configureBlocking(false);
            Selector selector = Selector.open();
            SelectionKey accepting = listening.register(selector, SelectionKey.OP_ACCEPT);
            PageServer server = new PageServer(listening, selector, accepting, hosts, pages, patience, name);
            server.thread.start();
            return server;
        } catch (IOException e) {
            listening.close();
            throw e;
        }
    }

    /** The address at which it listens. */
    public InetSocketAddress address() {
        return (InetSocketAddress) listening.socket().getLocalSocketAddress();
    }

    /** Ends it, and every connection; its port is free then. */
    @Override
    public void close() {
        closing = true;
        selector.wakeup();
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve() {
        try (listening;
                selector) {
            while (!closing) {
                boolean waits = crowd.isEmpty() && accepting.interestOps() != 0;
                selector.select(waits ? 0 : TICK_MILLIS);
                for (SelectionKey key : selector.selectedKeys()) {
                    if (key == accepting) {
                        accept();
                    } else if (key.isValid() && key.attachment() instanceof Connection connection) {
                        attend(connection, Connection::ready);
                    }
                }
                selector.selectedKeys().clear();
                accepting.interestOps(SelectionKey.OP_ACCEPT);
                for (Connection connection : crowd.all()) {
                    attend(connection, Connection::tick);
                }
                endWhoTakesMemory();
            }
            crowd.all().forEach(this::end);
        } catch (IOException e) {
            LOG.error("{} ends", thread.getName(), e);
        }
    }

    private void accept() {
        try {
            for (int i = 0; i < Crowd.MOST; i++) {
                SocketChannel channel = listening.accept();
                if (channel == null) {
                    return;
                }
                channel.configureBlocking(false);
                SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
                Connection connection = new Connection(channel, key, this::answer, patience);
                key.attach(connection);
                crowd.join(connection, peer(channel.socket().getInetAddress())).ifPresent(this::end);
            }
        } catch (IOException e) { // No file descriptor is left, say: it is tried again with the next tick.
            LOG.warn("{} cannot take a connection: {}", thread.getName(), e.getMessage());
            accepting.interestOps(0);
        }
    }

    /** Does something for a connection, which ends if that fails. */
    private void attend(Connection connection, Step step) {
        try {
            step.of(connection);
            if (connection.isOver()) {
                end(connection);
            } else if (connection.follows()) {
                crowd.settle(connection);
            }
        } catch (IOException e) { // The client is gone.
            end(connection);
        } catch (RuntimeException e) {
            LOG.warn("{} cannot answer", thread.getName(), e);
            end(connection);
        }
    }

    private Answer answer(Request request) {
        if (!hosts.areNamedBy(request.headers("host"))) {
            return Answer.of(MISDIRECTED, "this server is not known by that name");
        }
        if (!request.method().equals("GET")) {
            return Answer.of(HttpURLConnection.HTTP_BAD_METHOD, "there is nothing to change here");
        }
        return pages.apply(request);
    }

    /** Of those who have not taken their answers, the oldest have to go that take more memory than there is for them. */
    private void endWhoTakesMemory() {
        long bytes = 0;
        List<Connection> all = crowd.all();
        for (int i = all.size() - 1; i >= 0; i--) {
            bytes += all.get(i).waitingBytes();
            if (bytes > MOST_WAITING_BYTES && all.get(i).waitingBytes() > 0) {
                end(all.get(i));
            }
        }
    }

    private void end(Connection connection) {
        crowd.leave(connection);
        connection.end();
    }

    /** Whose connections are counted together: those of an address, of IPv6 those of a network, in which a host has many. */
    static String peer(InetAddress address) {
        byte[] bytes = address.getAddress();
        return HexFormat.of().formatHex(bytes, 0, Math.min(bytes.length, IPV6_NETWORK_BYTES));
    }
}
