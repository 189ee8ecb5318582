package dev.stormproof.alert.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.stormproof.alert.Acceptance;
import dev.stormproof.alert.AlertJson;
import dev.stormproof.alert.dashboard.testing.Browser;
import dev.stormproof.alert.dashboard.testing.Browser.Tab;
import dev.stormproof.alert.dashboard.testing.Scenes;
import dev.stormproof.verify.judge.PartitionId;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Looks at the pages in a browser: writes pictures of them, has axe-core look for what keeps people out, and measures how smooth
 * the dashboard is with 500 partitions and 10,000 intervals while 500 more come in a second. {@code scripts/check dashboard} runs it.
 */
final class DashboardCheck {
    /** Thirty frames in a second; on a machine that does other things too, as many as an empty page has, or half. */
    private static final double MOST_MILLIS = 34;

    private static final int MEASURED_MILLIS = 8_000;
    private static final List<String> SCHEMES = List.of("light", "dark");
    /** Those of the golden proofs. */
    private static final String UPSTREAM_KEY = "test-1:MCowBQYDK2VwAyEA9Z76+CjPm4Jk8l7lQct2DSRmgNTRnNAVBlxnQwrJlek=";

    private static final String VERIFIER_KEY = "auditor-1:MCowBQYDK2VwAyEAebVWLo/mVPlAeLES6KmLp5AfhTrmlb7X4OORC60ElmQ=";

    private static final PrintStream OUT = System.out;

    private DashboardCheck() {}

    public static void main(String[] args) throws Exception {
        Path dir = Files.createDirectories(Path.of(args[0]));
        Accessibility accessibility = Accessibility.of(Path.of(args[1]));
        boolean good;
        try (Browser browser = Browser.start()) {
            takePictures(browser, dir, accessibility);
            lookAtStates(browser, dir, accessibility);
            lookAtFiles(browser, dir, accessibility);
            lookAtContent(browser, dir, accessibility);
            good = isSmooth(browser);
        }
        accessibility.print(OUT);
        if (!good || accessibility.findings() > 0) {
            System.exit(1);
        }
    }

    private static void takePictures(Browser browser, Path dir, Accessibility accessibility) throws Exception {
        DashboardModel picture = new DashboardModel(true);
        Scenes.addOrders(picture, 6, 290, System.currentTimeMillis());
        try (DashboardServer server =
                DashboardServer.start(new InetSocketAddress("localhost", 0), new Topologies("", picture))) {
            for (String scheme : SCHEMES) {
                for (int width : new int[] {1280, 400}) {
                    Tab tab = browser.open(server.uri(), width, 880);
                    tab.colours(scheme);
                    tab.await("grid.rows.length === 8");
                    take(tab, dir, scheme + "-" + width);
                    accessibility.judge(tab, "dashboard, " + scheme + ", " + width);
                    tab.eval("[...document.querySelectorAll('#findings button')]"
                            + ".find(button => button.textContent.includes('altered')).click()");
                    tab.await("document.querySelector('#detail svg')");
                    take(tab, dir, scheme + "-" + width + "-opened");
                    accessibility.judge(tab, "a violation, " + scheme + ", " + width);
                    Files.write(dir.resolve("opened.pdf"), tab.print());
                    tab.eval("document.getElementById('close').click()");
                    Files.write(dir.resolve("page.pdf"), tab.print());
                }
            }
        }
        DashboardModel many = new DashboardModel(true);
        Scenes.addMany(many, "orders", System.currentTimeMillis(), 300);
        for (int partition = 0; partition < 300; partition++) {
            many.progress(new PartitionId("orders", partition), 415 - partition % 4, 420);
        }
        try (DashboardServer server =
                DashboardServer.start(new InetSocketAddress("localhost", 0), new Topologies("", many))) {
            for (String scheme : SCHEMES) {
                Tab tab = browser.open(server.uri(), 1280, 880);
                tab.colours(scheme);
                tab.await("grid.rows.length === 300");
                take(tab, dir, scheme + "-many");
                accessibility.judge(tab, "many partitions, " + scheme);
            }
        }
        OUT.println("pictures: " + dir);
    }

    /** The page with the links of several topologies and an accepted violation, then blind, then without its server. */
    private static void lookAtStates(Browser browser, Path dir, Accessibility accessibility) throws Exception {
        long now = System.currentTimeMillis();
        byte[] record = Scenes.violated("orders", 0, 2, false, now);
        for (String scheme : SCHEMES) {
            DashboardModel picture = new DashboardModel(true);
            Scenes.add(picture, Scenes.verified("orders", 0, 1, now));
            Scenes.add(picture, record);
            picture.accept(Acceptance.of(AlertJson.read(record), now, "alice", "sent again on 3 May"));
            Topologies topologies = new Topologies("orders", picture);
            topologies.add("payments", new DashboardModel(true));
            // One tab for all of it: a page that lies behind another asks its server for nothing.
            Tab tab;
            try (DashboardServer server = DashboardServer.start(new InetSocketAddress("localhost", 0), topologies)) {
                tab = browser.open(server.uri(), 1280, 880);
                tab.colours(scheme);
                tab.await("document.querySelectorAll('#topologies a').length > 0");
                tab.await("document.querySelector('#findings tbody tr button')");
                tab.eval("document.querySelector('#findings tbody tr button').click()");
                tab.await("document.querySelector('#detail svg')");
                look(tab, dir, "accepted-" + scheme, accessibility);
                picture.blind("blind: no planted fault was told for 150 s");
                tab.await("document.body.textContent.includes('blind: no planted fault')");
                look(tab, dir, "blind-" + scheme, accessibility);
                picture.blind("");
                tab.await("!document.body.textContent.includes('blind: no planted fault')");
            }
            tab.await("document.body.textContent.includes('no connection to the server')");
            look(tab, dir, "unconnected-" + scheme, accessibility);
        }
    }

