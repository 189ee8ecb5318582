package dev.stormproof.verify;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static dev.stormproof.testing.StreamRecords.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.judge.SealedInterval;
import dev.stormproof.judge.Verdict.Inconclusive;
import dev.stormproof.judge.Verdict.Inconclusive.Reason;
import dev.stormproof.verify.EventStream.Sealed;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** How anchor, open interval and liveness of a stream act together. */
class EventStreamTest {
    private static final InactivityTimeouts TIMEOUTS = new InactivityTimeouts(1_000, 5_000);

    private final EventStream stream = new EventStream(ALICE.stream(), false);
    private final CheckpointRecord zero =
            ALICE.checkpoint(0, 0, 0).promising(60_000).at(10);
    private final CheckpointRecord one = ALICE.checkpoint(1, 0, 2).after(zero).at(20);
    private final CheckpointRecord two = ALICE.checkpoint(2, 2, 2).after(one).at(30);

    private Sealed seal(CheckpointRecord record) {
        return stream.seal(record, false);
    }

    private void begin() {
        assertThat(stream.seal(zero, true).matches()).isTrue();
    }

    private void addBoth() {
        stream.add(ALICE.event(11, 0));
        stream.add(ALICE.event(12, 1));
    }

    private void confirm(CheckpointRecord record) {
        stream.confirm(record, List.of());
    }

    @Nested
    class Sealing {
        @Test
        void checkpointZeroOfANewStreamMatchesIfNothingCanLieBefore() {
            Sealed sealed = stream.seal(zero, true);
            assertThat(sealed).isEqualTo(new Sealed(zero, true, 10, EventStream.NONE));
        }

        @Test
        void checkpointZeroOfANewStreamIsReadFromTheLogIfSomethingMay() {
            assertThat(stream.seal(zero, false).matches()).isFalse();
        }

        @Test
        void anotherNumberOfANewStreamIsReadFromTheLog() {
            assertThat(stream.seal(two, true).matches()).isFalse();
        }

        @Test
        void checkpointZeroBehindAnEventIsReadFromTheLog() {
            stream.add(ALICE.event(9, 0));
            Sealed sealed = stream.seal(zero, true);
            assertThat(sealed.matches()).isFalse();
            assertThat(sealed.firstOffset()).isEqualTo(9);
        }

        @Test
        void checkpointZeroThatStatesEventsIsReadFromTheLog() {
            assertThat(stream.seal(ALICE.checkpoint(0, 0, 2).at(10), true).matches())
                    .isFalse();
        }

        @Test
        void whatContinuesATrustedOneAndIsAsSeenMatches() {
            begin();
            addBoth();
            assertThat(seal(one)).isEqualTo(new Sealed(one, true, 11, 10));
            assertThat(seal(two)).isEqualTo(new Sealed(two, true, 30, 20));
        }

        @Test
        void whatContinuesATrustedOneAndIsNotAsSeenIsReadFromTheLogAndTrusted() {
            begin();
            stream.add(ALICE.event(11, 0));
            assertThat(seal(one).matches()).isFalse();
            assertThat(seal(two).matches()).isTrue();
        }

        @Test
        void whatDoesNotContinueIsReadFromTheLogAndNotTrusted() {
            begin();
            addBoth();
            assertThat(seal(ALICE.checkpoint(1, 0, 2).at(20)).matches()).isFalse();
            assertThat(seal(two).matches()).isFalse();
        }

        @Test
        void behindOneThatTheLogConfirmedTheNextMatches() {
            seal(zero);
            confirm(zero);
            addBoth();
            assertThat(seal(one).matches()).isTrue();
        }

        @Test
        void aStreamThatIsConfirmedInMidIntervalCountsFromItsCheckpoint() {
            stream.add(ALICE.event(9, 7));
            addBoth();
            confirm(zero);
            assertThat(stream.openSince()).isEqualTo(11);
            assertThat(seal(one).matches())
                    .as("what came before it was added too")
                    .isFalse();
        }

        @Test
        void aStreamThatWasFirstSeenElsewhereIsPartialUntilItsFirstCheckpoint() {
            addBoth();
            confirm(zero);
            assertThat(seal(one).matches()).isFalse();
            assertThat(seal(two).matches()).isTrue();
        }

