package dev.stormproof.verify;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static dev.stormproof.testing.StreamRecords.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.LogRecord;
import dev.stormproof.checkpoint.UnattributedRecord;
import dev.stormproof.judge.Anomaly;
import dev.stormproof.judge.Evidence;
import dev.stormproof.judge.ExpiredUnread;
import dev.stormproof.judge.Finding;
import dev.stormproof.judge.SealedInterval;
import dev.stormproof.judge.Unattributed;
import dev.stormproof.judge.Verdict.Inconclusive;
import dev.stormproof.judge.Verdict.Violated;
import dev.stormproof.testing.StreamRecords;
import dev.stormproof.verify.AuditTask.OfHole;
import dev.stormproof.verify.AuditTask.OfInterval;
import dev.stormproof.verify.AuditTask.OfPromises;
import dev.stormproof.verify.AuditTask.OfTail;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a verifier asks the log for, what it then takes as answered, and how far its progress is meanwhile. */
class BookkeepingTest {
    private static final Patience PATIENCE = new Patience(1_000, 5_000);

    private int holes;
    private PartitionVerifier verifier = withBounds(Bounds.DEFAULT);
    private final CheckpointRecord zero = ALICE.checkpoint(0, 0, 0).at(0);
    private final CheckpointRecord one = ALICE.checkpoint(1, 0, 2).after(zero).at(2);

    private static PartitionVerifier withBounds(Bounds bounds) {
        return new PartitionVerifier("orders", 0, 0, 0, PATIENCE, bounds);
    }

    private static UnattributedRecord stray(long offset) {
        return new UnattributedRecord(offset, UnattributedRecord.Kind.UNSIGNED, "");
    }

    /** The next record, over a chain without gaps. */
    private void take(LogRecord record) {
        verifier.take(new Link(record.offset(), record.offset() - 1, false, 0, 1), record);
    }

    /** A record of a newer leader, who cut the log there. */
    private void takeAfterCut(long offset, long reader) {
        verifier.take(new Link(offset, offset - 1, false, 1, reader), stray(offset));
    }

    private <T extends AuditTask> T next(Class<T> kind) {
        AuditTask task = verifier.nextAudit().orElseThrow();
        assertThat(task).isInstanceOf(kind);
        return kind.cast(task);
    }

    private static Evidence evidence(long end, List<CheckpointRecord> checkpoints) {
        return new Evidence(0, end, true, checkpoints, List.of(ALICE.event(1, 0)));
    }

    /** Checkpoint 1 lacks its second event, which may come yet. */
    private void tellALossProvisionally() {
        take(zero);
        take(ALICE.event(1, 0));
        take(one);
        verifier.audited(next(OfInterval.class), evidence(3, List.of(zero, one)));
        assertThat(verifier.drainFindings())
                .last()
                .isInstanceOfSatisfying(
                        Violated.class,
                        violated -> assertThat(violated.provisional()).isTrue());
    }

    @Test
    void aPartitionThatStallsBeforeTheEndOfTheLogIsReadFromThere() {
        verifier.tick(0);
        verifier.tick(1_001);
        verifier.audited(next(OfTail.class), new OfTail.Found(5, Map.of()));
        verifier.tick(2_002);

        assertThat(verifier.holes()).isEqualTo(1);
        assertThat(verifier.progressOffset()).isZero();
        OfHole hole = next(OfHole.class);
        assertThat(hole).isEqualTo(new OfHole(0, 5));
        verifier.audited(hole, new OfHole.Found(0, 5, List.of()));
        assertThat(verifier.holes()).isZero();
        assertThat(verifier.progressOffset()).isEqualTo(5);
        take(stray(5));
        assertThat(verifier.progressOffset()).isEqualTo(6);
    }