    private static void look(Tab tab, Path dir, String name, Accessibility accessibility) throws Exception {
        take(tab, dir, name);
        accessibility.judge(tab, name);
    }

    /** The pages that are files: an audit's, and the one that checks a proof, with what it says of one that holds and of one that does not. */
    private static void lookAtFiles(Browser browser, Path dir, Accessibility accessibility) throws Exception {
        DashboardModel audit = new DashboardModel(false);
        Scenes.addOrders(audit, 6, 120, System.currentTimeMillis());
        audit.facts(Map.of("Read", List.of("offsets [0, 2,280) of orders-0")));
        Path page = Files.writeString(
                dir.resolve("audit.html"),
                Page.of(audit, System.currentTimeMillis()).html());
        try (InputStream check = DashboardCheck.class.getResourceAsStream("/evidence/check.html")) {
            Files.write(dir.resolve("check.html"), Objects.requireNonNull(check).readAllBytes());
        }
        for (Path file : List.of(page, dir.resolve("check.html"))) {
            for (String scheme : SCHEMES) {
                Tab tab = browser.open(file.toUri(), 1280, 880);
                tab.colours(scheme);
                accessibility.judge(tab, file.getFileName() + ", " + scheme);
            }
        }
        byte[] receipt = Files.readAllBytes(Path.of("src/test/resources/evidence/receipt.proof"));
        for (String scheme : SCHEMES) {
            for (byte[] proof : List.of(receipt, "no proof".getBytes(UTF_8))) {
                Tab tab = browser.open(dir.resolve("check.html").toUri(), 1280, 880);
                tab.colours(scheme);
                tab.eval("document.getElementById('keys').value = '" + UPSTREAM_KEY + "'");
                tab.eval("document.getElementById('verifiers').value = '" + VERIFIER_KEY + "'");
                tab.eval("(() => { const chosen = new DataTransfer(); chosen.items.add(new File([Uint8Array.from(atob('"
                        + Base64.getEncoder().encodeToString(proof)
                        + "'), one => one.charCodeAt(0))], 'a.proof')); const file = document.getElementById('file');"
                        + " file.files = chosen.files; file.dispatchEvent(new Event('change')); })()");
                tab.await("document.getElementById('result').className !== ''");
                String name = "check-"
                        + tab.eval("document.getElementById('result').className")
                                .asText();
                look(tab, dir, name + "-" + scheme, accessibility);
            }
        }
    }

    /** Records beside a violation, as --show-content has them: on the dashboard, and on an audit's page. */
    private static void lookAtContent(Browser browser, Path dir, Accessibility accessibility) throws Exception {
        long now = System.currentTimeMillis();
        RecordSource door = (partition, offsets, taker) -> {
            for (int i = 0; i < offsets.size(); i++) {
                taker.accept(
                        i % 2 == 0
                                ? new ReadRecord(
                                        offsets.get(i),
                                        "",
                                        now,
                                        ("order-" + i).getBytes(UTF_8),
                                        List.of(new ReadRecord.Header("trace", "4bf92f35".getBytes(UTF_8))),
                                        ("{\"amount\": 12.50, \"note\": \"" + "x".repeat(3_000) + "\"}")
                                                .getBytes(UTF_8))
                                : ReadRecord.unread(offsets.get(i), "not read: it was deleted"));
            }
        };
        DashboardModel live = new DashboardModel(true);
        Scenes.add(live, Scenes.violated("orders", 0, 2, false, now));
        DashboardModel audited = new DashboardModel(false);
        Scenes.add(audited, Scenes.violated("orders", 0, 2, false, now));
        audited.read(door, System.nanoTime() + TimeUnit.MINUTES.toNanos(1));
        Path file = Files.writeString(
                dir.resolve("content.html"), Page.of(audited, now).html());
        try (DashboardServer server =
                DashboardServer.start(new InetSocketAddress("localhost", 0), new Topologies("", live), door)) {
            for (URI page : List.of(server.uri(), file.toUri())) {
                String name = page.getScheme().equals("file") ? "content of an audit" : "content on the dashboard";
                for (String scheme : SCHEMES) {
                    for (int width : new int[] {1280, 400}) {
                        Tab tab = browser.open(page, width, 880);
                        tab.colours(scheme);
                        tab.await("document.querySelector('#findings tbody tr button')");
                        tab.eval("document.querySelector('#findings tbody tr button').click()");
                        tab.await("document.querySelectorAll('#records tbody tr').length > 1");
                        take(tab, dir, name.replace(' ', '-') + "-" + scheme + "-" + width);
                        accessibility.judge(tab, name + ", " + scheme + ", " + width);
                    }
                }
            }
        }
    }

