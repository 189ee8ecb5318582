package dev.stormproof.verify.fold;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.verify.fold.EventStream.Sealed;
import java.util.List;

/** A stream of Alice, and its first checkpoints. */
abstract class EventStreamCase {
    final EventStream stream = new EventStream(ALICE.stream(), false, 0);
    final CheckpointRecord zero = ALICE.checkpoint(0, 0, 0).promising(60_000).at(10);
    final CheckpointRecord one = ALICE.checkpoint(1, 0, 2).after(zero).at(20);
    final CheckpointRecord two = ALICE.checkpoint(2, 2, 2).after(one).at(30);

    Sealed seal(CheckpointRecord record) {
        return stream.seal(record, false);
    }

    void begin() {
        assertThat(stream.seal(zero, true).matches()).isTrue();
    }

    void addBoth() {
        stream.add(ALICE.event(11, 0));
        stream.add(ALICE.event(12, 1));
    }

    void confirm(CheckpointRecord record) {
        stream.confirm(LastCheckpoint.of(record), List.of());
    }
}
