package dev.stormproof.alert.http.testing;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Connections to a server that each have sent the beginning of a request, and nothing since. */
public final class HalfSent implements AutoCloseable {
    /** The status of who was not answered. */
    public static final int NO_ANSWER = 0;

    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final List<Socket> sockets = new ArrayList<>();

    /** Opens so many to the server of an address, which may end each when it wants. */
    public HalfSent(URI server, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            add(server, "GET / HTTP/1.1\r\nHost: localh");
        }
    }

    /** Opens one more that sends something of its own. */
    public void add(URI server, String text) throws IOException {
        Socket socket = new Socket(server.getHost(), server.getPort());
        sockets.add(socket);
        try {
            socket.getOutputStream().write(text.getBytes(US_ASCII));
        } catch (SocketException e) { // The server has ended this one already.
            socket.close();
        }
    }

    /** Asks for a page as another client, which waits for seconds and not for longer; {@link #NO_ANSWER} if it gets none. */
    public static int statusFor(URI page) throws InterruptedException {
        try {
            return HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(page).timeout(LIMIT).build(), BodyHandlers.discarding())
                    .statusCode();
        } catch (IOException e) { // Shut out, or in vain.
            return NO_ANSWER;
        }
    }

    /** Asks for a page beside them. */
    public int statusBeside(URI page) throws InterruptedException {
        return statusFor(page);
    }

    /** Sends the rest of the first one's request, and reads its answer to the end; empty if the server had ended it. */
    public String finishFirst() throws IOException {
        try {
            sockets.get(0).getOutputStream().write("ost\r\n\r\n".getBytes(US_ASCII));
            return new String(sockets.get(0).getInputStream().readAllBytes(), US_ASCII);
        } catch (SocketException e) {
            return "";
        } finally {
            sockets.remove(0).close();
        }
    }

    @Override
    public void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
