package dev.stormproof.witness;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.stormproof.notary.Extension;
import dev.stormproof.notary.NoteKey;
import dev.stormproof.notary.SignedNote;
import dev.stormproof.sign.PublicKey;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests end, whatever answers. */
@Timeout(60)
class WitnessPostTest {
    private static final byte[] KEY =
            HexFormat.of().parseHex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile byte[] body = new byte[0];
    private volatile boolean stalls;

    WitnessPostTest() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            try (exchange) {
                byte[] unused = exchange.getRequestBody().readAllBytes();
                exchange.getResponseHeaders().set("Content-Type", "text/x.tlog.size");
                exchange.sendResponseHeaders(409, 0);
                OutputStream out = exchange.getResponseBody();
                out.write(body);
                out.flush();
                if (stalls) {
                    over.await();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        server.start();
    }

    @AfterEach
    void close() {
        over.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    private Answer ask(Duration timeout) throws Exception {
        SignedNote note = SignedNote.parse("a\n0\nb\n\n— a AAAAAQID\n".getBytes(UTF_8));
        Witness witness = new Witness(
                new NoteKey("w1.example", NoteKey.COSIGNATURE, PublicKey.ofBytes(KEY)),
                URI.create("http://127.0.0.1:" + server.getAddress().getPort()));
        return new WitnessPost(witness, timeout).send(new Extension(0, List.of(), note));
    }

    @Test
    void anAnswerBeyondTheBoundSaysNothing() throws Exception {
        body = "7\n".getBytes(UTF_8);
        assertThat(ask(WitnessPost.TIMEOUT)).isEqualTo(new Answer.Conflict(7));
        body = new byte[WitnessPost.MOST_BYTES + 1];
        assertThat(ask(WitnessPost.TIMEOUT).toString()).contains("more than 65536 bytes");
    }

    @Test
    void anAnswerThatDoesNotEndIsNotWaitedFor() throws Exception {
        stalls = true;
        assertThat(ask(Duration.ofMillis(300)).toString()).contains("no whole answer within 300 ms");
    }

    @Test
    void whereNothingListensTheWitnessIsAway() throws Exception {
        server.stop(0);
        assertThat(ask(WitnessPost.TIMEOUT)).isInstanceOf(Answer.Away.class);
    }
}
