package dev.stormproof.verify.fold;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static dev.stormproof.testing.StreamRecords.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.Checkpoint;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.testing.StreamRecords;
import dev.stormproof.verify.fold.LogQuery.OfInterval;
import dev.stormproof.verify.fold.PendingIntervals.Entry;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Every transition of an interval that the log has to judge, and what all of them hold back. */
class PendingIntervalsTest {
    private final PendingIntervals pending = new PendingIntervals();

    private static CheckpointRecord checkpoint(StreamRecords stream, long offset) {
        return stream.checkpoint(offset, 0, 1).at(offset);
    }

    private void add(StreamRecords stream, long offset) {
        pending.add(
                new EventStream.Sealed(
                        checkpoint(stream, offset), false, offset - 2, offset - 2, offset - 3, -1, -1, true),
                0);
    }

    private static Violated provisional(Entry entry) {
        return new Violated(entry.interval, true, true, 1, List.of());
    }

    private OfInterval poll() {
        return pending.poll().orElseThrow();
    }

    private Entry publishNext(long evidenceBegin) {
        Entry entry = pending.answered(poll()).orElseThrow();
        pending.published(entry, provisional(entry), evidenceBegin);
        return entry;
    }

    @Test
    void addToAskedUpToItsOwnCheckpoint() {
        add(ALICE, 10);
        CheckpointRecord record = checkpoint(ALICE, 10);
        assertThat(poll())
                .isEqualTo(new OfInterval(
                        IntervalId.of(record),
                        record.chainHash(),
                        7,
                        11,
                        false,
                        new OfInterval.Earlier(-1, -1, 0, 8, true)));
        assertThat(pending.poll()).isEmpty();
        assertThat(pending.size()).isEqualTo(1);
        assertThat(pending.unpublished()).isEqualTo(1);
        assertThat(pending.hasUnpublished(ALICE.stream())).isTrue();
        assertThat(pending.hasUnpublished(BOB.stream())).isFalse();
    }

    @Test
    void ofACheckpointThatWaitsNeitherLeavesNorUncertainRangesAreKept() {
        WeakReference<Checkpoint> checkpoint = addOneThatIsUncertain();
        System.gc();
        assertThat(checkpoint.get()).isNull();
        assertThat(pending.sizeBytes()).isEqualTo(PendingIntervals.ENTRY_BYTES + PendingIntervals.TASK_BYTES);
    }

    private WeakReference<Checkpoint> addOneThatIsUncertain() {
        CheckpointRecord record =
                ALICE.checkpoint(1, 0, 9).uncertainOf(new SequenceRange(3, 5)).at(10);
        pending.add(new EventStream.Sealed(record, false, 8, 8, 7, -1, -1, true), 0);
        return new WeakReference<>(record.checkpoint());
    }

    @Test
    void addAClosingOneToAskedAsTheLast() {
        CheckpointRecord closing = ALICE.checkpoint(1, 0, 1).closing().at(10);
        pending.add(new EventStream.Sealed(closing, false, 8, 8, 7, -1, -1, true), 0);
        assertThat(poll().last()).isTrue();
    }

    @Test
    void theyAreAskedForInTheirOrder() {
        add(BOB, 10);
        add(ALICE, 20);
        assertThat(poll().interval().stream()).isEqualTo(BOB.stream());
        assertThat(poll().interval().stream()).isEqualTo(ALICE.stream());
    }

    @Test
    void finalAnswerToGone() {
        add(ALICE, 10);
        OfInterval task = poll();
        Entry entry = pending.answered(task).orElseThrow();
        assertThat(entry.firstOffset).isEqualTo(8);
        assertThat(entry.published()).isEmpty();
        pending.remove(entry);
        assertThat(pending.size()).isZero();
        assertThat(pending.unpublished()).isZero();
        assertThat(pending.hasUnpublished(ALICE.stream())).isFalse();
        assertThat(pending.answered(task)).isEmpty();
    }

    @Test
    void whatIsGoneIsRemovedOnce() {
        add(ALICE, 10);
        add(ALICE, 20);
        Entry entry = pending.answered(poll()).orElseThrow();
        pending.remove(entry);
        pending.remove(entry);
        assertThat(pending.size()).isEqualTo(1);
        assertThat(pending.unpublished()).isEqualTo(1);
    }

