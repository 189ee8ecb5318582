package dev.stormproof.alert.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.alert.dashboard.testing.Browser;
import dev.stormproof.alert.dashboard.testing.Browser.Tab;
import dev.stormproof.alert.dashboard.testing.Scenes;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.verify.judge.PartitionId;
import dev.stormproof.verify.judge.Verdict.Verified;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The page in a headless Chromium, which has to be installed: {@code ./mvnw -Pbrowser verify}. */
@Tag("browser")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DashboardInBrowserTest {
    private static final long NOW = System.currentTimeMillis();

    private final List<DashboardServer> servers = new ArrayList<>();
    private Browser browser;

    @BeforeAll
    void start() throws Exception {
        browser = Browser.start();
    }

    @AfterAll
    void end() throws IOException {
        browser.close();
    }

    @AfterEach
    void close() {
        servers.forEach(DashboardServer::close);
        servers.clear();
    }

    private Tab serve(DashboardModel picture) throws IOException {
        DashboardServer server =
                DashboardServer.start(new InetSocketAddress("localhost", 0), new Topologies("", picture));
        servers.add(server);
        Tab tab = browser.open(server.uri(), 1280, 900);
        tab.await("connected");
        return tab;
    }

    private Tab open(DashboardModel picture, Path dir) throws IOException {
        Path file = Files.writeString(
                dir.resolve("page.html"), Page.of(picture, NOW).html(), UTF_8);
        return browser.open(file.toUri(), 1280, 900);
    }

    private static DashboardModel orders(boolean live) {
        DashboardModel picture = new DashboardModel(live);
        Scenes.addOrders(picture, 6, 120, NOW);
        return picture;
    }

    private static int rows(Tab tab) {
        return tab.eval("document.querySelectorAll('#rows [role=row]').length").asInt();
    }

    @Test
    void theFileNeedsNoServerAndAsksForNothing(@TempDir Path dir) throws IOException {
        Tab tab = open(orders(false), dir);

        assertThat(tab.text("#sentence")).startsWith("4 of 14,280 events of 'orders' did not arrive once");
        // Six partitions, and two streams of the one that has a stray.
        assertThat(rows(tab)).isEqualTo(8);
        assertThat(tab.eval("getComputedStyle(document.querySelector('#findings th')).display")
                        .asText())
                .as("when each was found, which is when the audit was made")
                .isEqualTo("none");
        tab.eval("document.querySelector('#findings tbody tr button').click()");
        tab.await("document.querySelector('#detail svg')");
        assertThat(tab.text("#detail")).contains("Expected against actual order", "Send the event again");
        assertThat(tab.requests()).allMatch(uri -> uri.startsWith("file:") || uri.startsWith("data:"));
        assertThat(tab.errors()).isEmpty();
    }

    @Test
    void thePageFollowsWhileEventsFlow() throws IOException {
        DashboardModel picture = new DashboardModel(true);
        Tab tab = serve(picture);
        tab.await("document.getElementById('sentence').textContent.startsWith('Nothing is known')");

        for (int number = 0; number < 30; number++) {
            Scenes.add(picture, Scenes.verified("orders", number % 3, number / 3, NOW));
        }
        tab.await("store.byKey.size === 30 && document.querySelectorAll('#rows [role=row]').length === 3");
        assertThat(tab.text("#sentence"))
                .isEqualTo(
                        "540 events of 'orders' are proven to have arrived once, in order, with key and value unaltered.");
        assertThat(tab.text("#reservation")).isEqualTo("Counted are the findings that were read.");
        assertThat(tab.eval("document.getElementById('verdict').className").asText())
                .isEqualTo("verdict verified");

        picture.progress(new PartitionId("orders", 1), 200, 212);
        Scenes.add(picture, Scenes.violated("orders", 1, 10, true, NOW));
        tab.await("document.querySelector('#findings tbody tr')");
        assertThat(tab.text("#sentence")).startsWith("4 of 5");
        assertThat(tab.text("#rows .alarm")).contains("orders-1").contains("12");
        Scenes.add(picture, Scenes.violated("orders", 1, 10, false, NOW));
        tab.await("store.byKey.get('orders/1/a11ce00000000002/10').found > 0");
        assertThat(tab.eval("document.querySelectorAll('#findings tbody tr').length")
                        .asInt())
                .isEqualTo(1);
        assertThat(tab.errors()).isEmpty();
        assertThat(tab.requests()).allMatch(uri -> uri.startsWith("http://127.0.0.1:") || uri.startsWith("data:"));
    }

    @Test
    void placesLeadToTheirRecords() throws IOException {
        DashboardModel picture = new DashboardModel(
                true, (topic, partition, offset) -> "https://ui.example.org/" + topic + "/" + partition + "/" + offset);
        Scenes.add(picture, Scenes.violated("orders", 0, 2, false, NOW));
        Tab tab = serve(picture);
        tab.await("document.querySelector('#findings tbody tr')");

        tab.eval("document.querySelector('#findings tbody tr button').click()");
        tab.await("document.querySelector('#detail .scroll table')");
        assertThat(tab.eval("document.querySelectorAll('#detail path.link').length")
                        .asInt())
                .as("the lines from what was doubled and from where the moved one belongs")
                .isEqualTo(2);
        assertThat(tab.eval("(figure => figure.scrollWidth <= figure.clientWidth)(document.querySelector('.drawing'))")
                        .asBoolean())
                .as("four findings are seen without scrolling")
                .isTrue();

        String links = tab.eval("[...document.querySelectorAll('#detail .scroll td a')].map(a => a.href).join(' ')")
                .asText();
        assertThat(links.split(" "))
                .as("the lost one has none")
                .hasSize(3)
                .allMatch(link -> link.startsWith("https://ui.example.org/orders/0/"));
        assertThat(tab.eval("document.querySelector('#detail [data-place] a').rel")
                        .asText())
                .isEqualTo("noopener noreferrer");
        assertThat(tab.eval("linked('javascript:boom()', 'text')").asText()).isEqualTo("text");
        assertThat(tab.errors()).isEmpty();
    }

    @Test
    void contentIsTextBesideTheAnomaly(@TempDir Path dir) throws IOException {
        RecordSource door = (partition, offsets, taker) -> {
            taker.accept(new ReadRecord(
                    offsets.get(0),
                    "",
                    NOW,
                    Scenes.MARKUP.getBytes(UTF_8),
                    List.of(new ReadRecord.Header("<b>h", "v".getBytes(UTF_8))),
                    "x".repeat(3_000).getBytes(UTF_8)));
            taker.accept(ReadRecord.unread(offsets.get(1), "not read: <i>why"));
        };
        DashboardModel picture = new DashboardModel(true);
        Scenes.add(picture, Scenes.violated("orders", 0, 2, false, NOW));
        DashboardServer server =
                DashboardServer.start(new InetSocketAddress("localhost", 0), new Topologies("", picture), door);
        servers.add(server);
        Tab tab = browser.open(server.uri(), 1280, 900);
        tab.await("document.querySelector('#findings tbody tr')");
        tab.eval("document.querySelector('#findings tbody tr button').click()");
        tab.await("document.querySelectorAll('#records tbody tr').length === 2");
        assertContent(tab);

        DashboardModel audited = new DashboardModel(false);
        Scenes.add(audited, Scenes.violated("orders", 0, 2, false, NOW));
        audited.read(door, System.nanoTime() + 60_000_000_000L);
        Tab file = open(audited, dir);
        file.eval("document.querySelector('#findings tbody tr button').click()");
        file.await("document.querySelectorAll('#records tbody tr').length === 2");
        assertContent(file);
        assertThat(file.requests()).allMatch(uri -> uri.startsWith("file:") || uri.startsWith("data:"));
    }

    private static void assertContent(Tab tab) {
        assertThat(tab.text("#records"))
                .contains(Scenes.MARKUP, "<b>h: v", "not read: <i>why", "x".repeat(2_048) + "… (3,000 bytes)");
        assertThat(tab.eval("document.querySelectorAll('#records b, #records i, #records img, #records script').length")
                        .asInt())
                .isZero();
        assertThat(tab.errors()).isEmpty();
    }

    @Test
    void aViolationIsFoundWithKeysAloneAndDrawn() throws IOException {
        Tab tab = serve(orders(true));
        tab.await("grid.rows.length === 8");
        assertThat(tab.eval("document.activeElement === document.body").asBoolean())
                .as("nothing was focused")
                .isTrue();

        tab.press("n");
        tab.await("document.getElementById('hint').textContent.includes('unsigned')");
        tab.press("n");
        tab.await("document.getElementById('hint').textContent.includes('checkpoint 80')");
        tab.press("p");
        tab.await("document.getElementById('hint').textContent.includes('unsigned')");
        tab.press("n");
        tab.await("document.getElementById('hint').textContent.includes('checkpoint 80')");
        tab.press("Enter");
        tab.await("document.getElementById('detail').open && document.querySelector('#detail svg')");

        List<String> labels = new ArrayList<>();
        tab.eval("[...document.querySelectorAll('#detail svg .label')].map(label => label.textContent)")
                .forEach(label -> labels.add(label.asText()));
        assertThat(labels).containsExactlyInAnyOrder("lost", "doubled", "moved", "altered", "≠");
        // The log is this stream's alone, so that every offset follows from the checkpoints'.
        assertThat(tab.eval("document.querySelector('#detail svg').textContent").asText())
                .contains("@1668", "@1674", "@1675")
                .doesNotContain("≈");
        assertThat(tab.text("#detail")).contains("5f3a91c0de7748b2aa01", "c41d0f7e33a95b8801fe", "transform");

        tab.press("Escape");
        tab.await("!document.getElementById('detail').open");
        assertThat(tab.eval("document.activeElement.className").asText()).isEqualTo("cells");
        tab.press("ArrowRight");
        tab.await("document.getElementById('hint').textContent.includes('verified')");
        tab.press("ArrowDown");
        assertThat(tab.text("#hint")).startsWith("orders-2");
        assertThat(tab.errors()).isEmpty();
    }

    @Test
    void whatIsViolatedComesFirstAndTheRowThatOneIsAtStaysIt() throws IOException {
        DashboardModel picture = new DashboardModel(true);
        for (int partition = 0; partition < 4; partition++) {
            Scenes.add(picture, Scenes.verified("orders", partition, 1, NOW));
        }
        Tab tab = serve(picture);
        tab.await("grid.rows.length === 4");
        tab.eval("grid.select(1, null)");

        Scenes.add(picture, Scenes.violated("orders", 3, 2, false, NOW));

        tab.await("grid.rows[0].partition.id === 'orders-3'");
        assertThat(tab.eval("grid.rows.map(row => row.partition.partition).join()")
                        .asText())
                .isEqualTo("3,0,1,2");
        tab.await("document.activeElement === grid.drawn.get(2).strip");
        tab.press("ArrowUp");
        assertThat(tab.text("#hint")).startsWith("orders-0");
        assertThat(tab.errors()).isEmpty();
    }

    @Test
    void ofManyPartitionsOnlyThoseInSightAreInTheDocument() throws IOException {
        DashboardModel picture = new DashboardModel(true);
        Scenes.addMany(picture, NOW);
        Tab tab = serve(picture);
        tab.await("store.byKey.size === 10000 && grid.rows.length === 500");

        assertThat(rows(tab)).isBetween(10, 60);
        tab.eval("grid.viewport.scrollTop = 1e6");
        tab.await("document.querySelector('#rows [aria-rowindex=\"501\"]')");
        assertThat(rows(tab)).isBetween(10, 60);
        assertThat(tab.eval("grid.grid.getAttribute('aria-rowcount')").asInt()).isEqualTo(501);

        tab.eval("document.getElementById('only').click()");
        assertThat(tab.eval("grid.rows.length").asInt()).isEqualTo(10);
        tab.eval("const find = document.getElementById('find'); find.value = 'MANY-3'; "
                + "find.dispatchEvent(new Event('input'))");
        assertThat(tab.eval("grid.rows.every(row => row.partition.id.startsWith('many-3'))")
                        .asBoolean())
                .isTrue();
        tab.eval("document.getElementById('only').click()");
        tab.eval("find.value = ''; find.dispatchEvent(new Event('input')); dispatchEvent(new Event('beforeprint'))");
        assertThat(rows(tab)).isEqualTo(500);
        assertThat(tab.errors()).isEmpty();
    }

    @Test
    void thePagesMemoryIsBounded() throws IOException {
        DashboardModel picture = new DashboardModel(true);
        Tab tab = serve(picture);
        tab.eval(
                "store.take({ mostProofs: 100, mostAlarms: 10, partitions: [0, 1].map(round => "
                        + "({ topic: 't', partition: 0, intervals: Array.from({ length: 200 }, (_, i) => "
                        + "['k' + i + round, 'e' + i % 7, '', i, i % 20 ? 'verified' : 'violated', false, i, i, 1, 1, 0, 0, '']) })) })");

        assertThat(tab.eval("store.byKey.size").asInt()).isEqualTo(110);
        assertThat(tab.eval("[...store.partitions.values()].flatMap(one => [...one.streams.values()])"
                                + ".reduce((sum, stream) => sum + stream.intervals.length, 0)")
                        .asInt())
                .isEqualTo(110);
    }

    @Test
    void aServerThatEndsIsNoticed() throws IOException {
        Tab tab = serve(orders(true));
        tab.await("document.getElementById('state').textContent === 'live'");

        servers.get(0).close();

        tab.await("document.getElementById('state').textContent.startsWith('no connection to the server since')");
    }

    @Test
    void streamsOfOneNameAreToldApartByTheirIds(@TempDir Path dir) throws IOException {
        DashboardModel picture = new DashboardModel(false);
        for (long emitter : new long[] {0xBEEF_0000_0000_0001L, 0xCAFE_0000_0000_0002L}) {
            StreamId stream = new StreamId("orders", 1, emitter);
            Scenes.add(
                    picture,
                    Scenes.record(
                            Scenes.alert(new Verified(Scenes.interval(stream, 3), Verified.Basis.MATCH, 0), NOW), 130));
        }

        assertThat(open(picture, dir).text("#rows")).contains("shop-2 beef00", "shop-2 cafe00");
        assertThat(open(orders(false), dir).text("#rows")).contains("shop-2").doesNotContain("shop-2 ");
    }
}
