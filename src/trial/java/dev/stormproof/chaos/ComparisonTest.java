package dev.stormproof.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.alert.Alert;
import dev.stormproof.cli.fault.FaultKind;
import dev.stormproof.cli.fault.InjectedFault;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.testing.CheckpointFields;
import dev.stormproof.testing.Intervals;
import dev.stormproof.testing.StreamRecords;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.Hop;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.PartitionId;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Verified;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The comparison of a chaos round: ten events of one stream, the faults among them, and the alerts. */
@Tag("full")
class ComparisonTest {
    private static final TopicPartition PARTITION = new TopicPartition("orders", 0);
    private static final StreamId STREAM = new StreamId("orders", 0, 0xA11CE);
    private static final long CHECKPOINT_OFFSET = 100;

    private final RoundLog log = new RoundLog();
    private final Published alerts = new Published("orders");
    private final Published verdicts = new Published("orders");
    private long offset;

    @Test
    void aFaultThatWasNamedIsReported() {
        events(0, 1, 3, 4, 4, 6, 5, 7, 8, 9);
        seal(10);
        publish(violated(
                named(Anomaly.Kind.LOST, 2), named(Anomaly.Kind.DUPLICATED, 4), named(Anomaly.Kind.REORDERED, 6)));

        Comparison comparison =
                compare(fault(FaultKind.LOSE, 2), fault(FaultKind.DUPLICATE, 4), fault(FaultKind.SWAP, 5));

        assertThat(comparison.complaints()).isEmpty();
        assertThat(comparison.expected()).isEqualTo(3);
        assertThat(comparison.reported()).isEqualTo(3);
    }