    @Test
    void provisionalAnswerToPublished() {
        add(ALICE, 10);
        Entry entry = publishNext(3);
        assertThat(entry.published()).contains(provisional(entry));
        assertThat(entry.publishedBegin()).isEqualTo(3);
        assertThat(pending.size()).isEqualTo(1);
        assertThat(pending.unpublished()).isZero();
        assertThat(pending.hasUnpublished(ALICE.stream())).isFalse();
        assertThat(pending.poll()).as("it waits for what follows").isEmpty();
    }

    @Test
    void whatIsPublishedAgainKeepsWhereItsFirstEvidenceBegan() {
        add(ALICE, 10);
        Entry entry = publishNext(3);
        pending.goesOn(ALICE.stream(), 20);
        publishNext(5);
        assertThat(entry.publishedBegin()).isEqualTo(3);
        assertThat(pending.unpublished()).isZero();
        pending.remove(entry);
        assertThat(pending.unpublished()).isZero();
    }

    @Test
    void beyondTheBoundAProvisionalVerdictIsKeptWithItsFirstAnomalyAlone() {
        int most = PendingIntervals.MOST_NAMED;
        Entry half = publishNaming(10, most / 2);
        Entry other = publishNaming(20, most / 2);
        Entry beyond = publishNaming(30, 2);
        assertThat(named(half)).isEqualTo(most / 2);
        assertThat(named(other)).isEqualTo(most / 2);
        assertThat(beyond.published().orElseThrow().anomalies())
                .containsExactlyElementsOf(naming(beyond, 1).anomalies());
        assertThat(beyond.published().orElseThrow().anomalyCount()).isEqualTo(2);

        pending.remove(half);
        assertThat(named(publishNaming(40, most / 2 - 1))).isEqualTo(most / 2 - 1);
        assertThat(named(publishNaming(50, 2))).isEqualTo(1);
        pending.clear(0);
        assertThat(named(publishNaming(60, most))).isEqualTo(most);
    }

    private Entry publishNaming(long offset, int anomalies) {
        add(ALICE, offset);
        Entry entry = pending.answered(poll()).orElseThrow();
        pending.published(entry, naming(entry, anomalies), 0);
        return entry;
    }

    private static Violated naming(Entry entry, int count) {
        List<Anomaly> anomalies = IntStream.range(0, count)
                .mapToObj(at ->
                        new Anomaly(Anomaly.Kind.LOST, ALICE.stream(), at, at + 1, -1, 0, Hash.empty(), Hash.empty()))
                .toList();
        return new Violated(entry.interval, true, true, count, anomalies);
    }

    private static int named(Entry entry) {
        return entry.published().orElseThrow().anomalies().size();
    }

    @Test
    void aHeldIntervalIsAskedForOnceWhatMayStateItsNumberFurtherUpIsJudged() {
        Entry another = added(ALICE, 1, 10);
        Entry smaller = added(ALICE, 0, 15);
        added(BOB, 7, 18);
        Entry greater = added(ALICE, 2, 19);
        Entry held = added(ALICE, 1, 20);
        assertThat(pending.hold(another)).as("nothing lies further up").isFalse();
        assertThat(pending.hold(greater))
                .as("what lies further up bears smaller numbers")
                .isFalse();
        assertThat(pending.hold(held)).isTrue();
        assertThat(pending.hasUnpublished(ALICE.stream())).isTrue();

        pending.remove(smaller);
        pending.remove(another);
        assertThat(pending.poll())
                .as("one of a greater number may show that it lies behind it")
                .isEmpty();
        pending.remove(greater);
        assertThat(pending.poll().flatMap(pending::answered)).contains(held);
        assertThat(pending.poll()).isEmpty();
        assertThat(pending.hold(held)).isFalse();
    }

    @Test
    void aProvisionalVerdictFurtherUpIsEnoughForWhatIsHeld() {
        Entry another = added(ALICE, 1, 10);
        Entry held = added(ALICE, 1, 20);
        assertThat(pending.hold(held)).isTrue();
        pending.published(another, provisional(another), 0);
        assertThat(pending.poll().flatMap(pending::answered)).contains(held);
    }

    private Entry added(StreamRecords stream, long number, long offset) {
        CheckpointRecord record = stream.checkpoint(number, 0, 1).at(offset);
        pending.add(new EventStream.Sealed(record, false, offset, offset, -1, -1, -1, false), 0);
        return pending.answered(poll()).orElseThrow();
    }

