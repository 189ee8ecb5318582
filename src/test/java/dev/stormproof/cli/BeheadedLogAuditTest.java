package dev.stormproof.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.cli.testing.Shell;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.task.live.testing.PaperLog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Of what a log no longer holds nothing is said but that it was not judged; and a log can be demanded to hold it. */
@OnKafka
class BeheadedLogAuditTest {
    private static final long BEGIN_MILLIS =
            Instant.parse("2026-01-31T08:00:00Z").toEpochMilli();

    private final EmbeddedKafka kafka;
    private String topic;

    BeheadedLogAuditTest(EmbeddedKafka kafka) {
        this.kafka = kafka;
    }

    /** Two partitions of 40 events in intervals of 10, 46 records each, a second apart. */
    @BeforeEach
    void write() {
        topic = SharedKafka.unique("beheaded");
        kafka.createTopic(topic, 2, Map.of("retention.ms", "-1"));
        try (KafkaProducer<byte[], byte[]> producer = SharedKafka.producer(kafka)) {
            long millis = BEGIN_MILLIS;
            for (ProducerRecord<byte[], byte[]> record : PaperLog.of(topic, 2, 80, 10, Map.of())) {
                millis += 1_000;
                var unused = producer.send(new ProducerRecord<>(
                        topic, record.partition(), millis, record.key(), record.value(), record.headers()));
            }
        }
    }

    private void deleteBefore(int partition, long offset) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.deleteRecords(Map.of(new TopicPartition(topic, partition), RecordsToDelete.beforeOffset(offset)))
                    .all()
                    .get();
        }
    }

    private Shell.Result audit(String... more) {
        return Shell.line("audit --bootstrap-server " + kafka.bootstrapServers() + " --topic " + topic, more);
    }

    private static void assertExit(int exitCode, Shell.Result result) {
        assertThat(result.exitCode()).as(result.toString()).isEqualTo(exitCode);
    }

    @Test
    void aPartitionThatIsGoneIsSaidBesideTheVerdict(@TempDir Path dir) throws Exception {
        deleteBefore(1, 46);
        Path page = dir.resolve("page.html");

        Shell.Result result = audit("--html", page.toString());

        assertExit(ExitCode.VERIFIED, result);
        assertThat(result.out())
                .endsWith(
                        "VERIFIED: 40 events arrived once, in order, with key and value unaltered; the log of partition 1 begins at 46; "
                                + "what lay before it was not judged\n"
                                + "40 events of '" + topic
                                + "' are proven to have arrived once, in order, with key and value unaltered. "
                                + "The log of partition 1 begins at 46; what lay before it was not judged.\n")
                .doesNotContainPattern("(?i)\\ball\\b");
        assertThat(Files.readString(page))
                .contains("The log of partition 1 begins at 46; what lay before it was not judged.");
        JsonNode last = last(audit("--json"));
        assertThat(last.at("/notJudged/0").asText())
                .isEqualTo("the log of partition 1 begins at 46; what lay before it was not judged");

        Shell.Result demanded = audit("--complete-from", "0");
        assertExit(ExitCode.INCONCLUSIVE, demanded);
        assertThat(demanded.out())
                .contains(
                        "INCONCLUSIVE: partition 1 is not known to be complete from 0 on; 40 events are proven; the log");
        assertExit(ExitCode.VERIFIED, audit("--complete-from", "0", "--partition", "0"));
        assertExit(ExitCode.USAGE, audit("--complete-from", "yesterday"));
        assertExit(ExitCode.USAGE, audit("--complete-from", "0", "--from", "3", "--partition", "0"));
    }

    private static final ObjectMapper JSON = new ObjectMapper();

    private static JsonNode last(Shell.Result result) throws Exception {
        List<String> lines = result.out().lines().toList();
        return JSON.readTree(lines.get(lines.size() - 1));
    }
}
