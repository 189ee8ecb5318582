package dev.stormproof.cli.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.alert.Alert;
import dev.stormproof.cli.canary.Planter;
import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.cli.terminal.Terminal;
import dev.stormproof.cli.testing.Shell;
import dev.stormproof.cli.text.Tally;
import dev.stormproof.emit.testing.Clients;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.metrics.WorkerMetrics;
import dev.stormproof.task.metrics.testing.Scrape;
import dev.stormproof.task.process.VerifyProcess;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A canary before real verifiers that stop, cannot write, or look elsewhere; a fault each second in place of each minute. */
@OnKafka
@Timeout(240)
class CanaryOnKafkaTest {
    private static final long INTERVAL_MILLIS = 1_000;
    private static final long WITHIN_MILLIS = 15_000;

    /** Until it is seen that the time is over, and said, on a machine that is busy. */
    private static final long LOOK_MILLIS = 3_000;

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(90);

    @TempDir
    private Path dir;

    private final EmbeddedKafka kafka;
    private final String events;
    private final String canary;
    private final String alerts;
    private final Map<String, String> settings = new HashMap<>();
    private final StringWriter said = new StringWriter();

    CanaryOnKafkaTest(EmbeddedKafka kafka) {
        this.kafka = kafka;
        this.events = SharedKafka.createTopic(kafka, "events", 1);
        this.canary = SharedKafka.createTopic(kafka, "canary", 1);
        this.alerts = SharedKafka.createTopic(kafka, "alerts", 1);
        settings.put("bootstrap.servers", kafka.bootstrapServers());
        settings.put("group.id", SharedKafka.unique("canary-group"));
        settings.put("input.topics", events);
        settings.put("canary.topic", canary);
        settings.put("alerts.topic", alerts);
    }

    private CanarySession session() throws InterruptedException {
        return session(() -> List.of(new TopicPartition(canary, 0)));
    }

    private CanarySession session(CanarySession.Partitions partitions) throws InterruptedException {
        return new CanarySession(
                new Planter(Map.of("bootstrap.servers", kafka.bootstrapServers()), canary),
                partitions,
                INTERVAL_MILLIS,
                WITHIN_MILLIS,
                Terminal.over(said));
    }

    private FindingFeed feed(boolean fromBeginning) {
        return new FindingFeed(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                List.of(new TopicPartition(alerts, 0)),
                fromBeginning);
    }

    private void await(String what, CanarySession session, FindingFeed feed, BooleanSupplier until) {
        long deadlineNanos = System.nanoTime() + PATIENCE_NANOS;
        session.run(feed, () -> until.getAsBoolean() || System.nanoTime() > deadlineNanos);
        assertThat(until.getAsBoolean()).as("%s in time; %s", what, said).isTrue();
    }

    /** The canary hears the verifier; then something happens to that, and the canary is blind. */
    private void assertBlindAfter(CanarySession session, FindingFeed feed, Breaking breaks) throws Exception {
        await("the first faults are reported", session, feed, () -> session.reported() >= 2);
        assertThat(session.blind()).isEmpty();
        breaks.run();
        long brokenNanos = System.nanoTime();
        await("blind", session, feed, () -> session.blind().isPresent());
        assertThat(Duration.ofNanos(System.nanoTime() - brokenNanos))
                .isLessThan(Duration.ofMillis(INTERVAL_MILLIS + WITHIN_MILLIS + LOOK_MILLIS));
        assertThat(said.toString()).contains("BLIND: a fault that was planted");
    }

    private interface Breaking {
        void run() throws Exception;
    }

    /** In a process of its own: in this one another test's task may have named the address that counts. */
    @Test
    @SuppressWarnings("try") // The port is given up in the middle of it.
    void metricsAreServedOnceTheirPortIsFree() throws Exception {
        String group = SharedKafka.unique("canary-group");
        try (ServerSocket holder = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = holder.getLocalPort();
            try (Shell.Running running = Shell.start(Shell.words(
                    "canary --bootstrap-server " + kafka.bootstrapServers() + " --topic " + canary + " --alerts-topic "
                            + alerts + " --group " + group + " --within 1 --listen 127.0.0.1:" + port))) {
                running.awaitErr("planting a fault");
                holder.close();
                Clients.await(
                        "its metrics",
                        () -> Scrape.isServed(port, "stormproof_canary_blind{group=\"" + group)
                                || !running.process().isAlive());
                assertThat(running.process().isAlive()).isTrue();
                running.awaitErr("BLIND");
                assertThat(Scrape.of("127.0.0.1", port).value("stormproof_canary_blind", "group", group))
                        .isEqualTo(1);
            }
        }
    }

    @Test
    void aPausedVerifierIsBlind() throws Exception {
        Path config = dir.resolve("verify.properties");
        Files.write(
                config,
                settings.entrySet().stream()
                        .map(setting -> setting.getKey() + "=" + setting.getValue())
                        .toList());
        try (Shell.Running verify = Shell.start("watch", "--config", config.toString());
                CanarySession session = session();
                FindingFeed feed = feed(false)) {
            verify.awaitErr("stormproof: verifying");
            List<ProcessHandle> all = verify.process().descendants().toList();
            try {
                assertBlindAfter(session, feed, () -> signal("-STOP", verify.process(), all));
            } finally {
                signal("-CONT", verify.process(), all);
            }
            await("it sees again", session, feed, () -> session.blind().isEmpty());
        }
    }

    private static void signal(String signal, Process process, List<ProcessHandle> children) throws Exception {
        List<String> command = new ArrayList<>(List.of("kill", signal, String.valueOf(process.pid())));
        children.forEach(child -> command.add(String.valueOf(child.pid())));
        var unused = new ProcessBuilder(command).start().waitFor();
    }

    private List<String> served() throws Exception {
        InetSocketAddress address = WorkerMetrics.ofThisProcess().served().orElseThrow();
        return Scrape.of(address.getHostString(), address.getPort())
                .text()
                .lines()
                .filter(line -> line.contains("group=\"" + settings.get("group.id") + "\""))
                .toList();
    }

    /** What is planted is reported by types of its own, and no reader of alerts counts it. */
    @Test
    void plantedFaultsMixWithNothing() throws Exception {
        settings.put("metrics.http.port", "0");
        VerifyProcess verify = VerifyProcess.open(new StormproofConfig(settings));
        try (CanarySession session = session();
                FindingFeed feed = feed(false)) {
            verify.join();
            await("the first faults are reported", session, feed, () -> session.reported() >= 2);
            assertThat(served())
                    .anyMatch(line -> line.matches("stormproof_verified_offset\\{.*topic=\"" + canary + "\"} [1-9].*"))
                    .noneMatch(line -> line.matches(
                            "stormproof_(verdicts|anomalies|verified_events|detection_delay)_.*\\} [1-9].*"));
        } finally {
            verify.close();
        }
        Tally tally = new Tally();
        int planted = 0;
        try (FindingFeed all = feed(true)) {
            while (planted < 2) {
                for (ConsumerRecord<byte[], byte[]> record : all.poll(Duration.ofMillis(200))) {
                    Alert alert = FindingFeed.alert(record);
                    assertThat(alert.canary()).isTrue();
                    assertThat(new String(record.value(), StandardCharsets.UTF_8))
                            .contains("\"type\":\"dev.stormproof.canary.");
                    tally.add(alert);
                    planted++;
                }
            }
        }
        assertThat(tally.isEmpty()).isTrue();
    }
}
