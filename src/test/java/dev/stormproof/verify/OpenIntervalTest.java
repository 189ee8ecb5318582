package dev.stormproof.verify;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static dev.stormproof.testing.StreamRecords.PLAIN;
import static dev.stormproof.testing.StreamRecords.signature;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.Event;
import dev.stormproof.judge.Judge;
import dev.stormproof.judge.SealedInterval;
import dev.stormproof.judge.Verdict.Inconclusive;
import dev.stormproof.judge.Verdict.Inconclusive.Reason;
import dev.stormproof.merkle.Hash;
import dev.stormproof.merkle.TreeHash;
import dev.stormproof.verify.Observation.Sight;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Every transition of an open interval, what it holds back, and what is said when its checkpoint never comes. */
class OpenIntervalTest {
    private static final Patience PATIENCE = new Patience(1_000, 5_000);

    private final OpenInterval open = new OpenInterval(ALICE.stream());
    private final CheckpointRecord zero =
            ALICE.checkpoint(0, 0, 0).promising(60_000).at(10);
    private final CheckpointRecord one = ALICE.checkpoint(1, 0, 2).after(zero).at(20);

    private void begin() {
        open.seal(zero, true);
        open.confirm(zero.offset());
    }

    private Sight sight() {
        return open.seal(one, true).sight();
    }

    @Nested
    class Sights {
        @Test
        void firstRecordIsAnEventToUnknown() {
            open.add(ALICE.event(9, 0));
            Observation observation = open.seal(zero, true);
            assertThat(observation.sight()).isEqualTo(Sight.UNKNOWN);
            assertThat(observation.chained()).isFalse();
            assertThat(observation.firstOffset()).isEqualTo(9);
            assertThat(observation.previousOffset()).isEqualTo(-1);
        }

        @Test
        void firstRecordIsCheckpoint0WithoutAHoleToClean() {
            Observation observation = open.seal(zero, true);
            assertThat(observation.sight()).isEqualTo(Sight.CLEAN);
            assertThat(observation.chained()).isTrue();
            assertThat(observation.firstOffset()).isEqualTo(10);
        }

        @Test
        void firstRecordIsCheckpoint0BehindAHoleToUnknown() {
            Observation observation = open.seal(zero, false);
            assertThat(observation.sight()).isEqualTo(Sight.UNKNOWN);
            assertThat(observation.chained()).isFalse();
        }

        @Test
        void firstRecordIsAnotherCheckpointToUnknown() {
            Observation observation = open.seal(one, true);
            assertThat(observation.sight()).isEqualTo(Sight.UNKNOWN);
            assertThat(observation.chained()).isFalse();
        }

        @Test
        void checkpoint0AfterGivingUpToUnknown() {
            open.add(ALICE.event(9, 0));
            open.giveUp("for long", Optional.empty());
            assertThat(open.seal(zero, true).sight()).isEqualTo(Sight.UNKNOWN);
        }

        @Test
        void sealToClean() {
            open.seal(zero, false);
            open.confirm(zero.offset());
            open.add(ALICE.event(11, 0));
            open.add(ALICE.event(12, 1));
            Observation observation = open.seal(one, true);
            assertThat(observation.sight()).isEqualTo(Sight.CLEAN);
            assertThat(observation.chained()).isTrue();
            assertThat(observation.count()).isEqualTo(2);
            assertThat(Judge.matches(one, observation.seen())).isTrue();
            assertThat(observation.firstOffset()).isEqualTo(11);
            assertThat(observation.previousOffset()).isEqualTo(10);
            assertThat(observation.interval()).isEqualTo(SealedInterval.of(one));
        }

        @Test
        void confirmOfACheckpointThatWasNotSeenToUnknown() {
            open.seal(zero, false);
            open.confirm(zero.offset());
            open.add(ALICE.event(11, 0));
            CheckpointRecord unseen = ALICE.checkpoint(1, 0, 1).after(zero).at(12);
            open.confirm(12, List.of(zero, unseen));
            assertThat(open.baseOffset()).isEqualTo(12);
            CheckpointRecord next = ALICE.checkpoint(2, 1, 1).after(unseen).at(14);
            assertThat(open.seal(next, true).sight()).isEqualTo(Sight.UNKNOWN);
        }

