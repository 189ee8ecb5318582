package dev.stormproof.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.audit.PartitionReader;
import dev.stormproof.checkpoint.CheckpointCodec;
import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.CheckpointVerifier;
import dev.stormproof.checkpoint.Event;
import dev.stormproof.checkpoint.EventHeader;
import dev.stormproof.checkpoint.EventSigners;
import dev.stormproof.checkpoint.Format2Checkpoint;
import dev.stormproof.checkpoint.LogRecord;
import dev.stormproof.checkpoint.LogRecordParser;
import dev.stormproof.checkpoint.StreamId;
import dev.stormproof.checkpoint.TrustedKeys;
import dev.stormproof.merkle.Hash;
import dev.stormproof.merkle.TreeHash;
import dev.stormproof.sim.SimulatedEmitter;
import dev.stormproof.verify.Finding;
import dev.stormproof.verify.Patience;
import dev.stormproof.verify.Verdict.Inconclusive;
import dev.stormproof.verify.Verdict.Verified;
import dev.stormproof.verify.Verdict.Violated;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TaskVerificationTest {
    private static final TopicPartition PARTITION = new TopicPartition("orders", 2);
    private static final StreamId STREAM = new StreamId("orders", 2, 77);

    private final Log log = new Log();
    private final SimulatedEmitter emitter = new SimulatedEmitter(STREAM, TreeHash.XXH3, true);
    private final List<Finding> findings = new ArrayList<>();

    @Test
    void anIntervalThatArrivesWholeIsVerified() {
        checkpoint();
        events(10);
        checkpoint();
        TaskVerification verification = verification(Map.of());

        deliver(verification, 0, log.size());

        assertThat(findings)
                .hasSize(2)
                .allSatisfy(finding -> assertThat(finding).isInstanceOf(Verified.class));
        assertThat(verification.progress()).containsExactly(Map.entry(PARTITION, (long) log.size()));
    }

    @Test
    void theValueThatWasReadCountsAndNotTheTransformedOne() {
        checkpoint();
        events(3);
        checkpoint();
        TaskVerification verification = verification(Map.of());
        LogRecordParser parser = newParser();

        for (Delivery read : log.deliveries) {
            Hash observed = parser.observe(read.value(), read.headers()::last);
            boolean event = !parser.isCheckpoint(read.value(), read.headers()::last);
            verification.take(event ? read.transformed(new byte[] {1}, observed, false) : read);
        }

        assertThat(findings)
                .hasSize(2)
                .allSatisfy(finding -> assertThat(finding).isInstanceOf(Verified.class));
    }

    @Test
    void anEventAlteredInTheLogIsNamed() {
        checkpoint();
        events(3);
        log.alter(2);
        checkpoint();

        deliver(verification(Map.of()), 0, log.size());

        assertThat(findings).hasSize(2);
        Violated violated = (Violated) findings.get(1);
        assertThat(violated.anomalies())
                .singleElement()
                .satisfies(anomaly -> assertThat(anomaly.offset()).isEqualTo(2));
    }

    @Test
    void recordsLostOnTheWayAreReadFromTheLog() {
        checkpoint();
        events(5);
        checkpoint();
        events(5);
        checkpoint();
        TaskVerification verification = verification(Map.of());

        deliver(verification, 0, 4);
        deliver(verification, 8, log.size());

        assertThat(findings)
                .hasSize(3)
                .allSatisfy(finding -> assertThat(finding).isInstanceOf(Verified.class));
        assertThat(verification.progress()).containsEntry(PARTITION, (long) log.size());
    }

    @Test
    void aTaskThatBeginsAnewReadsWhatItsPredecessorTookAndDidNotDecide() {
        checkpoint();
        events(5);
        checkpoint();
        events(5);
        checkpoint();

        deliver(verification(Map.of(PARTITION, 1L)), 9, log.size());

        assertThat(findings)
                .hasSize(2)
                .allSatisfy(finding -> assertThat(finding).isInstanceOf(Verified.class));
    }

    @Test
    void aTaskWithoutProgressThatBeginsInMidChainReadsTheLogFromItsBeginning() {
        checkpoint();
        events(5);
        checkpoint();

        deliver(verification(Map.of()), 4, log.size());

        assertThat(findings)
                .hasSize(2)
                .allSatisfy(finding -> assertThat(finding).isInstanceOf(Verified.class));
    }

    @Test
    void anAuditThatTheBrokersCannotServeWaitsAndHoldsTheProgressBack() {
        checkpoint();
        events(3);
        checkpoint();
        TaskVerification verification = verification(Map.of(PARTITION, 1L));
        log.failures = 2;

        deliver(verification, 1, log.size());
        assertThat(findings).isEmpty();
        assertThat(verification.progress()).containsEntry(PARTITION, 1L);
        verification.tick(1_000);
        assertThat(findings).isEmpty();
        verification.tick(2_000);

        assertThat(findings).singleElement().isInstanceOf(Verified.class);
        assertThat(verification.progress()).containsEntry(PARTITION, (long) log.size());
    }

    @Test
    void anAuditThatNeverSucceedsEndsTheTask() {
        checkpoint();
        events(3);
        checkpoint();
        TaskVerification verification = verification(Map.of(PARTITION, 1L));
        log.failures = 99;
        deliver(verification, 1, log.size());
        for (int failure = 2; failure < TaskVerification.MAX_FAILURES; failure++) {
            verification.tick(failure * 1_000L);
        }

        assertThatThrownBy(() -> verification.tick(99_000)).isInstanceOf(TimeoutException.class);
    }

    @Test
    void aLogThatIsCutDuringAnAuditIsAskedAgain() {
        checkpoint();
        events(3);
        checkpoint();
        TaskVerification verification = verification(Map.of());
        log.cuts = 1;
        deliver(verification, 0, log.size());
        verification.tick(1_000);

        assertThat(findings)
                .hasSize(2)
                .allSatisfy(finding -> assertThat(finding).isInstanceOf(Verified.class));
    }

    @Test
    void aSilentStreamIsGivenUpOnceTheLogWasReadToItsEnd() {
        checkpoint();
        events(3);
        TaskVerification verification = verification(Map.of());
        deliver(verification, 0, log.size());
        verification.tick(1_000);
        verification.tick(10_000_000);

        assertThat(findings).hasSize(2);
        assertThat(findings.get(1)).isInstanceOf(Inconclusive.class);
        assertThat(verification.progress()).containsEntry(PARTITION, (long) log.size());
    }

    private void events(int count) {
        for (int i = 0; i < count; i++) {
            byte[] value = ByteBuffer.allocate(Long.BYTES).putLong(log.size()).array();
            Event event = emitter.eventOf(value).apply(log.size());
            EventHeader header = new EventHeader(
                    event.emitter(), event.sequence(), event.treeHash(), EventSigners.SHA256, event.stated());
            log.append(value, EventHeader.NAME, header.encode());
        }
    }

    private void checkpoint() {
        CheckpointRecord record = emitter.checkpoint().apply(log.size());
        byte[] header = CheckpointCodec.encode((Format2Checkpoint) record.checkpoint());
        log.append(null, Format2Checkpoint.HEADER, header);
    }

    private void deliver(TaskVerification verification, int begin, int end) {
        LogRecordParser parser = newParser();
        for (Delivery read : log.deliveries.subList(begin, end)) {
            verification.take(
                    read.transformed(read.value(), parser.observe(read.value(), read.headers()::last), false));
        }
    }

    private TaskVerification verification(Map<TopicPartition, Long> progress) {
        return new TaskVerification(newParser(), progress, partition -> log, Patience.DEFAULT, findings::add);
    }

    private static LogRecordParser newParser() {
        return new LogRecordParser("signature", List.of(), new CheckpointVerifier(TrustedKeys.none(), false));
    }

    /** A partition in memory that fails as often as it is told to. */
    private static final class Log implements PartitionReader {
        private final List<Delivery> deliveries = new ArrayList<>();
        private final LogRecordParser parser = newParser();
        private int failures;
        private int cuts;

        int size() {
            return deliveries.size();
        }

        void append(byte @Nullable [] value, String header, byte[] headerValue) {
            long offset = size();
            Custody custody = new Custody(offset - 1, offset == 0, 0, 1, 0);
            HeaderBytes headers = HeaderBytes.of(new RecordHeaders().add(header, headerValue));
            deliveries.add(new Delivery(
                    PARTITION.topic(),
                    PARTITION.partition(),
                    offset,
                    0,
                    custody,
                    null,
                    value,
                    headers,
                    Hash.empty(),
                    false));
        }

        void alter(int offset) {
            Delivery intact = deliveries.get(offset);
            byte[] altered = Objects.requireNonNull(intact.value()).clone();
            altered[0]++;
            deliveries.set(offset, intact.transformed(altered, Hash.empty(), false));
        }

        @Override
        public long beginOffset() {
            return 0;
        }

        @Override
        public long endOffset() {
            return size();
        }

        @Override
        public void read(long begin, long end, Consumer<LogRecord> records) throws ExpiredRangeException {
            if (failures > 0) {
                failures--;
                throw new TimeoutException("no broker");
            }
            if (cuts > 0) {
                cuts--;
                throw new ExpiredRangeException("cut");
            }
            for (long offset = begin; offset < Math.min(end, size()); offset++) {
                Delivery delivery = deliveries.get((int) offset);
                records.accept(parser.parse(
                        delivery.topic(), delivery.partition(), offset, delivery.value(), delivery.headers()::last));
            }
        }
    }
}