    @Test
    void theStreamGoesOnFromPublishedToAsked() {
        add(ALICE, 10);
        publishNext(3);
        pending.goesOn(BOB.stream(), 20);
        pending.goesOn(ALICE.stream(), 10);
        assertThat(pending.poll()).as("another stream, or itself").isEmpty();
        pending.goesOn(ALICE.stream(), 20);
        OfInterval task = poll();
        assertThat(task.endOffset()).isEqualTo(21);
        assertThat(task.last()).isFalse();
    }

    @Test
    void whatFollowsDuringAnAuditIsReadUpToTheSuccessorAndOnlyIfThatIsNotEnoughFurther() {
        add(ALICE, 10);
        OfInterval first = poll();
        pending.goesOn(ALICE.stream(), 20);
        pending.goesOn(ALICE.stream(), 30);
        pending.ends(ALICE.stream(), 40);
        assertThat(pending.poll()).as("one at a time").isEmpty();
        Entry entry = pending.answered(first).orElseThrow();
        pending.published(entry, provisional(entry), 0);
        OfInterval second = poll();
        assertThat(second.endOffset()).isEqualTo(21);
        assertThat(second.last()).as("more follows").isFalse();
        pending.published(entry, provisional(entry), 0);
        OfInterval third = poll();
        assertThat(third.endOffset()).isEqualTo(40);
        assertThat(third.last()).isTrue();
        pending.published(entry, provisional(entry), 0);
        assertThat(pending.poll()).as("all of it was read").isEmpty();
    }

    @Test
    void theStreamEndsFromPublishedToAskedAsTheLast() {
        add(ALICE, 10);
        publishNext(3);
        pending.ends(BOB.stream(), 40);
        assertThat(pending.poll()).isEmpty();
        pending.ends(ALICE.stream(), 40);
        OfInterval task = poll();
        assertThat(task.endOffset()).isEqualTo(40);
        assertThat(task.last()).isTrue();
    }

    @Test
    void theStreamEndsDuringAnAuditAndItIsReadAgainThoughNothingFollowed() {
        add(ALICE, 10);
        OfInterval first = poll();
        pending.ends(ALICE.stream(), 11);
        Entry entry = pending.answered(first).orElseThrow();
        pending.published(entry, provisional(entry), 0);
        OfInterval second = poll();
        assertThat(second.last()).isTrue();
        assertThat(second.endOffset()).isEqualTo(11);
        pending.published(entry, provisional(entry), 0);
        assertThat(pending.poll()).as("asked for as the last already").isEmpty();
    }

    @Test
    void oneIntervalEndsByItself() {
        add(ALICE, 10);
        add(ALICE, 20);
        Entry first = publishNext(0);
        publishNext(0);
        pending.ends(first, 30);
        assertThat(poll().interval()).isEqualTo(first.interval);
        assertThat(pending.poll()).isEmpty();
    }

    @Test
    void whatIsReadFurtherOnIsNeverReadLess() {
        add(ALICE, 10);
        publishNext(0);
        pending.ends(ALICE.stream(), 40);
        OfInterval task = poll();
        pending.goesOn(ALICE.stream(), 20);
        assertThat(task.endOffset()).isEqualTo(40);
        assertThat(pending.poll()).isEmpty();
    }

    @Test
    void clearForgetsAllAndReturnsWhatWasPublishedBehind() {
        add(ALICE, 10);
        add(ALICE, 20);
        add(BOB, 30);
        publishNext(0);
        Entry second = publishNext(0);
        OfInterval third = poll();
        assertThat(pending.clear(20)).containsExactly(provisional(second));
        assertThat(pending.size()).isZero();
        assertThat(pending.unpublished()).isZero();
        assertThat(pending.poll()).isEmpty();
        assertThat(pending.answered(third)).isEmpty();
        assertThat(pending.firstOffset()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void anAnswerFromBeforeAClearDoesNotCountForAnEqualTask() {
        add(ALICE, 10);
        OfInterval before = poll();
        pending.clear(0);
        add(ALICE, 10);
        OfInterval again = poll();
        assertThat(again).isEqualTo(before);
        assertThat(pending.answered(before)).isEmpty();
        assertThat(pending.answered(again)).isPresent();
    }

    @Test
    void whatWaitsWhenItIsClearedIsNotAskedFor() {
        add(ALICE, 10);
        pending.clear(0);
        assertThat(pending.poll()).isEmpty();
    }

    @Test
    void theFirstOffsetIsOfAnyOfThem() {
        assertThat(pending.firstOffset()).isEqualTo(Long.MAX_VALUE);
        add(ALICE, 30);
        add(ALICE, 20);
        add(BOB, 40);
        assertThat(pending.firstOffset()).isEqualTo(18);
    }
}
