package dev.stormproof.verify.fold;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static dev.stormproof.testing.StreamRecords.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.testing.DrawnLog;
import dev.stormproof.verify.fold.LogQuery.OfInterval;
import dev.stormproof.verify.fold.LogQuery.OfTail;
import dev.stormproof.verify.judge.Evidence;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Verdict.Verified;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What a fold keeps and forgets where the log is truncated, expires or is no more, and where streams make room. */
class LogFoldTest {
    private static final long T = 1_700_000_000_000L;
    private static final Bounds ONE_STREAM = new Bounds(1, 100, 100, 1 << 20);

    private final CheckpointRecord zero = ALICE.checkpoint(0, 0, 0).at(0);
    private final LogFold fold = fold(Bounds.DEFAULT);

    private static LogFold fold(Bounds bounds) {
        return new LogFold("orders", 0, 0, DrawnLog.TIMEOUTS, bounds);
    }

    private static UnattributedRecord unsigned(long offset) {
        return new UnattributedRecord(offset, UnattributedRecord.Kind.UNSIGNED, "x", T);
    }

    private static CheckpointRecord five(long offset) {
        return ALICE.checkpoint(5, 8, 10).at(offset);
    }

    private static long knownToSeal(LogFold fold) {
        Optional<OfInterval> task = fold.pending().poll();
        return task.orElseThrow().earlier().sealedOffset();
    }

    private long strays() {
        return fold.drainFindings().stream()
                .filter(StrayRecord.class::isInstance)
                .mapToLong(finding -> ((StrayRecord) finding).count())
                .sum();
    }

    @Test
    void eachEventCounts() {
        fold.record(ALICE.event(0, 0));
        fold.record(zero);
        fold.record(ALICE.event(2, 1));
        assertThat(fold.events()).isEqualTo(2);
    }

    @Test
    void aVerdictSaysWhereTheEventsOfItsIntervalBegin() {
        assertThat(beginsOf("#0 x e0 e1 #1")).containsExactly(0L, 2L);
    }

    private static List<Long> beginsOf(String drawing) {
        return DrawnLog.of(drawing).deliver().verifier().drainFindings().stream()
                .filter(Verified.class::isInstance)
                .map(finding -> ((Verified) finding).beginOffset())
                .toList();
    }

    @Test
    void intervalsThatWaitForTheLogTakeRoomAsStreamsDo() {
        fold.record(zero);
        long ofStream = fold.sizeBytes();
        assertThat(ofStream).isPositive();
        fold.record(five(1));
        assertThat(fold.sizeBytes()).isGreaterThan(ofStream);
    }

    @Test
    void aStreamTakesNoMoreRoomWithEachCheckpointThatMatches() {
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1").deliver();
        long sizeBytes = log.verifier().sizeBytes();
        log.append("e2 e3 #2 e4 e5 #3").deliver();
        assertThat(log.findings()).containsExactly("Verified 0", "Verified 1", "Verified 2", "Verified 3");
        assertThat(log.verifier().sizeBytes()).isEqualTo(sizeBytes);
    }

    @Test
    void aStreamTakesNoMoreRoomOnceTheLogWasAskedForItsIntervals() {
        DrawnLog one = DrawnLog.of("#0").deliver();
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1 e2 e3 #2 e4 e5 #3")
                .restart(1, 0, List.of())
                .deliver()
                .audit();
        assertThat(log.findings())
                .containsExactly("Verified 1 by the log", "Verified 2 by the log", "Verified 3 by the log");
        assertThat(log.verifier().sizeBytes()).isEqualTo(one.verifier().sizeBytes());
    }

    @Test
    void whatAVerifierHasReadAndStillHasToIsCounted() {
        DrawnLog log = DrawnLog.of("#0 e0 [e1] #1 e2 x").deliver();
        assertThat(log.verifier().events()).isEqualTo(1);
        assertThat(log.verifier().lag()).isEqualTo(4);
        log.audit();
        assertThat(log.verifier().events()).isEqualTo(3);
        assertThat(log.verifier().lag()).isZero();
    }

