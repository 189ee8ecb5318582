package dev.stormproof.verify;

import static dev.stormproof.verify.StreamRecords.ALICE;
import static dev.stormproof.verify.StreamRecords.BOB;
import static dev.stormproof.verify.StreamRecords.PLAIN;
import static dev.stormproof.verify.StreamRecords.signature;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.Event;
import dev.stormproof.checkpoint.Interval;
import dev.stormproof.checkpoint.SequenceRange;
import dev.stormproof.checkpoint.StrayRecord;
import dev.stormproof.merkle.Hash;
import dev.stormproof.merkle.TreeHash;
import dev.stormproof.verify.AuditTask.OfInterval;
import dev.stormproof.verify.Observation.Sight;
import dev.stormproof.verify.Verdict.Inconclusive;
import dev.stormproof.verify.Verdict.Inconclusive.Reason;
import dev.stormproof.verify.Verdict.Verified;
import dev.stormproof.verify.Verdict.Violated;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is decided at first sight, what by the log, and how it is said. */
class JudgeTest {
    private final CheckpointRecord zero = ALICE.checkpoint(0, 0, 2).at(20);

    private static Observation seen(CheckpointRecord record, Sight sight, boolean chained, long count, Hash root) {
        return new Observation(SealedInterval.of(record), record, sight, chained, count, root, 10, -1);
    }

    private static OfInterval task(CheckpointRecord record) {
        return new OfInterval(SealedInterval.of(record), record.chainHash(), -1, 21, false);
    }

    private static Evidence evidence(long beginOffset, CheckpointRecord... checkpoints) {
        return new Evidence(
                beginOffset, 30, true, List.of(checkpoints), List.of(ALICE.event(11, 0), ALICE.event(12, 1)));
    }

    @Test
    void aWholeIntervalThatMatchesIsVerifiedAtFirstSight() {
        Hash root = zero.checkpoint().root();
        assertThat(Judge.atFirstSight(seen(zero, Sight.CLEAN, true, 2, root)))
                .contains(new Verified(SealedInterval.of(zero), Verified.Basis.MATCH));
    }

    @Test
    void everythingElseIsLeftToTheLog() {
        Hash root = zero.checkpoint().root();
        assertThat(Judge.atFirstSight(seen(zero, Sight.HOLE, true, 2, root))).isEmpty();
        assertThat(Judge.atFirstSight(seen(zero, Sight.CLEAN, false, 2, root))).isEmpty();
        assertThat(Judge.atFirstSight(seen(zero, Sight.CLEAN, true, 1, root))).isEmpty();
        assertThat(Judge.atFirstSight(seen(zero, Sight.CLEAN, true, 2, TreeHash.XXH3.emptyRoot())))
                .isEmpty();
        CheckpointRecord uncertain =
                ALICE.checkpoint(0, 0, 3).uncertainOf(new SequenceRange(2, 3)).at(20);
        assertThat(Judge.atFirstSight(seen(
                        uncertain, Sight.CLEAN, true, 2, uncertain.checkpoint().root())))
                .isEmpty();
    }

    @Test
    void ofFormat1TheLeavesAreComparedAndNotTheRoot() {
        CheckpointRecord plain = PLAIN.plainCheckpoint(20, 7, 8);
        Interval observed = new Interval(TreeHash.XXH3, 0, false);
        observed.add(0, signature(7));
        observed.add(1, signature(8));
        assertThat(Judge.atFirstSight(seen(plain, Sight.CLEAN, true, 2, observed.root())))
                .contains(new Verified(SealedInterval.of(plain), Verified.Basis.MATCH));
        assertThat(Judge.atFirstSight(
                        seen(plain, Sight.CLEAN, true, 2, plain.checkpoint().root())))
                .isEmpty();
    }

    @Test
    void theLogDecidesOnTheCheckpointThatWasSeen() {
        assertThat(Judge.byTheLog(task(zero), evidence(0, zero)))
                .contains(new Verified(SealedInterval.of(zero), Verified.Basis.LOG));
    }

    @Test
    void nothingIsSaidIfAnotherCheckpointLiesThereNow() {
        CheckpointRecord other = ALICE.checkpoint(0, 0, 2).by("other").at(20);
        assertThat(Judge.byTheLog(task(zero), evidence(0, other))).isEmpty();
        CheckpointRecord ofBob =
                new CheckpointRecord(20, BOB.checkpoint(0, 0, 2).at(20).checkpoint(), zero.chainHash());
        assertThat(Judge.byTheLog(task(zero), evidence(0, ofBob))).isEmpty();
    }

    @Test
    void aCheckpointThatIsGoneExpiredIfTheLogBeginsBehindIt() {
        assertThat(Judge.byTheLog(task(zero), evidence(20))).isEmpty();
        assertThat(Judge.byTheLog(task(zero), evidence(21)))
                .containsInstanceOf(Inconclusive.class)
                .map(finding -> ((Inconclusive) finding).reason())
                .contains(Reason.EXPIRED);
    }

    @Test
    void whatLiesThereTwiceOrBehindItsSuccessorSealsNothing() {
        CheckpointRecord before = ALICE.checkpoint(0, 0, 2).at(15);
        assertThat(Judge.byTheLog(task(zero), evidence(0, before, zero))).contains(Judge.repetition(zero));
        CheckpointRecord successor = ALICE.checkpoint(1, 2, 2).after(zero).at(15);
        assertThat(Judge.byTheLog(task(zero), evidence(0, successor, zero))).contains(Judge.late(zero));
    }

