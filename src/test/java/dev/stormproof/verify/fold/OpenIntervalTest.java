package dev.stormproof.verify.fold;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static dev.stormproof.testing.StreamRecords.PLAIN;
import static dev.stormproof.testing.StreamRecords.otherSignature;
import static dev.stormproof.testing.StreamRecords.signature;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.tree.TreeHash;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Every transition of the open interval: whole while it matches, partial when it matches nothing. */
class OpenIntervalTest {
    private static final CheckpointRecord ZERO = ALICE.checkpoint(0, 0, 0).at(10);
    private static final CheckpointRecord ONE =
            ALICE.checkpoint(1, 0, 2).after(ZERO).at(20);
    private static final CheckpointRecord NO_EVENT = ALICE.checkpoint(0, 0, 0).at(20);

    private final OpenInterval open = new OpenInterval(false, true);

    private void addBoth() {
        open.add(ALICE.event(11, 0));
        open.add(ALICE.event(12, 1));
    }

    @Test
    void firstSeenAtTheLogsBeginningToWhole() {
        assertThat(open.matches(NO_EVENT)).isTrue();
        addBoth();
        assertThat(open.matches(ONE)).isTrue();
    }

    @Test
    void firstSeenElsewhereToPartial() {
        OpenInterval elsewhere = new OpenInterval(false, false);
        assertThat(elsewhere.matches(NO_EVENT)).isFalse();
        elsewhere.add(ALICE.event(11, 0));
        assertThat(elsewhere.matches(ALICE.checkpoint(0, 0, 1).at(20))).isFalse();
        assertThat(elsewhere.firstOffset()).isEqualTo(11);
    }

    @Test
    void whatIsJudgedUpToAnOffsetIsNoLongerOpen() {
        open.judgedUpTo(5);
        assertThat(open.isEmpty()).isTrue();
        addBoth();
        open.judgedUpTo(12);
        assertThat(open.firstOffset()).isEqualTo(12);
        assertThat(open.matches(ONE)).isFalse();
        open.judgedUpTo(13);
        assertThat(open.isEmpty()).isTrue();
    }

    @Test
    void whatLiesBehindAnOffsetThatIsJudgedStaysOpenFromItsFirstEventOn() {
        addBoth();
        open.judgedUpTo(5);
        assertThat(open.firstOffset()).isEqualTo(11);
    }

    @Test
    void whatIsNotCountedFromItsFirstRecordOnWasNotSeenWhole() {
        List<Consumer<OpenInterval>> doubts = List.of(
                OpenInterval::abandon,
                interval -> interval.passUnread(13),
                interval -> interval.judgedUpTo(12),
                interval -> interval.startBehind(11),
                interval -> interval.reopen(5));
        assertThat(open.isSeenWhole()).as("before any checkpoint").isFalse();
        for (Consumer<OpenInterval> doubt : doubts) {
            open.rewind(LastCheckpoint.of(ZERO));
            open.restart(LastCheckpoint.of(ZERO));
            addBoth();
            assertThat(open.isSeenWhole()).isTrue();
            doubt.accept(open);
            assertThat(open.isSeenWhole()).isFalse();
        }
    }

    @Test
    void behindACutNothingWasSeenWholeUntilTheNextCheckpoint() {
        open.restart(LastCheckpoint.of(ZERO));
        open.rewind(LastCheckpoint.of(ZERO));
        assertThat(open.isSeenWhole()).isFalse();
        open.restart(LastCheckpoint.of(ONE));
        assertThat(open.isSeenWhole()).isTrue();
    }

    @Test
    void eventAsItWasSignedToWhole() {
        open.add(ALICE.event(11, 0));
        assertThat(open.matches(ONE)).as("one is missing").isFalse();
        open.add(ALICE.event(12, 1));
        assertThat(open.matches(ONE)).isTrue();
    }

    @Test
    void eventBeyondWhatATreeHoldsToPartial() {
        OpenInterval small = new OpenInterval(false, true, 2);
        small.add(ALICE.event(11, 0));
        small.add(ALICE.event(12, 1));
        assertThat(small.matches(ONE)).isTrue();
        small.add(ALICE.event(13, 2));
        assertThat(small.matches(ALICE.checkpoint(1, 0, 3).after(ZERO).at(20))).isFalse();
        assertThat(small.events()).isEqualTo(3);
        small.restart(LastCheckpoint.of(ONE));
        small.add(ALICE.event(21, 2));
        assertThat(small.matches(ALICE.checkpoint(2, 2, 3).after(ONE).at(30))).isTrue();
    }

    @Test
    void eventWithAnotherValueToPartial() {
        open.add(ALICE.altered(11, 0));
        open.add(ALICE.event(12, 1));
        assertThat(open.matches(ONE)).isFalse();
        assertThat(open.firstOffset()).isEqualTo(11);
        assertThat(open.lastOffset()).isEqualTo(12);
    }

