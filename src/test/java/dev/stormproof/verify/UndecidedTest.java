package dev.stormproof.verify;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static dev.stormproof.testing.StreamRecords.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.judge.SealedInterval;
import dev.stormproof.judge.Verdict.Violated;
import dev.stormproof.testing.StreamRecords;
import dev.stormproof.verify.AuditTask.OfInterval;
import dev.stormproof.verify.Observation.Sight;
import dev.stormproof.verify.Undecided.Entry;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of intervals that are sealed and not decided. */
class UndecidedTest {
    private final Undecided undecided = new Undecided();

    private static CheckpointRecord checkpoint(StreamRecords stream, long offset) {
        return stream.checkpoint(offset, 0, 1).at(offset);
    }

    /** An interval whose checkpoint lies at an offset and whose first event lies two before. */
    private static Observation interval(StreamRecords stream, long offset) {
        CheckpointRecord record = checkpoint(stream, offset);
        return new Observation(SealedInterval.of(record), record, Sight.HOLE, true, null, offset - 2, offset - 3);
    }

    private static Violated provisional(Entry entry) {
        return new Violated(entry.interval(), true, true, 1, List.of());
    }

    private OfInterval poll() {
        return undecided.poll().orElseThrow();
    }

    /** Takes the next task and answers that it may be different yet. */
    private Entry answerProvisionally(long evidenceBegin) {
        Entry entry = undecided.answered(poll()).orElseThrow();
        undecided.tell(entry, provisional(entry), evidenceBegin);
        return entry;
    }

    @Test
    void whatIsAddedIsAskedForUpToItsOwnCheckpoint() {
        Observation observation = interval(ALICE, 10);
        undecided.add(observation, false);
        assertThat(undecided.size()).isEqualTo(1);
        assertThat(undecided.asked()).isEqualTo(1);
        assertThat(poll())
                .isEqualTo(new OfInterval(
                        observation.interval(), observation.record().chainHash(), 7, 11, false));
        assertThat(undecided.poll()).isEmpty();
    }

    @Test
    void aClosingOneIsAskedForAsTheLast() {
        undecided.add(interval(ALICE, 10), true);
        assertThat(poll().last()).isTrue();
    }

    @Test
    void whatIsHereAlreadyIsNotAddedAgain() {
        undecided.add(interval(ALICE, 10), false);
        undecided.add(interval(ALICE, 10), true);
        assertThat(undecided.size()).isEqualTo(1);
        assertThat(undecided.asked()).isEqualTo(1);
        assertThat(poll().last()).isFalse();
        assertThat(undecided.poll()).isEmpty();
    }

    @Test
    void anAnswerCountsOnce() {
        undecided.add(interval(ALICE, 10), false);
        OfInterval task = poll();
        Entry entry = undecided.answered(task).orElseThrow();
        assertThat(entry.interval()).isEqualTo(task.interval());
        assertThat(entry.firstOffset()).isEqualTo(8);
        assertThat(entry.told()).isEmpty();
        assertThat(undecided.asked()).isZero();
        assertThat(undecided.answered(task)).isEmpty();
        assertThat(undecided.asked()).isZero();
    }

    @Test
    void anAnswerOfAnIntervalThatNobodyKnowsDoesNotCount() {
        undecided.add(interval(ALICE, 10), false);
        OfInterval task = poll();
        undecided.remove(undecided.answered(task).orElseThrow());
        assertThat(undecided.answered(task)).isEmpty();
    }

