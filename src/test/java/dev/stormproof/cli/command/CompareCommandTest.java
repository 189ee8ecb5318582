package dev.stormproof.cli.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.cli.testing.Shell;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.proof.checkpoint.EventHeader;
import dev.stormproof.proof.checkpoint.TransformedHeader;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.task.live.testing.PaperLog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code compare} prints what two topics of a real broker do not have in common. */
@OnKafka
class CompareCommandTest {
    private static final int BOMB_BYTES = 70_000_000;

    private final EmbeddedKafka kafka;
    private final String source;
    private final String target;

    CompareCommandTest(EmbeddedKafka kafka) {
        this.kafka = kafka;
        this.source = SharedKafka.createTopic(kafka, "original", 2);
        this.target = SharedKafka.createTopic(kafka, "copy", 2);
    }

    private Shell.Result compare(String... more) {
        return Shell.line(
                "compare --source " + kafka.bootstrapServers() + " --source-topic " + source + " --target "
                        + kafka.bootstrapServers() + " --target-topic " + target,
                more);
    }

    private static List<ProducerRecord<byte[], byte[]>> records(int count) {
        return new ArrayList<>(
                IntStream.range(0, count).mapToObj(i -> record(i, "header")).toList());
    }

    private static ProducerRecord<byte[], byte[]> record(int number, String header) {
        Headers headers = new RecordHeaders().add("h", header.getBytes(UTF_8));
        return new ProducerRecord<>("", 0, bytes("key " + number), bytes("value " + number), headers);
    }

    private static byte @Nullable [] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private void send(String topic, List<ProducerRecord<byte[], byte[]>> records, @Nullable String transaction) {
        Object[] settings = transaction == null ? new Object[0] : new Object[] {"transactional.id", transaction};
        try (KafkaProducer<byte[], byte[]> producer = SharedKafka.producer(kafka, settings)) {
            if (transaction != null) {
                producer.initTransactions();
                producer.beginTransaction();
            }
            for (ProducerRecord<byte[], byte[]> record : records) {
                var unused = producer.send(new ProducerRecord<>(
                        topic, record.partition(), record.key(), record.value(), record.headers()));
            }
            if (transaction != null) {
                producer.commitTransaction();
            }
        }
    }

    @Test
    void aCopyAtOtherOffsetsIsTheSame() {
        List<ProducerRecord<byte[], byte[]>> records = records(300);
        send(source, records, null);
        send(target, records.subList(0, 100), "first-" + target);
        send(target, records.subList(100, 300), "second-" + target);

        Shell.Result result = compare().ends(ExitCode.VERIFIED);

        assertThat(result.err()).isEmpty();
        assertThat(result.out())
                .contains("0 to 299        0 to 301")
                .endsWith("\n\nSAME: 300 records, in order, by key, value and headers\n")
                .doesNotContain("audit");
    }

    /** 70 MB of zeros in 70 kB: nobody has read them, so nobody says that they are the same, nor that they are not. */
    @Test
    void aRecordThatIsTooLargeIsLeftOutAndTheRestIsCompared() {
        for (String topic : List.of(source, target)) {
            send(topic, records(3), null);
            sendPacked(topic, new byte[BOMB_BYTES]);
            send(topic, records(5).subList(3, 5), null);
        }

        Shell.Result result = compare().ends(ExitCode.INCONCLUSIVE);

        assertThat(result.out())
                .contains("  not compared  source 3: 1 too large, a record of more than 67108864 bytes, unpacked\n")
                .contains("  not compared  target 3: 1 too large, ")
                .endsWith("INCONCLUSIVE: the same are 5 records, in order, by key, value and headers; "
                        + "not compared: 2 records too large to be read\n");
    }

    private void sendPacked(String topic, byte[] value) {
        Object[] settings = {
            "compression.type", "gzip", "max.request.size", 2 * BOMB_BYTES, "buffer.memory", 2L * BOMB_BYTES
        };
        try (KafkaProducer<byte[], byte[]> producer = SharedKafka.producer(kafka, settings)) {
            var unused = producer.send(new ProducerRecord<>(topic, 0, null, value));
        }
    }