        @Test
        void whatIsRejectedGivesWayToTheLastOneThatWasConfirmedHoweverLateAnOlderOneIs() {
            CheckpointRecord second = ALICE.checkpoint(1, 0, 0).after(zero).at(20);
            CheckpointRecord third = ALICE.checkpoint(2, 0, 0).after(second).at(30);
            for (CheckpointRecord record : List.of(zero, second, third)) {
                open.seal(record, false);
            }
            open.confirm(20, List.of(zero, second));
            open.confirm(zero.offset(), List.of(zero));
            open.reject(30);
            assertThat(open.baseOffset()).isEqualTo(20);
        }

        @Test
        void whatIsRejectedAfterOneThatExpiredGivesWayToNone() {
            CheckpointRecord second = ALICE.checkpoint(1, 0, 0).after(zero).at(20);
            open.seal(zero, false);
            open.seal(second, false);
            open.expire(20);
            open.confirm(zero.offset(), List.of(zero));
            open.seal(ALICE.checkpoint(2, 0, 0).after(second).at(30), false);
            open.reject(30);
            assertThat(open.baseOffset()).isEqualTo(OpenInterval.NONE);
        }

        @Test
        void taintFromCleanToItsReasonAndTheFirstOneStays() {
            begin();
            open.add(ALICE.event(11, 0));
            open.taint(Sight.HOLE);
            open.taint(Sight.EPOCH_CHANGED);
            Observation observation = open.seal(one, true);
            assertThat(observation.sight()).isEqualTo(Sight.HOLE);
            assertThat(observation.count()).as("what was seen is void").isZero();
        }

        @Test
        void eventWithAnotherValueThanSignedToSuspect() {
            begin();
            open.add(ALICE.altered(11, 0));
            open.add(ALICE.event(12, 1));
            open.taint(Sight.HOLE);
            Observation observation = open.seal(one, true);
            assertThat(observation.sight()).isEqualTo(Sight.SUSPECT);
            assertThat(observation.count()).isZero();
        }

        @Test
        void eventThatCannotBeCheckedToSuspect() {
            begin();
            open.add(ALICE.event(11, 0, signature(0), Hash.empty()));
            assertThat(sight()).isEqualTo(Sight.SUSPECT);
        }

        @Test
        void eventOfAnotherTreeHashThanTheCheckpointsToSuspect() {
            begin();
            open.add(new Event(11, ALICE.stream().emitter(), 0, TreeHash.SHA256, signature(0), signature(0)));
            assertThat(sight()).isEqualTo(Sight.SUSPECT);
        }

        @Test
        void recalledCheckpointToHole() {
            begin();
            open.recall(one);
            assertThat(open.seal(ALICE.checkpoint(2, 2, 3).after(one).at(30), true)
                            .sight())
                    .isEqualTo(Sight.HOLE);
        }

        @Test
        void recalledFirstCheckpointToHole() {
            open.recall(zero);
            assertThat(open.baseOffset()).isEqualTo(10);
            assertThat(sight()).isEqualTo(Sight.HOLE);
        }

        @Test
        void recalledEventToHole() {
            begin();
            open.recall(ALICE.event(11, 0));
            assertThat(sight()).isEqualTo(Sight.HOLE);
        }

        @Test
        void whatIsRecalledFromBeforeTheBaseChangesNothing() {
            begin();
            open.recall(ALICE.event(9, 0));
            open.recall(ALICE.checkpoint(0, 0, 0).by("other").at(5));
            open.recall(zero);
            assertThat(open.hasEvents()).isFalse();
            assertThat(open.baseOffset()).isEqualTo(10);
            assertThat(sight()).isEqualTo(Sight.CLEAN);
        }

        @Test
        void rejectToUnknownAndBackToTheLastJudgedBase() {
            begin();
            open.add(ALICE.event(11, 0));
            open.seal(one, true);
            open.add(ALICE.event(21, 1));
            open.reject(20);
            assertThat(open.baseOffset()).isEqualTo(10);
            assertThat(open.openSince()).isEqualTo(11);
            assertThat(open.hasEvents()).isTrue();
            assertThat(open.seal(ALICE.checkpoint(1, 0, 2).after(zero).at(30), true)
                            .sight())
                    .isEqualTo(Sight.UNKNOWN);
        }

