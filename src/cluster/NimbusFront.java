import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * One port that leads to a Nimbus that lives, as a load balancer before several of them does: Storm's clients look for all of
 * them at the same port, on other hosts, and here is one host. Which Nimbus leads that one tells; it matters to none but clients.
 *
 * <pre>
 *   NimbusFront PORT NIMBUS_PORT...
 * </pre>
 */
final class NimbusFront {
    private NimbusFront() {}

    public static void main(String[] args) throws IOException {
        InetAddress here = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        try (ServerSocket server = new ServerSocket(Integer.parseInt(args[0]), 50, here)) {
            while (true) {
                Socket client = server.accept();
                daemon(() -> serve(client, here, args));
            }
        }
    }

    private static void serve(Socket client, InetAddress here, String[] args) {
        for (int i = 1; i < args.length; i++) {
            try {
                Socket nimbus = new Socket(here, Integer.parseInt(args[i]));
                daemon(() -> copy(client, nimbus));
                daemon(() -> copy(nimbus, client));
                return;
            } catch (IOException e) {
                // The next one, maybe.
            }
        }
        close(client);
    }

    private static void copy(Socket from, Socket to) {
        try (InputStream in = from.getInputStream()) {
            in.transferTo(to.getOutputStream());
        } catch (IOException e) {
            // One of them is gone; so the other shall be.
        } finally {
            close(from);
            close(to);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is of no use any more.
        }
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
    }
}