    @Test
    void aStreamThatWasGivenUpIsCounted() {
        DrawnLog log = DrawnLog.of("#0 e0 b#0").deliver().tick(0);
        assertThat(log.verifier().silentStreams()).isZero();
        log.tick(2 * DrawnLog.PROMISE_MILLIS);
        assertThat(log.verifier().silentStreams()).isEqualTo(2);
    }

    /** A reader that begins behind the log's beginning, and finds two statements of one number, far from each other. */
    @Nested
    class OfTwoStatements {
        private final CheckpointRecord first =
                ALICE.checkpoint(0, 0, 0).withRoot(Hash.copyOf(new byte[8])).at(10);
        private final CheckpointRecord second =
                ALICE.checkpoint(0, 0, 0).by("another").at(70_000);
        private final LogFold late = new LogFold("orders", 0, 10, DrawnLog.TIMEOUTS, Bounds.DEFAULT);
        private final OfInterval ofFirst = asked(first);
        private final OfInterval ofSecond = asked(second);

        private OfInterval asked(CheckpointRecord record) {
            late.record(record);
            return late.pending().poll().orElseThrow();
        }

        @Test
        void anotherStatementOfANumberThatWasJudgedMeanwhileIsLookedForBeforeOneIsVerified() {
            assertThat(ofSecond.earlier().sealedOffset()).isEqualTo(EventStream.NONE);

            late.judge(ofFirst, seen(first));
            assertThat(late.drainFindings()).singleElement().isInstanceOf(Violated.class);
            late.judge(ofSecond, seen(second));

            assertThat(late.drainFindings()).isEmpty();
            assertThat(knownToSeal(late)).isEqualTo(10);
        }

        @Test
        void aCheckpointIsNotVerifiedWhileAnotherOfItsNumberFurtherUpIsNotJudged() {

            // Several threads read the log: what was asked later may be answered earlier.
            late.judge(ofSecond, seen(second));
            assertThat(late.drainFindings()).isEmpty();
            assertThat(late.pending().poll()).isEmpty();
            assertThat(late.progressOffset()).isEqualTo(10);

            late.judge(ofFirst, seen(first));
            assertThat(late.drainFindings()).singleElement().isInstanceOf(Violated.class);
            Optional<OfInterval> again = late.pending().poll();
            assertThat(again.map(OfInterval::interval)).contains(ofSecond.interval());
            late.judge(again.orElseThrow(), seen(second));
            assertThat(late.drainFindings()).isEmpty();
            assertThat(knownToSeal(late)).isEqualTo(10);
        }

        private static Evidence seen(CheckpointRecord checkpoint) {
            return new Evidence(checkpoint.offset(), checkpoint.offset() + 1, false, List.of(checkpoint), List.of());
        }
    }

    @Nested
    class Strays {
        @Test
        void areFoundByTheNextRecordThatWasWrittenLater() {
            fold.record(unsigned(0));
            CheckpointRecord later = ALICE.checkpoint(0, 0, 0).at(1);
            fold.record(new CheckpointRecord(1, later.checkpoint(), later.chainHash(), T + 1_000));
            assertThat(strays()).isEqualTo(1);
        }

        @Test
        void areFoundWhereTheLogBehindThemExpired() {
            fold.record(unsigned(0));
            fold.record(unsigned(1));
            fold.expired(2, 5);
            assertThat(strays()).isEqualTo(2);
        }

        @Test
        void areFoundWhereTheLogIsNoMore() {
            fold.record(unsigned(0));
            fold.abandon();
            assertThat(strays()).isEqualTo(1);
        }

        @Test
        void thatAreReadAgainBehindATruncationCountOnce() {
            fold.record(unsigned(0));
            fold.record(unsigned(1));
            assertThat(fold.truncated(1)).isZero();
            fold.record(unsigned(0));
            fold.groups().end();
            assertThat(strays()).isEqualTo(1);
        }

        @Test
        void areFoundByTheClockWhereNothingFollows() {
            DrawnLog log = DrawnLog.of("#0")
                    .append(offset -> new UnattributedRecord(offset, UnattributedRecord.Kind.UNSIGNED, "x", T))
                    .deliver();
            log.tick(T);
            assertThat(log.findings()).containsExactly("Verified 0");
            log.tick(T + UnattributedGroups.HOLD_MILLIS);
            assertThat(log.findings()).containsExactly("UNSIGNED @1");
        }
    }