        @Test
        void rejectOfAnotherCheckpointChangesNothing() {
            open.reject(10);
            begin();
            open.add(ALICE.event(11, 0));
            open.reject(9);
            assertThat(open.baseOffset()).isEqualTo(10);
            assertThat(sight()).isEqualTo(Sight.CLEAN);
        }

        @Test
        void giveUpToUnknown() {
            begin();
            open.add(ALICE.event(11, 0));
            open.giveUp("for long", Optional.empty());
            assertThat(open.openSince()).isEqualTo(OpenInterval.NONE);
            open.add(ALICE.event(12, 1));
            assertThat(open.openSince()).as("nothing is held back").isEqualTo(OpenInterval.NONE);
            assertThat(sight()).isEqualTo(Sight.UNKNOWN);
        }

        @Test
        void theBeginningOfTheLogIsClean() {
            OpenInterval plain = OpenInterval.atLogBeginning(PLAIN.stream());
            plain.add(PLAIN.plainEvent(0, 1));
            plain.add(PLAIN.plainEvent(1, 2));
            Observation observation = plain.seal(PLAIN.plainCheckpoint(2, 1, 2), true);
            assertThat(observation.sight()).isEqualTo(Sight.CLEAN);
            assertThat(observation.chained()).isTrue();
            assertThat(observation.count()).isEqualTo(2);
        }
    }

    @Nested
    class Chains {
        @Test
        void anUnjudgedBaseCountsForNothing() {
            open.seal(zero, true);
            assertThat(open.seal(one, true).chained()).isFalse();
        }

        @Test
        void confirmingAnotherOffsetCountsForNothing() {
            open.confirm(11);
            open.seal(zero, true);
            open.confirm(11);
            assertThat(open.seal(one, true).chained()).isFalse();
        }

        @Test
        void numberSequenceAndHashMustContinue() {
            begin();
            assertThat(open.seal(ALICE.checkpoint(2, 0, 2).after(zero).at(20), true)
                            .chained())
                    .isFalse();
            OpenInterval second = new OpenInterval(ALICE.stream());
            second.seal(zero, true);
            second.confirm(10);
            assertThat(second.seal(ALICE.checkpoint(1, 1, 2).after(zero).at(20), true)
                            .chained())
                    .isFalse();
            OpenInterval third = new OpenInterval(ALICE.stream());
            third.seal(zero, true);
            third.confirm(10);
            assertThat(third.seal(ALICE.checkpoint(1, 0, 2).at(20), true).chained())
                    .isFalse();
        }

        @Test
        void inFormat1TheFirstCheckpointAndWhateverFollowsAJudgedOneIsChained() {
            OpenInterval plain = new OpenInterval(PLAIN.stream());
            assertThat(plain.seal(PLAIN.plainCheckpoint(5, 1, 2), true).chained())
                    .isTrue();
            assertThat(plain.seal(PLAIN.plainCheckpoint(8, 3, 4), true).chained())
                    .as("after one that was not judged")
                    .isFalse();
            plain.confirm(8);
            assertThat(plain.seal(PLAIN.plainCheckpoint(9, 5, 6), true).chained())
                    .isTrue();
        }

        @Test
        void theSameCheckpointInAGaplessChainIsARepetition() {
            assertThat(open.repeats(zero)).isFalse();
            begin();
            assertThat(open.repeats(zero)).isTrue();
            assertThat(open.repeats(one)).isFalse();
            open.add(ALICE.altered(11, 0));
            assertThat(open.repeats(zero)).as("suspect, but without a gap").isTrue();
        }

        @Test
        void overAGapOnlyTheLogTellsWhatIsARepetition() {
            begin();
            open.taint(Sight.HOLE);
            assertThat(open.repeats(zero)).isFalse();
        }

        @Test
        void checkpointsOfFormat1AreNeverKnownToRepeat() {
            OpenInterval plain = OpenInterval.atLogBeginning(PLAIN.stream());
            plain.seal(PLAIN.plainCheckpoint(5, 1, 2), true);
            assertThat(plain.repeats(PLAIN.plainCheckpoint(6, 1, 2))).isFalse();
        }
    }

