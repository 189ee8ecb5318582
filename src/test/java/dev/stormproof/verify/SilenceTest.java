package dev.stormproof.verify;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.verify.AuditTask.OfTail;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Every transition of the silence of a partition. */
class SilenceTest {
    private static final long GRACE_MILLIS = 1_000;
    private static final long LIMIT_MILLIS = 5_000;
    private static final long EMITTER = ALICE.stream().emitter();

    private final IntervalTracker tracker = new IntervalTracker("orders", 0, 0, 0, 10);
    private final Silence silence = new Silence(tracker, new Patience(GRACE_MILLIS, LIMIT_MILLIS));

    private void takeEvent(long offset) {
        tracker.accept(Link.contiguous(offset));
        tracker.event(ALICE.event(offset, offset));
    }

    private OfTail askAfterLongSilence() {
        silence.tick(0);
        silence.tick(LIMIT_MILLIS + 1);
        return silence.ask().orElseThrow();
    }

    private static OfTail.Found endAt(long offset) {
        return new OfTail.Found(offset, Map.of());
    }

    @Test
    void aPartitionOfWhichNothingComesForLongIsAskedAbout() {
        assertThat(silence.ask()).as("before the first tick").isEmpty();
        silence.tick(10_000);
        assertThat(silence.ask()).isEmpty();
        silence.tick(10_000 + GRACE_MILLIS);
        assertThat(silence.ask()).as("within its grace").isEmpty();
        silence.tick(10_001 + GRACE_MILLIS);
        assertThat(silence.ask()).contains(new OfTail(0, Set.of(), Set.of()));
        assertThat(silence.ask()).as("once").isEmpty();
    }

    @Test
    void aRecordThatComesStartsTheWaitAnew() {
        silence.tick(0);
        takeEvent(0);
        silence.tick(900);
        silence.tick(900 + GRACE_MILLIS);
        assertThat(silence.ask()).isEmpty();
        silence.tick(901 + GRACE_MILLIS);
        assertThat(silence.ask()).isPresent();
    }

    @Test
    void anOverdueStreamIsAskedAboutThoughOthersGoOn() {
        takeEvent(0);
        silence.tick(0);
        tracker.accept(Link.contiguous(1));
        silence.tick(LIMIT_MILLIS + 1);
        assertThat(silence.ask()).contains(new OfTail(2, Set.of(EMITTER), Set.of(EMITTER)));
    }

    @Test
    void aStreamWhoseCheckpointWasSeenIsNotBaseless() {
        tracker.accept(Link.contiguous(0));
        tracker.checkpoint(ALICE.checkpoint(0, 0, 0).at(0));
        takeEvent(1);
        assertThat(askAfterLongSilence()).isEqualTo(new OfTail(2, Set.of(EMITTER), Set.of()));
    }

    @Test
    void aStreamIsGivenUpWhenEverythingBeforeTheEndOfTheLogCame() {
        takeEvent(0);
        OfTail task = askAfterLongSilence();
        silence.decide();
        assertThat(tracker.drainGivenUp()).as("before the answer").isEmpty();
        silence.answered(task, endAt(2));
        silence.decide();
        assertThat(tracker.drainGivenUp()).as("before the end").isEmpty();

        tracker.accept(Link.contiguous(1));
        silence.decide();

        assertThat(tracker.drainGivenUp()).containsOnlyKeys(ALICE.stream());
    }

    @Test
    void aStreamThatWasHeardOfMeanwhileIsNotGivenUp() {
        takeEvent(0);
        OfTail task = askAfterLongSilence();
        silence.answered(task, endAt(2));
        takeEvent(1);
        silence.tick(LIMIT_MILLIS + 2);
        silence.decide();
        assertThat(tracker.drainGivenUp()).isEmpty();
    }

    @Test
    void anAnswerFromBeforeAStreamWasHeardOfAgainDoesNotGiveItUp() {
        takeEvent(0);
        OfTail task = askAfterLongSilence();
        silence.answered(task, endAt(2));
        takeEvent(1);
        silence.tick(LIMIT_MILLIS + 2);
        silence.tick(3 * LIMIT_MILLIS);
        silence.decide();
        assertThat(tracker.drainGivenUp()).as("the log may have gone on since").isEmpty();

        silence.tick(3 * LIMIT_MILLIS + 1);
        silence.answered(silence.ask().orElseThrow(), endAt(2));
        silence.decide();
        assertThat(tracker.drainGivenUp()).containsOnlyKeys(ALICE.stream());
    }

    @Test
    void theLastCheckpointInTheLogSaysWhatABaselessStreamLacks() {
        takeEvent(0);
        OfTail task = askAfterLongSilence();
        CheckpointRecord last = ALICE.checkpoint(6, 0, 0).at(0);
        silence.answered(task, new OfTail.Found(1, Map.of(EMITTER, last)));
        silence.decide();
        assertThat(tracker.drainGivenUp().values())
                .singleElement()
                .satisfies(givenUp -> assertThat(givenUp.unsealed())
                        .map(one -> one.interval().number())
                        .contains(7L));
    }

    @Test
    void afterADecisionItListensAgain() {
        takeEvent(0);
        OfTail task = askAfterLongSilence();
        silence.answered(task, endAt(1));
        silence.decide();
        assertThat(silence.ask()).as("nobody is overdue any more").isEmpty();
        silence.tick(LIMIT_MILLIS + 2 + GRACE_MILLIS);
        assertThat(silence.ask()).contains(new OfTail(1, Set.of(), Set.of()));
    }

    @Test
    void recordsThatShouldHaveComeStallForTheirGrace() {
        OfTail task = askAfterLongSilence();
        assertThat(silence.stalledBefore()).as("not answered").isEmpty();
        silence.answered(task, endAt(3));
        assertThat(silence.stalledBefore()).as("they have their grace").isEmpty();
        silence.tick(LIMIT_MILLIS + 2 + GRACE_MILLIS);
        assertThat(silence.stalledBefore()).contains(3L);
    }

    @Test
    void nothingStallsWhereTheLogEnds() {
        OfTail task = askAfterLongSilence();
        silence.answered(task, endAt(0));
        silence.tick(LIMIT_MILLIS + 2 + GRACE_MILLIS);
        assertThat(silence.stalledBefore()).isEmpty();
    }

    @Test
    void ofEqualTasksOnlyTheLastAnswerCounts() {
        OfTail first = askAfterLongSilence();
        silence.forgetAnswers();
        OfTail second = silence.ask().orElseThrow();
        assertThat(second).isEqualTo(first);
        silence.answered(first, endAt(3));
        silence.tick(LIMIT_MILLIS + 2 + GRACE_MILLIS);
        assertThat(silence.stalledBefore()).isEmpty();
        silence.answered(second, endAt(3));
        silence.tick(LIMIT_MILLIS + 4 + 2 * GRACE_MILLIS);
        assertThat(silence.stalledBefore()).contains(3L);
    }

    @Test
    void anAnswerThatWasForgottenIsAskedForAgain() {
        OfTail task = askAfterLongSilence();
        silence.answered(task, endAt(3));
        silence.forgetAnswers();
        silence.tick(LIMIT_MILLIS + 2 + GRACE_MILLIS);
        assertThat(silence.stalledBefore()).isEmpty();
        assertThat(silence.ask()).contains(task);
    }
}
