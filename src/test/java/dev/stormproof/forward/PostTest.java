package dev.stormproof.forward;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PostTest {
    @Test
    void aRefusalWhoseTextDoesNotComeIsARefusalAllTheSame() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Socket> client = CompletableFuture.supplyAsync(() -> refuse(server));
            URI address = URI.create("http://127.0.0.1:" + server.getLocalPort() + "/");
            Post post = Post.to(address, Map.of(), ofSeconds(3));
            assertTimeoutPreemptively(
                    ofSeconds(20),
                    () -> assertThatThrownBy(() -> post.send("text/plain", "an alert".getBytes(UTF_8)))
                            .isInstanceOf(IOException.class)
                            .hasMessage(address + " answers 503"));
            client.join().close();
        }
    }

    /** Says that there is a text, and does not send it. */
    private static Socket refuse(ServerSocket server) {
        try {
            Socket client = server.accept();
            client.getOutputStream().write("HTTP/1.1 503 x\r\nContent-Length: 9\r\n\r\n".getBytes(UTF_8));
            return client;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