    @Nested
    class Offsets {
        @Test
        void theStreamIsItsOwn() {
            assertThat(open.stream()).isEqualTo(ALICE.stream());
        }

        @Test
        void whatWasSealedStaysOpenUntilItIsJudged() {
            begin();
            open.add(ALICE.event(11, 0));
            open.add(ALICE.event(12, 1));
            open.seal(one, true);
            assertThat(open.hasEvents()).isFalse();
            assertThat(open.openSince()).isEqualTo(11);
            open.add(ALICE.event(21, 2));
            open.confirm(20);
            assertThat(open.openSince()).isEqualTo(21);
        }

        @Test
        void aRecalledEventMayBeTheFirst() {
            open.add(ALICE.event(8, 1));
            open.recall(ALICE.event(5, 0));
            assertThat(open.openSince()).isEqualTo(5);
        }

        @Test
        void aRecalledCheckpointLeavesOpenWhatLiesBehindIt() {
            begin();
            open.add(ALICE.event(12, 0));
            open.taint(Sight.HOLE);
            open.add(ALICE.event(25, 2));
            open.recall(one);
            assertThat(open.hasEvents()).isTrue();
            open.confirm(20);
            assertThat(open.openSince()).isEqualTo(21);
        }

        @Test
        void aRecalledCheckpointBehindEverythingLeavesNothingOpen() {
            begin();
            open.add(ALICE.event(12, 0));
            open.recall(one);
            assertThat(open.hasEvents()).isFalse();
            open.confirm(20);
            assertThat(open.openSince()).isEqualTo(OpenInterval.NONE);
        }

        @Test
        void aStreamIsBaselessUntilItsFirstCheckpoint() {
            assertThat(open.isBaseless()).isTrue();
            begin();
            assertThat(open.isBaseless()).isFalse();
            assertThat(new OpenInterval(PLAIN.stream()).isBaseless())
                    .as("in format 1 no checkpoint says where the stream stands")
                    .isFalse();
        }
    }

    @Nested
    class Turns {
        private final CheckpointRecord two =
                ALICE.checkpoint(2, 2, 2).after(one).at(12);

        private CheckpointRecord oneAt(long offset) {
            return ALICE.checkpoint(1, 0, 2).after(zero).at(offset);
        }

        /** A checkpoint out of turn came, and the log was read for the next one in turn. */
        private void judgedZeroAgain(List<CheckpointRecord> read) {
            open.seal(zero, false);
            open.confirm(zero.offset(), read);
        }

        @Test
        void whatContinuesTheLastIsChained() {
            begin();
            assertThat(open.seal(one, true).chained()).isTrue();
        }

        @Test
        void whatCameBehindItsSuccessorIsNotChained() {
            begin();
            CheckpointRecord lateTwo = ALICE.checkpoint(2, 2, 2).after(one).at(30);
            open.seal(ALICE.checkpoint(3, 2, 2).after(lateTwo).at(12), true);
            open.seal(one, true);
            open.confirm(one.offset(), List.of());
            assertThat(open.seal(lateTwo, true).chained()).isFalse();
        }

        @Test
        void whatASuccessorInAHoleNamesIsNotChained() {
            CheckpointRecord later = ALICE.checkpoint(0, 0, 0).promising(60_000).at(15);
            open.seal(later, true);
            open.recall(two);
            open.confirm(later.offset());
            assertThat(open.seal(oneAt(20), true).chained()).isFalse();
        }

        @Test
        void whatASuccessorInTheEvidenceNamesIsNotChained() {
            CheckpointRecord early = ALICE.checkpoint(2, 2, 2).after(one).at(5);
            judgedZeroAgain(List.of(early, zero));
            assertThat(open.seal(oneAt(20), true).chained()).isFalse();
        }

        @Test
        void whatTheEvidenceHoldsBehindACheckpointIsInTurn() {
            judgedZeroAgain(List.of(zero, one));
            assertThat(open.seal(one, true).chained()).isTrue();
        }

