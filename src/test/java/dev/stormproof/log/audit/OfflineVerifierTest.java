package dev.stormproof.log.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.alert.AlertJson;
import dev.stormproof.alert.Guidance;
import dev.stormproof.alert.Links;
import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.log.audit.OfflineVerifier.Contents;
import dev.stormproof.log.audit.OfflineVerifier.Range;
import dev.stormproof.log.kafka.KafkaLogReader;
import dev.stormproof.proof.checkpoint.LogRecordParser;
import dev.stormproof.task.live.testing.PaperLog;
import dev.stormproof.testing.StreamRecords;
import dev.stormproof.verify.fold.InactivityTimeouts;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.MissedRecords;
import dev.stormproof.verify.judge.PartitionId;
import dev.stormproof.verify.judge.RangeCase;
import dev.stormproof.verify.judge.Verdict;
import dev.stormproof.verify.judge.Verdict.Verified;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ranges of a log in a real broker, verified again. */
@OnKafka
@Timeout(120)
class OfflineVerifierTest {
    private static final long HOUR = 3_600_000;
    private static final InactivityTimeouts TIMEOUTS = new InactivityTimeouts(0, HOUR, 3_600_000);

    private final EmbeddedKafka kafka;
    private final List<Finding> found = new ArrayList<>();
    private TopicPartition partition;
    private final List<KafkaLogReader> open = new ArrayList<>();
    private PartitionReader reader;
    private PartitionReader log;

    OfflineVerifierTest(EmbeddedKafka kafka) {
        this.kafka = kafka;
    }

    @BeforeEach
    void open() {
        partition = new TopicPartition(SharedKafka.unique("range"), 0);
        // Some records here are older than what the broker keeps by default.
        kafka.createTopic(partition.topic(), 1, Map.of("retention.ms", "-1"));
        reader = newReader();
        log = newReader();
    }

    private PartitionReader newReader() {
        LogRecordParser parser = StreamRecords.parser();
        open.add(new KafkaLogReader(Map.of("bootstrap.servers", kafka.bootstrapServers()), parser));
        return open.get(open.size() - 1).of(partition);
    }

    @AfterEach
    void close() {
        open.forEach(KafkaLogReader::close);
    }

    private List<ProducerRecord<byte[], byte[]>> paper() {
        return PaperLog.of(partition.topic(), 1, 40, 10, Map.of("stormproof.checkpoint.deadline.ms", HOUR));
    }

    private static void assertContents(Contents contents, long events, long checkpoints, long openEvents) {
        assertThat(List.of(
                        contents.events(),
                        contents.checkpoints(),
                        contents.open().events()))
                .as("events, checkpoints, open events")
                .containsExactly(events, checkpoints, openEvents);
    }

    private void send(List<ProducerRecord<byte[], byte[]>> records) {
        send(records, System.currentTimeMillis());
    }

    private void send(List<ProducerRecord<byte[], byte[]>> records, long timestampMillis) {
        try (KafkaProducer<byte[], byte[]> producer = SharedKafka.producer(kafka)) {
            for (ProducerRecord<byte[], byte[]> record : records) {
                var unused = producer.send(new ProducerRecord<>(
                        record.topic(), 0, timestampMillis, record.key(), record.value(), record.headers()));
            }
        }
    }

    private Contents audit(long begin, long end) {
        found.clear();
        long logEnd = reader.bounds().end();
        Range range = new Range(partition, begin, end, logEnd, logEnd, System.currentTimeMillis());
        return audit(range);
    }

    private Contents audit(Range range) {
        return new OfflineVerifier(
                        reader,
                        log,
                        RangeCase.Origin.NONE,
                        range,
                        TIMEOUTS,
                        found::add,
                        page -> {},
                        (offset, bytes) -> {})
                .run();
    }

    private Contents auditAll() {
        return audit(reader.bounds().begin(), reader.bounds().end());
    }

    private List<Long> numbers() {
        return found.stream()
                .map(finding -> ((Verdict) finding).interval().number())
                .toList();
    }

    private List<String> json() {
        return found.stream().map(OfflineVerifierTest::data).toList();
    }

    private static ProducerRecord<byte[], byte[]> altered(ProducerRecord<byte[], byte[]> record) {
        byte[] value = record.value().clone();
        value[0] ^= 1;
        return new ProducerRecord<>(record.topic(), 0, record.key(), value, record.headers());
    }