        @Test
        void aRepetitionIsOneWhileItsOriginalIsTheLast() {
            assertThat(stream.isRepeatedBy(zero)).isFalse();
            begin();
            assertThat(stream.isRepeatedBy(zero)).isTrue();
            assertThat(stream.isRepeatedBy(one)).isFalse();
        }

        @Test
        void inFormat1TheFirstCheckpointAtTheLogsBeginningMatches() {
            EventStream plain = new EventStream(PLAIN.stream(), true);
            plain.add(PLAIN.plainEvent(0, 1));
            assertThat(plain.seal(PLAIN.plainCheckpoint(1, 1), true).matches()).isTrue();
            EventStream elsewhere = new EventStream(PLAIN.stream(), false);
            elsewhere.add(PLAIN.plainEvent(5, 1));
            assertThat(elsewhere.seal(PLAIN.plainCheckpoint(6, 1), true).matches())
                    .isFalse();
        }

        @Test
        void inFormat1OneThatDoesNotMatchIsNotTrusted() {
            EventStream plain = new EventStream(PLAIN.stream(), true);
            plain.add(PLAIN.plainEvent(0, 1));
            assertThat(plain.seal(PLAIN.plainCheckpoint(1, 2), true).matches()).isFalse();
            plain.add(PLAIN.plainEvent(2, 3));
            assertThat(plain.seal(PLAIN.plainCheckpoint(3, 3), true).matches()).isFalse();
        }

        @Test
        void inFormat2TheLogsBeginningAnchorsNothing() {
            EventStream atBeginning = new EventStream(ALICE.stream(), true);
            atBeginning.add(ALICE.event(0, 0));
            assertThat(atBeginning.seal(ALICE.checkpoint(1, 0, 1).at(1), true).matches())
                    .isFalse();
        }
    }

    @Nested
    class OutOfOrder {
        private CheckpointRecord oneAt(long offset) {
            return ALICE.checkpoint(1, 0, 2).after(zero).at(offset);
        }

        @Test
        void whatCameBehindItsSuccessorIsReadFromTheLog() {
            begin();
            addBoth();
            CheckpointRecord early = ALICE.checkpoint(3, 2, 2).after(two).at(13);
            assertThat(seal(early).matches()).isFalse();
            stream.reject(13);
            seal(oneAt(20));
            confirm(oneAt(20));
            assertThat(seal(two).matches()).as("3 has named it").isFalse();
        }

        @Test
        void whatASuccessorInTheEvidenceNamesIsReadFromTheLog() {
            CheckpointRecord early = ALICE.checkpoint(2, 2, 2).after(one).at(5);
            seal(zero);
            stream.confirm(zero, List.of(early, zero));
            addBoth();
            assertThat(seal(one).matches()).isFalse();
        }

        @Test
        void whatTheEvidenceHoldsBehindACheckpointIsInOrder() {
            seal(zero);
            stream.confirm(zero, List.of(zero, oneAt(20)));
            addBoth();
            assertThat(seal(one).matches()).isTrue();
        }

        @Test
        void whatTheEvidenceHoldsOfEarlierNumbersIsInOrder() {
            CheckpointRecord later = ALICE.checkpoint(5, 0, 0).promising(60_000).at(10);
            seal(later);
            stream.confirm(later, List.of(ALICE.checkpoint(5, 0, 0).by("other").at(4), later));
            addBoth();
            assertThat(seal(ALICE.checkpoint(6, 0, 2).after(later).at(20)).matches())
                    .isTrue();
        }

        @Test
        void onceTheNumbersArePassedTheNextMatchesAgain() {
            whatASuccessorInTheEvidenceNamesIsReadFromTheLog();
            confirm(one);
            CheckpointRecord again = ALICE.checkpoint(2, 2, 2).after(one).at(30);
            assertThat(seal(again).matches()).as("came before").isFalse();
            confirm(again);
            CheckpointRecord three = ALICE.checkpoint(3, 2, 2).after(again).at(40);
            assertThat(seal(three).matches()).isTrue();
        }

        @Test
        void ofTooManyNoneMatchesUntilTheLogWasReadAgain() {
            List<CheckpointRecord> early = new ArrayList<>();
            for (int i = 0; i < 9; i++) {
                early.add(ALICE.checkpoint(100 + 3 * i, 0, 0).at(i));
            }
            seal(zero);
            stream.confirm(zero, early);
            addBoth();
            assertThat(seal(one).matches()).isFalse();
            confirm(one);
            assertThat(seal(two).matches()).isTrue();
        }