        @Test
        void onceThatWasPassedTheNextIsChainedAgain() {
            whatASuccessorInTheEvidenceNamesIsNotChained();
            open.confirm(20, List.of());
            CheckpointRecord repeated =
                    ALICE.checkpoint(2, 2, 2).after(oneAt(20)).at(30);
            assertThat(open.seal(repeated, true).chained()).as("came before").isFalse();
            open.confirm(30, List.of());
            CheckpointRecord three = ALICE.checkpoint(3, 2, 4).after(repeated).at(40);
            assertThat(open.seal(three, true).chained()).isTrue();
        }

        @Test
        void ofTooManyOutOfTurnNoneIsChainedUntilTheLogWasRead() {
            begin();
            for (int i = 0; i < 40; i++) {
                open.seal(ALICE.checkpoint(100 + 3 * i, 0, 0).at(11 + i), true);
            }
            open.seal(ALICE.checkpoint(0, 0, 0).promising(60_000).at(60), true);
            open.confirm(60);
            assertThat(open.seal(oneAt(70), true).chained()).isFalse();
            open.confirm(70, List.of());
            CheckpointRecord next = ALICE.checkpoint(2, 2, 2).after(oneAt(70)).at(80);
            assertThat(open.seal(next, true).chained()).isTrue();
        }
    }

    @Nested
    class Cuts {
        @Test
        void fromCleanToEpochChanged() {
            begin();
            open.add(ALICE.event(11, 0));
            open.rewrite(12);
            Observation observation = open.seal(one, true);
            assertThat(observation.sight()).isEqualTo(Sight.EPOCH_CHANGED);
            assertThat(observation.count()).isZero();
            assertThat(observation.chained()).as("what was judged may be gone").isFalse();
        }

        @Test
        void fromSuspectToEpochChanged() {
            begin();
            open.add(ALICE.altered(11, 0));
            open.rewrite(12);
            assertThat(sight()).isEqualTo(Sight.EPOCH_CHANGED);
        }

        @Test
        void anotherReasonStays() {
            begin();
            open.taint(Sight.HOLE);
            open.rewrite(12);
            assertThat(sight()).isEqualTo(Sight.HOLE);
        }

        @Test
        void aBaseBeforeTheCutStays() {
            begin();
            open.rewrite(11);
            assertThat(open.baseOffset()).isEqualTo(10);
        }

        @Test
        void aBaseAtTheCutIsGoneAndWhatItSealedIsOpenAgain() {
            begin();
            open.add(ALICE.event(11, 0));
            open.seal(one, true);
            open.rewrite(20);
            assertThat(open.baseOffset()).isEqualTo(OpenInterval.NONE);
            assertThat(open.hasEvents()).isTrue();
            assertThat(open.openSince()).isEqualTo(11);
        }

        @Test
        void whatIsOpenBeginsAtTheCutAtTheLatest() {
            open.add(ALICE.event(11, 0));
            open.rewrite(7);
            assertThat(open.openSince()).isEqualTo(7);
            assertThat(open.hasEvents()).isTrue();
        }

        @Test
        void whatCameFromBehindARangeThatTurnsOutToBeCutStays() {
            begin();
            open.add(ALICE.event(12, 0));
            open.rewrite(10, 12);
            open.recall(zero);
            assertThat(open.hasEvents()).isTrue();
            assertThat(open.openSince()).isLessThanOrEqualTo(12);
            open.confirm(zero.offset());
            assertThat(open.openSince()).as("behind the checkpoint").isBetween(11L, 12L);
        }

        @Test
        void theLastEventIsForgottenWithWhatLayBehind() {
            begin();
            open.add(ALICE.event(11, 0));
            open.add(ALICE.event(12, 1));
            open.add(ALICE.event(13, 2));
            open.rewrite(12);
            Inconclusive unsealed = open.giveUp("", Optional.empty()).orElseThrow();
            assertThat(unsealed.interval().checkpointOffset()).isEqualTo(11);
            assertThat(unsealed.interval().eventCount()).as("nobody knows").isZero();
        }
    }

    @Nested
    class Waiting {
        private OpenInterval after(CheckpointRecord record) {
            OpenInterval other = new OpenInterval(record.checkpoint().stream());
            other.seal(record, true);
            other.tick(0);
            other.tick(1);
            return other;
        }

