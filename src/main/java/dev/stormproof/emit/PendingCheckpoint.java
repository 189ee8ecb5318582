package dev.stormproof.emit;

import dev.stormproof.merkle.Hash;

/**
 * A pending checkpoint holds the bytes to send, and the state of its stream once they are appended.
 *
 * <p>Immutable; the bytes are shared inside this package, where all code leaves them as they are.
 */
final class PendingCheckpoint {
    /** The checkpoint. In format 2 a header of the record, in format 1 its value. */
    final byte[] bytes;

    /** Its position; in format 1, which has no numbers, the number counts the checkpoints before it. */
    final CheckpointPosition position;

    /** The first sequence of the next interval. */
    final long nextSequence;

    /** Its own chain hash; empty in format 1. */
    final Hash chainHash;

    /** True if the stream ends with it. */
    final boolean closing;

    PendingCheckpoint(byte[] bytes, CheckpointPosition position, long nextSequence, Hash chainHash, boolean closing) {
        this.bytes = bytes;
        this.position = position;
        this.nextSequence = nextSequence;
        this.chainHash = chainHash;
        this.closing = closing;
    }
}