    @Test
    void aDecidedOneIsGone() {
        undecided.add(interval(ALICE, 10), false);
        Entry entry = undecided.answered(poll()).orElseThrow();
        undecided.remove(entry);
        undecided.remove(entry);
        assertThat(undecided.size()).isZero();
        assertThat(undecided.asked()).isZero();
        assertThat(undecided.firstOffset()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aDecidedOneIsGoneOnce() {
        undecided.add(interval(ALICE, 10), false);
        undecided.add(interval(ALICE, 20), false);
        Entry entry = undecided.answered(poll()).orElseThrow();
        undecided.remove(entry);
        undecided.remove(entry);
        assertThat(undecided.size()).isEqualTo(1);
    }

    @Test
    void whatWasToldIsKeptWithWhereItsFirstEvidenceBegan() {
        undecided.add(interval(ALICE, 10), false);
        Entry entry = answerProvisionally(3);
        assertThat(entry.told()).contains(provisional(entry));
        assertThat(entry.toldBegin()).isEqualTo(3);
        undecided.follow(ALICE.stream(), 20);
        answerProvisionally(5);
        assertThat(entry.toldBegin()).isEqualTo(3);
        assertThat(undecided.asked()).isZero();
        assertThat(undecided.size()).isEqualTo(1);
    }

    @Test
    void whatWasToldIsNotAskedForBeforeSomethingFollows() {
        undecided.add(interval(ALICE, 10), false);
        answerProvisionally(3);
        assertThat(undecided.poll()).isEmpty();
        undecided.follow(BOB.stream(), 20);
        undecided.follow(ALICE.stream(), 10);
        assertThat(undecided.poll()).as("another stream, or itself").isEmpty();

        undecided.follow(ALICE.stream(), 20);
        OfInterval task = poll();
        assertThat(task.endOffset()).isEqualTo(21);
        assertThat(task.last()).isFalse();
        assertThat(undecided.asked()).as("those that wait for their first").isZero();
    }

    @Test
    void whatFollowsDuringAnAuditIsReadByTheNextOne() {
        undecided.add(interval(ALICE, 10), false);
        OfInterval first = poll();
        undecided.follow(ALICE.stream(), 20);
        undecided.follow(ALICE.stream(), 30);
        assertThat(undecided.poll()).as("one at a time").isEmpty();

        Entry entry = undecided.answered(first).orElseThrow();
        undecided.tell(entry, provisional(entry), 0);
        assertThat(poll().endOffset()).as("up to the first that followed").isEqualTo(21);
    }

    @Test
    void whatFollowedFurtherOnIsReadLast() {
        undecided.add(interval(ALICE, 10), false);
        undecided.follow(ALICE.stream(), 20);
        undecided.follow(ALICE.stream(), 30);
        answerProvisionally(0);
        answerProvisionally(0);
        assertThat(poll().endOffset()).isEqualTo(31);
    }

    @Test
    void theEndOfAStreamHasWhatWasToldReadForGood() {
        undecided.add(interval(ALICE, 10), false);
        answerProvisionally(3);
        undecided.end(BOB.stream(), 40, -1);
        assertThat(undecided.poll()).isEmpty();

        undecided.end(ALICE.stream(), 40, -1);
        OfInterval task = poll();
        assertThat(task.endOffset()).isEqualTo(40);
        assertThat(task.last()).isTrue();
    }

    @Test
    void theEndOfAStreamDuringAnAuditHasItReadAgainThoughNothingFollowed() {
        undecided.add(interval(ALICE, 10), false);
        OfInterval first = poll();
        undecided.end(ALICE.stream(), 11, -1);
        Entry entry = undecided.answered(first).orElseThrow();
        undecided.tell(entry, provisional(entry), 0);

        OfInterval second = poll();
        assertThat(second.last()).isTrue();
        assertThat(second.endOffset()).isEqualTo(11);
        assertThat(undecided.answered(second)).isPresent();
        undecided.tell(entry, provisional(entry), 0);
        assertThat(undecided.poll()).as("asked for as the last already").isEmpty();
    }

    @Test
    void whatAForgottenStreamHeldIsNeededUntilItsIntervalsAreDecided() {
        undecided.add(interval(ALICE, 10), false);
        undecided.end(ALICE.stream(), 40, 5);
        undecided.end(ALICE.stream(), 40, 7);
        undecided.end(ALICE.stream(), 40, -1);
        assertThat(undecided.firstOffset()).isEqualTo(5);
        Entry entry = undecided.answered(poll()).orElseThrow();
        assertThat(entry.forgottenSince()).isEqualTo(5);
        undecided.remove(entry);
        assertThat(undecided.firstOffset()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void theOldestIntervalNeedsTheFirstOffset() {
        undecided.add(interval(ALICE, 30), false);
        undecided.add(interval(ALICE, 20), false);
        undecided.add(interval(BOB, 40), false);
        assertThat(undecided.firstOffset()).isEqualTo(18);
        assertThat(undecided.firstOffsetSealedFrom(20)).isEqualTo(18);
        assertThat(undecided.firstOffsetSealedFrom(21)).isEqualTo(28);
        assertThat(undecided.firstOffsetSealedFrom(31)).isEqualTo(38);
        assertThat(undecided.firstOffsetSealedFrom(41)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aCutForgetsWhatLiesBehindItAndReturnsWhatWasTold() {
        undecided.add(interval(ALICE, 10), false);
        undecided.add(interval(ALICE, 20), false);
        undecided.add(interval(ALICE, 30), false);
        Entry first = answerProvisionally(0);
        Entry second = answerProvisionally(0);

        assertThat(undecided.rewrite(20)).containsExactly(provisional(second));

        assertThat(undecided.size()).isEqualTo(1);
        assertThat(undecided.asked()).as("the third waited").isZero();
        assertThat(undecided.poll()).as("the first waits for what follows").isEmpty();
        undecided.follow(ALICE.stream(), 25);
        assertThat(poll().interval()).isEqualTo(first.interval());
    }

    @Test
    void aCutMakesAnswersUnderWayVoidAndAsksAgain() {
        undecided.add(interval(ALICE, 10), false);
        undecided.add(interval(BOB, 20), false);
        OfInterval before = poll();

        assertThat(undecided.rewrite(15)).isEmpty();

        assertThat(undecided.asked()).isEqualTo(1);
        assertThat(undecided.answered(before)).isEmpty();
        OfInterval again = poll();
        assertThat(again.interval()).isEqualTo(before.interval());
        assertThat(undecided.poll()).as("nothing of what was cut off").isEmpty();
        assertThat(undecided.answered(again)).isPresent();
        assertThat(undecided.asked()).isZero();
    }

    @Test
    void whatWasToldIsStillNoFirstAuditWhenACutHasItAskedForAgain() {
        undecided.add(interval(ALICE, 10), false);
        answerProvisionally(0);
        undecided.follow(ALICE.stream(), 12);
        undecided.rewrite(15);
        assertThat(undecided.asked()).isZero();
        assertThat(poll().endOffset()).isEqualTo(13);
        assertThat(undecided.poll()).isEmpty();
    }
}