        @Test
        void aPromiseIsOwedUntilTheStreamClosesOrIsGivenUp() {
            assertThat(open.promisedAt()).isEqualTo(OpenInterval.NONE);
            begin();
            assertThat(open.promisedAt()).isEqualTo(10);
            open.giveUpSilent(Optional.empty());
            assertThat(open.promisedAt()).isEqualTo(OpenInterval.NONE);
        }

        @Test
        void whoPromisesNothingOrClosesOwesNothing() {
            CheckpointRecord nothing = ALICE.checkpoint(0, 0, 0).at(10);
            CheckpointRecord closing =
                    ALICE.checkpoint(0, 0, 0).promising(60_000).closing().at(10);
            assertThat(after(nothing).promisedAt()).isEqualTo(OpenInterval.NONE);
            assertThat(after(closing).promisedAt()).isEqualTo(OpenInterval.NONE);
            assertThat(after(nothing).overdue(1_000_000, PATIENCE)).isFalse();
            assertThat(after(closing).overdue(1_000_000, PATIENCE)).isFalse();
            assertThat(after(nothing).giveUpSilent(Optional.empty())).isEmpty();
            assertThat(after(closing).giveUpSilent(Optional.empty())).isEmpty();
        }

        @Test
        void aPromiseIsOverdueAfterItsTimeAndTheGrace() {
            OpenInterval promised = after(zero);
            assertThat(promised.overdue(61_000, PATIENCE)).isFalse();
            assertThat(promised.overdue(61_001, PATIENCE)).isTrue();
        }

        @Test
        void eventsWithoutAPromiseAreOverdueAfterTheLimit() {
            open.add(ALICE.event(11, 0));
            assertThat(open.overdue(1_000_000, PATIENCE))
                    .as("before the time was noted")
                    .isFalse();
            open.tick(100);
            open.tick(200);
            assertThat(open.overdue(5_100, PATIENCE)).isFalse();
            assertThat(open.overdue(5_101, PATIENCE)).isTrue();
            open.add(ALICE.event(12, 1));
            assertThat(open.overdue(1_000_000, PATIENCE)).as("heard of since").isFalse();
        }

        @Test
        void theLastCheckpointInTheLogMayHavePromisedMore() {
            open.add(ALICE.event(11, 0));
            open.tick(0);
            assertThat(open.overdue(5_001, PATIENCE, Optional.empty())).isTrue();
            assertThat(open.overdue(5_001, PATIENCE, Optional.of(zero))).isFalse();
            assertThat(open.overdue(61_001, PATIENCE, Optional.of(zero))).isTrue();
            begin();
            open.tick(0);
            CheckpointRecord other = ALICE.checkpoint(0, 0, 0).promising(1).at(10);
            assertThat(open.overdue(61_000, PATIENCE, Optional.of(other)))
                    .as("the one that was seen counts")
                    .isFalse();
        }

        @Test
        void whoAwaitsTheNextCheckpointIsOverdueWithoutEventsOrAPromise() {
            OpenInterval waiting = after(ALICE.checkpoint(0, 0, 0).at(10));
            waiting.await();
            assertThat(waiting.overdue(5_000, PATIENCE)).isFalse();
            assertThat(waiting.overdue(5_001, PATIENCE)).isTrue();
            waiting.seal(one, true);
            waiting.tick(0);
            assertThat(waiting.overdue(5_001, PATIENCE)).as("it came").isFalse();
        }

        @Test
        void whoAwaitedInVainAndOwesNothingGoesOnAsBefore() {
            OpenInterval waiting = after(ALICE.checkpoint(0, 0, 0).at(10));
            waiting.confirm(10);
            assertThat(waiting.await()).isTrue();
            assertThat(waiting.giveUpSilent(Optional.empty())).isEmpty();
            assertThat(waiting.overdue(1_000_000, PATIENCE)).isFalse();
            waiting.add(ALICE.event(11, 0));
            waiting.tick(1_000_000);
            assertThat(waiting.openSince()).isEqualTo(11);
            assertThat(waiting.overdue(1_005_001, PATIENCE))
                    .as("its events are")
                    .isTrue();
            assertThat(waiting.await()).isTrue();
        }

