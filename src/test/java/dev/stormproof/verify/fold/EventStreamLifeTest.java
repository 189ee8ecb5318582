package dev.stormproof.verify.fold;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static dev.stormproof.testing.StreamRecords.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.testing.StreamRecords;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.Seal;
import dev.stormproof.verify.judge.Tail;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Inconclusive.Reason;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** How a stream is learnt of, rewound, overdue and given up. */
class EventStreamLifeTest extends EventStreamCase {
    private static final InactivityTimeouts TIMEOUTS = new InactivityTimeouts(1_000, 5_000, 3_600_000);

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
            assertThat(new EventStream(PLAIN.stream(), false, 0).lacksCheckpoint())
                    .isFalse();
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
        }

        @Test
        void furtherEventsDoNotPutThatOff() {
            begin();
            tickTwice();
            stream.add(ALICE.event(11, 0));
            stream.tick(60_000);
            assertThat(stream.isOverdue(61_001, TIMEOUTS)).isTrue();
            assertThat(stream.giveUpInactive().orElseThrow().detail()).contains("though events arrive");
        }

        @Test
        void anEventForWhichNothingWasOwedBeginsTheWait() {
            stream.seal(ALICE.checkpoint(0, 0, 0).at(10), true);
            tickTwice();
            stream.add(ALICE.event(11, 0));
            stream.tick(60_000);
            assertThat(stream.isOverdue(65_000, TIMEOUTS)).isFalse();
            assertThat(stream.isOverdue(65_001, TIMEOUTS)).isTrue();
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
        private static IntervalId unsealed(
                StreamRecords stream, long number, long lastOffset, long firstSequence, Tail tail) {
            return new IntervalId(
                    stream.stream(),
                    number,
                    lastOffset,
                    firstSequence,
                    tail.events(),
                    Hash.empty(),
                    "",
                    LogRecord.NO_TIME,
                    Seal.NONE,
                    tail);
        }

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
            assertThat(unsealed.interval()).isEqualTo(unsealed(ALICE, 1, 10, 0, Tail.EMPTY));
            assertThat(stream.promisedAt()).as("nothing is owed any more").isEqualTo(EventStream.NONE);
        }

        @Test
        void theEmittersNameAndTheTimeOfTheLastRecordAreSaid() {
            CheckpointRecord named =
                    ALICE.checkpoint(3, 5, 5).by("billing").promising(60_000).at(10);
            seal(new CheckpointRecord(10, named.checkpoint(), named.chainHash(), 1_000));
            Event event = ALICE.event(11, 5);
            assertThat(giveUp().interval())
                    .extracting(IntervalId::emitterName, IntervalId::writtenMillis)
                    .containsExactly("billing", 1_000L);

            seal(new CheckpointRecord(10, named.checkpoint(), named.chainHash(), 1_000));
            stream.add(new Event(
                    11,
                    event.emitter(),
                    5,
                    event.treeHash(),
                    event.signatureAlgorithm(),
                    event.stated(),
                    event.observed(),
                    event.content(),
                    2_000));
            assertThat(giveUp().interval())
                    .extracting(IntervalId::emitterName, IntervalId::writtenMillis)
                    .containsExactly("billing", 2_000L);
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
            assertThat(unsealed.interval()).isEqualTo(unsealed(ALICE, 4, 12, 5, new Tail(2, 5, 6, 0, -1, 0, 0, 0)));
        }

        @Test
        void withoutAnyCheckpointTheNumberIsUnknown() {
            stream.add(ALICE.event(11, 5));
            assertThat(giveUp().interval()).isEqualTo(unsealed(ALICE, -1, 11, 0, new Tail(1, 5, 5, 0, -1, 0, 0, 0)));
        }

        @Test
        void anEventAheadOfItsCheckpointIsNotCountedWithoutOthers() {
            stream.add(ALICE.event(5, 9));
            seal(zero);
            confirm(zero);
            assertThat(giveUp().interval().eventCount()).isZero();
        }

        @Test
        void anEventOfAnEarlierIntervalHasTheLogAskedWhichOnesAreOpen() {
            seal(ALICE.checkpoint(3, 5, 8).at(10));
            stream.add(ALICE.event(11, 8));
            assertThat(stream.hasTail()).isFalse();
            stream.add(ALICE.event(12, 2));
            assertThat(stream.hasTail()).isTrue();
            assertThat(giveUp().interval().tail())
                    .as("without its answer")
                    .isEqualTo(new Tail(2, 2, 8, -1, -1, 1, 0, 0));
        }

        @Test
        void inFormat1TheNumberIsTheOffsetAndEventsAreCountedSinceTheCheckpoint() {
            EventStream plain = new EventStream(PLAIN.stream(), true, 0);
            plain.add(PLAIN.plainEvent(0, 1));
            plain.add(PLAIN.plainEvent(1, 2));
            plain.seal(PLAIN.plainCheckpoint(2, 1, 2), true);
            for (long offset = 3; offset < 6; offset++) {
                plain.add(PLAIN.plainEvent(offset, offset));
            }
            assertThat(plain.giveUpInactive().orElseThrow().interval())
                    .isEqualTo(unsealed(PLAIN, 5, 5, 0, new Tail(3, -1, -1, -1, -1, 0, 0, 0)));
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
        void itsEventsSinceTheCheckpointCountOnceItIsBack() {
            begin();
            stream.add(ALICE.event(11, 0));
            giveUp();
            stream.add(ALICE.event(12, 7));
            seal(one);
            stream.add(ALICE.event(21, 2));
            assertThat(giveUp().interval().eventCount()).isEqualTo(1);
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
