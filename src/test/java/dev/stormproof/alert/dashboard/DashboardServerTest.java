package dev.stormproof.alert.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stormproof.alert.dashboard.testing.Scenes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The server, asked over its socket. */
class DashboardServerTest {
    private static final long NOW = 1_700_000_000_000L;

    private final DashboardModel picture = new DashboardModel(true);
    private final HttpClient client = HttpClient.newHttpClient();
    private final List<AutoCloseable> open = new ArrayList<>();

    private DashboardServer start(String host) throws IOException {
        DashboardServer server = DashboardServer.start(new InetSocketAddress(host, 0), new Topologies("", picture));
        open.add(server);
        return server;
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : open) {
            one.close();
        }
    }

    private HttpResponse<String> get(URI uri, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private static String raw(URI server, String... lines) throws IOException {
        try (Socket socket = new Socket(server.getHost(), server.getPort())) {
            socket.getOutputStream()
                    .write((String.join("\r\n", lines) + "\r\nConnection: close\r\n\r\n").getBytes(UTF_8));
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }

    @Test
    void onLoopbackThePageIsThereWithItsPolicy() throws Exception {
        HttpResponse<String> page = get(start("127.0.0.1").uri());

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).isEqualTo(Page.live().html());
        assertThat(page.headers().firstValue("Content-Security-Policy"))
                .hasValue(Page.live().policy() + "; frame-ancestors 'none'");
        assertThat(page.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
        assertThat(page.headers().firstValue("Cross-Origin-Resource-Policy")).hasValue("same-origin");
        assertThat(page.headers().firstValue("Cache-Control")).hasValue("no-store");
    }

    @Test
    void updatesBeginWithEverythingAndGoOnWithWhatChanges() throws Exception {
        Scenes.add(picture, Scenes.verified("orders", 0, 1, NOW));
        URI uri = start("127.0.0.1").uri().resolve("/updates");
        HttpResponse<InputStream> updates =
                client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofInputStream());
        open.add(updates.body());
        BufferedReader lines = new BufferedReader(new InputStreamReader(updates.body(), UTF_8));
        assertThat(updates.headers().firstValue("Content-Type")).hasValue("text/event-stream; charset=utf-8");

        JsonNode first = next(lines);
        assertThat(first.required("whole").asBoolean()).isTrue();
        assertThat(first.at("/partitions/0/intervals")).hasSize(1);

        Scenes.add(picture, Scenes.violated("orders", 0, 2, false, NOW));
        JsonNode second = next(lines);
        assertThat(second.required("whole").asBoolean()).isFalse();
        assertThat(second.at("/partitions/0/intervals/0/4").asText()).isEqualTo("violated");
        assertThat(second.at("/partitions/0/intervals")).hasSize(1);
    }

    private static JsonNode next(BufferedReader lines) throws IOException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith("data: ")) {
                return new ObjectMapper().readTree(line.substring("data: ".length()));
            }
        }
        throw new AssertionError("the updates ended");
    }

    @Test
    void eachTopologyHasAPictureOfItsOwn() throws Exception {
        DashboardModel payments = new DashboardModel(true);
        Scenes.add(payments, Scenes.violated("payments", 0, 2, false, NOW));
        String key = payments.since(DashboardModel.NOTHING, NOW)
                .at("/partitions/0/intervals/0/0")
                .asText();
        Topologies topologies = new Topologies("orders-check", picture);
        topologies.add("payments check", payments);
        DashboardServer server =
                DashboardServer.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), topologies);
        open.add(server);
        URI uri = server.uri();

        JsonNode first = firstUpdate(uri, "/updates");
        assertThat(first.required("topologies").toString()).isEqualTo("[\"orders-check\",\"payments check\"]");
        assertThat(first.required("partitions")).isEmpty();
        assertThat(firstUpdate(uri, "/updates?topology=orders-check").required("partitions"))
                .isEmpty();
        assertThat(firstUpdate(uri, "/updates?topology=payments+check")
                        .at("/partitions/0/topic")
                        .asText())
                .isEqualTo("payments");
        String finding = "/finding?key=" + URLEncoder.encode(key, UTF_8);
        assertThat(get(uri.resolve(finding)).statusCode()).isEqualTo(404);
        assertThat(get(uri.resolve(finding + "&topology=payments+check")).statusCode())
                .isEqualTo(200);
        assertThat(get(uri.resolve("/updates?topology=other")).statusCode()).isEqualTo(404);
    }

    private JsonNode firstUpdate(URI server, String path) throws Exception {
        HttpResponse<InputStream> updates =
                client.send(HttpRequest.newBuilder(server.resolve(path)).build(), BodyHandlers.ofInputStream());
        open.add(updates.body());
        return next(new BufferedReader(new InputStreamReader(updates.body(), UTF_8)));
    }

    @Test
    void aFindingIsToldByItsKey() throws Exception {
        Scenes.add(picture, Scenes.violated("orders", 0, 2, false, NOW));
        String key = picture.since(DashboardModel.NOTHING, NOW)
                .at("/partitions/0/intervals/0/0")
                .asText();
        URI uri = start("127.0.0.1").uri();

        HttpResponse<String> found = get(uri.resolve("/finding?key=" + URLEncoder.encode(key, UTF_8)));
        assertThat(found.statusCode()).isEqualTo(200);
        assertThat(new ObjectMapper()
                        .readTree(found.body())
                        .at("/data/anomalyCount")
                        .asInt())
                .isEqualTo(4);
        assertThat(get(uri.resolve("/finding?key=other")).statusCode()).isEqualTo(404);
        assertThat(get(uri.resolve("/finding")).statusCode()).isEqualTo(404);
        assertThat(raw(uri, "GET /finding?key=%zz HTTP/1.1", "Host: localhost")).startsWith("HTTP/1.1 400");
    }

    private URI showing(RecordSource door) throws IOException {
        DashboardServer server = DashboardServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), new Topologies("", picture), door);
        open.add(server);
        return server.uri();
    }

    private String keyOfViolated() {
        Scenes.add(picture, Scenes.violated("orders", 0, 2, false, NOW));
        return URLEncoder.encode(
                picture.since(DashboardModel.NOTHING, NOW)
                        .at("/partitions/0/intervals/0/0")
                        .asText(),
                UTF_8);
    }

    private BufferedReader records(URI server, String key) throws Exception {
        HttpResponse<InputStream> answer = client.send(
                HttpRequest.newBuilder(server.resolve("/records?key=" + key)).build(), BodyHandlers.ofInputStream());
        assertThat(answer.statusCode()).isEqualTo(200);
        open.add(answer.body());
        return new BufferedReader(new InputStreamReader(answer.body(), UTF_8));
    }

    @Test
    void whatLiesAtAFindingsPlacesIsReadWhenItIsAskedFor() throws Exception {
        String key = keyOfViolated();
        URI uri = showing((partition, offsets, taker) -> {
            assertThat(partition).hasToString("orders-0");
            offsets.forEach(offset -> taker.accept(new ReadRecord(
                    offset, "", NOW, "k".getBytes(UTF_8), List.of(new ReadRecord.Header("h", null)), new byte[] {0, 1
                    })));
        });
        assertThat(get(uri.resolve("/finding?key=" + key)).body()).contains("\"content\":true");

        BufferedReader lines = records(uri, key);

        JsonNode first = next(lines);
        assertThat(first.at("/key/text").asText()).isEqualTo("k");
        assertThat(first.at("/headers/0/name/text").asText()).isEqualTo("h");
        assertThat(first.at("/value/hex").asText()).isEqualTo("0001");
        assertThat(next(lines).has("offset")).isTrue();
        assertThat(next(lines).has("offset")).isTrue();
        assertThat(next(lines).required("over").asBoolean())
                .as("the lost event lies nowhere")
                .isTrue();
    }

    @Test
    void withoutADoorNothingOfContentIsThere() throws Exception {
        String key = keyOfViolated();
        URI uri = start("127.0.0.1").uri();

        assertThat(get(uri.resolve("/records?key=" + key)).statusCode()).isEqualTo(404);
        assertThat(get(uri.resolve("/finding?key=" + key)).body()).doesNotContain("\"content\"");
        assertThat(get(showing((partition, offsets, taker) -> {}).resolve("/records?key=other"))
                        .statusCode())
                .isEqualTo(404);
    }

    @Test
    void aSlowBrokerKeepsNobodyWaitingButWhoAsksIt() throws Exception {
        String key = keyOfViolated();
        AtomicInteger reading = new AtomicInteger();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch answered = new CountDownLatch(1);
        AtomicInteger most = new AtomicInteger();
        URI uri = showing((partition, offsets, taker) -> {
            most.accumulateAndGet(reading.incrementAndGet(), Math::max);
            begun.countDown();
            try {
                answered.await();
                offsets.forEach(offset -> taker.accept(ReadRecord.unread(offset, "why")));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                reading.decrementAndGet();
            }
        });

        List<BufferedReader> readers = new ArrayList<>();
        for (int i = 0; i <= RecordReadings.MOST_WAITING; i++) {
            readers.add(records(uri, key));
            begun.await();
        }
        assertThat(get(uri).statusCode()).as("the page, meanwhile").isEqualTo(200);
        assertThat(most).as("readings at once").hasValue(1);
        assertThat(next(records(uri, key)).required("fault").asText()).contains("others are being read");
        answered.countDown();
        for (BufferedReader reader : readers) {
            assertThat(next(reader).required("fault").asText()).isEqualTo("why");
        }
        assertThat(most).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/other", "/dashboard/page.html", "/../../etc/passwd", "/updates/x"})
    void thereIsNothingElse(String path) throws Exception {
        assertThat(raw(start("127.0.0.1").uri(), "GET " + path + " HTTP/1.1", "Host: localhost"))
                .startsWith("HTTP/1.1 404");
    }

    /** A page of elsewhere whose name was made to lead here names itself as the host. */
    @ParameterizedTest
    @CsvSource({"Host: localhost:1234,  200", "Host: rebound.example, 421"})
    void aHostThatIsNotThisServerIsRefused(String header, int status) throws Exception {
        assertThat(raw(start("127.0.0.1").uri(), "GET / HTTP/1.1", header)).startsWith("HTTP/1.1 " + status);
        assertThat(raw(start("127.0.0.1").uri(), "GET /finding?key=x HTTP/1.1", header))
                .startsWith("HTTP/1.1 " + (status == 200 ? 404 : status));
    }

    @Test
    void beyondLoopbackTheTokenIsDemanded() throws Exception {
        URI uri = start("0.0.0.0").uri();
        String token = uri.getQuery().substring("token=".length());
        assertThat(token).hasSize(48);
        assertThat(start("0.0.0.0").uri().getQuery()).isNotEqualTo(uri.getQuery());
        URI bare = URI.create("http://127.0.0.1:" + uri.getPort() + "/");

        for (String path :
                List.of("/", "/updates", "/finding?key=x", "/?token=", "/?token=" + token.substring(1) + "0")) {
            assertThat(get(bare.resolve(path)).statusCode()).as(path).isEqualTo(403);
        }
        assertThat(get(bare, "Cookie", "stormproof=" + token.substring(1)).statusCode())
                .isEqualTo(403);

        HttpResponse<String> admitted = get(bare.resolve("/?token=" + token));
        assertThat(admitted.statusCode()).isEqualTo(303);
        assertThat(admitted.headers().firstValue("Location")).hasValue("/");
        String cookie = admitted.headers().firstValue("Set-Cookie").orElseThrow();
        assertThat(cookie).isEqualTo("stormproof=" + token + "; HttpOnly; SameSite=Strict; Path=/");
        assertThat(get(bare, "Cookie", "other=1; stormproof=" + token).statusCode())
                .isEqualTo(200);
        assertThat(raw(bare, "GET / HTTP/1.1", "Host: rebound.example", "Cookie: stormproof=" + token))
                .startsWith("HTTP/1.1 421");
        assertThat(raw(bare, "GET / HTTP/1.1", "Host: 10.1.2.3:9", "Cookie: stormproof=" + token))
                .startsWith("HTTP/1.1 200");
    }
}