        @Test
        void whoWasGivenUpIsNotOverdue() {
            open.add(ALICE.event(11, 0));
            open.tick(0);
            open.giveUp("", Optional.empty());
            assertThat(open.await()).isFalse();
            assertThat(open.overdue(1_000_000, PATIENCE)).isFalse();
        }
    }

    @Nested
    class GivenUp {
        private Inconclusive silent(OpenInterval interval, Optional<CheckpointRecord> last) {
            Inconclusive unsealed = interval.giveUpSilent(last).orElseThrow();
            assertThat(unsealed.reason()).isEqualTo(Reason.UNSEALED);
            return unsealed;
        }

        @Test
        void aBrokenPromiseIsToldInSeconds() {
            begin();
            Inconclusive unsealed = silent(open, Optional.empty());
            assertThat(unsealed.detail()).isEqualTo("no checkpoint within the promised 60 s");
            assertThat(unsealed.interval()).isEqualTo(new SealedInterval(ALICE.stream(), 1, 10, 0, 0));
        }

        @Test
        void aPromiseOfLessThanASecondIsToldAsOne() {
            open.seal(ALICE.checkpoint(0, 0, 0).promising(1).at(10), true);
            assertThat(silent(open, Optional.empty()).detail()).isEqualTo("no checkpoint within the promised 1 s");
        }

        @Test
        void eventsWithoutAPromiseWaitedForTooLong() {
            open.seal(ALICE.checkpoint(3, 5, 5).at(10), true);
            open.add(ALICE.event(11, 5));
            open.add(ALICE.event(12, 6));
            Inconclusive unsealed = silent(open, Optional.empty());
            assertThat(unsealed.detail()).isEqualTo("no checkpoint for too long");
            assertThat(unsealed.interval()).isEqualTo(new SealedInterval(ALICE.stream(), 4, 12, 5, 2));
        }

        @Test
        void withoutAnyCheckpointTheNumberIsUnknown() {
            open.add(ALICE.event(11, 5));
            Inconclusive unsealed = silent(open, Optional.empty());
            assertThat(unsealed.detail()).isEqualTo("no checkpoint for too long");
            assertThat(unsealed.interval()).isEqualTo(new SealedInterval(ALICE.stream(), -1, 11, 0, 6));
        }

        @Test
        void theLastCheckpointInTheLogTellsThePromiseAndTheNumber() {
            open.add(ALICE.event(11, 5));
            CheckpointRecord last = ALICE.checkpoint(3, 4, 5).promising(2_000).at(10);
            Inconclusive unsealed = silent(open, Optional.of(last));
            assertThat(unsealed.detail()).isEqualTo("no checkpoint within the promised 2 s");
            assertThat(unsealed.interval()).isEqualTo(new SealedInterval(ALICE.stream(), 4, 11, 5, 1));
        }

        @Test
        void aCheckpointThatWasSeenCountsMoreThanTheOneInTheLog() {
            begin();
            CheckpointRecord last = ALICE.checkpoint(3, 4, 5).promising(2_000).at(5);
            assertThat(silent(open, Optional.of(last)).interval().number()).isEqualTo(1);
        }

        @Test
        void anEventAheadOfItsCheckpointIsNotCountedWithoutOthers() {
            open.add(ALICE.event(5, 9));
            open.seal(zero, true);
            assertThat(silent(open, Optional.empty()).interval().eventCount()).isZero();
        }

        @Test
        void inFormat1TheNumberIsTheOffsetAndEventsAreCountedSinceTheLastCheckpoint() {
            OpenInterval plain = OpenInterval.atLogBeginning(PLAIN.stream());
            plain.add(PLAIN.plainEvent(0, 1));
            plain.add(PLAIN.plainEvent(1, 2));
            plain.seal(PLAIN.plainCheckpoint(2, 1, 2), true);
            for (long offset = 3; offset < 6; offset++) {
                plain.add(PLAIN.plainEvent(offset, offset));
            }
            assertThat(silent(plain, Optional.empty()).interval())
                    .isEqualTo(new SealedInterval(PLAIN.stream(), 5, 5, 0, 3));
        }

        @Test
        void nothingIsSaidOfAStreamThatLacksNothing() {
            assertThat(open.giveUp("", Optional.empty())).isEmpty();
        }
    }
}
