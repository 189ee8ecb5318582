package dev.stormproof.chaos.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/**
 * A relay hands connections on to a port of this machine, and can cut them:
 *
 * <pre>
 *   others ──► port of the relay ──► target
 *                     cut: each is closed, and each that comes meanwhile
 * </pre>
 */
final class Relay implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 14;

    private final ServerSocket server;
    private final int target;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile CountDownLatch refusals = new CountDownLatch(0);

    /** Listens on a free port, and hands on to a target. */
    Relay(int target) throws IOException {
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.target = target;
        inThread(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    /** Closes every connection, and refuses new ones until so many have come. */
    void cut(int connections) throws InterruptedException {
        CountDownLatch cutting = new CountDownLatch(connections);
        refusals = cutting;
        open.forEach(Relay::close);
        cutting.await();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                take(server.accept());
            } catch (IOException e) {
                // The relay is closed, or the target is away: who connects tries again.
            }
        }
    }

    private void take(Socket from) throws IOException {
        CountDownLatch cutting = refusals;
        if (cutting.getCount() > 0) {
            close(from);
            cutting.countDown();
            return;
        }
        open.add(from);
        try {
            Socket to = new Socket(InetAddress.getLoopbackAddress(), target);
            open.add(to);
            inThread(() -> copy(from, to));
            inThread(() -> copy(to, from));
        } catch (IOException e) {
            close(from);
            open.remove(from);
            throw e;
        }
    }

    private void copy(Socket from, Socket to) {
        byte[] buffer = new byte[BUFFER_BYTES];
        try {
            for (int read = from.getInputStream().read(buffer);
                    read >= 0;
                    read = from.getInputStream().read(buffer)) {
                to.getOutputStream().write(buffer, 0, read);
            }
        } catch (IOException e) {
            // One of both has ended, and so does the other.
        } finally {
            close(from);
            close(to);
            open.remove(from);
            open.remove(to);
        }
    }

    private static void inThread(Runnable work) {
        Thread thread = new Thread(work, "relay");
        thread.setDaemon(true);
        thread.start();
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        open.forEach(Relay::close);
    }
}
