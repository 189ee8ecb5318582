package dev.stormproof.verify.judge;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static dev.stormproof.testing.StreamRecords.BOB;
import static dev.stormproof.testing.StreamRecords.PLAIN;
import static dev.stormproof.testing.StreamRecords.signature;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.Interval;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Inconclusive.Reason;
import dev.stormproof.verify.judge.Verdict.Verified;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is decided at first sight, what by the log, and how it is said. */
class JudgeTest {
    private final CheckpointRecord zero = ALICE.checkpoint(0, 0, 2).at(20);

    private static Interval seen(TreeHash treeHash, long... sequences) {
        Interval interval = new Interval(treeHash, 0, false);
        for (long sequence : sequences) {
            interval.add(sequence, signature(sequence));
        }
        return interval;
    }

    private static Optional<Finding> judge(CheckpointRecord record, Evidence evidence) {
        return Judge.byTheLog(IntervalId.of(record), record.chainHash(), false, evidence);
    }

    private static Evidence evidence(long beginOffset, CheckpointRecord... checkpoints) {
        return new Evidence(
                beginOffset, 30, true, List.of(checkpoints), List.of(ALICE.event(11, 0), ALICE.event(12, 1)));
    }

    @Test
    void theSameEventsMatch() {
        assertThat(Judge.matches(zero, seen(TreeHash.XXH3, 0, 1))).isTrue();
    }

    @Test
    void whatMatchesItsOwnRootIsVerifiedWhateverLeavesAForgedStatementOfItHas() {
        CheckpointRecord forged = ALICE.checkpoint(0, 0, 2).closing().ofForged().at(15);
        CheckpointRecord own =
                ALICE.checkpoint(0, 0, 2).closing().withoutLeaves().at(20);

        assertThat(judge(forged, evidence(0, forged))).containsInstanceOf(Violated.class);
        assertThat(judge(own, evidence(0, forged, own))).containsInstanceOf(Verified.class);
    }

    @Test
    void otherEventsDoNotMatch() {
        assertThat(Judge.matches(zero, seen(TreeHash.XXH3, 0))).as("one less").isFalse();
        assertThat(Judge.matches(zero, seen(TreeHash.XXH3, 0, 1, 2)))
                .as("one more")
                .isFalse();
        assertThat(Judge.matches(zero, seen(TreeHash.XXH3, 0, 2))).as("another").isFalse();
        assertThat(Judge.matches(zero, seen(TreeHash.SHA256, 0, 1)))
                .as("another tree hash")
                .isFalse();
        assertThat(Judge.matches(zero, null)).as("none").isFalse();
        CheckpointRecord otherRoot =
                ALICE.checkpoint(0, 0, 2).withRoot(TreeHash.XXH3.emptyRoot()).at(20);
        assertThat(Judge.matches(otherRoot, seen(TreeHash.XXH3, 0, 1)))
                .as("another root, of as many events")
                .isFalse();
    }

    @Test
    void whatAnUncertainEventLeavesMatchesNothing() {
        CheckpointRecord uncertain =
                ALICE.checkpoint(0, 0, 3).uncertainOf(new SequenceRange(2, 3)).at(20);
        assertThat(Judge.matches(uncertain, seen(TreeHash.XXH3, 0, 1))).isFalse();
    }

    @Test
    void noEventMatchesAnEmptyInterval() {
        CheckpointRecord empty = ALICE.checkpoint(1, 2, 2).at(20);
        assertThat(Judge.matches(empty, null)).isTrue();
        CheckpointRecord otherRoot =
                ALICE.checkpoint(1, 2, 2).withRoot(zero.checkpoint().root()).at(20);
        assertThat(Judge.matches(otherRoot, null)).as("another root").isFalse();
    }

    @Test
    void ofFormat1TheLeavesAreComparedAndNotTheRoot() {
        CheckpointRecord plain = PLAIN.plainCheckpoint(20, 7, 8);
        Interval observed = new Interval(TreeHash.XXH3, 0, false);
        observed.add(0, signature(7));
        observed.add(1, signature(8));
        assertThat(Judge.matches(plain, observed)).isTrue();
        Interval swapped = new Interval(TreeHash.XXH3, 0, false);
        swapped.add(0, signature(8));
        swapped.add(1, signature(7));
        assertThat(Judge.matches(plain, swapped)).isFalse();
        assertThat(Judge.matches(plain, null)).isFalse();
    }