    @Test
    void whatIsVerifiedAloneStandsInTheVerifiedTopicWithoutAMark() {
        events(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
        seal(10);
        PartitionId partition = new PartitionId("orders", 0);
        Set<Long> all =
                new HashSet<>(log.places().getOrDefault(partition, Map.of()).keySet());
        all.add(CHECKPOINT_OFFSET);

        assertThat(new VerifiedPlaces(log, verdicts).contradictions(Map.of(partition, all)))
                .hasSize(11);
        publish(verified());
        assertThat(new VerifiedPlaces(log, verdicts).contradictions(Map.of(partition, all)))
                .isEmpty();
        all.remove(Collections.min(all));
        assertThat(new VerifiedPlaces(log, verdicts).contradictions(Map.of(partition, all)))
                .singleElement()
                .asString()
                .startsWith("verified and 0 times without a mark");
    }

    @Test
    void aFaultThatWasNotNamedIsMissed() {
        events(0, 1, 3, 4, 5, 6, 7, 8, 9);
        seal(10);
        publish(verified());

        Comparison comparison = compare(fault(FaultKind.LOSE, 2));

        assertThat(comparison.reported()).isZero();
        assertThat(comparison.complaints()).isNotEmpty().allMatch(complaint -> complaint.startsWith("MISSED"));
    }

    @Test
    void whatIsLostInTheLogIsMissedThoughItWasNotInjected() {
        events(0, 1, 3, 4, 5, 6, 7, 8, 9);
        seal(10);
        publish(verified());

        assertThat(compare().complaints()).singleElement().asString().startsWith("MISSED LOST");
    }

    @Test
    void anAlertThatTheLogDoesNotShowIsFalse() {
        events(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
        seal(10);
        publish(violated(
                named(Anomaly.Kind.LOST, 2),
                named(Anomaly.Kind.DUPLICATED, 3),
                named(Anomaly.Kind.REORDERED, 4),
                named(Anomaly.Kind.ALTERED, 5),
                named(Anomaly.Kind.FOREIGN, 6),
                named(Anomaly.Kind.CHECKPOINT_LOST, 0),
                named(Anomaly.Kind.CHAIN_BROKEN, 0)));

        assertThat(compare().complaints()).hasSize(7).allMatch(complaint -> complaint.startsWith("FALSE"));
    }

    @Test
    void anEventBehindItsCheckpointIsOutOfOrder() {
        events(0, 1);
        seal(3);
        publish(violated(named(Anomaly.Kind.REORDERED, 2)));
        assertThat(compare().complaints()).as("it never came").hasSize(2);

        events(2);

        Comparison comparison = compare(fault(FaultKind.MOVE, 2));
        assertThat(comparison.complaints()).isEmpty();
        assertThat(comparison.reported()).isOne();
    }

    @Test
    void anEventThatItsEmitterCallsUncertainIsNotExpected() {
        events(0, 1, 3, 4, 5, 6, 7, 8, 9);
        seal(10, new SequenceRange(2, 3));
        publish(verified());

        Comparison comparison = compare(fault(FaultKind.LOSE, 2));

        assertThat(comparison.expected()).isZero();
        assertThat(comparison.complaints()).isEmpty();
    }

    @Test
    void anEventIsLostAlsoWhereItsCheckpointIs() {
        events(0, 1, 2);
        log.note(
                PARTITION,
                new CheckpointRecord(CHECKPOINT_OFFSET, checkpoint(2, 5, 3, false), Hash.empty(), LogRecord.NO_TIME));
        events(5, 6, 7);
        publish(verified(2));

        assertThat(compare().complaints()).hasSize(2).allMatch(complaint -> complaint.startsWith("MISSED LOST"));

        publish(violated(named(Anomaly.Kind.LOST, 3), named(Anomaly.Kind.LOST, 4)));

        assertThat(compare().complaints()).isEmpty();
    }

    @Test
    void aDuplicateThatNeverCameIsNotExpected() {
        events(0, 1, 2);
        seal(3);
        publish(verified());

        assertThat(compare(fault(FaultKind.DUPLICATE, 1)).complaints()).isEmpty();
    }

    @Test
    void aMovedEventThatNeverCameHasToBeNamedAsLost() {
        events(0, 2, 3);
        seal(4);
        publish(violated(named(Anomaly.Kind.LOST, 1)));

        Comparison comparison = compare(fault(FaultKind.MOVE, 1));

        assertThat(comparison.reported()).isOne();
        assertThat(comparison.complaints()).isEmpty();
    }

    @Test
    void aCheckpointWithoutAFinalVerdictIsUnjudged() {
        events(0, 1, 2);
        seal(3);

        assertThat(compare().complaints()).singleElement().asString().startsWith("UNJUDGED");
    }

    @Test
    void anAlertIsNotPublishedTwiceWithOneRevision() {
        events(0, 2);
        seal(3);
        publish(violated(true, named(Anomaly.Kind.LOST, 1)));
        publish(violated(named(Anomaly.Kind.LOST, 1)));
        assertThat(compare().complaints()).isEmpty();

        publish(violated(named(Anomaly.Kind.LOST, 1)));

        assertThat(compare().complaints()).singleElement().asString().startsWith("PUBLISHED TWICE");
    }

    @Test
    void thatAStreamFellSilentIsFalseIfItWasClosed() {
        events(0, 1, 2);
        seal(3);
        publish(verified());
        publish(new Inconclusive(interval(), Inconclusive.Reason.UNSEALED, "silent"));
        assertThat(compare().complaints()).isEmpty();

        log.of(STREAM).note(checkpoint(3, 0, true));

        assertThat(compare().complaints()).singleElement().asString().startsWith("FALSE");
    }

    @Test
    void aCheckpointThatLiesInTheLogTwiceHasToBeToldAndNoOther() {
        events(0, 1, 2);
        seal(3);
        publish(verified());
        log.note(
                PARTITION,
                new CheckpointRecord(CHECKPOINT_OFFSET + 1, checkpoint(0, 3, false), Hash.empty(), LogRecord.NO_TIME));
        assertThat(compare().complaints()).singleElement().asString().startsWith("MISSED checkpoint written again");

        publish(repetitionAt(CHECKPOINT_OFFSET + 1));
        assertThat(compare().complaints()).isEmpty();

        publish(repetitionAt(CHECKPOINT_OFFSET + 7));
        assertThat(compare().complaints()).singleElement().asString().startsWith("FALSE");
    }

    private static StrayRecord repetitionAt(long offset) {
        return new StrayRecord(
                new PartitionId(STREAM.topic(), STREAM.partition()),
                offset,
                UnattributedRecord.Kind.REPEATED_CHECKPOINT,
                "twice",
                LogRecord.NO_TIME);
    }

    private Comparison compare(InjectedFault... injected) {
        return Comparison.of(List.of(injected), log, alerts, verdicts);
    }

    private void events(long... sequences) {
        for (long sequence : sequences) {
            Hash signature = Hash.copyOf(new byte[32]);
            log.note(
                    PARTITION,
                    StreamRecords.event(
                            offset++,
                            STREAM.emitter(),
                            sequence,
                            3,
                            signature,
                            signature,
                            Event.Content.UNTRANSFORMED));
        }
    }

    private void seal(long end, SequenceRange... uncertain) {
        long count = end;
        for (SequenceRange range : uncertain) {
            count -= range.count();
        }
        log.note(
                PARTITION,
                new CheckpointRecord(
                        CHECKPOINT_OFFSET, checkpoint(0, count, false, uncertain), Hash.empty(), LogRecord.NO_TIME));
    }

    private static Format2Checkpoint checkpoint(long number, long count, boolean closing, SequenceRange... uncertain) {
        return checkpoint(number, 0, count, closing, uncertain);
    }

    private static Format2Checkpoint checkpoint(
            long number, long firstSequence, long count, boolean closing, SequenceRange... uncertain) {
        Hash hash = Hash.copyOf(new byte[TreeHash.XXH3.sizeBytes()]);
        return CheckpointFields.checkpoint(STREAM, c -> {
            c.number = number;
            c.firstSequence = firstSequence;
            c.eventCount = count;
            c.root = hash;
            c.previousHash = number == 0 ? Hash.empty() : hash;
            c.closing = closing;
            c.uncertain = List.of(uncertain);
        });
    }

    private void publish(Finding finding) {
        Alert alert = new Alert("/stormproof/test", 0, finding);
        verdicts.add(alert);
        if (alert.isAlarm()) {
            alerts.add(alert);
        }
    }

    private static Verified verified() {
        return verified(0);
    }

    private static Verified verified(long number) {
        return new Verified(Intervals.interval(STREAM, number, CHECKPOINT_OFFSET, 0, 10), Verified.Basis.MATCH, 0);
    }

    private static Violated violated(Anomaly... anomalies) {
        return violated(false, anomalies);
    }

    private static Violated violated(boolean open, Anomaly... anomalies) {
        return new Violated(interval(), open, true, anomalies.length, List.of(anomalies), Hop.LOG);
    }

    private static IntervalId interval() {
        return Intervals.interval(STREAM, 0, CHECKPOINT_OFFSET, 0, 10);
    }

    private static Anomaly named(Anomaly.Kind kind, long sequence) {
        return new Anomaly(kind, STREAM, sequence, sequence + 1, -1, 0, Hash.empty(), Hash.empty());
    }

    private static InjectedFault fault(FaultKind kind, long sequence) {
        return new InjectedFault(
                kind, "orders", 0, sequence, kind == FaultKind.SWAP ? sequence + 1 : -1, STREAM.emitter());
    }
}
