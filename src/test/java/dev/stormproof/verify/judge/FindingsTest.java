package dev.stormproof.verify.judge;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static dev.stormproof.testing.StreamRecords.BOB;
import static dev.stormproof.testing.StreamRecords.PLAIN;
import static dev.stormproof.testing.StreamRecords.signature;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.Checkpoint;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.Protection;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.testing.Intervals;
import dev.stormproof.testing.StreamRecords;
import dev.stormproof.verify.judge.Anomaly.Kind;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Inconclusive.Reason;
import dev.stormproof.verify.judge.Verdict.Verified;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What findings and the values beside them say of themselves. */
class FindingsTest {
    private static final IntervalId INTERVAL = Intervals.interval(ALICE.stream(), 0, 20, 0, 2);

    private static Anomaly anomaly(Kind kind, StreamRecords stream, long begin, long end) {
        return new Anomaly(kind, stream.stream(), begin, end, 5, 1, Hash.empty(), signature(begin));
    }

    @Test
    void theIdOfAVerdictIsItsIntervalsAndThatOfItsRevisionItsCheckpointsToo() {
        Verified verified = new Verified(INTERVAL, Verified.Basis.LOG, 0);
        assertThat(verified.id()).isEqualTo("orders/0/00000000000a11ce/0");
        assertThat(verified.revisionId()).isEqualTo("orders/0/00000000000a11ce/0@20/r2");
        assertThat(verified.partition()).isEqualTo(new PartitionId("orders", 0));
        assertThat(new Inconclusive(INTERVAL, Reason.UNSEALED, "").revisionId())
                .as("no checkpoint yet")
                .isEqualTo("orders/0/00000000000a11ce/0/r1");
    }

    /** A forged checkpoint bears the greatest number there is: before it, as many are missing. */
    @Test
    void howManyAreMissingIsNoOverflow() {
        Anomaly most =
                new Anomaly(Kind.CHECKPOINT_LOST, ALICE.stream(), 0, Long.MAX_VALUE, -1, 0, Hash.empty(), Hash.empty());
        assertThat(Anomaly.missing(List.of(most, anomaly(Kind.LOST, ALICE, 1, 5))))
                .isEqualTo(Long.MAX_VALUE);
        assertThat(Anomaly.missing(List.of(anomaly(Kind.LOST, ALICE, 1, 5), anomaly(Kind.DUPLICATED, ALICE, 7, 8))))
                .isEqualTo(4);
    }

    @Test
    void theIdOfOtherFindingsIsTheirOffsets() {
        StrayRecord repeated = new StrayRecord(
                new PartitionId("orders", 0), 7, UnattributedRecord.Kind.REPEATED_CHECKPOINT, "", LogRecord.NO_TIME);
        assertThat(repeated.id()).isEqualTo("orders/0/@7/repeated-checkpoint");
        assertThat(repeated.revisionId()).isEqualTo("orders/0/@7/repeated-checkpoint/r2");
        MissedRecords missed = new MissedRecords(new PartitionId("orders", 0), 3, 7);
        assertThat(missed.id()).isEqualTo("orders/0/@3-7");
        assertThat(missed.anchorOffset()).isEqualTo(3);
    }

    @Test
    void namesOfConstantsAreReadBack() {
        assertThat(EnumNames.of(Kind.CHECKPOINT_LOST)).isEqualTo("checkpoint-lost");
        assertThat(EnumNames.constant(Kind.class, "checkpoint-lost")).isEqualTo(Kind.CHECKPOINT_LOST);
    }

    @Test
    void partitionsAreOrderedByTopicAndNumber() {
        PartitionId orders = new PartitionId("orders", 3);
        assertThat(orders).hasToString("orders-3").isEqualByComparingTo(new PartitionId("orders", 3));
        assertThat(orders).isLessThan(new PartitionId("orders", 4)).isLessThan(new PartitionId("payments", 0));
    }

    private static IntervalId withoutSeal(IntervalId interval) {
        return Intervals.interval(
                interval.stream(),
                interval.number(),
                interval.checkpointOffset(),
                interval.firstSequence(),
                interval.eventCount());
    }