    @Test
    void aSilentStreamIsGivenUpWhenTheLogProvesToEndThere() {
        take(ALICE.event(0, 0));
        verifier.tick(0);
        verifier.tick(5_001);
        verifier.audited(next(OfTail.class), new OfTail.Found(1, Map.of()));
        assertThat(verifier.drainFindings()).singleElement().isInstanceOf(Inconclusive.class);
        assertThat(verifier.progressOffset()).isEqualTo(1);
    }

    @Test
    void aSilentStreamIsGivenUpWhenTheRestOfTheLogHasCome() {
        take(ALICE.event(0, 0));
        verifier.tick(0);
        verifier.tick(5_001);
        verifier.audited(next(OfTail.class), new OfTail.Found(2, Map.of()));
        take(stray(1));
        assertThat(verifier.drainFindings()).singleElement().isInstanceOf(Unattributed.class);
        verifier.tick(5_002);
        assertThat(verifier.drainFindings()).singleElement().isInstanceOf(Inconclusive.class);
    }

    @Test
    void whatWasToldProvisionallyIsReadForGoodWhenItsStreamFallsSilent() {
        tellALossProvisionally();
        verifier.tick(0);
        assertThat(verifier.nextAudit()).isEmpty();
        verifier.tick(5_001);
        OfTail tail = next(OfTail.class);
        assertThat(tail.emitters()).containsExactly(ALICE.stream().emitter());
        verifier.audited(tail, new OfTail.Found(3, Map.of()));

        OfInterval task = next(OfInterval.class);
        assertThat(task.last()).isTrue();
        assertThat(task.endOffset()).isEqualTo(3);
        verifier.audited(task, evidence(3, List.of(zero, one)));
        assertThat(verifier.drainFindings())
                .singleElement()
                .isInstanceOfSatisfying(
                        Violated.class,
                        violated -> assertThat(violated.provisional()).isFalse());
        assertThat(verifier.undecided()).isZero();
    }

    @Test
    void whatIsReadAgainOfAStreamThatWasGivenUpIsDecidedForGood() {
        CheckpointRecord bobZero = BOB.checkpoint(0, 0, 0).at(1);
        CheckpointRecord first =
                BOB.checkpoint(1, 0, 1).after(bobZero).promising(1_000).at(6);
        CheckpointRecord second = BOB.checkpoint(2, 1, 1).after(first).at(4);
        CheckpointRecord nine = ALICE.checkpoint(9, 0, 2).at(5);
        CheckpointRecord last =
                ALICE.checkpoint(1, 0, 1).after(zero).promising(1_000).at(7);
        List<LogRecord> records = List.of(zero, bobZero, ALICE.event(2, 0), BOB.event(3, 0), second, nine, first, last);
        Evidence ofAlice = new Evidence(0, 8, true, List.of(zero, nine, last), List.of(ALICE.event(2, 0)));
        Evidence ofBob = new Evidence(0, 8, true, List.of(bobZero, second, first), List.of(BOB.event(3, 0)));
        records.forEach(this::take);
        verifier.tick(0);
        verifier.tick(2_001);
        List<AuditTask> waiting = new ArrayList<>();
        for (OfTail tail = null; tail == null; ) {
            AuditTask task = verifier.nextAudit().orElseThrow();
            tail = task instanceof OfTail found ? found : null;
            waiting.add(task);
        }
        Collections.reverse(waiting);
        // Both streams are given up before anything is decided. Bob's number 1 lies behind its successor and seals
        // nothing,
        // so that what lies before it is read again: Alice's number 9, which lacks an event that may come yet.
        for (Optional<AuditTask> task = Optional.of(waiting.remove(0)); task.isPresent(); task = next(waiting)) {
            if (task.get() instanceof OfTail tail) {
                verifier.audited(tail, new OfTail.Found(8, Map.of()));
            } else if (task.get() instanceof OfHole hole) {
                List<LogRecord> found = records.subList((int) hole.beginOffset(), (int) hole.endOffset());
                verifier.audited(hole, new OfHole.Found(hole.beginOffset(), hole.endOffset(), found));
                holes++;
            } else {
                OfInterval interval = (OfInterval) task.get();
                verifier.audited(interval, interval.interval().stream().equals(BOB.stream()) ? ofBob : ofAlice);
            }
        }

        assertThat(holes).isOne();
        assertThat(verifier.undecided()).isZero();
        assertThat(verifier.progressOffset()).isEqualTo(8);
    }

