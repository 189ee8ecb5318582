package dev.stormproof.log.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.log.kafka.KafkaLogReader;
import dev.stormproof.proof.checkpoint.CheckpointCodec;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.LogRecordParser;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.Leaves;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.task.live.testing.PaperLog;
import dev.stormproof.testing.CheckpointFields;
import dev.stormproof.testing.StreamRecords;
import dev.stormproof.verify.fold.InactivityTimeouts;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.RangeCase;
import dev.stormproof.verify.judge.Verdict.Verified;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A flood of forged checkpoints that take a kilobyte each, and unpack to 900, between the events of an honest stream. */
@OnKafka
@Timeout(300)
class FloodOnKafkaTest {
    private static final long DAY_MILLIS = 86_400_000;
    private static final int FEW = 80;
    private static final int MANY = 1_500;
    private static final int LEAVES = 28_000;
    private static final long UNPACKED_BYTES = 896_000;

    private final EmbeddedKafka kafka;
    private final TopicPartition partition;
    private final List<Finding> findings = new ArrayList<>();
    private long bytes;

    FloodOnKafkaTest(EmbeddedKafka kafka) {
        this.kafka = kafka;
        this.partition = new TopicPartition(SharedKafka.createTopic(kafka, "flood", 1), 0);
    }

    /** The range is read, then what is overdue is read twice together, and the interval in which an event is lost twice. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatAuditsUnpackIsAFewTimesWhatTheLogUnpacksTo(boolean oneStream) throws Exception {
        assertFewBytes(FEW, oneStream);
    }

    @Tag("full")
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theSameOfTenTimesAsMany(boolean oneStream) throws Exception {
        assertFewBytes(MANY, oneStream);
    }

    private void assertFewBytes(int forged, boolean oneStream) throws Exception {
        List<ProducerRecord<byte[], byte[]>> honest = PaperLog.of(partition.topic(), 1, 40, 10, Map.of());
        honest.remove(35);
        long honestCheckpoints = 6;
        send(honest.subList(0, 30), "none");
        List<ProducerRecord<byte[], byte[]>> flood = new ArrayList<>();
        for (int i = 0; i < forged; i++) {
            flood.add(forged(oneStream ? 0xF000 : 0xF000 + i, 7 + 2L * i));
        }
        send(flood, "gzip");
        send(honest.subList(30, honest.size()), "none");

        audit();

        assertThat(bytes).isBetween(2L * forged * UNPACKED_BYTES, 6L * forged * UNPACKED_BYTES);
        assertThat(findings).hasSize(forged + (int) honestCheckpoints);
        assertThat(findings).filteredOn(Verified.class::isInstance).hasSize((int) honestCheckpoints - 1);
        assertThat(findings)
                .filteredOn(found -> found instanceof Violated violated
                        && violated.anomalies().size() == 1
                        && violated.anomalies().get(0).kind() == Anomaly.Kind.LOST)
                .singleElement()
                .satisfies(lost -> assertThat(lost.anchorOffset()).isGreaterThan(30 + forged));
    }

    private void audit() {
        Map<String, Object> client = Map.of("bootstrap.servers", kafka.bootstrapServers());
        LogRecordParser parser = StreamRecords.parser();
        try (LogReader ahead = new KafkaLogReader(client, parser);
                LogReader back = new KafkaLogReader(client, parser)) {
            PartitionReader reader = ahead.of(partition);
            long end = reader.bounds().end();
            new OfflineVerifier(
                            reader,
                            back.of(partition),
                            RangeCase.Origin.NONE,
                            new OfflineVerifier.Range(
                                    partition, 0, end, end, System.currentTimeMillis() + DAY_MILLIS, false),
                            InactivityTimeouts.DEFAULT,
                            findings::add,
                            page -> {},
                            (offset, bytesRead) -> bytes = bytesRead)
                    .run();
        }
    }

    /** Each record in a batch of its own, so that none is beyond what a batch may unpack to. */
    private void send(List<ProducerRecord<byte[], byte[]>> records, String compression) throws Exception {
        Map<String, Object> config =
                Map.of("bootstrap.servers", kafka.bootstrapServers(), "compression.type", compression, "batch.size", 0);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (ProducerRecord<byte[], byte[]> record : records) {
                var unused = producer.send(new ProducerRecord<>(
                        record.topic(), record.partition(), record.key(), record.value(), record.headers()));
            }
        }
    }

    /** A checkpoint that names a predecessor which is nowhere. */
    private ProducerRecord<byte[], byte[]> forged(long emitter, long number) {
        Leaves.Builder leaves = Leaves.builder();
        Hash signature = Hash.copyOf(new byte[32]);
        for (int i = 0; i < LEAVES; i++) {
            leaves.append(signature);
        }
        Hash hash = Hash.copyOf(new byte[TreeHash.XXH3.sizeBytes()]);
        Format2Checkpoint checkpoint = CheckpointFields.checkpoint(new StreamId(partition.topic(), 0, emitter), c -> {
            c.number = number;
            c.firstSequence = number * LEAVES;
            c.eventCount = LEAVES;
            c.root = hash;
            c.previousHash = hash;
            c.leaves = Optional.of(leaves.build());
        });
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(partition.topic(), 0, null, null);
        record.headers().add(Format2Checkpoint.HEADER, CheckpointCodec.encode(checkpoint));
        return record;
    }
}
