package dev.stormproof.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stormproof.alert.Alert;
import dev.stormproof.alert.AlertSchema;
import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.cli.local.Stages;
import dev.stormproof.cli.testing.Served;
import dev.stormproof.cli.testing.Shell;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.cli.text.Tally;
import dev.stormproof.task.transform.EventTransform;
import dev.stormproof.task.transform.InputEvent;
import dev.stormproof.task.transform.Transformed;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The whole pipeline as a user runs it. One run with a broker of its own, one that is interrupted and one whose topology
 * dies are processes; the others run in this one, on the shared broker.
 */
@Tag(Stages.CLUSTER)
@OnKafka
class RunCommandTest {
    @TempDir
    private Path dir;

    private static Shell.Result run(EmbeddedKafka kafka, String topic, String... more) {
        return Shell.line("run --bootstrap-server " + kafka.bootstrapServers() + " --topic " + topic, more);
    }

    @Test
    void aCleanRunIsVerifiedWithoutAnAlert() throws Exception {
        Path alerts = dir.resolve("alerts.jsonl");

        Shell.Result result = Shell.process(
                        "run", "--events", "500", "--checkpoint-every", "40", "-o", alerts.toString())
                .ends(ExitCode.VERIFIED);

        assertThat(result.out())
                .contains(
                        "VERIFIED: the 500 events that were sent arrived once, in order, with key and value unaltered")
                .doesNotContain("ALERT");
        assertThat(alerts).isEmptyFile();
        assertThat(result.leftovers()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void exactlyTheInjectedFaultsAreNamed(long seed, EmbeddedKafka kafka) throws Exception {
        Path alerts = dir.resolve("alerts.jsonl");

        String topic = SharedKafka.unique("run");
        List<String> kind = seed == 2
                ? List.of("--tracker-placement", "source", "--output-topic", topic + "-output")
                : List.of("--transform", "log-json");
        List<String> arguments = new ArrayList<>(List.of(
                "--events", "600",
                "--partitions", "2",
                "--checkpoint-every", "25",
                "--inject", "lose=3,duplicate=2,swap=2,move=1,alter=2",
                "--seed", Long.toString(seed),
                "-o", alerts.toString()));
        arguments.addAll(kind);

        Shell.Result result =
                run(kafka, topic, arguments.toArray(String[]::new)).ends(ExitCode.VIOLATED);

        assertThat(result.out())
                .contains("named anomalies: 10")
                .contains("injected 10, of these named 10; others named 0")
                .contains("VIOLATED: 10 anomalies in ");
        Tally named = new Tally();
        for (String line : Files.readAllLines(alerts)) {
            Alert alert = AlertSchema.read(line.getBytes(StandardCharsets.UTF_8));
            assertThat(alert.isAlarm()).isTrue();
            named.add(alert);
        }
        assertThat(named.anomalies()).hasSize(10);
        if (seed == 2) {
            assertHops(result.out());
        }
    }

    /** Ten in the topology's alerts, in the report and in the audit of the output; the injector is the producer's. */
    private static void assertHops(String out) {
        List<String> anomalies = out.lines()
                .filter(line -> line.matches(" +(lost|duplicated|reordered|altered)  sequence .*"))
                .toList();
        assertThat(anomalies).hasSize(30);
        assertThat(anomalies.stream().filter(line -> line.contains("-output-")))
                .hasSize(10)
                .allMatch(line -> line.contains("  before the origin's log"));
        assertThat(anomalies.stream().filter(line -> !line.contains("-output-")))
                .allMatch(line -> line.contains("  before this log was read"));
    }

    @Test
    void aFileGoesThroughAnExistingKafkaWhoseOtherTopicsAreLeftAlone(EmbeddedKafka kafka) throws Exception {
        Path input = Files.write(dir.resolve("app.log"), List.of("first", "", "third", "fourth"));
        String topic = SharedKafka.unique("run");

        Shell.Result result = run(
                        kafka, topic, "--input", input.toString(), "--partitions", "2", "--checkpoint-every", "1")
                .ends(ExitCode.VERIFIED);

        assertThat(result.out()).contains("VERIFIED: the 4 events");
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            List<String> topics = new ArrayList<>(admin.listTopics().names().get());
            topics.removeIf(name -> !name.startsWith(topic));
            assertThat(topics)
                    .containsExactlyInAnyOrder(topic, topic + "-alerts", topic + "-heads", topic + "-verdicts");
        }

        Shell.Result again = run(kafka, topic, "--events", "1").ends(ExitCode.USAGE);
        assertThat(again.err()).contains("topic " + topic + " exists already; name another one with --topic");
    }

    @Test
    void asJsonAlertsAndReportAreLinesAndWhatIsForPeopleStandsBesideThem(EmbeddedKafka kafka) throws Exception {
        Shell.Result result = run(kafka, SharedKafka.unique("run"), "--events", "300", "--inject", "lose=1", "--json")
                .ends(ExitCode.VIOLATED);

        List<JsonNode> objects = new ArrayList<>();
        for (String line : result.out().lines().toList()) {
            objects.add(new ObjectMapper().readTree(line));
        }
        assertThat(objects).hasSizeGreaterThanOrEqualTo(2);
        assertThat(objects.get(0).has("data")).isTrue();
        JsonNode report = objects.get(objects.size() - 1);
        assertThat(report.path("run").asText()).isEqualTo("violated");
        assertThat(report.path("events").asInt()).isEqualTo(300);
        assertThat(report.path("named").asInt()).isOne();
        assertThat(result.err()).contains("VIOLATED: 1 anomaly");
    }

    @Test
    void interruptedItLeavesNothing() throws Exception {
        try (Shell.Running run = Shell.start("run", "--events", "1000000", "--dashboard")) {
            run.awaitErr("verifying");
            URI dashboard = Served.address(run.awaitOut("the dashboard is at "));
            assertThat(Served.awaitUpdate(
                                    dashboard,
                                    update ->
                                            update.at("/partitions/0/verified").asInt() > 0)
                            .required("title")
                            .asText())
                    .isEqualTo("stormproof-events");

            run.process().destroy();

            Shell.Result result = run.await();
            assertThat(result.exitCode()).as(result.toString()).isNotIn(0, 1, 2);
            assertThat(result.leftovers()).as(result.toString()).isEmpty();
        }
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "files have other permissions there")
    void theCopyOfAnInputWithoutEndIsPrivateAndGoesWhenInterrupted() throws Exception {
        try (Shell.Running run = Shell.startPiped("run", "--input", "-")) {
            run.process().getOutputStream().write("secret\n".getBytes(StandardCharsets.UTF_8));
            run.process().getOutputStream().flush();
            Path copy = awaitCopy(run);
            assertThat(Files.getPosixFilePermissions(copy))
                    .containsOnly(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

            run.process().toHandle().destroy();

            assertThat(run.process().waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(run.await().leftovers()).isEmpty();
        }
    }

    private static Path awaitCopy(Shell.Running run) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (System.nanoTime() < deadline) {
            try (Stream<Path> files = Files.list(run.dir().resolve("tmp"))) {
                Optional<Path> copy =
                        files.filter(file -> file.toFile().length() > 0).findAny();
                if (copy.isPresent()) {
                    return copy.get();
                }
            }
        }
        throw new AssertionError("the input was not copied");
    }

    @Test
    void aTopologyThatDiesIsAFailureAndNoVerdict() throws Exception {
        Shell.Result result = Shell.process("run", "--events", "10", "--transform", Bomb.class.getName())
                .ends(ExitCode.FAILED);

        assertThat(result.err()).contains("the topology failed");
        assertThat(result.out()).doesNotContain("VERIFIED").doesNotContain("VIOLATED");
        assertThat(result.leftovers()).isEmpty();
    }

    /** A transform after which a worker is not to be trusted. */
    public static final class Bomb implements EventTransform {
        @Override
        public Transformed apply(InputEvent event) {
            throw new InternalError("on purpose");
        }
    }
}
