package dev.stormproof.compatibility;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import dev.stormproof.alert.AlertJson;
import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.Stages;
import dev.stormproof.proof.checkpoint.EventHeader;
import dev.stormproof.task.live.progress.ProgressMetadata;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.Neighbours;
import dev.stormproof.verify.judge.Verdict;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What is built now goes on from the topics, progress and notes that release 0.1.0 left, and comes to what 0.1.0 comes to; what it
 * writes meanwhile, 0.1.0 reads. {@link StoredRun} wrote both.
 */
@Tag(Stages.BROKER)
@Tag(Stages.RELEASED)
@Timeout(180)
class UpgradeTest {
    private static final Path STORED = Path.of("src", "test", "resources", "compatibility");
    private static final ObjectMapper JSON = new ObjectMapper();

    /** What 0.1.0 takes for a note of its own; everything else it takes for none, and begins to look for what was told. */
    private static final String NOTE_OF_THE_RELEASE =
            "stormproof/1 topic=[0-9a-f]{16} told=(\\?|[0-9:,-]*)( written=[0-9]+:[0-9,/]*!?~?)?( by=[0-9]+of[0-9]+)?( led=[0-9,/]+)?( heads=[0-9a-f]{16}[?]?)?";

    @TempDir
    private static Path dir;

    private static EmbeddedKafka kafka;
    private static Map<TopicPartition, OffsetAndMetadata> progressBefore;
    private static List<String> alertsBefore;
    private static List<String> verdictsBefore;
    private static List<String> alerts;
    private static List<String> verdicts;

    @BeforeAll
    static void goOn() throws Exception {
        try (InputStream zip = Files.newInputStream(STORED.resolve("0.1.0.zip"))) {
            StoredRun.unpack(zip, dir);
        }
        kafka = EmbeddedKafka.start(0, dir, StoredRun.BROKER);
        String servers = kafka.bootstrapServers();
        progressBefore = StoredRun.progress(servers);
        alertsBefore = texts(servers, StoredRun.ALERTS);
        verdictsBefore = texts(servers, StoredRun.VERDICTS);
        StoredRun.goOn(servers);
        alerts = texts(servers, StoredRun.ALERTS);
        verdicts = texts(servers, StoredRun.VERDICTS);
    }

    @AfterAll
    static void close() {
        kafka.close();
    }

    @Test
    void theReleaseLeftProgressAlertsAndSomethingToDo() throws Exception {
        Map<TopicPartition, Long> ends = StoredRun.ends(kafka.bootstrapServers());

        assertThat(progressBefore.keySet()).isEqualTo(ends.keySet());
        progressBefore.forEach((partition, progress) -> {
            assertThat(progress.offset()).isPositive().isLessThan(ends.get(partition));
            assertThat(ProgressMetadata.decode(progress.metadata())).satisfies(note -> {
                assertThat(note.published()).isPresent();
                assertThat(note.written().orElseThrow().endOffset()).isGreaterThan(progress.offset());
            });
        });
        assertThat(alertsBefore).isNotEmpty();
        assertThat(alerts).hasSizeGreaterThan(alertsBefore.size()).startsWith(alertsBefore.toArray(String[]::new));
    }

    @Test
    void whatIsFoundIsWhatTheReleaseFinds() throws IOException {
        List<Finding> expected = new ArrayList<>();
        for (String line : Files.readAllLines(STORED.resolve("0.1.0.jsonl"))) {
            expected.add(AlertJson.read(line.getBytes(UTF_8)).finding());
        }
        List<Finding> found = findings(alerts);
        found.addAll(findings(verdicts));

        assertThat(expected).hasSizeGreaterThan(30);
        assertThat(byRevision(found)).isEqualTo(byRevision(expected));
    }

    @Test
    void noAlertIsToldAgain() throws IOException {
        assertThat(findings(alerts)).extracting(Finding::revisionId).doesNotHaveDuplicates();
    }

    @Test
    void whatTheReleaseHadDecidedIsNotVerifiedAgain() throws IOException {
        List<Finding> again = findings(verdicts.subList(verdictsBefore.size(), verdicts.size()));

        assertThat(again).isNotEmpty().allSatisfy(finding -> {
            TopicPartition partition =
                    new TopicPartition(StoredRun.TOPIC, finding.partition().partition());
            long progress =
                    Objects.requireNonNull(progressBefore.get(partition)).offset();
            assertThat(((Verdict) finding).interval().checkpointOffset()).isGreaterThanOrEqualTo(progress);
        });
    }

