package dev.stormproof.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.http.testing.HalfSent;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The server, and clients that do what they want. */
@Timeout(60)
class PageServerTest {
    private static final Patience LITTLE = new Patience(300, 300);
    private static final Patience MUCH = new Patience(60_000, 60_000);

    private final BlockingQueue<byte[]> news = new LinkedBlockingQueue<>();
    private final AtomicInteger followers = new AtomicInteger();
    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : open) {
            one.close();
        }
    }

    private PageServer start(Patience patience) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        PageServer server = PageServer.start(
                "stormproof-test", address, new KnownHosts(address, List.of()), this::answer, patience);
        open.add(server);
        return server;
    }

    private Answer answer(Request request) {
        return switch (request.path()) {
            case "/large" -> Answer.of(200, "text/plain", new byte[16 << 20]);
            case "/updates" -> Answer.of("text/event-stream", new News());
            case "/broken" -> throw new IllegalStateException("a page that cannot be made");
            default -> Answer.of(200, request.path());
        };
    }

    /** What a test has to tell. */
    private final class News implements Answer.Updates {
        News() {
            followers.incrementAndGet();
        }

        @Override
        public byte @Nullable [] next(long nowMillis) {
            return news.poll();
        }

        @Override
        public void close() {
            followers.decrementAndGet();
        }
    }

    private Socket connect(PageServer server) throws IOException {
        Socket socket =
                new Socket(server.address().getAddress(), server.address().getPort());
        open.add(socket);
        return socket;
    }

    private Socket send(PageServer server, String text) throws IOException {
        Socket socket = connect(server);
        socket.getOutputStream().write(text.getBytes(UTF_8));
        return socket;
    }

    private static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    }

    private static String allOf(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), UTF_8);
    }

    private void assertAnswers(PageServer server) throws Exception {
        URI page = URI.create("http://127.0.0.1:" + server.address().getPort() + "/page");
        assertThat(HalfSent.statusFor(page)).isEqualTo(200);
    }

    /** True as soon as the server has ended the connection. */
    private static boolean isEnded(Socket socket) throws IOException {
        try {
            InputStream in = socket.getInputStream();
            return in.skip(Long.MAX_VALUE) >= 0 && in.read() < 0;
        } catch (SocketException e) { // Reset.
            return true;
        }
    }

    @Test
    void anAnswerEndsItsConnection() throws Exception {
        PageServer server = start(MUCH);

        assertThat(allOf(send(server, get("/page"))))
                .startsWith("HTTP/1.1 200 \r\n")
                .contains("Content-Length: 18\r\n", "Connection: close\r\n", "X-Content-Type-Options: nosniff\r\n")
                .endsWith("\r\n\r\nstormproof: /page\n");
        assertThat(allOf(send(server, get("/large")))).hasSizeGreaterThan(16 << 20);
        assertThat(allOf(send(server, get("/page") + get("/other")))).endsWith("/page\n");
        assertThat(allOf(send(server, "GET / HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n")))
                .startsWith("HTTP/1.1 421");
        assertThat(allOf(send(server, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello")))
                .startsWith("HTTP/1.1 405");
        assertThat(allOf(send(server, "nonsense\r\n\r\n"))).startsWith("HTTP/1.1 400");
        assertThat(allOf(send(server, get("/broken")))).isEmpty();
        assertAnswers(server);
    }

    @Test
    void aHeadMayComeByteByByteAndItsSenderMayEndItsSending() throws Exception {
        PageServer server = start(MUCH);
        Socket slow = connect(server);
        slow.setTcpNoDelay(true);
        for (byte one : get("/slowly").getBytes(UTF_8)) {
            slow.getOutputStream().write(one);
        }
        slow.shutdownOutput();
        assertThat(allOf(slow)).endsWith("/slowly\n");

        Socket none = send(server, "GET / HT");
        none.shutdownOutput();
        assertThat(allOf(none)).isEmpty();
    }

    @Test
    void halfSentRequestsShutNobodyOut() throws Exception {
        PageServer server = start(MUCH);
        URI page = URI.create("http://127.0.0.1:" + server.address().getPort() + "/page");
        try (HalfSent unfinished = new HalfSent(page, 1_000)) {
            for (int i = 0; i < 20; i++) {
                assertThat(unfinished.statusBeside(page)).isEqualTo(200);
            }
        }
    }

    @Test
    void aRequestThatIsNotSentInTimeEnds() throws Exception {
        PageServer server = start(LITTLE);
        Socket silent = connect(server);
        Socket half = send(server, "GET / HTTP/1.1\r\nHost: ");

        assertThat(isEnded(silent)).isTrue();
        assertThat(isEnded(half)).isTrue();
    }

    @Test
    void aHeadThatIsTooLongIsRefused() throws Exception {
        PageServer server = start(MUCH);
        String longest = get("/page").replace("\r\n\r\n", "\r\nX: ");
        String filler = "x".repeat(Connection.MOST_HEAD_BYTES - longest.length() - 4);

        assertThat(allOf(send(server, longest + filler + "\r\n\r\n"))).startsWith("HTTP/1.1 200");
        assertThat(allOf(send(server, longest + filler + "x\r\n\r\n"))).startsWith("HTTP/1.1 431");
        assertThat(allOf(send(server, "x".repeat(10 * Connection.MOST_HEAD_BYTES))))
                .startsWith("HTTP/1.1 431");
    }

    @Test
    void anAnswerThatNobodyTakesEndsAndTheOthersDoNotWaitForIt() throws Exception {
        PageServer server = start(LITTLE);
        Socket deaf = send(server, get("/large"));
        assertAnswers(server);

        // It never reads: that its connection ended it hears from the system, when it sends.
        assertThatThrownBy(() -> {
                    while (true) {
                        deaf.getOutputStream().write(1);
                    }
                })
                .isInstanceOf(SocketException.class);
    }

    @Test
    void answersThatNobodyTakesHaveABoundInMemory() throws Exception {
        PageServer server = start(MUCH);
        List<Socket> deaf = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            deaf.add(send(server, get("/large")));
        }
        assertAnswers(server);

        assertThat(allOf(deaf.get(9))).as("the last one").hasSizeGreaterThan(16 << 20);
        assertThat(allOf(deaf.get(0)).length()).as("the first one").isLessThan(16 << 20);
    }

    @Test
    void whoFollowsIsToldUntilItOrTheServerEnds() throws Exception {
        PageServer server = start(LITTLE);
        news.add("one ".getBytes(UTF_8));
        Socket follower = send(server, get("/updates"));
        InputStream in = follower.getInputStream();
        StringBuilder told = new StringBuilder();
        while (!told.toString().endsWith("one ")) {
            told.append((char) in.read());
        }
        assertThat(followers).hasValue(1);
        news.add("two ".getBytes(UTF_8));
        assertThat(new String(in.readNBytes(4), UTF_8)).isEqualTo("two ");
        URI page = URI.create("http://127.0.0.1:" + server.address().getPort() + "/page");
        try (HalfSent unfinished = new HalfSent(page, 200)) {
            assertThat(unfinished.statusBeside(page)).isEqualTo(200);
            news.add("three ".getBytes(UTF_8));
            assertThat(new String(in.readNBytes(6), UTF_8)).isEqualTo("three ");
        }
        follower.close();
        while (followers.get() > 0) {
            Thread.onSpinWait();
        }

        news.add("four".getBytes(UTF_8));
        Socket last = send(server, get("/updates"));
        while (followers.get() == 0 || !news.isEmpty()) {
            Thread.onSpinWait();
        }
        server.close();
        assertThat(allOf(last)).endsWith("four");
        assertThat(followers).hasValue(0);
    }

    @Test
    void whoFollowsAndDoesNotTakeWhatItIsToldIsGivenUp() throws Exception {
        PageServer server = start(LITTLE);
        news.add(new byte[16 << 20]);
        Socket deaf = send(server, get("/updates"));
        while (followers.get() == 0) {
            Thread.onSpinWait();
        }
        while (followers.get() > 0) {
            Thread.onSpinWait();
        }
        assertAnswers(server);
        assertThat(deaf.isClosed()).isFalse();
    }

    @Test
    void thePortIsFreeWhenItIsClosed() throws Exception {
        PageServer server = start(MUCH);
        Socket half = send(server, "GET ");
        assertAnswers(server);
        server.close();

        assertThat(isEnded(half)).isTrue();
        PageServer again = PageServer.start(
                "stormproof-test", server.address(), new KnownHosts(server.address(), List.of()), this::answer);
        open.add(again);
        assertAnswers(again);
    }

    @Test
    void anAddressOfIpv6CountsWithItsNetwork() throws Exception {
        assertThat(PageServer.peer(InetAddress.getByName("2001:db8:1:2::3")))
                .isEqualTo(PageServer.peer(InetAddress.getByName("2001:db8:1:2:ffff::1")))
                .isNotEqualTo(PageServer.peer(InetAddress.getByName("2001:db8:1:3::3")));
        assertThat(PageServer.peer(InetAddress.getByName("10.1.2.3")))
                .isNotEqualTo(PageServer.peer(InetAddress.getByName("10.1.2.4")));
    }
}