    @Test
    void whatDiffersIsNamedWithTheOffsetsOfBoth() throws Exception {
        List<ProducerRecord<byte[], byte[]>> copy = records(300);
        send(source, records(300), null);
        copy.add(250, copy.get(249));
        copy.set(200, record(200, "another header"));
        copy.add(120, copy.remove(100));
        copy.subList(10, 15).clear();
        send(target, copy, null);

        Shell.Result result = compare().ends(ExitCode.VIOLATED);

        assertThat(result.out().lines().filter(line -> line.startsWith("  ")))
                .containsExactly(
                        "  missing  source 10 to 14, before target 10  5 records",
                        "  reordered  source 100 is target 115",
                        "  altered  source 200 is target 195 with other headers, key and value the same",
                        "  extra  target 244, before source 249");
        assertThat(result.out())
                .endsWith(
                        "DIFFERENT: 5 missing, 1 extra, 1 reordered, 1 altered in headers alone; the same are 293 records\n");

        Shell.Result json = compare("--json", "--partition", "0");
        List<JsonNode> lines = new ArrayList<>();
        for (String line : json.out().lines().toList()) {
            lines.add(new ObjectMapper().readTree(line));
        }
        assertThat(lines).hasSize(6);
        assertThat(lines.get(0).toString())
                .isEqualTo("{\"partition\":0,\"difference\":\"missing\",\"sourceBegin\":10,\"sourceEnd\":15,"
                        + "\"targetBegin\":10,\"targetEnd\":10,\"records\":5}");
        assertThat(lines.get(4).get("same").asInt()).isEqualTo(293);
        assertThat(lines.get(5).get("answer").asText()).isEqualTo("different");
        assertThat(json.err()).startsWith("stormproof: DIFFERENT: 5 missing");
        Shell.Result empty = compare("--partition", "1").ends(ExitCode.INCONCLUSIVE);
        assertThat(empty.out())
                .endsWith(
                        "INCONCLUSIVE: no record was found the same; not compared: 1 partition that was not asked for\n");
    }

    /** As a restore does that marks each record. */
    @Test
    void aCopyWithAnotherHeaderIsAlteredAndTheSameWithoutThatHeader() {
        send(source, records(20), null);
        List<ProducerRecord<byte[], byte[]>> copy = records(20);
        copy.forEach(record -> record.headers().add("restored-by", bytes("velero")));
        send(target, copy, null);

        assertThat(compare().ends(ExitCode.VIOLATED).out())
                .contains("\n  altered  source 0 to 19 is target 0 to 19 with other headers, key and value the same"
                        + "  20 records\n")
                .endsWith("DIFFERENT: 0 missing, 0 extra, 0 reordered, 20 altered in headers alone; the same are 0"
                        + " records\n");
        assertThat(compare("--ignore-header", "restored-by")
                        .ends(ExitCode.VERIFIED)
                        .out())
                .endsWith("SAME: 20 records, in order, by key, value and headers; not compared: headers restored-by\n");
    }

    /** As retention leaves it: the source is empty, and the copy holds what the source never held. */
    @Test
    void aCopyOfASourceThatHasExpiredIsNotCalledTheSame() throws Exception {
        send(source, records(3), null);
        send(target, records(1), null);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.deleteRecords(Map.of(new TopicPartition(source, 0), RecordsToDelete.beforeOffset(3)))
                    .all()
                    .get();
        }

        Shell.Result result = compare().ends(ExitCode.INCONCLUSIVE);