    @Test
    void theOutputGoesOnBehindWhatIsWritten() {
        String servers = kafka.bootstrapServers();
        for (int partition = 0; partition < StoredRun.PARTITIONS; partition++) {
            assertThat(identities(servers, StoredRun.OUTPUT, partition))
                    .hasSizeGreaterThan(60)
                    .isEqualTo(identities(servers, StoredRun.TOPIC, partition));
        }
    }

    @Test
    void theReleaseReadsTheNotesOfNow() throws Exception {
        Map<TopicPartition, OffsetAndMetadata> now = StoredRun.progress(kafka.bootstrapServers());

        assertThat(now.values())
                .hasSize(StoredRun.PARTITIONS)
                .allSatisfy(progress -> assertThat(noteOf(progress)).matches(NOTE_OF_THE_RELEASE));
        assertThat(progressBefore.values())
                .allSatisfy(progress -> assertThat(noteOf(progress)).matches(NOTE_OF_THE_RELEASE));
    }

    @Test
    void theReleaseReadsTheAlertsOfNow() throws IOException {
        String data = Files.readString(STORED.resolve("schema").resolve("alert-data-1.json"));
        JsonSchema event = JsonSchemaFactory.getInstance(
                        SpecVersion.VersionFlag.V202012,
                        builder ->
                                builder.schemaLoaders(loaders -> loaders.schemas(Map.of(AlertJson.DATA_SCHEMA, data))))
                .getSchema(Files.readString(STORED.resolve("schema").resolve("alert-1.json")));

        for (String alert : alerts) {
            assertThat(event.validate(JSON.readTree(alert))).as(alert).isEmpty();
        }
    }

    private static String noteOf(OffsetAndMetadata progress) {
        try {
            JsonNode note = JSON.readTree(progress.metadata());
            return note.path("threadName").asText();
        } catch (IOException e) {
            throw new AssertionError(progress.metadata(), e);
        }
    }

    private static List<String> identities(String servers, String topic, int partition) {
        return StoredRun.records(servers, topic, partition).stream()
                .map(UpgradeTest::identity)
                .toList();
    }

    private static String identity(ConsumerRecord<byte[], byte[]> record) {
        for (String name : List.of(EventHeader.NAME, "stormproof-checkpoint")) {
            Header header = record.headers().lastHeader(name);
            if (header != null) {
                return name + " " + HexFormat.of().formatHex(header.value());
            }
        }
        throw new AssertionError("neither event nor checkpoint: " + record);
    }

    private static Map<String, Finding> byRevision(List<Finding> findings) {
        BinaryOperator<Finding> same = (one, other) -> {
            assertThat(one).isEqualTo(other);
            return one;
        };
        return findings.stream()
                .map(UpgradeTest::withoutNeighbours)
                .collect(toMap(Finding::revisionId, finding -> finding, same, TreeMap::new));
    }

    /** The finding as the stored run tells it, which says nothing yet of what lies beside a gap. */
    private static Finding withoutNeighbours(Finding finding) {
        if (!(finding instanceof Violated violated)) {
            return finding;
        }
        List<Anomaly> alone = violated.anomalies().stream()
                .map(anomaly -> new Anomaly(
                        anomaly.kind(),
                        anomaly.stream(),
                        anomaly.begin(),
                        anomaly.end(),
                        anomaly.offset(),
                        anomaly.copies(),
                        anomaly.expected(),
                        anomaly.observed(),
                        anomaly.differs(),
                        anomaly.hop(),
                        anomaly.writtenMillis(),
                        Neighbours.NONE))
                .toList();
        return new Violated(
                violated.interval(),
                violated.isOpen(),
                violated.minimal(),
                violated.anomalyCount(),
                alone,
                violated.hop());
    }

    private static List<Finding> findings(List<String> texts) throws IOException {
        List<Finding> findings = new ArrayList<>();
        for (String text : texts) {
            findings.add(AlertJson.read(text.getBytes(UTF_8)).finding());
        }
        return findings;
    }

    private static List<String> texts(String servers, String topic) {
        return StoredRun.values(servers, topic).stream()
                .map(value -> new String(value, UTF_8))
                .toList();
    }
}
