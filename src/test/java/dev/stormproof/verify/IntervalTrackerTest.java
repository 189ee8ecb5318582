package dev.stormproof.verify;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static dev.stormproof.testing.StreamRecords.BOB;
import static dev.stormproof.testing.StreamRecords.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.judge.Evidence;
import dev.stormproof.judge.SealedInterval;
import dev.stormproof.testing.StreamRecords;
import dev.stormproof.verify.IntervalTracker.GivenUp;
import dev.stormproof.verify.Observation.Sight;
import dev.stormproof.verify.OffsetChain.Step;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the steps of the chain do to every open interval, and what a tracker says of its streams. */
class IntervalTrackerTest {
    private static final Patience PATIENCE = new Patience(1_000, 5_000);

    private IntervalTracker tracker = new IntervalTracker("orders", 0, 0, 0, 10);

    private static Link link(long offset, int epoch) {
        return new Link(offset, offset - 1, false, epoch, 1);
    }

    private void event(StreamRecords stream, long offset, long sequence) {
        assertThat(tracker.accept(link(offset, 0))).isEqualTo(Step.CONTINUED);
        tracker.event(stream.event(offset, sequence));
    }

    private Observation checkpoint(CheckpointRecord record) {
        assertThat(tracker.accept(link(record.offset(), 0))).isEqualTo(Step.CONTINUED);
        return tracker.checkpoint(record).orElseThrow();
    }

    /** Two streams at checkpoint 0, each with an event, up to offset 4. */
    private void beginTwo() {
        checkpoint(ALICE.checkpoint(0, 0, 0).at(0));
        checkpoint(BOB.checkpoint(0, 0, 0).promising(60_000).at(1));
        tracker.judged(ALICE.stream(), 0);
        tracker.judged(BOB.stream(), 1);
        event(ALICE, 2, 0);
        event(BOB, 3, 0);
    }

    private Sight sight(StreamRecords stream) {
        return tracker.checkpoint(stream.checkpoint(1, 0, 1).at(tracker.nextOffset()))
                .orElseThrow()
                .sight();
    }

    @Test
    void continuedGoesOn() {
        beginTwo();
        assertThat(sight(ALICE)).isEqualTo(Sight.CLEAN);
        assertThat(sight(BOB)).isEqualTo(Sight.CLEAN);
    }

    @Test
    void jumpedTaintsEveryIntervalWithAHole() {
        beginTwo();
        assertThat(tracker.accept(new Link(9, 6, false, 0, 1))).isEqualTo(Step.JUMPED);
        assertThat(tracker.jumpedFrom()).isEqualTo(4);
        assertThat(tracker.jumpedTo()).isEqualTo(7);
        assertThat(sight(ALICE)).isEqualTo(Sight.HOLE);
        assertThat(sight(BOB)).isEqualTo(Sight.HOLE);
    }

    @Test
    void electedTaintsEveryIntervalWithAChangeOfEpoch() {
        beginTwo();
        assertThat(tracker.accept(link(4, 1))).isEqualTo(Step.ELECTED);
        assertThat(sight(ALICE)).isEqualTo(Sight.EPOCH_CHANGED);
        assertThat(sight(BOB)).isEqualTo(Sight.EPOCH_CHANGED);
    }

    @Test
    void rewrittenTaintsEveryIntervalAndForgetsWhatLayBehindTheCut() {
        beginTwo();
        assertThat(tracker.accept(link(1, 1))).isEqualTo(Step.REWRITTEN);
        assertThat(tracker.lastCheckpointOffset(ALICE.stream())).isZero();
        assertThat(tracker.lastCheckpointOffset(BOB.stream())).isEqualTo(-1);
        assertThat(tracker.oldestOpenOffset()).isEqualTo(1);
        assertThat(sight(ALICE)).isEqualTo(Sight.EPOCH_CHANGED);
        assertThat(sight(BOB)).isEqualTo(Sight.EPOCH_CHANGED);
    }

    @Test
    void replayedChangesNothing() {
        beginTwo();
        assertThat(tracker.accept(link(2, 0))).isEqualTo(Step.REPLAYED);
        assertThat(tracker.nextOffset()).isEqualTo(4);
        assertThat(sight(ALICE)).isEqualTo(Sight.CLEAN);
    }

    @Test
    void skippingTaintsEveryIntervalWithAHole() {
        beginTwo();
        tracker.skipTo(8);
        assertThat(tracker.nextOffset()).isEqualTo(8);
        assertThat(tracker.jumpedFrom()).isEqualTo(4);
        assertThat(tracker.jumpedTo()).isEqualTo(8);
        assertThat(sight(ALICE)).isEqualTo(Sight.HOLE);
        assertThat(sight(BOB)).isEqualTo(Sight.HOLE);
    }