        @Test
        void anAnswerOnAnOlderOneNotesNothing() {
            begin();
            addBoth();
            seal(ALICE.checkpoint(7, 0, 0).at(20));
            CheckpointRecord early = ALICE.checkpoint(9, 0, 0).at(5);
            stream.confirm(zero, List.of(early));
            CheckpointRecord seven = ALICE.checkpoint(7, 0, 0).at(20);
            confirm(seven);
            assertThat(seal(ALICE.checkpoint(8, 0, 0).after(seven).at(30)).matches())
                    .as("9 was not seen by the judgement on 7")
                    .isTrue();
        }
    }

    @Nested
    class Judged {
        @Test
        void whatTheLogRejectsIsOpenAgain() {
            begin();
            addBoth();
            CheckpointRecord other = ALICE.checkpoint(5, 0, 2).at(20);
            seal(other);
            stream.add(ALICE.event(21, 2));
            assertThat(stream.openSince()).isEqualTo(11);
            stream.reject(20);
            assertThat(stream.openSince()).isEqualTo(11);
            assertThat(stream.promisedAt()).as("back at checkpoint 0").isEqualTo(10);
        }

        @Test
        void theRejectionOfAnotherChangesNothing() {
            stream.reject(10);
            begin();
            addBoth();
            stream.reject(9);
            assertThat(seal(one).matches()).isTrue();
        }

        @Test
        void behindARejectedOneNothingMatchesUntilTheLogConfirms() {
            begin();
            addBoth();
            seal(ALICE.checkpoint(5, 0, 2).at(13));
            stream.reject(13);
            assertThat(seal(one).matches()).isFalse();
            confirm(one);
            assertThat(seal(two).matches()).isTrue();
        }

        @Test
        void whatIsConfirmedLeavesOpenWhatLiesBehind() {
            begin();
            addBoth();
            seal(ALICE.checkpoint(5, 0, 2).at(20));
            stream.add(ALICE.event(21, 2));
            confirm(ALICE.checkpoint(5, 0, 2).at(20));
            assertThat(stream.openSince()).isEqualTo(21);
        }

        @Test
        void behindOneThatExpiredUnjudgedNothingMatches() {
            begin();
            addBoth();
            seal(one);
            stream.expire(20);
            assertThat(seal(two).matches()).isFalse();
        }

        @Test
        void theExpiryOfAnotherChangesNothing() {
            stream.expire(20);
            begin();
            addBoth();
            seal(one);
            stream.expire(10);
            assertThat(seal(two).matches()).isTrue();
        }

        @Test
        void whatExpiredHoldsNoEventsOpen() {
            addBoth();
            seal(one);
            assertThat(stream.openSince()).isEqualTo(11);
            stream.expire(20);
            assertThat(stream.openSince()).isEqualTo(EventStream.NONE);
        }
    }

    @Nested
    class LookingBack {
        @Test
        void aStreamOfWhichOnlyEventsWereSeenLacksItsCheckpoint() {
            assertThat(stream.lacksCheckpoint()).isTrue();
            begin();
            assertThat(stream.lacksCheckpoint()).isFalse();
        }

        @Test
        void inFormat1NoCheckpointSaysWhereTheStreamStands() {
            assertThat(new EventStream(PLAIN.stream(), false).lacksCheckpoint()).isFalse();
        }

        @Test
        void itIsLookedForOnce() {
            stream.add(ALICE.event(11, 0));
            stream.lookedBack();
            assertThat(stream.lacksCheckpoint()).isFalse();
        }

        @Test
        void whatIsLearntIsTheLastAndNotTrusted() {
            stream.learn(zero);
            assertThat(stream.lacksCheckpoint()).isFalse();
            assertThat(stream.promisedAt()).isEqualTo(10);
            addBoth();
            assertThat(seal(one).matches()).isFalse();
        }

        @Test
        void whatIsLearntShowsThatTheStreamLived() {
            stream.tick(0);
            stream.learn(zero);
            stream.tick(100);
            assertThat(stream.isOverdue(61_100, TIMEOUTS)).isFalse();
            assertThat(stream.isOverdue(61_101, TIMEOUTS)).isTrue();
        }