    @Test
    void eventWithAnotherStatementToPartial() {
        open.add(ALICE.event(11, 0, otherSignature(0), signature(0)));
        open.add(ALICE.event(12, 1));
        assertThat(open.matches(ONE)).isFalse();
    }

    @Test
    void eventOfAnotherTreeToPartial() {
        open.add(new Event(
                11,
                ALICE.stream().emitter(),
                0,
                TreeHash.SHA256,
                EventSigners.SHA256_KEY_VALUE,
                signature(0),
                signature(0),
                Event.Content.UNTRANSFORMED,
                LogRecord.NO_TIME));
        open.add(ALICE.event(12, 1));
        assertThat(open.matches(ONE)).isFalse();
    }

    @Test
    void eventOfAnotherAlgorithmToPartial() {
        open.add(ALICE.event(11, 0));
        open.add(new Event(
                12,
                ALICE.stream().emitter(),
                1,
                TreeHash.XXH3,
                200,
                signature(1),
                signature(1),
                Event.Content.UNTRANSFORMED,
                LogRecord.NO_TIME));
        assertThat(open.matches(ONE)).isFalse();
    }

    @Test
    void eventsOfAnotherAlgorithmThanTheCheckpointsMatchNothing() {
        open.add(new Event(
                11,
                ALICE.stream().emitter(),
                0,
                TreeHash.XXH3,
                200,
                signature(0),
                signature(0),
                Event.Content.UNTRANSFORMED,
                LogRecord.NO_TIME));
        open.add(new Event(
                12,
                ALICE.stream().emitter(),
                1,
                TreeHash.XXH3,
                200,
                signature(1),
                signature(1),
                Event.Content.UNTRANSFORMED,
                LogRecord.NO_TIME));
        assertThat(open.matches(ONE)).isFalse();
        open.restart(LastCheckpoint.of(NO_EVENT));
        assertThat(open.matches(NO_EVENT)).as("no event, no algorithm").isTrue();
    }

    @Test
    void startBehindAnEarlierCheckpointToPartial() {
        addBoth();
        open.startBehind(11);
        assertThat(open.matches(ONE)).isFalse();
        assertThat(open.firstOffset()).as("behind the checkpoint").isEqualTo(12);
    }

    @Test
    void startBehindACheckpointBeforeTheFirstEventKeepsThatOpen() {
        addBoth();
        open.startBehind(5);
        assertThat(open.firstOffset()).isEqualTo(11);
    }

    @Test
    void startBehindTheLastEventToEmpty() {
        addBoth();
        open.startBehind(13);
        assertThat(open.isEmpty()).isTrue();
        open.startBehind(14);
        assertThat(open.isEmpty()).isTrue();
    }

    @Test
    void startBehindTheOffsetOfTheLastEventKeepsItOpen() {
        addBoth();
        open.startBehind(12);
        assertThat(open.firstOffset()).isEqualTo(13);
    }

    @Test
    void reopenToPartialFromAnEarlierEventOn() {
        addBoth();
        open.restart(LastCheckpoint.of(ONE));
        open.reopen(11);
        assertThat(open.firstOffset()).isEqualTo(11);
        assertThat(open.matches(ONE)).isFalse();
    }

    /** Several checkpoints may come before the log shows that none of them seals anything. */
    @Test
    void reopenedEventsHaveTheirEndThoughACheckpointCameThatEndsTheStreamBelowThem() {
        open.add(ALICE.event(11, 9));
        open.restart(LastCheckpoint.of(ONE));
        open.restart(LastCheckpoint.of(ALICE.checkpoint(1, 0, 2).closing().at(30)));
        assertEnd(open, 2);
        open.restart(LastCheckpoint.of(ALICE.checkpoint(1, 0, 2).at(40)));
        open.reopen(11);
        assertEnd(open, 10);
    }

    @Test
    void whatASealIsKnownOfIsNoPartOfWhatIsReopened() {
        open.add(ALICE.event(11, 9));
        open.restart(LastCheckpoint.of(ONE));
        open.sealed();
        open.restart(LastCheckpoint.of(ALICE.checkpoint(1, 0, 2).closing().at(30)));
        open.reopen(11);
        assertEnd(open, 2);
    }

    @Test
    void reopenWithoutAnEarlierEventKeepsWhatIsOpen() {
        open.add(ALICE.event(11, 0));
        open.reopen(OpenInterval.NONE);
        assertThat(open.firstOffset()).isEqualTo(11);
        assertThat(open.matches(ALICE.checkpoint(0, 0, 1).at(20))).isFalse();
    }

    @Test
    void reopenBehindTheLastEventOpensNothing() {
        addBoth();
        open.restart(LastCheckpoint.of(ONE));
        open.reopen(13);
        assertThat(open.isEmpty()).isTrue();
    }

    @Test
    void reopenAtTheLastEventOpensIt() {
        addBoth();
        open.restart(LastCheckpoint.of(ONE));
        open.reopen(12);
        assertThat(open.firstOffset()).isEqualTo(12);
    }

