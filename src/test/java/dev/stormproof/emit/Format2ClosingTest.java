package dev.stormproof.emit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Named for the transitions of {@link CheckpointEmitter} to ENDED. */
class Format2ClosingTest extends Format2Fixture {
    @Test
    void openToEndedWritesAClosingCheckpoint() throws Exception {
        Format2Emitter emitter = opened();
        events(emitter, 2, START);
        Format2Checkpoint closing = sent(emitter, emitter.closing(START, -1, UnackedRecords.NONE), START);
        assertThat(closing.closing()).isTrue();
        assertThat(closing.number()).isEqualTo(1);
        assertThat(closing.root()).isEqualTo(root(0, 1));
        assertThat(closing.deadlineMillis()).isZero();
        assertThat(closing.uncertain()).isEmpty();
        assertThat(emitter.lastNumber()).isEqualTo(1);
        assertThat(emitter.hasUnsealed()).isFalse();
        assertThat(emitter.isDue(START + 1_000_000)).isFalse();
        assertThatThrownBy(() -> events(emitter, 1, START)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void endedToEndedStatesTheSameAtALaterTime() throws Exception {
        Format2Emitter emitter = opened();
        events(emitter, 3, START);
        UnackedRecords inDoubt = failed(1, 2);
        Format2Checkpoint first = sent(emitter, emitter.closing(START, -1, inDoubt), START);
        // The clock stands still, and then goes back.
        Format2Checkpoint second = sent(emitter, emitter.closing(START, -1, inDoubt), START);
        Format2Checkpoint third = sent(emitter, emitter.closing(START - 10, -1, inDoubt), START - 10);
        assertThat(List.of(second, third))
                .allSatisfy(again -> assertThat(again)
                        .usingRecursiveComparison()
                        .usingOverriddenEquals()
                        .ignoringFields("createdAtMillis")
                        .isEqualTo(first));
        assertThat(List.of(first, second, third))
                .extracting(Format2Checkpoint::createdAtMillis)
                .containsExactly(START, START + 1, START + 2);
        assertThat(emitter.lastNumber()).isEqualTo(1);
    }

    @Test
    void endedToOpenIsIllegal() throws Exception {
        Format2Emitter emitter = opened();
        PendingCheckpoint open = emitter.seal(START, -1).orElseThrow();
        sent(emitter, emitter.closing(START, -1, UnackedRecords.NONE), START);
        assertThatThrownBy(() -> emitter.seal(START, -1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("cannot go from ENDED to OPEN");
        assertThatThrownBy(() -> emitter.checkpointSent(open, START)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> events(emitter, 1, START)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void endedToOpenByRestore() throws Exception {
        Format2Emitter emitter = opened();
        StreamState saved = emitter.savedState();
        sent(emitter, emitter.closing(START, -1, UnackedRecords.NONE), START);
        emitter.restore(saved);
        events(emitter, 1, START);
        assertThat(emitter.lastNumber()).isZero();
        // No two closing checkpoints have one time.
        assertThat(decoded(emitter.closing(START, -1, UnackedRecords.NONE)).createdAtMillis())
                .isEqualTo(START + 1);
    }

    @Test
    void newToEndedWritesNothing() {
        assertThat(emitter().closing(START, -1, UnackedRecords.NONE)).isEmpty();
    }

    @Test
    void openToEndedLeavesOutTheEventsInDoubt() throws Exception {
        Format2Emitter emitter = opened();
        events(emitter, 6, START);
        UnackedRecords inDoubt =
                new UnackedRecords(List.of(new SequenceRange(1, 3), new SequenceRange(5, 6)), false, Optional.empty());
        Format2Checkpoint closing = sent(emitter, emitter.closing(START, -1, inDoubt), START);
        assertThat(closing.uncertain()).isEqualTo(inDoubt.events());
        assertThat(closing.eventCount()).isEqualTo(3);
        assertThat(closing.root()).isEqualTo(root(0, 3, 4));
        assertThat(closing.leavesMatchRoot()).isTrue();
        assertThat(closing.nextSequence()).isEqualTo(6);
    }

    @Test
    void openToEndedCannotTakeBackWhatACheckpointThatArrivedStates() throws Exception {
        Format2Emitter emitter = opened();
        events(emitter, 4, START);
        sent(emitter, emitter.seal(START, -1), START);
        events(emitter, 4, START);
        Format2Checkpoint closing = decoded(emitter.closing(START, -1, failed(2, 6)));
        assertThat(closing.firstSequence()).isEqualTo(4);
        assertThat(closing.uncertain()).containsExactly(new SequenceRange(4, 6));
        assertThat(closing.root()).isEqualTo(root(6, 7));
        assertThat(decoded(emitter.closing(START, -1, failed(2, 3))).uncertain())
                .isEmpty();
    }

    @Test
    void openToEndedWithoutLeavesDoubtsTheWholeInterval() throws Exception {
        Format2Emitter emitter = opened(EmitterConfig.DETAIL, "root");
        events(emitter, 6, START);
        Format2Checkpoint closing = decoded(emitter.closing(START, -1, failed(2, 3)));
        assertThat(closing.uncertain()).containsExactly(new SequenceRange(0, 6));
        assertThat(closing.eventCount()).isZero();
        assertThat(closing.root()).isEqualTo(TreeHash.XXH3.emptyRoot());
    }

    @Test
    void openToEndedWithTooManyDoubtsDoubtsTheWholeInterval() throws Exception {
        Format2Emitter emitter = opened(EmitterConfig.MAX_EVENTS, 10_000);
        events(emitter, 2 * Format2Checkpoint.MAX_UNCERTAIN + 2, START);
        List<SequenceRange> everySecond = new ArrayList<>();
        for (int i = 0; i <= Format2Checkpoint.MAX_UNCERTAIN; i++) {
            everySecond.add(new SequenceRange(2L * i, 2L * i + 1));
        }
        Format2Checkpoint closing =
                decoded(emitter.closing(START, -1, new UnackedRecords(everySecond, false, Optional.empty())));
        assertThat(closing.uncertain()).containsExactly(new SequenceRange(0, emitter.eventCount()));
        everySecond.remove(0);
        assertThat(decoded(emitter.closing(START, -1, new UnackedRecords(everySecond, false, Optional.empty())))
                        .uncertain())
                .isEqualTo(everySecond);
    }

    @Test
    void openToEndedTakesThePlaceOfTheFirstCheckpointInDoubt() throws Exception {
        Format2Emitter emitter = opened();
        events(emitter, 3, START);
        PendingCheckpoint second = emitter.seal(START, -1).orElseThrow();
        emitter.checkpointSent(second, START);
        events(emitter, 2, START);
        PendingCheckpoint third = emitter.seal(START, -1).orElseThrow();
        emitter.checkpointSent(third, START);
        events(emitter, 1, START);

        UnackedRecords inDoubt =
                new UnackedRecords(List.of(new SequenceRange(4, 5)), false, Optional.of(third.position));
        Format2Checkpoint closing = sent(emitter, emitter.closing(START, 99, inDoubt), START);

        assertThat(closing.number()).isEqualTo(2);
        assertThat(closing.previousHash()).isEqualTo(second.chainHash);
        assertThat(closing.firstSequence()).isEqualTo(3);
        assertThat(closing.uncertain()).containsExactly(new SequenceRange(3, 6));
        assertThat(closing.eventCount()).isZero();
        assertThat(closing.nextSequence()).isEqualTo(6);
    }

    @Test
    void aLostNumber0IsRestatedAsNumber0() throws Exception {
        Format2Emitter emitter = emitter();
        PendingCheckpoint first = emitter.seal(START, -1).orElseThrow();
        emitter.checkpointSent(first, START);
        UnackedRecords inDoubt = new UnackedRecords(List.of(), false, Optional.of(first.position));
        Format2Checkpoint closing = decoded(emitter.closing(START, -1, inDoubt));
        assertThat(closing.number()).isZero();
        assertThat(closing.previousHash()).isEqualTo(Hash.empty());
        assertThat(closing.uncertain()).isEmpty();
    }
}