        @Test
        void aStreamThatLearntIsNoNewOne() {
            stream.learn(zero);
            CheckpointRecord other = ALICE.checkpoint(0, 0, 0).by("other").at(15);
            assertThat(stream.seal(other, true).matches()).isFalse();
        }

        @Test
        void whatWasSeenCountsMore() {
            begin();
            stream.learn(ALICE.checkpoint(9, 0, 0).at(5));
            assertThat(stream.promisedAt()).isEqualTo(10);
        }
    }

    @Nested
    class Rewinding {
        @Test
        void withoutACheckpointBeforeNothingIsLeft() {
            begin();
            assertThat(stream.rewind(10)).isFalse();
        }

        @Test
        void ofEventsAloneNothingIsLeft() {
            stream.add(ALICE.event(9, 0));
            assertThat(stream.rewind(12)).isFalse();
        }

        @Test
        void behindACheckpointTheIntervalIsReadAgain() {
            begin();
            stream.add(ALICE.event(11, 5));
            assertThat(stream.rewind(11)).isTrue();
            assertThat(stream.openSince()).isEqualTo(EventStream.NONE);
            addBoth();
            assertThat(seal(one).matches()).isTrue();
        }

        @Test
        void aStreamThatWasGivenUpIsHeardOfAgain() {
            begin();
            stream.add(ALICE.event(11, 0));
            stream.giveUp("");
            assertThat(stream.rewind(11)).isTrue();
            stream.add(ALICE.event(11, 0));
            assertThat(stream.openSince()).isEqualTo(11);
        }

        @Test
        void theLastEventIsForgottenWithWhatLayBehind() {
            begin();
            addBoth();
            stream.rewind(11);
            assertThat(stream.giveUp("").orElseThrow().interval().checkpointOffset())
                    .isEqualTo(10);
        }
    }

    @Nested
    class Overdue {
        private void tickTwice() {
            stream.tick(0);
            stream.tick(1);
        }

        @Test
        void aPromiseIsOverdueAfterItsTimeAndTheGrace() {
            begin();
            tickTwice();
            assertThat(stream.isOverdue(61_000, TIMEOUTS)).isFalse();
            assertThat(stream.isOverdue(61_001, TIMEOUTS)).isTrue();
        }

        @Test
        void eventsWithoutAPromiseAreOverdueAfterTheLimit() {
            stream.add(ALICE.event(11, 0));
            assertThat(stream.isOverdue(1_000_000, TIMEOUTS))
                    .as("before the time was noted")
                    .isFalse();
            tickTwice();
            assertThat(stream.isOverdue(5_000, TIMEOUTS)).isFalse();
            assertThat(stream.isOverdue(5_001, TIMEOUTS)).isTrue();
            stream.hear();
            assertThat(stream.isOverdue(1_000_000, TIMEOUTS)).isFalse();
        }

        @Test
        void whoOwesNothingIsNot() {
            stream.seal(ALICE.checkpoint(0, 0, 0).at(10), true);
            tickTwice();
            assertThat(stream.isOverdue(1_000_000, TIMEOUTS)).isFalse();
            assertThat(stream.promisedAt()).isEqualTo(EventStream.NONE);
            assertThat(stream.giveUpInactive()).isEmpty();
        }

        @Test
        void unlessAnEarlierIntervalNeedsItsNextCheckpoint() {
            stream.seal(ALICE.checkpoint(0, 0, 0).at(10), true);
            assertThat(stream.await()).isTrue();
            tickTwice();
            assertThat(stream.isOverdue(5_000, TIMEOUTS)).isFalse();
            assertThat(stream.isOverdue(5_001, TIMEOUTS)).isTrue();
        }

        @Test
        void whoWasAwaitedInVainAndOwesNothingGoesOnAsBefore() {
            unlessAnEarlierIntervalNeedsItsNextCheckpoint();
            assertThat(stream.giveUpInactive()).isEmpty();
            assertThat(stream.isOverdue(1_000_000, TIMEOUTS)).isFalse();
            stream.add(ALICE.event(11, 0));
            assertThat(stream.openSince()).isEqualTo(11);
            assertThat(stream.await()).isTrue();
        }
    }