    @Test
    void aStreamThatBeginsFarBehindAHoleIsSeenFromItsBeginning() {
        tracker.accept(new Link(6, 4, false, 0, 1));
        assertThat(tracker.checkpoint(ALICE.checkpoint(0, 0, 0).at(5 + Evidence.BEFORE_THE_BEGINNING - 1)))
                .map(Observation::sight)
                .contains(Sight.UNKNOWN);
        assertThat(tracker.checkpoint(BOB.checkpoint(0, 0, 0).at(5 + Evidence.BEFORE_THE_BEGINNING)))
                .map(Observation::sight)
                .contains(Sight.CLEAN);
    }

    @Test
    void aStreamThatBeginsBehindSkippedRecordsOrACutMayHaveBegunBefore() {
        tracker.skipTo(3);
        assertThat(checkpoint(ALICE.checkpoint(0, 0, 0).at(3)).sight()).isEqualTo(Sight.UNKNOWN);

        tracker = new IntervalTracker("orders", 0, 0, 0, 10);
        event(ALICE, 0, 0);
        event(ALICE, 1, 1);
        tracker.accept(link(1, 1));
        assertThat(tracker.checkpoint(BOB.checkpoint(0, 0, 0).at(1)))
                .map(Observation::sight)
                .contains(Sight.UNKNOWN);
    }

    @Test
    void aCheckpointThatRepeatsTheLastSealsNothing() {
        beginTwo();
        CheckpointRecord again = ALICE.checkpoint(0, 0, 0).at(4);
        tracker.accept(link(4, 0));
        assertThat(tracker.checkpoint(again)).isEmpty();
        assertThat(sight(ALICE)).isEqualTo(Sight.CLEAN);
    }

    @Test
    void format1IsSeenFromTheBeginningOfTheLogOnly() {
        tracker.accept(link(0, 0));
        tracker.event(PLAIN.plainEvent(0, 1));
        assertThat(checkpoint(PLAIN.plainCheckpoint(1, 1, 2)).sight()).isEqualTo(Sight.CLEAN);

        tracker = new IntervalTracker("orders", 0, 5, 0, 10);
        assertThat(checkpoint(PLAIN.plainCheckpoint(5, 1, 2)).sight()).isEqualTo(Sight.UNKNOWN);

        tracker = new IntervalTracker("orders", 0, 0, 0, 10);
        tracker.skipTo(1);
        assertThat(checkpoint(PLAIN.plainCheckpoint(1, 1, 2)).sight()).isEqualTo(Sight.UNKNOWN);
    }

    @Test
    void theLastCheckpointOfAStreamIsTheOneThatWasSeenLast() {
        assertThat(tracker.lastCheckpointOffset(ALICE.stream())).isEqualTo(-1);
        beginTwo();
        assertThat(tracker.lastCheckpointOffset(BOB.stream())).isEqualTo(1);
        checkpoint(BOB.checkpoint(1, 0, 1).at(4));
        assertThat(tracker.lastCheckpointOffset(BOB.stream())).isEqualTo(4);
    }

    @Test
    void aCheckpointThatSealsNothingGivesWayToTheOneBefore() {
        beginTwo();
        checkpoint(ALICE.checkpoint(1, 0, 1).at(4));
        tracker.judged(ALICE.stream(), 4, false, List.of());
        assertThat(tracker.lastCheckpointOffset(ALICE.stream())).isZero();
        tracker.judged(PLAIN.stream(), 4, false, List.of());
        assertThat(tracker.follows(PLAIN.stream())).isFalse();
    }

    @Test
    void whatIsRecalledBelongsToItsStream() {
        event(ALICE, 0, 5);
        tracker.recall(BOB.event(0, 3));
        tracker.recall(ALICE.checkpoint(3, 4, 5).at(0));
        assertThat(tracker.follows(BOB.stream())).isTrue();
        assertThat(tracker.lastCheckpointOffset(ALICE.stream())).isZero();
        assertThat(tracker.streams()).isEqualTo(2);
    }

    @Test
    void theEpochBeforeAnOffsetIsTheChains() {
        tracker = new IntervalTracker("orders", 0, 5, 7, 10);
        assertThat(tracker.epochBefore(5)).isEqualTo(7);
        assertThat(tracker.epochBefore(4)).isEqualTo(7);
    }

    @Test
    void onlyStreamsWithoutACheckpointAreBaseless() {
        checkpoint(ALICE.checkpoint(0, 0, 0).at(0));
        event(BOB, 1, 0);
        tracker.accept(link(2, 0));
        tracker.event(PLAIN.plainEvent(2, 1));
        long alice = ALICE.stream().emitter();
        long bob = BOB.stream().emitter();
        assertThat(tracker.baseless(Set.of(alice, bob, PLAIN.stream().emitter(), 99L)))
                .containsExactly(bob);
    }