    @Nested
    class Questions {
        @Test
        void forALastCheckpointAreForgottenWithATruncation() {
            // e7 of a stream whose checkpoints lie before, if anywhere
            fold.record(ALICE.event(0, 7));
            overdue();
            assertThat(fold.nextLookBack()).isPresent();
            fold.truncated(0);
            assertThat(fold.nextLookBack()).isEmpty();
        }

        @Test
        void whatLiesBehindAClosingCheckpointAreForgottenWithATruncation() {
            tailOverdue();
            fold.truncated(2);
            assertThat(fold.nextTail()).isEmpty();
        }

        @Test
        void whatLiesBehindAClosingCheckpointAreAskedOnce() {
            tailOverdue();
            assertThat(fold.nextTail()).isPresent();
            assertThat(fold.nextTail()).isEmpty();
        }

        @Test
        void whatLiesBehindAClosingCheckpointAreAskedAgainIfItIsReadAgain() {
            tailOverdue();
            OfTail asked = fold.nextTail().orElseThrow();
            fold.truncated(2);
            fold.record(ALICE.event(2, 7));
            overdue();
            assertThat(fold.nextTail()).contains(asked);
        }

        private void tailOverdue() {
            fold.record(zero);
            fold.record(ALICE.checkpoint(1, 0, 0).after(zero).closing().at(1));
            fold.record(ALICE.event(2, 7));
            overdue();
        }

        private void overdue() {
            long late = 100 * DrawnLog.PROMISE_MILLIS;
            fold.streams().tick(0, DrawnLog.TIMEOUTS);
            fold.caughtUp(late);
        }
    }

    @Nested
    class EvictedStreams {
        private final LogFold small = fold(ONE_STREAM);

        @Test
        void areKnownByTheirLastSealAgain() {
            // #0 b#0 #5
            small.record(zero);
            small.record(BOB.checkpoint(0, 0, 0).at(1));
            assertThat(small.pending().poll()).as("b#0").isPresent();
            small.record(five(2));
            assertThat(knownToSeal(small)).isZero();
        }

        @Test
        void areNotKnownByASealThatWasTruncated() {
            // #0 b#0 ✂0 #5
            small.record(zero);
            small.record(BOB.checkpoint(0, 0, 0).at(1));
            assertThat(small.truncated(0)).isZero();
            small.record(five(0));
            assertThat(knownToSeal(small)).isEqualTo(EventStream.NONE);
        }

        @Test
        void areKnownBehindATruncationWhileAnIntervalOfTheirsWaited() {
            // #0 #5 b#0 ✂2 #5
            small.record(zero);
            small.record(five(1));
            small.record(BOB.checkpoint(0, 0, 0).at(2));
            assertThat(small.truncated(2)).isEqualTo(1);
            small.record(five(1));
            assertThat(knownToSeal(small)).isZero();
        }

        @Test
        void areKnownByWhatTheLogShowedMeanwhile() {
            // #0 #2 b#0 #1   #2 is judged while Alice makes room, and lies before #1
            DrawnLog log = DrawnLog.of(ONE_STREAM, "#0 #2 b#0").deliver();
            log.answer(log.ask().get(0)).append("#1").deliver();
            assertThat(log.ask())
                    .filteredOn(task -> task instanceof OfInterval of
                            && of.interval().stream().equals(ALICE.stream())
                            && of.interval().number() == 1)
                    .singleElement()
                    .satisfies(task -> assertThat(((OfInterval) task).earlier().sealedOffset())
                            .isEqualTo(1));
        }

        @Test
        void holdNothingBackBehindATruncation() {
            // #0 #5 e10 b#0 ✂1   what waited is read again, and nothing is open
            small.record(zero);
            small.record(five(1));
            small.record(ALICE.event(2, 10));
            small.record(BOB.checkpoint(0, 0, 0).at(3));
            assertThat(small.truncated(1)).isEqualTo(1);
            small.record(BOB.checkpoint(0, 0, 0).at(1));
            small.record(BOB.event(2, 0));
            small.expired(3, 9);
            List<Finding> found = small.drainFindings();
            assertThat(found).isNotEmpty();
            assertThat(small.progressOffset()).isEqualTo(9);
        }
    }
}
