package dev.stormproof.emit;

import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.Leaves;
import java.util.Optional;

/**
 * The bytes of a checkpoint to send, with its position in the stream.
 *
 * <p>Immutable; the bytes are shared within this package, which does not change them.
 */
final class PendingCheckpoint {
    /** The checkpoint. In format 2 a header of the record, in format 1 its value. */
    final byte[] bytes;

    /** Its position; in format 1, which has no numbers, the number counts the checkpoints before it. */
    final CheckpointPosition position;

    /** Its own chain hash; empty in format 1. */
    final Hash chainHash;

    /** True if the stream ends with it. */
    final boolean closing;

    /** The leaves that it states; empty in detail {@code root}, and if they did not fit. */
    final Optional<Leaves> leaves;

    /** When it was made, by the emitter's clock. */
    final long atMillis;

    PendingCheckpoint(
            byte[] bytes,
            CheckpointPosition position,
            Hash chainHash,
            boolean closing,
            Optional<Leaves> leaves,
            long atMillis) {
        this.bytes = bytes;
        this.position = position;
        this.atMillis = atMillis;
        this.chainHash = chainHash;
        this.closing = closing;
        this.leaves = leaves;
    }

    /** True if its leaves state an event. */
    boolean states(long sequence) {
        return leaves.isPresent()
                && position.firstSequence() <= sequence
                && sequence < position.firstSequence() + leaves.get().count();
    }

    /** True if it would be smaller without its leaves. */
    boolean hasLeaves() {
        return leaves.isPresent() && leaves.get().count() > 0;
    }
}