    @Test
    void theLogDecidesOnTheCheckpointThatWasSeen() {
        assertThat(judge(zero, evidence(0, zero))).contains(new Verified(IntervalId.of(zero), Verified.Basis.LOG, 11));
    }

    @Test
    void nothingIsSaidIfAnotherCheckpointLiesThereNow() {
        CheckpointRecord other = ALICE.checkpoint(0, 0, 2).by("other").at(20);
        assertThat(judge(zero, evidence(0, other))).isEmpty();
        CheckpointRecord ofBob = new CheckpointRecord(
                20, BOB.checkpoint(0, 0, 2).at(20).checkpoint(), zero.chainHash(), LogRecord.NO_TIME);
        assertThat(judge(zero, evidence(0, ofBob))).isEmpty();
    }

    @Test
    void aCheckpointThatIsGoneExpiredIfTheLogBeginsBehindIt() {
        assertThat(judge(zero, evidence(20))).isEmpty();
        assertThat(judge(zero, evidence(21)))
                .containsInstanceOf(Inconclusive.class)
                .map(finding -> ((Inconclusive) finding).reason())
                .contains(Reason.EXPIRED);
    }

    @Test
    void whatLiesThereTwiceOrBehindItsSuccessorSealsNothing() {
        CheckpointRecord before = ALICE.checkpoint(0, 0, 2).at(15);
        assertThat(judge(zero, evidence(0, before, zero))).contains(StrayRecord.repetition(zero));
        CheckpointRecord successor = ALICE.checkpoint(1, 2, 2).after(zero).at(15);
        assertThat(judge(zero, evidence(0, successor, zero))).contains(StrayRecord.late(zero));
    }

    @Test
    void whatIsOtherThanStatedIsViolatedAndProvisionalWhileMoreMayFollow() {
        CheckpointRecord three = ALICE.checkpoint(0, 0, 3).at(20);
        CheckpointRecord next = ALICE.checkpoint(1, 3, 3).after(three).at(25);
        assertThat(judge(three, evidence(0, three)))
                .containsInstanceOf(Violated.class)
                .map(finding -> ((Violated) finding).provisional())
                .contains(true);
        assertThat(judge(three, evidence(0, three, next)))
                .containsInstanceOf(Violated.class)
                .map(finding -> ((Violated) finding).provisional())
                .contains(false);
    }

    @Test
    void anIntervalOfWhichTheLogHoldsOnlyTheEndExpired() {
        CheckpointRecord one = ALICE.checkpoint(1, 0, 3).after(zero).at(20);
        Evidence rest = new Evidence(12, 30, true, List.of(one), List.of(ALICE.event(13, 2)));
        assertThat(judge(one, rest))
                .containsInstanceOf(Inconclusive.class)
                .map(finding -> ((Inconclusive) finding).reason())
                .contains(Reason.EXPIRED);
    }

    @Test
    void ofFormat1NothingIsSaidOfWhatFollowsNoCheckpoint() {
        CheckpointRecord plain = PLAIN.plainCheckpoint(20, 7, 8);
        Evidence rest = new Evidence(12, 30, true, List.of(plain), List.of(PLAIN.plainEvent(13, 8)));
        assertThat(judge(plain, rest))
                .containsInstanceOf(Inconclusive.class)
                .map(finding -> ((Inconclusive) finding).reason())
                .contains(Reason.UNANCHORED);
    }

    @Test
    void whatCannotBeCheckedIsUnsupported() {
        Hash none = Hash.empty();
        List<Event> unchecked = List.of(ALICE.event(11, 0, signature(0), none), ALICE.event(12, 1, signature(1), none));
        assertThat(judge(zero, new Evidence(0, 30, true, List.of(zero), unchecked)))
                .containsInstanceOf(Inconclusive.class)
                .map(finding -> ((Inconclusive) finding).reason())
                .contains(Reason.UNSUPPORTED);
    }