    @Nested
    class GivenUp {
        private Inconclusive giveUp() {
            Inconclusive unsealed = stream.giveUpInactive().orElseThrow();
            assertThat(unsealed.reason()).isEqualTo(Reason.UNSEALED);
            return unsealed;
        }

        @Test
        void aBrokenPromiseIsSaidInSeconds() {
            begin();
            Inconclusive unsealed = giveUp();
            assertThat(unsealed.detail()).isEqualTo("no checkpoint within the promised 60 s");
            assertThat(unsealed.interval()).isEqualTo(new SealedInterval(ALICE.stream(), 1, 10, 0, 0));
            assertThat(stream.promisedAt()).as("nothing is owed any more").isEqualTo(EventStream.NONE);
        }

        @Test
        void aPromiseOfLessThanASecondIsSaidAsOne() {
            stream.seal(ALICE.checkpoint(0, 0, 0).promising(1).at(10), true);
            assertThat(giveUp().detail()).isEqualTo("no checkpoint within the promised 1 s");
        }

        @Test
        void eventsWithoutAPromiseWaitedForTooLong() {
            seal(ALICE.checkpoint(3, 5, 5).at(10));
            stream.add(ALICE.event(11, 5));
            stream.add(ALICE.event(12, 6));
            Inconclusive unsealed = giveUp();
            assertThat(unsealed.detail()).isEqualTo("no checkpoint for too long");
            assertThat(unsealed.interval()).isEqualTo(new SealedInterval(ALICE.stream(), 4, 12, 5, 2));
        }

        @Test
        void withoutAnyCheckpointTheNumberIsUnknown() {
            stream.add(ALICE.event(11, 5));
            assertThat(giveUp().interval()).isEqualTo(new SealedInterval(ALICE.stream(), -1, 11, 0, 6));
        }

        @Test
        void anEventAheadOfItsCheckpointIsNotCountedWithoutOthers() {
            stream.add(ALICE.event(5, 9));
            seal(zero);
            confirm(zero);
            assertThat(giveUp().interval().eventCount()).isZero();
        }

        @Test
        void anEventOfAnEarlierIntervalIsNoneOfTheOpenOne() {
            seal(ALICE.checkpoint(3, 5, 8).at(10));
            stream.add(ALICE.event(11, 2));
            assertThat(giveUp().interval().eventCount()).isZero();
        }

        @Test
        void inFormat1TheNumberIsTheOffsetAndEventsAreCountedSinceTheCheckpoint() {
            EventStream plain = new EventStream(PLAIN.stream(), true);
            plain.add(PLAIN.plainEvent(0, 1));
            plain.add(PLAIN.plainEvent(1, 2));
            plain.seal(PLAIN.plainCheckpoint(2, 1, 2), true);
            for (long offset = 3; offset < 6; offset++) {
                plain.add(PLAIN.plainEvent(offset, offset));
            }
            assertThat(plain.giveUpInactive().orElseThrow().interval())
                    .isEqualTo(new SealedInterval(PLAIN.stream(), 5, 5, 0, 3));
        }

        @Test
        void itsEventsHoldNothingUntilACheckpointBringsItBack() {
            begin();
            stream.add(ALICE.event(11, 0));
            giveUp();
            assertThat(stream.openSince()).isEqualTo(EventStream.NONE);
            stream.add(ALICE.event(12, 1));
            assertThat(stream.openSince()).isEqualTo(EventStream.NONE);
            assertThat(stream.await()).isFalse();
            assertThat(seal(one).matches()).isFalse();
            stream.add(ALICE.event(21, 2));
            assertThat(stream.openSince()).isEqualTo(21);
        }

        @Test
        void itsEventsCountForWhereItStandsOnceItIsBack() {
            begin();
            stream.add(ALICE.event(11, 0));
            giveUp();
            stream.add(ALICE.event(12, 7));
            seal(one);
            stream.add(ALICE.event(21, 2));
            assertThat(giveUp().interval().eventCount()).isEqualTo(6);
        }

        @Test
        void itIsGivenUpOnce() {
            begin();
            giveUp();
            assertThatThrownBy(() -> stream.giveUp("again")).isInstanceOf(IllegalStateException.class);
        }

        @Test
        void ofAStreamThatLacksNothingNothingIsSaid() {
            assertThat(stream.giveUp("")).isEmpty();
        }
    }
}
