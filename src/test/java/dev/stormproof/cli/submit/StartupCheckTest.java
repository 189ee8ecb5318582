package dev.stormproof.cli.submit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.transform.EventTransform;
import dev.stormproof.task.transform.InputEvent;
import dev.stormproof.task.transform.Transformed;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.storm.Config;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@OnKafka
@Timeout(60)
class StartupCheckTest {
    private final EmbeddedKafka kafka;
    private final Map<String, String> properties = new HashMap<>();

    @TempDir
    Path directory;

    /** A transform without a usable constructor. */
    public static final class Closed implements EventTransform {
        private Closed() {}

        @Override
        public Transformed apply(InputEvent event) {
            return Transformed.of(event.value());
        }
    }

    StartupCheckTest(EmbeddedKafka kafka) {
        this.kafka = kafka;
        properties.put("bootstrap.servers", kafka.bootstrapServers());
        properties.put("input.topics", SharedKafka.createTopic(kafka, "checked", 2));
        properties.put("alerts.topic", SharedKafka.createTopic(kafka, "checked-alerts", 1));
        properties.put("group.id", SharedKafka.unique("checked-group"));
    }

    @Test
    void theTopicsOfHeadsWithAPartitionForEachTaskAndOfVerdictsAreCreated() throws Exception {
        properties.put("checkpoint.tasks", "2");
        assertThat(StartupCheck.check(new StormproofConfig(properties), Map.of()))
                .isEmpty();
        String heads = properties.get("group.id") + "-heads";
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            assertThat(Objects.requireNonNull(admin.describeTopics(Set.of(heads))
                                    .allTopicNames()
                                    .get()
                                    .get(heads))
                            .partitions())
                    .hasSize(2);
            String verdicts = properties.get("alerts.topic") + "-verdicts";
            assertThat(admin.listTopics().names().get()).contains(verdicts);
            assertThat(Objects.requireNonNull(admin.describeTopics(Set.of(verdicts))
                                    .allTopicNames()
                                    .get()
                                    .get(verdicts))
                            .partitions())
                    .hasSize(1);
        }
        // And are found there by the next start.
        assertThat(StartupCheck.check(new StormproofConfig(properties), Map.of()))
                .isEmpty();
    }

    @Test
    void aTopicOfHeadsFromWhichTheyWouldExpireIsRefused() {
        properties.put("heads.topic", SharedKafka.createTopic(kafka, "checked-no-heads", 1));
        assertRefused(64, "(heads.topic) has cleanup.policy=delete", "kafka-configs.sh --bootstrap-server");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            input.topics | no-such-topic | topic 'no-such-topic' does not exist; input.topics
            alerts.topic | no-such-alerts | topic 'no-such-alerts' does not exist; alerts.topic
            transform | com.example.Missing | transform=com.example.Missing; no class of that name
            transform | java.lang.String | does not implement dev.stormproof.task.transform.EventTransform
            transform | dev.stormproof.cli.submit.StartupCheckTest$Closed | no public constructor without parameters
            event.signers | com.example.Missing | event.signers=com.example.Missing
            checkpoint.keys   | first:nonsense | checkpoint.keys; first
            bootstrap.servers | nowhere | nowhere
            """)
    void whatIsNotThereOrIsNoneIsNamed(String key, String value, String parts) {
        properties.put(key, value);
        assertRefused(64, parts.split("; ", -1));
    }

    @Test
    void aCompactedInputTopicIsRefused() {
        String compacted = SharedKafka.unique("compacted");
        kafka.createTopic(compacted, 1, Map.of("cleanup.policy", "compact,delete"));
        properties.put("input.topics", compacted);
        assertRefused(64, "'" + compacted + "' is compacted");
    }

    @Test
    void aCompactedTopicThatThePatternMatchesIsRefused() {
        String compacted = SharedKafka.unique("pattern-compacted");
        kafka.createTopic(compacted, 1, Map.of("cleanup.policy", "compact"));
        properties.remove("input.topics");
        properties.put("input.topics.pattern", compacted);
        assertRefused(64, "'" + compacted + "' is compacted");
    }

    @Test
    void aPatternThatMatchesItsOwnOutputIsRefused() {
        String name = SharedKafka.unique("looped");
        kafka.createTopic(name, 1, Map.of());
        kafka.createTopic(name + "-made", 1, Map.of());
        properties.remove("input.topics");
        properties.put("input.topics.pattern", name + ".*");
        properties.put("output.topic", "*-made");
        assertRefused(64, "matches '" + name + "-made' as well", "the output of '" + name + "'", "without end");
    }

    @Test
    void aPatternThatMatchesNothingYetIsOnlyWarnedOf() {
        properties.remove("input.topics");
        properties.put("input.topics.pattern", "nothing-.*");

        assertThat(StartupCheck.check(new StormproofConfig(properties), Map.of()))
                .anyMatch(warning -> warning.contains("no topic matches"));
    }

    @Test
    void moreTasksThanPartitionsAreWarnedOfWhereThereAreSuchTasks() {
        for (String tasks : List.of("spout.tasks", "transform.tasks", "checkpoint.tasks")) {
            properties.put(tasks, "3");
        }

        assertThat(StartupCheck.check(new StormproofConfig(properties), Map.of()))
                .hasSize(3)
                .allMatch(warning -> warning.contains(".tasks=3, but the input has only 2 partitions"));
        assertThat(StartupCheck.checkProcess(new StormproofConfig(properties), "replicas"))
                .as("a process has none that read or transform alone")
                .singleElement()
                .asString()
                .startsWith("checkpoint.tasks=3");
        properties.put("tracker.placement", "source");
        assertThat(StartupCheck.checkProcess(new StormproofConfig(properties), "replicas"))
                .filteredOn(warning -> warning.contains("the input has only"))
                .singleElement()
                .asString()
                .startsWith("spout.tasks=3");
    }

    @Test
    void tasksThatPlacementSourceDoesNotHaveAreWarnedOf() {
        properties.put("transform.tasks", "2");
        properties.put("checkpoint.tasks", "2");
        assertThat(StartupCheck.check(new StormproofConfig(properties), Map.of()))
                .isEmpty();
        properties.put("tracker.placement", "source");

        assertThat(StartupCheck.check(new StormproofConfig(properties), Map.of()))
                .hasSize(2)
                .anyMatch(warning -> warning.startsWith("transform.tasks "))
                .anyMatch(warning -> warning.startsWith("checkpoint.tasks "))
                .allMatch(warning -> warning.contains("tracker.placement=source"));
    }

    @Test
    void batchSizesThatReorderAreRefused() {
        for (String key : new String[] {Config.TOPOLOGY_PRODUCER_BATCH_SIZE, Config.TOPOLOGY_TRANSFER_BATCH_SIZE}) {
            Failure refused = catchThrowableOfType(
                    Failure.class, () -> StartupCheck.check(new StormproofConfig(properties), Map.of(key, 100L)));

            assertThat(refused).hasMessageContaining(key).hasMessageContaining("reorder");
            assertThat(refused.exitCode()).isEqualTo(64);
        }
    }

    @Test
    void aBrokerThatDoesNotAnswerIsNamed() throws IOException {
        int port = unusedPort();
        properties.put("bootstrap.servers", "127.0.0.1:" + port);
        properties.put("default.api.timeout.ms", "1500");
        properties.put("request.timeout.ms", "500");
        assertRefused(70, "no Kafka broker answers at 127.0.0.1:" + port, "bootstrap.servers");
    }

    @Test
    void theCommandSaysInOneLineWhatIsWrongAndExitsAccordingly() throws IOException {
        Path file = directory.resolve("stormproof.properties");
        properties.put("input.topics", "no-such-topic");
        StringBuilder text = new StringBuilder();
        properties.forEach(
                (key, value) -> text.append(key).append('=').append(value).append('\n'));
        Files.writeString(file, text);

        assertThat(SubmitCommand.run("--config", file.toString())).isEqualTo(64);
        assertThat(SubmitCommand.run("--config", directory.resolve("none").toString()))
                .isEqualTo(64);
        assertThat(SubmitCommand.run()).isEqualTo(64);
        assertThat(SubmitCommand.run("--help")).isZero();
    }

    private void assertRefused(int exitCode, String... parts) {
        Failure refused = catchThrowableOfType(
                Failure.class, () -> StartupCheck.check(new StormproofConfig(properties), Map.of()));
        assertThat(refused.exitCode()).isEqualTo(exitCode);
        for (String part : parts) {
            assertThat(refused).hasMessageContaining(part);
        }
    }

    private static int unusedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
