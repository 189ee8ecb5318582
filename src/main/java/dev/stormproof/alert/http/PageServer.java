package dev.stormproof.alert.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server that answers {@code GET} and {@code HEAD} over HTTP/1.1: the JDK's, with bounds.
 *
 * <pre>
 *   connection ──head, whole──► names this server? ──► the answer ──► end
 *              ──head, too slow or too long──────────► end
 *              ──answer, taken too slowly────────────► end
 * </pre>
 *
 * <p>{@link ServingThreads} limits how many clients are served at once and for how long, and decides which one ends if there are more. There is
 * no TLS.
 */
public final class PageServer implements AutoCloseable {
    /** The largest head, in Java versions that have the property. */
    static final int MOST_HEAD_BYTES = 16 << 10;

    /** The most connections of a server, including those that have sent nothing, in Java versions that have the property. */
    static final int MOST_CONNECTIONS = 2_048;

    private static final Logger LOG = LoggerFactory.getLogger(PageServer.class);
    private static final int MISDIRECTED = 421;
    private static final int BACKLOG = 1_024;
    private static final int PART_BYTES = 16 << 10;
    private static final long PAUSE_MILLIS = 100;

    /** A comment, which clients ignore. */
    private static final byte[] COMMENT = ":\n\n".getBytes(UTF_8);

    // The JDK's server reads them once in a JVM. A value that an operator has set is kept.
    static {
        Map.of(
                        "sun.net.httpserver.maxReqHeaderSize",
                        MOST_HEAD_BYTES,
                        "jdk.httpserver.maxConnections",
                        MOST_CONNECTIONS,
                        "sun.net.httpserver.idleInterval",
                        5, // Seconds.
                        "sun.net.httpserver.clockTick",
                        1_000, // Milliseconds.
                        "sun.net.httpserver.nodelay",
                        true)
                .forEach((name, value) -> System.getProperties().putIfAbsent(name, value.toString()));
    }

    private final HttpServer server;
    private final AllowedHosts hosts;
    private final Function<Request, Answer> pages;
    private final ServingThreads threads;
    private final long silenceNanos;
    private final CountDownLatch closing = new CountDownLatch(1);

    private PageServer(
            HttpServer server, AllowedHosts hosts, Function<Request, Answer> pages, String name, Timeouts timeouts) {
        this.server = server;
        this.hosts = hosts;
        this.pages = pages;
        this.threads = new ServingThreads(name, timeouts);
        this.silenceNanos = TimeUnit.MILLISECONDS.toNanos(timeouts.silenceMillis());
    }

    /**
     * Starts a server.
     *
     * @param name the prefix of its threads' names
     * @param pages answers each request that names the server; several threads call it at once
     */
    public static PageServer start(
            String name, InetSocketAddress address, AllowedHosts hosts, Function<Request, Answer> pages)
            throws IOException {
        return start(name, address, hosts, pages, Timeouts.USUAL);
    }

    static PageServer start(
            String name,
            InetSocketAddress address,
            AllowedHosts hosts,
            Function<Request, Answer> pages,
            Timeouts timeouts)
            throws IOException {
        // The JDK's server leaks a descriptor for each address that it cannot bind.
        try (ServerSocket free = new ServerSocket()) {
            free.bind(address);
        }
        HttpServer jdk = HttpServer.create(address, BACKLOG);
        PageServer server = new PageServer(jdk, hosts, pages, name, timeouts);
        jdk.createContext("/", server::serve);
        jdk.setExecutor(server.threads);
        // Its dispatcher is a daemon if the thread that starts it is one.
        CompletableFuture.runAsync(
                        jdk::start, start -> ServingThreads.daemon(start, name).start())
                .join();
        return server;
    }

    public InetSocketAddress address() {
        return server.getAddress();
    }

    /** Ends it, and every connection; its port is free then. */
    @Override
    public void close() {
        closing.countDown();
        server.stop(0);
        threads.close();
    }

    private void serve(HttpExchange exchange) throws IOException {
        try {
            answerTo(exchange);
        } catch (Error e) { // The JDK's server would leave the connection open.
            LOG.warn("{} cannot answer", Thread.currentThread().getName(), e);
            throw new IOException(e);
        }
    }

    private void answerTo(HttpExchange exchange) throws IOException {
        threads.answers(0);
        Answer answer = answer(exchange);
        boolean head = exchange.getRequestMethod().equals("HEAD");
        if (answer.updates() != null && !head && !threads.follow()) {
            answer = Answer.of(
                    HttpURLConnection.HTTP_UNAVAILABLE, ServingThreads.MOST_FOLLOWERS + " browsers follow already");
        }
        Supplier<Answer.Updates> updates = answer.updates();
        byte[] body = answer.body();
        answer.headers().forEach(exchange.getResponseHeaders()::set);
        if (head) {
            if (updates == null) {
                exchange.getResponseHeaders().set("Content-Length", String.valueOf(body.length));
            }
            exchange.sendResponseHeaders(answer.status(), -1);
        } else if (updates == null) {
            threads.answers(body.length);
            exchange.sendResponseHeaders(answer.status(), body.length);
            try (OutputStream out = exchange.getResponseBody()) {
                write(out, body);
            }
        } else {
            exchange.sendResponseHeaders(answer.status(), 0);
            try (OutputStream out = exchange.getResponseBody();
                    Answer.Updates begun = updates.get()) {
                sendUpdates(out, begun);
            }
        }
    }

    private Answer answer(HttpExchange exchange) {
        Request request = new Request(exchange.getRequestURI(), exchange.getRequestHeaders());
        String method = exchange.getRequestMethod();
        if (!hosts.allow(request.headers("Host"))) {
            return Answer.of(MISDIRECTED, "this server is not known by that name");
        }
        if (!method.equals("GET") && !method.equals("HEAD")) {
            return Answer.of(HttpURLConnection.HTTP_BAD_METHOD, "there is nothing to change here");
        }
        try {
            return pages.apply(request);
        } catch (RuntimeException e) {
            LOG.warn("{} cannot answer", Thread.currentThread().getName(), e);
            return Answer.of(HttpURLConnection.HTTP_INTERNAL_ERROR, "this page cannot be made");
        }
    }

    /** Writes events until the client or the server ends. */
    private void sendUpdates(OutputStream out, Answer.Updates updates) throws IOException {
        long writtenNanos = System.nanoTime();
        boolean ends = false;
        while (!ends) {
            String next = updates.next(System.currentTimeMillis());
            if (next != null || System.nanoTime() - writtenNanos > silenceNanos) {
                byte[] event = next == null ? COMMENT : ("data: " + next + "\n\n").getBytes(UTF_8);
                threads.answers(event.length);
                write(out, event);
                out.flush();
                writtenNanos = System.nanoTime();
            }
            threads.waits();
            try {
                ends = closing.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private static void write(OutputStream out, byte[] bytes) throws IOException {
        for (int from = 0; from < bytes.length; from += PART_BYTES) {
            out.write(bytes, from, Math.min(PART_BYTES, bytes.length - from));
        }
    }
}