    @Test
    void anIntervalSaysWhatItsCheckpointRestsOn() {
        CheckpointRecord record = ALICE.checkpoint(3, 5, 7).at(20);
        assertThat(IntervalId.of(record).seal())
                .isEqualTo(new Seal(Protection.ACCIDENTS, record.checkpoint().root(), record.chainHash(), ""));
        Seal ofFormat1 = IntervalId.of(PLAIN.plainCheckpoint(20, 8, 9)).seal();
        assertThat(ofFormat1.isThere()).isTrue();
        assertThat(ofFormat1.checkpointHash().sizeBytes()).isZero();
    }

    @Test
    void anIntervalOfFormat1IsNumberedByItsOffset() {
        IntervalId ofAlice = IntervalId.of(ALICE.checkpoint(3, 5, 7).at(20));
        assertThat(withoutSeal(ofAlice)).isEqualTo(Intervals.interval(ALICE.stream(), 3, 20, 5, 2));
        IntervalId plain = IntervalId.of(PLAIN.plainCheckpoint(20, 8, 9));
        assertThat(withoutSeal(plain)).isEqualTo(Intervals.interval(PLAIN.stream(), 20, 20, 0, 2));
    }

    @ParameterizedTest
    @EnumSource(
            value = Reason.class,
            names = {"UNSEALED"},
            mode = EnumSource.Mode.EXCLUDE)
    void whatIsInconclusiveStaysSo(Reason reason) {
        Inconclusive inconclusive = new Inconclusive(INTERVAL, reason, "");
        assertThat(inconclusive.isOpen()).isFalse();
        assertThat(inconclusive.revision()).isEqualTo(Finding.FINAL_REVISION);
    }

    @Test
    void whatIsUnsealedIsReportedBeforeEverythingElse() {
        Inconclusive unsealed = new Inconclusive(INTERVAL, Reason.UNSEALED, "");
        assertThat(unsealed.isOpen()).isTrue();
        assertThat(unsealed.revision()).isEqualTo(Finding.OPEN_REVISION);
    }

    @Test
    void anomaliesAreTheSameByKindStreamAndSequences() {
        Anomaly lost = anomaly(Kind.LOST, ALICE, 3, 5);
        assertThat(lost.sameAs(new Anomaly(Kind.LOST, ALICE.stream(), 3, 5, -1, 9, signature(3), Hash.empty())))
                .isTrue();
        assertThat(lost.sameAs(anomaly(Kind.ALTERED, ALICE, 3, 5))).isFalse();
        assertThat(lost.sameAs(anomaly(Kind.LOST, BOB, 3, 5))).isFalse();
        assertThat(lost.sameAs(anomaly(Kind.LOST, ALICE, 4, 5))).isFalse();
        assertThat(lost.sameAs(anomaly(Kind.LOST, ALICE, 3, 4))).isFalse();
    }

    @Test
    void ofAnEventWhoseContentCannotBeCheckedTheValueIsNotSaidToDiffer() {
        Checkpoint five = ALICE.checkpoint(5, 42, 44).at(20).checkpoint();
        Event unchecked = ALICE.event(11, 42, signature(42), Hash.empty());
        assertThat(Anomaly.differing(unchecked, five, signature(42))).isEmpty();
        assertThat(Anomaly.differing(ALICE.altered(11, 42), five, signature(42)))
                .containsExactly(Anomaly.Part.KEY_OR_VALUE);
        assertThat(Anomaly.differing(ALICE.forged(11, 42), five, signature(42)))
                .containsExactly(Anomaly.Part.HEADER, Anomaly.Part.KEY_OR_VALUE);
    }

    @Test
    void anUndeliveredRecordHasOneIdWhateverBecomesOfItAndAnotherWhileItsTopicIsWaitedFor() {
        PartitionId partition = new PartitionId("orders", 3);
        for (Undelivered.Kind kind : Undelivered.Kind.values()) {
            Undelivered undelivered = new Undelivered(partition, 7, kind, "", -1);
            boolean waits = kind == Undelivered.Kind.WAITING || kind == Undelivered.Kind.WAITED;
            assertThat(undelivered.id()).isEqualTo(waits ? "orders/3/@7/output-topic" : "orders/3/@7/output");
            assertThat(undelivered.anchorOffset()).isEqualTo(7);
            assertThat(undelivered.isOver())
                    .isEqualTo(kind == Undelivered.Kind.RESUMED || kind == Undelivered.Kind.WAITED);
            assertThat(undelivered.revision())
                    .isEqualTo(
                            kind == Undelivered.Kind.HALTED || kind == Undelivered.Kind.WAITING
                                    ? Finding.OPEN_REVISION
                                    : Finding.FINAL_REVISION);
        }
    }
}