    @Test
    void whatIsOtherThanStatedIsViolatedAndProvisionalWhileMoreMayFollow() {
        CheckpointRecord three = ALICE.checkpoint(0, 0, 3).at(20);
        CheckpointRecord next = ALICE.checkpoint(1, 3, 3).after(three).at(25);
        assertThat(Judge.byTheLog(task(three), evidence(0, three)))
                .containsInstanceOf(Violated.class)
                .map(finding -> ((Violated) finding).provisional())
                .contains(true);
        assertThat(Judge.byTheLog(task(three), evidence(0, three, next)))
                .containsInstanceOf(Violated.class)
                .map(finding -> ((Violated) finding).provisional())
                .contains(false);
    }

    @Test
    void anIntervalOfWhichTheLogHoldsOnlyTheEndExpired() {
        CheckpointRecord one = ALICE.checkpoint(1, 0, 3).after(zero).at(20);
        Evidence rest = new Evidence(12, 30, true, List.of(one), List.of(ALICE.event(13, 2)));
        assertThat(Judge.byTheLog(task(one), rest))
                .containsInstanceOf(Inconclusive.class)
                .map(finding -> ((Inconclusive) finding).reason())
                .contains(Reason.EXPIRED);
    }

    @Test
    void ofFormat1NothingIsSaidOfWhatFollowsNoCheckpoint() {
        CheckpointRecord plain = PLAIN.plainCheckpoint(20, 7, 8);
        Evidence rest = new Evidence(12, 30, true, List.of(plain), List.of(PLAIN.plainEvent(13, 8)));
        assertThat(Judge.byTheLog(task(plain), rest))
                .containsInstanceOf(Inconclusive.class)
                .map(finding -> ((Inconclusive) finding).reason())
                .contains(Reason.UNANCHORED);
    }

    @Test
    void whatCannotBeCheckedIsUnsupported() {
        Hash none = Hash.empty();
        List<Event> unchecked = List.of(ALICE.event(11, 0, signature(0), none), ALICE.event(12, 1, signature(1), none));
        assertThat(Judge.byTheLog(task(zero), new Evidence(0, 30, true, List.of(zero), unchecked)))
                .containsInstanceOf(Inconclusive.class)
                .map(finding -> ((Inconclusive) finding).reason())
                .contains(Reason.UNSUPPORTED);
    }

    @Test
    void whatIsTooLargeToBeKeptIsVerifiedOrInconclusive() {
        assertThat(Judge.byTheLog(task(zero), tooLarge(Evidence.Extent.TOO_LARGE_AND_MATCHING)))
                .contains(new Verified(SealedInterval.of(zero), Verified.Basis.LOG));
        assertThat(Judge.byTheLog(task(zero), tooLarge(Evidence.Extent.TOO_LARGE)))
                .containsInstanceOf(Inconclusive.class)
                .map(finding -> ((Inconclusive) finding).reason())
                .contains(Reason.TOO_LARGE);
    }

    private Evidence tooLarge(Evidence.Extent extent) {
        return new Evidence(0, 30, true, List.of(zero), List.of(), extent);
    }

    @Test
    void format1IsJudgedByItsLeaves() {
        CheckpointRecord plain = PLAIN.plainCheckpoint(20, 7, 8);
        Evidence evidence =
                new Evidence(0, 30, true, List.of(plain), List.of(PLAIN.plainEvent(11, 7), PLAIN.plainEvent(12, 8)));
        assertThat(Judge.byTheLog(task(plain), evidence))
                .contains(new Verified(SealedInterval.of(plain), Verified.Basis.LOG));
    }

    @Test
    void atMostAThousandAnomaliesAreNamedAndAllAreCounted() {
        List<Anomaly> anomalies = new ArrayList<>();
        for (int i = 0; i < Violated.MAX_NAMED + 1; i++) {
            anomalies.add(new Anomaly(
                    Anomaly.Kind.LOST, ALICE.stream(), 2L * i, 2L * i + 1, -1, 0, Hash.empty(), Hash.empty()));
        }
        Violated violated = Judge.violated(SealedInterval.of(zero), anomalies, true, false);
        assertThat(violated.anomalyCount()).isEqualTo(1_001);
        assertThat(violated.anomalies()).isEqualTo(anomalies.subList(0, 1_000));
        assertThat(violated.provisional()).isTrue();
        assertThat(violated.minimal()).isFalse();
    }

    @Test
    void straysSayWhichCheckpointTheyAre() {
        assertThat(Judge.repetition(zero))
                .isEqualTo(new Stray(
                        "orders",
                        0,
                        20,
                        StrayRecord.Kind.REPEATED_CHECKPOINT,
                        "checkpoint 0 of emitter 00000000000a11ce lies in the log further up"));
        assertThat(Judge.late(zero))
                .isEqualTo(new Stray(
                        "orders",
                        0,
                        20,
                        StrayRecord.Kind.LATE_CHECKPOINT,
                        "checkpoint 0 of emitter 00000000000a11ce lies behind its successor"));
        assertThat(Judge.repetition(PLAIN.plainCheckpoint(5, 7, 8)).detail())
                .isEqualTo("a checkpoint of 2 events lies in the log further up");
    }
}