    private static void take(Tab tab, Path dir, String name) throws Exception {
        tab.eval(
                "new Promise(done => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), 400))");
        tab.screenshot(dir.resolve(name + ".png"));
    }

    private static boolean isSmooth(Browser browser) throws Exception {
        Frames empty = Frames.of(browser.open(URI.create("data:text/html,empty"), 1280, 900), "");
        OUT.println("an empty page: " + empty);
        DashboardModel picture = new DashboardModel(true);
        Scenes.addMany(picture, System.currentTimeMillis());
        ScheduledExecutorService events = Executors.newSingleThreadScheduledExecutor();
        try (DashboardServer server =
                DashboardServer.start(new InetSocketAddress("localhost", 0), new Topologies("", picture))) {
            Tab tab = browser.open(server.uri(), 1280, 900);
            tab.await("store.byKey.size === 10000 && grid.rows.length === 500");
            AtomicInteger next = new AtomicInteger(20 * 500);
            var unused = events.scheduleAtFixedRate(
                    () -> {
                        for (int i = 0; i < 50; i++) {
                            int one = next.getAndIncrement();
                            Scenes.add(
                                    picture, Scenes.verified("many", one % 500, one / 500, System.currentTimeMillis()));
                        }
                    },
                    0,
                    100,
                    TimeUnit.MILLISECONDS);
            boolean smooth = true;
            for (int span = 0; span < 2; span++) {
                tab.eval("document.querySelectorAll('#spans input')[" + 5 * span + "].click()");
                Frames frames = Frames.of(tab, "grid.viewport.scrollTop = (grid.viewport.scrollTop + 45) % 16000");
                OUT.println((span == 0 ? "in order, scrolling: " : "by time, scrolling: ") + frames);
                smooth &= frames.within95() <= Math.max(MOST_MILLIS, 2 * empty.within95());
            }
            double drawn = tab.eval(
                            "(() => { const times = []; for (let i = 0; i < 99; i++) { const begun = performance.now(); "
                                    + "refresh(); times.push(performance.now() - begun); } return times.sort((a, b) => a - b)[49]; })()")
                    .asDouble();
            OUT.printf(Locale.ROOT, "to draw everything anew takes %.1f ms%n", drawn);
            smooth &= drawn <= MOST_MILLIS / 2;
            JsonNode heap = tab.eval("performance.memory.usedJSHeapSize");
            OUT.printf(
                    Locale.ROOT,
                    "%d intervals drawn, %d MB of heap, errors: %s%n",
                    tab.eval("store.byKey.size").asInt(),
                    heap.asLong() >> 20,
                    tab.errors());
            return smooth && tab.errors().isEmpty();
        } finally {
            events.shutdownNow();
        }
    }

    /** What axe-core finds on pages. */
    private static final class Accessibility {
        private final String script;
        private final List<String> findings = new ArrayList<>();
        private int pages;

        private Accessibility(String script) {
            this.script = script;
        }

        static Accessibility of(Path axe) throws IOException {
            return new Accessibility(Files.readString(axe));
        }

        void judge(Tab tab, String page) {
            pages++;
            tab.eval(script + "; 0");
            tab.eval(
                            "axe.run(document, {resultTypes: ['violations']}).then(result => result.violations.map("
                                    + "one => one.id + ': ' + one.help + ' at ' + one.nodes.map(node => node.target).join(' ; ')))")
                    .forEach(one -> findings.add(page + ": " + one.asText()));
        }

        int findings() {
            return findings.size();
        }

        void print(PrintStream out) {
            out.println("axe-core: " + pages + " looks at pages, " + findings.size() + " findings");
            findings.forEach(out::println);
        }
    }

    /** How long the frames of a page took, in milliseconds. */
    private record Frames(int count, double median, double within95, double longest) {
        /** Measures them while something is done in each. */
        static Frames of(Tab tab, String step) {
            JsonNode times =
                    tab.eval("new Promise(done => { const times = []; let last = performance.now(); const end = last + "
                            + MEASURED_MILLIS + "; const frame = now => { times.push(now - last); last = now; " + step
                            + "; if (now < end) { requestAnimationFrame(frame); } else { times.sort((a, b) => a - b); "
                            + "done([times.length, times[times.length >> 1], times[Math.floor(times.length * 0.95)], "
                            + "times[times.length - 1]]); } }; requestAnimationFrame(frame); })");
            return new Frames(
                    times.get(0).asInt(),
                    times.get(1).asDouble(),
                    times.get(2).asDouble(),
                    times.get(3).asDouble());
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%d frames, median %.1f ms, 95 of 100 within %.1f ms, longest %.1f ms",
                    count,
                    median,
                    within95,
                    longest);
        }
    }
}