    @Test
    void whatIsTooLargeToBeKeptIsVerifiedOrInconclusive() {
        assertThat(judge(zero, tooLarge(Evidence.Extent.TOO_LARGE_AND_MATCHING)))
                .contains(new Verified(IntervalId.of(zero), Verified.Basis.LOG, 0));
        assertThat(judge(zero, tooLarge(Evidence.Extent.TOO_LARGE)))
                .containsInstanceOf(Inconclusive.class)
                .map(finding -> ((Inconclusive) finding).reason())
                .contains(Reason.TOO_LARGE);
    }

    private Evidence tooLarge(Evidence.Extent extent) {
        return new Evidence(0, 30, true, List.of(zero), List.of()).with(extent);
    }

    @Test
    void format1IsJudgedByItsLeaves() {
        CheckpointRecord plain = PLAIN.plainCheckpoint(20, 7, 8);
        Evidence evidence =
                new Evidence(0, 30, true, List.of(plain), List.of(PLAIN.plainEvent(11, 7), PLAIN.plainEvent(12, 8)));
        assertThat(judge(plain, evidence)).contains(new Verified(IntervalId.of(plain), Verified.Basis.LOG, 11));
    }

    @Test
    void atMostAThousandAnomaliesAreNamedAndAllAreCounted() {
        List<Anomaly> anomalies = new ArrayList<>();
        for (int i = 0; i < Violated.MAX_NAMED + 1; i++) {
            anomalies.add(new Anomaly(
                    Anomaly.Kind.LOST, ALICE.stream(), 2L * i, 2L * i + 1, -1, 0, Hash.empty(), Hash.empty()));
        }
        Violated violated =
                Violated.of(IntervalId.of(zero), anomalies, true, false).naming(0, Violated.MAX_NAMED);
        assertThat(violated.anomalyCount()).isEqualTo(1_001);
        assertThat(violated.anomalies()).isEqualTo(anomalies.subList(0, 1_000));
        assertThat(violated.provisional()).isTrue();
        assertThat(violated.minimal()).isFalse();
    }

    @Test
    void whatWasFoundOfAnAnomalySaysWhenItWasWritten() {
        Event copy = ALICE.event(13, 1);
        Event timed = new Event(
                13,
                copy.emitter(),
                1,
                copy.treeHash(),
                copy.signatureAlgorithm(),
                copy.stated(),
                copy.observed(),
                copy.content(),
                1_000);
        Evidence evidence = new Evidence(0, 30, true, List.of(zero), List.of(ALICE.event(12, 1), timed));
        Violated violated = (Violated) judge(zero, evidence).orElseThrow();
        assertThat(violated.anomalies())
                .extracting(Anomaly::kind, Anomaly::offset, Anomaly::writtenMillis)
                .containsExactlyInAnyOrder(
                        tuple(Anomaly.Kind.LOST, -1L, LogRecord.NO_TIME), tuple(Anomaly.Kind.DUPLICATED, 13L, 1_000L));
    }

    @Test
    void straysSayWhichCheckpointTheyAre() {
        assertThat(StrayRecord.repetition(zero))
                .isEqualTo(new StrayRecord(
                        new PartitionId("orders", 0),
                        20,
                        UnattributedRecord.Kind.REPEATED_CHECKPOINT,
                        "checkpoint 0 of emitter 00000000000a11ce lies in the log further up",
                        LogRecord.NO_TIME));
        assertThat(StrayRecord.late(zero))
                .isEqualTo(new StrayRecord(
                        new PartitionId("orders", 0),
                        20,
                        UnattributedRecord.Kind.LATE_CHECKPOINT,
                        "checkpoint 0 of emitter 00000000000a11ce lies behind its successor",
                        LogRecord.NO_TIME));
        assertThat(StrayRecord.repetition(PLAIN.plainCheckpoint(5, 7, 8)).detail())
                .isEqualTo("a checkpoint of 2 events lies in the log further up");
    }
}
