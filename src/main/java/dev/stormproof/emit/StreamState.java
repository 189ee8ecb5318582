package dev.stormproof.emit;

import dev.stormproof.proof.checkpoint.Interval;
import dev.stormproof.proof.tree.Hash;

/**
 * The state of a stream at its emitter: the open interval, and the position and time of the next checkpoint.
 *
 * <pre>
 *   #0 … #(nextNumber-1)  e e e e  ·
 *                         └──┬──┘  └─ the next event, sequence eventCount()
 *                         interval, which #nextNumber will seal
 * </pre>
 *
 * <p>Owned by one {@link CheckpointEmitter}; a {@link #copy()} is a savepoint, which an abort restores.
 */
final class StreamState {
    Interval interval;
    long nextNumber;

    /** The number of the last checkpoint that was sent; -1 before the first. */
    long lastNumber = -1;

    /** The chain hash of checkpoint {@code nextNumber - 1}; empty before number 0 and in format 1. */
    Hash previousHash = Hash.empty();

    long lastCheckpointMillis;

    /** When the first event of the interval was sent; meaningless while it is empty. */
    long firstEventMillis;

    /** True once a closing checkpoint of format 2 was sent. */
    boolean ended;

    StreamState(Interval interval) {
        this.interval = interval;
    }

    long eventCount() {
        return interval.firstSequence() + interval.count();
    }

    CheckpointPosition position() {
        return new CheckpointPosition(nextNumber, interval.firstSequence(), previousHash);
    }

    StreamState copy() {
        StreamState copy = new StreamState(interval.copy());
        copy.nextNumber = nextNumber;
        copy.lastNumber = lastNumber;
        copy.previousHash = previousHash;
        copy.lastCheckpointMillis = lastCheckpointMillis;
        copy.firstEventMillis = firstEventMillis;
        copy.ended = ended;
        return copy;
    }
}