    private Optional<AuditTask> next(List<AuditTask> waiting) {
        return waiting.isEmpty() ? verifier.nextAudit() : Optional.of(waiting.remove(0));
    }

    /** A closing checkpoint that lies before its predecessor: once both are judged, nothing is owed, and nothing open. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCheckpointThatIsLateMakesAStreamThatEndedOweNothing(boolean lateOneFirst) {
        CheckpointRecord first =
                ALICE.checkpoint(1, 0, 1).after(zero).promising(1_000).at(3);
        CheckpointRecord last = ALICE.checkpoint(2, 1, 1).after(first).closing().at(2);
        List.of(zero, ALICE.event(1, 0), last, first).forEach(this::take);
        Evidence evidence = evidence(4, List.of(zero, last, first));
        List<OfInterval> tasks = new ArrayList<>(List.of(next(OfInterval.class), next(OfInterval.class)));
        if (lateOneFirst) {
            Collections.reverse(tasks);
        }
        tasks.forEach(task -> verifier.audited(task, evidence));

        assertThat(verifier.progressOffset()).isEqualTo(4);
        assertThat(verifier.promises()).isEmpty();
        verifier.tick(0);
        verifier.tick(100_000);
        verifier.nextAudit().ifPresent(tail -> verifier.audited((OfTail) tail, new OfTail.Found(4, Map.of())));
        assertThat(verifier.drainFindings()).noneMatch(Inconclusive.class::isInstance);
    }

    @Test
    void anEventBehindTheOnlyCheckpointThatCountsIsOpenThoughALateOneFollowsIt() {
        CheckpointRecord first = ALICE.checkpoint(1, 0, 1).after(zero).at(4);
        CheckpointRecord second = ALICE.checkpoint(2, 1, 1).after(first).at(2);
        List.of(zero, ALICE.event(1, 0), second, ALICE.event(3, 1), first).forEach(this::take);
        Evidence evidence =
                new Evidence(0, 5, true, List.of(zero, second, first), List.of(ALICE.event(1, 0), ALICE.event(3, 1)));
        for (int i = 0; i < 2; i++) {
            verifier.audited(next(OfInterval.class), evidence);
        }
        assertThat(verifier.progressOffset()).isEqualTo(3);
        verifier.tick(0);
        verifier.tick(100_000);
        verifier.audited(next(OfTail.class), new OfTail.Found(5, Map.of()));
        assertThat(verifier.drainFindings())
                .last()
                .isInstanceOfSatisfying(
                        Inconclusive.class,
                        unsealed -> assertThat(unsealed.interval())
                                .isEqualTo(new SealedInterval(ALICE.stream(), 3, 3, 1, 1)));
    }

    @Test
    void anEventOfAHoleBetweenACheckpointAndItsRepetitionIsOpen() {
        CheckpointRecord early = ALICE.checkpoint(1, 0, 1).after(zero).closing().at(1);
        CheckpointRecord again = new CheckpointRecord(3, early.checkpoint(), early.chainHash());
        List.of(zero, early, again).forEach(this::take);
        Evidence evidence = new Evidence(0, 4, true, List.of(zero, early, again), List.of(ALICE.event(2, 0)));
        OfInterval ofEarly = next(OfInterval.class);
        OfInterval ofAgain = next(OfInterval.class);
        verifier.audited(next(OfHole.class), new OfHole.Found(2, 3, List.of(ALICE.event(2, 0))));
        verifier.audited(ofEarly, evidence);
        verifier.audited(ofAgain, evidence);
        assertThat(verifier.progressOffset()).isEqualTo(2);
    }

    @Test
    void aHoleIsReadWhileThereIsRoomForAllItsCheckpoints() {
        verifier = withBounds(new Bounds(100, 4, 2, 2));
        take(StreamRecords.of(1).checkpoint(1, 0, 0).at(0));
        take(StreamRecords.of(2).checkpoint(1, 0, 0).at(1));
        verifier.take(new Link(5, 4, false, 0, 1), stray(5));
        next(OfInterval.class);
        next(OfInterval.class);
        assertThat(next(OfHole.class)).isEqualTo(new OfHole(2, 4));
    }

    @Test
    void aHoleWaitsWhileThereIsNoRoomForItsCheckpoints() {
        verifier = withBounds(new Bounds(100, 4, 2, 2));
        for (int i = 0; i < 3; i++) {
            take(StreamRecords.of(1 + i).checkpoint(1, 0, 0).at(i));
        }
        verifier.take(new Link(5, 4, false, 0, 1), stray(5));
        for (int i = 0; i < 3; i++) {
            next(OfInterval.class);
        }
        assertThat(verifier.nextAudit()).isEmpty();
    }

    @Test
    void beyondTheBoundOfAuditsAnIntervalIsReadAgainLater() {
        verifier = withBounds(new Bounds(100, 2, 2, 1));
        for (int i = 0; i < 3; i++) {
            take(StreamRecords.of(1 + i).checkpoint(1, 0, 0).at(i));
        }
        assertThat(verifier.waitingAudits()).isEqualTo(2);
        assertThat(verifier.undecided()).isEqualTo(2);
        assertThat(verifier.holes()).isEqualTo(1);
        for (int i = 0; i < 2; i++) {
            verifier.audited(next(OfInterval.class), Evidence.gone(5, 10));
        }
        assertThat(next(OfHole.class)).isEqualTo(new OfHole(2, 3));
        assertThat(verifier.progressOffset()).isEqualTo(2);
    }

    @Test
    void aStreamThatIsForgottenForOneOfAHoleIsTold() {
        verifier = withBounds(new Bounds(1, 8, 2, 4));
        take(ALICE.event(0, 0));
        verifier.take(new Link(3, 2, false, 0, 1), stray(3));
        verifier.drainFindings();
        verifier.audited(next(OfHole.class), new OfHole.Found(1, 3, List.of(BOB.event(1, 0))));
        assertThat(verifier.drainFindings())
                .singleElement()
                .isInstanceOfSatisfying(
                        Inconclusive.class,
                        unsealed -> assertThat(unsealed.interval().stream()).isEqualTo(ALICE.stream()));
    }

    @Test
    void aStreamThatIsForgottenForAPromisedOneIsTold() {
        verifier = withBounds(new Bounds(1, 8, 2, 4));
        verifier.expect(List.of(0L));
        OfPromises task = next(OfPromises.class);
        take(ALICE.event(0, 0));
        CheckpointRecord promised = BOB.checkpoint(1, 0, 0).at(0);
        verifier.audited(task, new OfPromises.Found(List.of(promised)));
        assertThat(verifier.drainFindings()).singleElement().isInstanceOf(Inconclusive.class);
    }

    @Test
    void aCheckpointOfAHoleIsWhereItsStreamStands() {
        take(stray(0));
        verifier.take(new Link(3, 2, false, 0, 1), stray(3));
        CheckpointRecord found = ALICE.checkpoint(1, 0, 0).promising(60_000).at(2);
        verifier.audited(next(OfHole.class), new OfHole.Found(1, 3, List.of(found)));
        assertThat(verifier.progressOffset()).isEqualTo(2);
        verifier.audited(next(OfInterval.class), Evidence.gone(5, 10));
        assertThat(verifier.progressOffset()).isEqualTo(4);
        assertThat(verifier.promises()).containsExactly(2L);
    }

    @Test
    void aCheckpointOfAHoleIsDecidedByTheOneBehindTheHole() {
        take(zero);
        CheckpointRecord two = ALICE.checkpoint(2, 2, 2).after(one).at(5);
        verifier.take(new Link(5, 4, false, 0, 1), two);
        next(OfInterval.class);
        verifier.audited(next(OfHole.class), new OfHole.Found(1, 5, List.of(ALICE.event(1, 0), one)));

        OfInterval own = next(OfInterval.class);
        assertThat(own.endOffset()).isEqualTo(3);
        verifier.audited(own, evidence(3, List.of(zero, one)));
        OfInterval followed = next(OfInterval.class);
        assertThat(followed.interval()).isEqualTo(own.interval());
        assertThat(followed.endOffset()).isEqualTo(6);
    }

    @Test
    void whatWasToldStandsIfTheLogHasLostSinceWhatItRestedOn() {
        tellALossProvisionally();
        CheckpointRecord two = ALICE.checkpoint(2, 2, 2).after(one).at(3);
        take(two);
        verifier.drainFindings();
        OfInterval task = next(OfInterval.class);
        assertThat(task.interval()).isEqualTo(SealedInterval.of(one));
        verifier.audited(task, new Evidence(2, 4, true, List.of(one, two), List.of()));
        assertThat(verifier.drainFindings()).singleElement().isInstanceOfSatisfying(Violated.class, violated -> {
            assertThat(violated.provisional()).isFalse();
            assertThat(violated.anomalies()).extracting(Anomaly::kind).containsExactly(Anomaly.Kind.LOST);
        });
    }

    @Test
    void aClosingIntervalIsReadAsTheLast() {
        take(ALICE.checkpoint(1, 0, 0).at(0));
        take(BOB.checkpoint(1, 0, 0).closing().at(1));
        assertThat(next(OfInterval.class).last()).isFalse();
        assertThat(next(OfInterval.class).last()).isTrue();
    }

    @Test
    void whatWasToldOfACheckpointThatWasCutOffStands() {
        tellALossProvisionally();
        takeAfterCut(2, 1);
        assertThat(verifier.drainFindings())
                .filteredOn(Violated.class::isInstance)
                .singleElement()
                .isInstanceOfSatisfying(
                        Violated.class,
                        violated -> assertThat(violated.provisional()).isFalse());
    }

    @Test
    void whatWasToldOfALogThatIsGoneStandsAndTheRestIsMissed() {
        tellALossProvisionally();
        verifier.abandon();
        List<Finding> findings = verifier.drainFindings();
        assertThat(findings).hasSize(2).contains(new ExpiredUnread("orders", 0, 1, 3));
        assertThat(findings).filteredOn(Violated.class::isInstance).noneMatch(one -> ((Violated) one).provisional());
    }

    @Test
    void nothingIsMissedOfALogThatIsGoneIfEverythingWasDecided() {
        take(zero);
        verifier.drainFindings();
        verifier.abandon();
        assertThat(verifier.drainFindings()).isEmpty();
    }

    @Test
    void anEventAtOffset0HoldsTheProgressThere() {
        take(ALICE.event(0, 0));
        assertThat(verifier.progressOffset()).isZero();
        take(BOB.event(1, 0));
        assertThat(verifier.openBefore(0)).isZero();
        assertThat(verifier.openBefore(1)).isEqualTo(1);
        assertThat(verifier.openBefore(2)).isEqualTo(2);
        assertThat(verifier.streams()).isEqualTo(2);
    }

    @Test
    void theEpochOfTheProgressIsTheOneOfTheRecordBefore() {
        PartitionVerifier later = new PartitionVerifier("orders", 0, 5, 7, PATIENCE, Bounds.DEFAULT);
        assertThat(later.progressEpoch()).isEqualTo(7);
        later.take(new Link(5, 4, false, 8, 1), stray(5));
        assertThat(later.progressEpoch()).as("nobody knows where 8 begins").isEqualTo(7);
        OfHole doubt = (OfHole) later.nextAudit().orElseThrow();
        later.audited(doubt, new OfHole.Found(5, 5, 5, false, List.of()));
        assertThat(later.progressEpoch()).isEqualTo(8);
        later.take(new Link(6, 5, false, 9, 1), ALICE.event(6, 0));
        assertThat(later.progressEpoch()).as("the event is open").isEqualTo(8);
    }

    @Test
    void aReaderThatStartsAnewBehindACutLeavesAHoleFromWhereItWasToBegin() {
        take(stray(0));
        take(ALICE.event(1, 0));
        take(stray(2));
        take(stray(3));
        verifier.take(new Link(3, -1, true, 1, 2), stray(3));
        answerDoubt(3);
        assertThat(next(OfHole.class)).isEqualTo(new OfHole(0, 3));
    }

    @Test
    void behindACutByAnUnknownReaderWhatLiesBehindTheCutIsReadAgain() {
        take(stray(0));
        take(ALICE.event(1, 0));
        take(stray(2));
        take(stray(3));
        takeAfterCut(3, 9);
        answerDoubt(1);
        assertThat(next(OfHole.class)).isEqualTo(new OfHole(1, 3));
    }

    @Test
    void behindACutByAnUnknownReaderTheLogIsAskedWhereItWasCut() {
        for (long offset = 0; offset < 4; offset++) {
            take(stray(offset));
        }
        takeAfterCut(2, 9);
        assertThat(next(OfHole.class)).isEqualTo(new OfHole(2, 2, 0));
        verifier.audited(new OfHole(2, 2, 0), new OfHole.Found(2, 2, 1, false, List.of()));
        assertThat(verifier.nextAudit()).as("only the last answer counts").isEmpty();
    }

    @Test
    void behindACutThatTheLogHasForgottenEverythingUndecidedIsReadAgain() {
        take(stray(0));
        take(ALICE.event(1, 0));
        take(stray(2));
        takeAfterCut(2, 9);
        answerDoubt(2, true);
        assertThat(next(OfHole.class)).isEqualTo(new OfHole(1, 2));
    }

    @Test
    void behindACutThatTheLogHasForgottenEverythingThatItStillHoldsIsReadAgain() {
        for (long offset = 0; offset < 4; offset++) {
            take(stray(offset));
        }
        takeAfterCut(3, 9);
        answerDoubt(1, true);
        assertThat(next(OfHole.class)).isEqualTo(new OfHole(1, 3));
    }

    private void answerDoubt(long cutOffset) {
        answerDoubt(cutOffset, false);
    }

    private void answerDoubt(long cutOffset, boolean forgotten) {
        OfHole doubt = next(OfHole.class);
        assertThat(doubt.leaderEpoch()).isZero();
        verifier.audited(
                doubt, new OfHole.Found(doubt.beginOffset(), doubt.endOffset(), cutOffset, forgotten, List.of()));
    }

    @Test
    void aPieceThatIsBeingReadWhenTheLogIsCutIsReadAgain() {
        take(stray(0));
        verifier.take(new Link(5, 4, false, 0, 1), stray(5));
        OfHole before = next(OfHole.class);
        takeAfterCut(4, 1);
        verifier.audited(before, new OfHole.Found(1, 5, List.of(stray(1))));
        assertThat(verifier.drainFindings()).as("those that arrived").hasSize(3);
        assertThat(verifier.holes()).isEqualTo(1);
        answerDoubt(4);
        assertThat(next(OfHole.class)).isEqualTo(new OfHole(1, 5));
    }

    @Test
    void whereTheLogEndsIsAskedAgainWhenItIsCutMeanwhile() {
        take(stray(0));
        verifier.tick(0);
        verifier.tick(1_001);
        next(OfTail.class);
        assertThat(verifier.nextAudit()).isEmpty();
        takeAfterCut(0, 1);
        answerDoubt(0);
        next(OfTail.class);
    }
}
