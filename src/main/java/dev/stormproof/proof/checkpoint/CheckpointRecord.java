package dev.stormproof.proof.checkpoint;

import dev.stormproof.proof.tree.Hash;

/**
 * A checkpoint as it is in the log.
 *
 * @param chainHash the hash by which its successor names it; empty in format 1, which has no chain
 * @param writtenMillis when the record was written, which may differ from when the checkpoint was made
 * @param unlisted true if the topic's {@link AllowedEmitters} do not name its emitter: it is judged as any other, and reported
 */
public record CheckpointRecord(long offset, Checkpoint checkpoint, Hash chainHash, long writtenMillis, boolean unlisted)
        implements LogRecord {
    /** A checkpoint of an emitter that may write to the topic. */
    public CheckpointRecord(long offset, Checkpoint checkpoint, Hash chainHash, long writtenMillis) {
        this(offset, checkpoint, chainHash, writtenMillis, false);
    }

    /** The same without the leaves of format 2, which may take most of the memory. */
    public CheckpointRecord withoutLeaves() {
        return checkpoint instanceof Format2Checkpoint sealed && sealed.leaves().isPresent()
                ? new CheckpointRecord(offset, sealed.withoutLeaves(), chainHash, writtenMillis, unlisted)
                : this;
    }

    /** The same; in format 2 without what takes much memory: no leaves, and one uncertain range of the same count. */
    public CheckpointRecord inShort() {
        return checkpoint instanceof Format2Checkpoint sealed
                ? new CheckpointRecord(offset, sealed.inShort(), chainHash, writtenMillis, unlisted)
                : this;
    }
}
