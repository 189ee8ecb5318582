package dev.stormproof.checkpoint;

import dev.stormproof.merkle.Hash;

/**
 * A checkpoint as it lies in the log.
 *
 * @param chainHash the hash by which its successor names it; empty in format 1, which has no chain
 */
public record CheckpointRecord(long offset, Checkpoint checkpoint, Hash chainHash) implements LogRecord {
    /** The same without the leaves of format 2, which may take most of its memory. */
    public CheckpointRecord withoutLeaves() {
        return checkpoint instanceof Format2Checkpoint sealed && sealed.leaves().isPresent()
                ? new CheckpointRecord(offset, sealed.withoutLeaves(), chainHash)
                : this;
    }
}