    @Test
    void abandonToPartialAndEmpty() {
        addBoth();
        open.abandon();
        assertThat(open.isEmpty()).isTrue();
        assertThat(open.matches(ONE)).isFalse();
        assertThat(open.lastOffset()).isEqualTo(12);
    }

    @Test
    void passLeavesTheIntervalEmpty() {
        open.pass(ALICE.event(11, 0));
        assertThat(open.isEmpty()).isTrue();
        assertThat(open.lastOffset()).isEqualTo(11);
        assertEnd(open, 1);
    }

    @Test
    void restartToWholeBehindTheCheckpoint() {
        open.add(ALICE.altered(11, 0));
        open.restart(LastCheckpoint.of(ONE));
        assertThat(open.isEmpty()).isTrue();
        open.add(ALICE.event(21, 2));
        assertThat(open.firstOffset()).isEqualTo(21);
        assertEnd(open, 3);
        assertThat(open.matches(ALICE.checkpoint(2, 2, 3).after(ONE).at(30))).isTrue();
    }

    @Test
    void rewindToWholeBehindTheCheckpointWithoutLaterEvents() {
        open.add(ALICE.event(11, 0));
        open.add(ALICE.event(31, 1));
        open.rewind(LastCheckpoint.of(ONE));
        assertThat(open.isEmpty()).isTrue();
        assertThat(open.lastOffset()).isEqualTo(20);
        open.add(ALICE.event(22, 2));
        assertThat(open.matches(ALICE.checkpoint(2, 2, 3).after(ONE).at(30))).isTrue();
    }

    @Test
    void rewindToPartialIfSomethingBehindTheCheckpointWasPassed() {
        CheckpointRecord nothing = ALICE.checkpoint(2, 2, 2).after(ONE).at(30);
        List<Consumer<OpenInterval>> passing = List.of(
                interval -> interval.pass(ALICE.event(22, 1)),
                interval -> interval.passUnread(22),
                interval -> interval.judgedUpTo(23),
                OpenInterval::abandon);
        for (Consumer<OpenInterval> pass : passing) {
            OpenInterval passed = new OpenInterval(false, true);
            passed.restart(LastCheckpoint.of(ONE));
            passed.add(ALICE.event(21, 1));
            pass.accept(passed);
            passed.restart(LastCheckpoint.of(ALICE.checkpoint(3, 2, 2).at(25)));
            passed.rewind(LastCheckpoint.of(ONE));
            assertThat(passed.matches(nothing)).isFalse();
            passed.rewind(LastCheckpoint.of(ALICE.checkpoint(1, 0, 2).at(24)));
            assertThat(passed.matches(nothing)).as("all of it lies before").isTrue();
        }
    }

    @Test
    void theEventsEndIsBehindTheHighestSequence() {
        open.add(ALICE.event(11, 7));
        open.add(ALICE.event(12, 3));
        assertEnd(open, 8);
    }

    @Test
    void inFormat1EventsAreCountedByTheirPlaceSinceTheCheckpoint() {
        OpenInterval plain = new OpenInterval(true, true);
        plain.add(PLAIN.plainEvent(0, 5));
        plain.add(PLAIN.plainEvent(1, 6));
        assertEnd(plain, 2);
        assertThat(plain.matches(PLAIN.plainCheckpoint(2, 5, 6))).isTrue();
        assertThat(plain.matches(PLAIN.plainCheckpoint(2, 6, 5))).isFalse();
        plain.restart(LastCheckpoint.of(PLAIN.plainCheckpoint(2, 5, 6)));
        assertEnd(plain, 0);
        plain.add(PLAIN.plainEvent(3, 7));
        assertEnd(plain, 1);
        assertThat(plain.matches(PLAIN.plainCheckpoint(4, 7))).isTrue();
    }

    @Test
    void inTheBeginningNothingWasSeen() {
        assertThat(open.isEmpty()).isTrue();
        assertThat(open.firstOffset()).isEqualTo(OpenInterval.NONE);
        assertThat(open.lastOffset()).isEqualTo(OpenInterval.NONE);
        assertEnd(open, 0);
    }

    /** A verifier that begins behind the checkpoint must count alike. */
    @Test
    void behindAClosingCheckpointNothingCountsThatCameBeforeIt() {
        open.add(ALICE.event(11, 0));
        open.add(ALICE.event(12, 9));
        open.restart(LastCheckpoint.of(ONE));
        // Event 9 may belong to what follows.
        assertEnd(open, 10);
        open.restart(
                LastCheckpoint.of(ALICE.checkpoint(2, 2, 2).closing().after(ONE).at(30)));
        assertEnd(open, 2);
    }

    private static void assertEnd(OpenInterval interval, long end) {
        assertThat(interval.isBeyond(end - 1)).isTrue();
        assertThat(interval.isBeyond(end)).isFalse();
    }
}