        assertThat(result.out())
                .contains("  not compared  source 0 to 2: expired\n")
                .endsWith("INCONCLUSIVE: no record was found the same; not compared: what expired, "
                        + "1 record of the target from before the source's beginning\n");
    }

    @Test
    void whatAnOpenTransactionKeepsBackIsNotCalledTheSame() throws Exception {
        send(source, records(3), null);
        send(target, records(3), null);
        try (KafkaProducer<byte[], byte[]> producer =
                SharedKafka.producer(kafka, "transactional.id", "open-" + target)) {
            producer.initTransactions();
            producer.beginTransaction();
            var unused = producer.send(new ProducerRecord<>(target, 0, bytes("key"), bytes("value")));
            producer.flush();

            Shell.Result result = compare("--held").ends(ExitCode.INCONCLUSIVE);

            assertThat(result.out()).contains("  not compared  target 3: kept back by an open transaction\n");
            producer.abortTransaction();
        }
    }

    @Test
    void topicsWithCheckpointsAreAuditedToo() {
        List<ProducerRecord<byte[], byte[]>> records = PaperLog.of(source, 2, 80, 10, Map.of());
        send(source, records, null);
        records.remove(5);
        send(target, records, null);

        Shell.Result result = compare().ends(ExitCode.VIOLATED);

        assertThat(result.out())
                .contains("the source's audit, of " + source + ": VERIFIED: 80 events arrived once")
                .contains("the target's audit, of " + target + ": VIOLATED: 1 anomaly in 1 of 12 intervals")
                .endsWith(
                        "DIFFERENT: 1 missing, 0 extra, 0 reordered, 0 altered in headers alone; the same are 91 records\n");
    }

    /** An altered event says by a header, which nobody signs, that a transform made it of the right one. */
    @Test
    void aCopyIsAuditedAsAMirrorWhateverItsRecordsClaim() throws Exception {
        List<ProducerRecord<byte[], byte[]>> records = PaperLog.of(source, 2, 80, 10, Map.of());
        send(source, records, null);
        ProducerRecord<byte[], byte[]> right = records.get(5);
        byte[] other = "altered".getBytes(UTF_8);
        RecordHeaders headers = new RecordHeaders(right.headers());
        headers.add(
                TransformedHeader.NAME,
                new TransformedHeader(
                                0,
                                EventSigners.XXH3_KEY_VALUE,
                                EventSigners.ofId(EventSigners.XXH3_KEY_VALUE)
                                        .orElseThrow()
                                        .sign(right.key(), other),
                                EventHeader.decode(Objects.requireNonNull(headers.lastHeader(EventHeader.NAME))
                                                .value())
                                        .signature())
                        .encode());
        records.set(
                5,
                new ProducerRecord<>(right.topic(), right.partition(), right.timestamp(), right.key(), other, headers));
        send(target, records, null);

        Shell.Result result = compare().ends(ExitCode.VIOLATED);

        assertThat(result.out()).contains("the target's audit, of " + target + ": VIOLATED: 1 anomaly");
    }

    /** A topology's own configuration, which says of which topics its inputs are mirrors. */
    @Test
    void theConfigurationOfTheCopysTopologyIsTaken(@TempDir Path dir) throws Exception {
        List<ProducerRecord<byte[], byte[]>> records = PaperLog.of(source, 2, 80, 10, Map.of());
        send(source, records, null);
        send(target, records, null);
        for (String mirrors : List.of(target + ":" + source, "another:" + source)) {
            Path config = Files.writeString(dir.resolve("copy.properties"), "mirrors=" + mirrors + "\n");

            Shell.Result result = compare("--target-config", config.toString()).ends(ExitCode.VERIFIED);

            assertThat(result.out()).contains("the target's audit, of " + target + ": VERIFIED: 80 events");
        }
    }

    /** As of a mirror that has not noticed yet that a partition was added. */
    @Test
    void aPartitionThatTheCopyLacksIsMissing() {
        String grown = SharedKafka.createTopic(kafka, "grown", 3);
        List<ProducerRecord<byte[], byte[]>> records = PaperLog.of(grown, 3, 120, 10, Map.of());
        send(grown, records, null);
        send(target, records.stream().filter(one -> one.partition() < 2).toList(), null);
        String servers = kafka.bootstrapServers();
        String command = "compare --source " + servers + " --source-topic " + grown + " --target " + servers
                + " --target-topic " + target;

        assertThat(Shell.line(command).ends(ExitCode.VIOLATED).out())
                .containsPattern("(?m)^2 +0 to 45 +none +0 +46 +0 +0 +0$")
                .contains("\n" + grown + " has 3 partitions and " + target + " has 2 partitions; each is compared with")
                .endsWith(
                        "DIFFERENT: 46 missing, 0 extra, 0 reordered, 0 altered in headers alone; the same are 92 records\n");
        Shell.line(command, "--partition", "0,1").ends(ExitCode.VERIFIED);

        String audit = "audit --bootstrap-server " + servers + " --topic " + target + " --mirror-of " + grown;
        assertThat(Shell.line(audit + " --origin-bootstrap-server " + servers)
                        .ends(ExitCode.INCONCLUSIVE)
                        .out())
                .contains("INCONCLUSIVE: 80 events are proven; partition 2 of " + grown
                        + ", which ends at offset 46, is not in " + target + "\n");
        assertThat(Shell.line(audit).ends(ExitCode.VERIFIED).out())
                .contains("; whether " + grown + " has partitions that this mirror lacks was not judged\n");
    }

    @Test
    void aPartitionThatNeitherTopicHasIsWrongUsage() {
        Shell.Result absent = compare("--partition", "2").ends(ExitCode.USAGE);
        assertThat(absent.err()).contains("--partition 2: topic " + target + " has partitions 0 to 1");
    }
}
