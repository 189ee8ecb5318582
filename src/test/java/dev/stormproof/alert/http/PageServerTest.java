package dev.stormproof.alert.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.stormproof.alert.http.testing.HalfSent;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The server, and clients that do what they want. */
@Timeout(60)
class PageServerTest {
    /** After how long without a byte a client gives up, and its test with it. */
    private static final int SILENCE_MILLIS = 40_000;

    private static final Timeouts LITTLE = new Timeouts(300, 300, 300);
    private static final Timeouts MUCH = new Timeouts(60_000, 60_000, 60_000);

    private final BlockingQueue<String> news = new LinkedBlockingQueue<>();
    private final AtomicInteger followers = new AtomicInteger();
    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : open) {
            one.close();
        }
    }

    private PageServer start(Timeouts timeouts) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        PageServer server = PageServer.start(
                "stormproof-test", address, new AllowedHosts(address, List.of()), this::answer, timeouts);
        open.add(server);
        return server;
    }

    private Answer answer(Request request) {
        return switch (request.path()) {
            case "/large" -> Answer.of(200, "text/plain", new byte[16 << 20]);
            case "/updates" -> Answer.following(News::new);
            case "/broken" -> throw new IllegalStateException("a page that cannot be made");
            case "/exhausting" -> throw new StackOverflowError("a page that takes more than there is");
            default -> Answer.of(200, request.path());
        };
    }

    /** What a test has to tell. */
    private final class News implements Answer.Updates {
        News() {
            followers.incrementAndGet();
        }

        @Override
        public @Nullable String next(long nowMillis) {
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
        socket.setSoTimeout(SILENCE_MILLIS);
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

    private static String follow() {
        return "GET /updates HTTP/1.0\r\nHost: localhost\r\n\r\n";
    }

    private static String allOf(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), UTF_8);
    }

    private static URI page(PageServer server) {
        return URI.create("http://127.0.0.1:" + server.address().getPort() + "/page");
    }

    private static void assertAnswers(PageServer server) throws Exception {
        assertThat(HalfSent.statusFor(page(server))).isEqualTo(200);
    }

    /** What comes until a client has read a text. */
    private static String readUpTo(Socket socket, String text) throws IOException {
        StringBuilder told = new StringBuilder();
        while (!told.toString().endsWith(text)) {
            int one = socket.getInputStream().read();
            assertThat(one).as(told.toString()).isNotNegative();
            told.append((char) one);
        }
        return told.toString();
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
                .startsWith("HTTP/1.1 200 OK\r\n")
                .containsIgnoringCase("Content-Length: 18\r\n")
                .contains("Connection: close\r\n", "X-content-type-options: nosniff\r\n")
                .endsWith("\r\n\r\nstormproof: /page\n");
        assertThat(allOf(send(server, get("/large")))).hasSizeGreaterThan(16 << 20);
        assertThat(allOf(send(server, "GET / HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n")))
                .startsWith("HTTP/1.1 421");
        for (String method : List.of("POST", "PUT", "DELETE")) {
            assertThat(allOf(send(server, method + " / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello")))
                    .startsWith("HTTP/1.1 405");
        }
        assertThat(allOf(send(server, "nonsense\r\n\r\n"))).startsWith("HTTP/1.1 400");
        assertThat(allOf(send(server, get("/broken")))).startsWith("HTTP/1.1 500");
        assertAnswers(server);
    }

    /** Of each that stayed open, a place among those that the server takes would be gone for good. */
    @Test
    void anErrorEndsItsConnection() throws Exception {
        PageServer server = start(MUCH);

        assertThat(isEnded(send(server, get("/exhausting")))).isTrue();
        assertAnswers(server);
    }

    @Test
    void headIsAnsweredLikeGetWithoutItsBody() throws Exception {
        PageServer server = start(MUCH);

        assertThat(allOf(send(server, get("/page").replace("GET", "HEAD"))))
                .startsWith("HTTP/1.1 200 OK\r\n")
                .containsIgnoringCase("Content-Length: 18\r\n")
                .endsWith("\r\n\r\n");
        assertThat(allOf(send(server, get("/updates").replace("GET", "HEAD"))))
                .startsWith("HTTP/1.1 200 OK\r\n")
                .endsWith("\r\n\r\n");
        assertThat(followers).hasValue(0);
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

    /** Whatever they send, it is read in no more time than it has bytes, and another client has a thread of its own. */
    @Test
    void longHeadsAndHalfSentRequestsLeaveAPageAnswering() throws Exception {
        PageServer server = start(MUCH);
        URI page = page(server);
        try (HalfSent unfinished = new HalfSent(page, 64)) {
            unfinished.add(page, "GET / HTTP/1.1\r\na:" + " ".repeat(15_000) + "\u0001\r\nx: y");
            for (char one : " \ta:\u0000\u0001\u007f\n\r%;".toCharArray()) {
                String head = String.valueOf(one).repeat(PageServer.MOST_HEAD_BYTES);
                unfinished.add(page, head);
                unfinished.add(page, "GET / HTTP/1.1\r\n" + head);
                unfinished.add(page, "GET / HTTP/1.1\r\nHost:" + head);
            }

            assertThat(unfinished.statusBeside(page)).isEqualTo(200);

            for (int i = 0; i < 64; i++) {
                assertThat(unfinished.finishFirst())
                        .as("a half-sent one, which was there all the time")
                        .startsWith("HTTP/1.1 200");
            }
        }
    }

    @Test
    void halfSentRequestsShutNobodyOut() throws Exception {
        PageServer server = start(MUCH);
        URI page = page(server);
        int connections = 1_000;
        try (HalfSent unfinished = new HalfSent(page, connections)) {
            for (int i = 0; i < 20; i++) {
                assertThat(unfinished.statusBeside(page)).isEqualTo(200);
            }
            int stayed = 0;
            for (int i = 0; i < connections; i++) {
                stayed += unfinished.finishFirst().isEmpty() ? 0 : 1;
            }
            // Which of them are older the server knows alone: it reads many at once.
            assertThat(stayed).as("the older ones made room").isBetween(1, ServingThreads.MOST_REQUESTS);
        }
    }

    @Test
    void aRequestThatIsNotSentInTimeEnds() throws Exception {
        PageServer server = start(LITTLE);
        Socket silent = connect(server);
        Socket half = send(server, "GET / HTTP/1.1\r\nHost: ");

        assertThat(isEnded(half)).isTrue();
        assertThat(isEnded(silent)).isTrue();
    }

    @Test
    void aHeadThatIsTooLongIsRefused() throws Exception {
        PageServer server = start(MUCH);
        String begun = get("/page").replace("\r\n\r\n", "\r\nX: ");

        assertThat(allOf(send(server, begun + "x".repeat(PageServer.MOST_HEAD_BYTES - 200) + "\r\n\r\n")))
                .startsWith("HTTP/1.1 200");
        for (String tooLong : List.of(begun, "", "GET /")) {
            assertThat(isEnded(send(server, tooLong + "x".repeat(PageServer.MOST_HEAD_BYTES + 1))))
                    .as("%s, which has no end", tooLong)
                    .isTrue();
        }
    }

    @Test
    void onlySoManyConnectionsAreTaken() throws Exception {
        PageServer server = start(MUCH);
        for (int i = 0; i < PageServer.MOST_CONNECTIONS - 1; i++) {
            connect(server);
        }
        assertAnswers(server);
        // Those that send nothing end after some seconds, which may be over here.
        do {
            for (int i = 0; i < PageServer.MOST_CONNECTIONS; i++) {
                connect(server);
            }
        } while (HalfSent.statusFor(page(server)) != HalfSent.NO_ANSWER);
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
            deaf.get(i).getInputStream().read(); // Its answer has begun.
        }
        assertAnswers(server);

        assertThat(allOf(deaf.get(9))).as("the last one").hasSizeGreaterThan(16 << 20);
        assertThat(isCut(deaf.get(0))).as("the first one").isTrue();
    }

    /** True if an answer of {@code /large} ends before its time. */
    private static boolean isCut(Socket socket) throws IOException {
        try {
            return allOf(socket).length() < 16 << 20;
        } catch (SocketException e) { // Reset.
            return true;
        }
    }

    @Test
    void whoFollowsIsToldUntilItOrTheServerEnds() throws Exception {
        PageServer server = start(LITTLE);
        news.add("one");
        Socket follower = send(server, follow());
        assertThat(readUpTo(follower, "data: one\n\n")).contains("text/event-stream");
        assertThat(followers).hasValue(1);
        news.add("two");
        readUpTo(follower, "data: two\n\n");
        try (HalfSent unfinished = new HalfSent(page(server), 200)) {
            assertThat(unfinished.statusBeside(page(server))).isEqualTo(200);
            news.add("three");
            readUpTo(follower, "data: three\n\n");
        }
        follower.close();
        while (followers.get() > 0) { // It is noticed by writing.
            Thread.onSpinWait();
        }

        news.clear();
        news.add("four");
        Socket last = send(server, follow());
        readUpTo(last, "data: four\n\n");
        server.close();
        assertThat(isEnded(last)).isTrue();
        assertThat(followers).hasValue(0);
    }

    @Test
    void onlySoManyFollowAndTheOthersAreAnswered() throws Exception {
        PageServer server = start(MUCH);
        for (int i = 0; i < ServingThreads.MOST_FOLLOWERS; i++) {
            send(server, follow());
            while (followers.get() <= i) {
                Thread.onSpinWait();
            }
        }
        try (HalfSent unfinished = new HalfSent(page(server), 200)) {
            assertThat(unfinished.statusBeside(page(server))).isEqualTo(200);
            assertThat(allOf(send(server, follow()))).startsWith("HTTP/1.1 503");
            assertThat(followers).hasValue(ServingThreads.MOST_FOLLOWERS);
        }
    }

    @Test
    void whoFollowsAndDoesNotTakeWhatItIsToldIsGivenUp() throws Exception {
        PageServer server = start(LITTLE);
        news.add("x".repeat(16 << 20));
        Socket deaf = send(server, follow());
        while (!news.isEmpty()) {
            Thread.onSpinWait();
        }
        while (followers.get() > 0) {
            Thread.onSpinWait();
        }
        assertAnswers(server);
        assertThat(deaf.isClosed()).isFalse();
    }

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("stormproof-test")
                        || thread.getName().equals("HTTP-Dispatcher")
                        || thread.getName().equals("idle-timeout-task"))
                .collect(Collectors.toSet());
    }

    @Test
    void thePortIsFreeWhenItIsClosedAndNoThreadIsLeft() throws Exception {
        Set<Thread> before = threads();
        PageServer server = start(MUCH);
        Socket half = send(server, "GET ");
        news.add("begun");
        readUpTo(send(server, follow()), "data: begun\n\n");
        assertAnswers(server);
        Set<Thread> ours = threads();
        ours.removeAll(before);
        assertThat(ours).hasSizeGreaterThan(2).allMatch(Thread::isDaemon);
        server.close();

        assertThat(isEnded(half)).isTrue();
        for (Thread thread : ours) {
            thread.join();
        }
        PageServer again = PageServer.start(
                "stormproof-test", server.address(), new AllowedHosts(server.address(), List.of()), this::answer);
        open.add(again);
        assertAnswers(again);
    }

    @Test
    void aPortThatIsInUseIsRefusedAndNothingIsLeftOpen() throws Exception {
        PageServer server = start(MUCH);
        long before = openDescriptors();
        for (int i = 0; i < 200; i++) {
            assertThatThrownBy(() -> PageServer.start(
                            "stormproof-test",
                            server.address(),
                            new AllowedHosts(server.address(), List.of()),
                            this::answer))
                    .isInstanceOf(BindException.class)
                    .hasMessageContaining("in use");
        }
        assertThat(openDescriptors() - before).isLessThan(100);
    }

    private static long openDescriptors() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getOpenFileDescriptorCount()
                : 0;
    }
}