    @Test
    void aStreamWhoseIntervalWaitsForTheNextCheckpointIsOverdueWithoutEvents() {
        checkpoint(ALICE.checkpoint(0, 0, 0).at(0));
        tracker.await(BOB.stream());
        assertThat(tracker.overdue(0, PATIENCE)).isEmpty();
        assertThat(tracker.overdue(10_000, PATIENCE)).isEmpty();
        tracker.await(ALICE.stream());
        assertThat(tracker.overdue(10_000, PATIENCE))
                .containsExactly(ALICE.stream().emitter());
    }

    @Test
    void onlyAStreamThatIsStillOverdueIsGivenUp() {
        event(ALICE, 0, 0);
        event(BOB, 1, 0);
        assertThat(tracker.overdue(0, PATIENCE)).isEmpty();
        event(BOB, 2, 1);
        assertThat(tracker.overdue(5_001, PATIENCE))
                .containsExactly(ALICE.stream().emitter());

        tracker.giveUp(BOB.stream().emitter(), 5_001, PATIENCE, Optional.empty());
        tracker.giveUp(99, 5_001, PATIENCE, Optional.empty());
        assertThat(tracker.drainGivenUp()).isEmpty();
        tracker.giveUp(ALICE.stream().emitter(), 5_001, PATIENCE, Optional.empty());
        assertThat(tracker.drainGivenUp()).containsOnlyKeys(ALICE.stream());
        assertThat(tracker.drainGivenUp()).as("once").isEmpty();
        assertThat(tracker.follows(ALICE.stream())).as("its state").isTrue();
    }

    @Test
    void intervalsAreOpenFromTheirFirstEventUntilTheirCheckpointWasJudged() {
        assertThat(tracker.oldestOpenOffset()).isEqualTo(-1);
        assertThat(tracker.openBefore(100)).isZero();
        beginTwo();
        assertThat(tracker.oldestOpenOffset()).isEqualTo(2);
        assertThat(tracker.openBefore(2)).isZero();
        assertThat(tracker.openBefore(3)).isEqualTo(1);
        assertThat(tracker.openBefore(4)).isEqualTo(2);
        checkpoint(ALICE.checkpoint(1, 0, 1).at(4));
        assertThat(tracker.oldestOpenOffset()).isEqualTo(2);
        tracker.judged(ALICE.stream(), 4);
        assertThat(tracker.oldestOpenOffset()).isEqualTo(3);
        assertThat(tracker.openBefore(100)).isEqualTo(1);
    }

    @Test
    void promisesAreWhereTheCheckpointsLieThatMadeThem() {
        beginTwo();
        assertThat(tracker.promisesBefore(1)).isEmpty();
        assertThat(tracker.promisesBefore(2)).containsExactly(1L);
    }

    @Test
    void theLeastRecentlySeenStreamIsForgottenAndToldIfItHeldEvents() {
        tracker = new IntervalTracker("orders", 0, 0, 0, 2);
        beginTwo();
        event(ALICE, 4, 1);
        assertThat(tracker.streams()).isEqualTo(2);
        event(StreamRecords.of(3), 5, 0);

        assertThat(tracker.streams()).isEqualTo(2);
        assertThat(tracker.follows(BOB.stream())).isFalse();
        assertThat(tracker.follows(ALICE.stream())).isTrue();
        assertThat(tracker.drainGivenUp().values()).singleElement().satisfies(givenUp -> {
            assertThat(givenUp.unsealed())
                    .hasValueSatisfying(unsealed ->
                            assertThat(unsealed.interval()).isEqualTo(new SealedInterval(BOB.stream(), 1, 3, 0, 1)));
            assertThat(givenUp.openSince()).isEqualTo(3);
        });
    }

    @Test
    void aStreamWithoutEventsIsForgottenWithoutAWord() {
        tracker = new IntervalTracker("orders", 0, 0, 0, 1);
        checkpoint(BOB.checkpoint(0, 0, 0).promising(60_000).at(0));
        event(ALICE, 1, 0);
        assertThat(tracker.drainGivenUp()).isEqualTo(Map.of(BOB.stream(), new GivenUp(Optional.empty(), -1)));
    }

    @Test
    void ofAStreamThatIsForgottenBeforeItsCheckpointWasJudgedItIsKnownWhatThatMaySeal() {
        tracker = new IntervalTracker("orders", 0, 0, 0, 1);
        event(BOB, 0, 0);
        checkpoint(BOB.checkpoint(1, 0, 1).at(1));
        event(ALICE, 2, 0);
        assertThat(tracker.drainGivenUp()).isEqualTo(Map.of(BOB.stream(), new GivenUp(Optional.empty(), 0)));
    }

    @Test
    void aForgottenStreamCountsAsUnknownWhenItComesBack() {
        tracker = new IntervalTracker("orders", 0, 0, 0, 1);
        checkpoint(ALICE.checkpoint(0, 0, 0).at(0));
        event(BOB, 1, 0);
        event(ALICE, 2, 0);
        assertThat(sight(ALICE)).isEqualTo(Sight.UNKNOWN);
    }
}