    @Test
    void anIntervalBelongsToTheRangeThatHoldsItsCheckpoint() throws Exception {
        send(paper());

        // Checkpoints lie at 0, 11, 22, 33, 44 and 45.
        assertContents(audit(5, 23), 16, 2, 0);
        assertThat(numbers()).containsExactly(1L, 2L);
        assertThat(found).allSatisfy(finding -> assertThat(finding).isInstanceOf(Verified.class));

        assertContents(audit(12, 22), 10, 0, 0);
        assertThat(found).isEmpty();
        assertContents(audit(7, 7), 0, 0, 0);
        assertThat(found).isEmpty();
    }

    /** The command that stands in an alert, see {@link Guidance}. */
    @Test
    void theCommandOfEachFindingFindsItAgainToTheByte() throws Exception {
        List<ProducerRecord<byte[], byte[]>> records = faulty();
        records.add(33, new ProducerRecord<>(partition.topic(), 0, null, "another".getBytes(UTF_8)));
        // Of another emitter, who missed its deadline.
        records.addAll(paper().subList(0, 15));
        send(records, System.currentTimeMillis() - 2 * HOUR);
        auditAll();
        List<String> kinds =
                found.stream().map(finding -> finding.type().label()).toList();
        assertThat(kinds).contains("verified", "violated", "stray", "inconclusive");

        assertThat(json()).filteredOn(line -> line.contains("\"count\":2")).hasSize(1);

        for (Finding finding : List.copyOf(found)) {
            String command = Guidance.audit(finding, Links.DEFAULT).orElseThrow();
            Matcher range = Pattern.compile("--topic (\\S+) --partition 0(?: --from (\\d+) --to (\\d+))?$")
                    .matcher(command);
            assertThat(range.find()).as(command).isTrue();
            assertThat(range.group(1)).isEqualTo(partition.topic());
            if (range.group(2) == null) {
                auditAll();
                assertThat(json()).as(command).contains(data(finding));
            } else {
                audit(Long.parseLong(range.group(2)), Long.parseLong(range.group(3)));
                assertThat(json()).as(command).containsExactly(data(finding));
            }
        }
    }

    private static String data(Finding finding) {
        return new String(AlertJson.writeData(finding), UTF_8);
    }

    /** From the highest index down: a loss at an edge, a copy behind a checkpoint, an unsigned record, a swap across an edge. */
    private List<ProducerRecord<byte[], byte[]>> faulty() {
        List<ProducerRecord<byte[], byte[]>> records = paper();
        records.remove(43);
        records.add(35, records.get(32));
        records.add(28, new ProducerRecord<>(partition.topic(), 0, null, "unsigned".getBytes(UTF_8)));
        records.add(24, records.remove(21));
        records.set(9, altered(records.get(9)));
        return records;
    }

    @Test
    void whereverALogIsCutItsTwoRangesTellWhatTheWholeDoes() throws Exception {
        List<ProducerRecord<byte[], byte[]>> records = faulty();
        send(records);
        auditAll();
        List<String> whole = json();
        assertThat(whole)
                .hasSize(7)
                .anyMatch(line -> line.contains("\"lost\""))
                .anyMatch(line -> line.contains("\"altered\""))
                .anyMatch(line -> line.contains("\"reordered\""))
                .anyMatch(line -> line.contains("\"duplicated\""))
                .anyMatch(line -> line.contains("\"stray\""));

        for (long cut = 0; cut <= records.size(); cut += 3) {
            audit(0, cut);
            List<String> both = new ArrayList<>(json());
            audit(cut, records.size());
            both.addAll(json());
            assertThat(both).as("cut at %s", cut).containsExactlyInAnyOrderElementsOf(whole);
        }
    }

    @Test
    void whereATransactionIsOpenNoStreamIsInactive() throws Exception {
        send(paper().subList(0, 15), System.currentTimeMillis() - 2 * HOUR);
        Range range = new Range(partition, 0, 15, 15, 16, System.currentTimeMillis());

        Contents contents = audit(range);

        assertContents(contents, 13, 2, 3);
        assertThat(found).allSatisfy(finding -> assertThat(finding).isInstanceOf(Verified.class));
    }

    @Test
    void whatExpiresBeforeItIsReadIsReported() throws Exception {
        send(paper());
        deleteBefore(5);

        audit(0, 46);

        assertThat(found).contains(new MissedRecords(new PartitionId(partition.topic(), 0), 0, 5));

        deleteBefore(46);
        audit(5, 46);

        assertThat(found).containsExactly(new MissedRecords(new PartitionId(partition.topic(), 0), 5, 46));
    }

    private void deleteBefore(long offset) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(offset)))
                    .all()
                    .get();
        }
    }
}
