package dev.stormproof.verify;

import dev.stormproof.checkpoint.Checkpoint;
import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.Format2Checkpoint;
import dev.stormproof.merkle.Hash;
import dev.stormproof.merkle.TreeHash;

/**
 * The part of a checkpoint that its successor is compared with.
 *
 * @param offset where it lies
 * @param number its number in the stream; {@link #UNNUMBERED} in format 1
 * @param nextSequence the sequence that follows its interval
 * @param chainHash the hash that its successor names; empty in format 1
 * @param treeHash the hash of the stream's trees
 * @param promiseMillis within which time it promises a successor; 0 if it promises none
 * @param closing true if it ends the stream
 */
record LastCheckpoint(
        long offset,
        long number,
        long nextSequence,
        Hash chainHash,
        TreeHash treeHash,
        long promiseMillis,
        boolean closing) {
    /** The number of every checkpoint of format 1, which has none. */
    static final long UNNUMBERED = -1;

    static LastCheckpoint of(CheckpointRecord record) {
        Checkpoint checkpoint = record.checkpoint();
        return checkpoint instanceof Format2Checkpoint sealed
                ? new LastCheckpoint(
                        record.offset(),
                        sealed.number(),
                        sealed.nextSequence(),
                        record.chainHash(),
                        sealed.treeHash(),
                        sealed.promiseMillis(),
                        sealed.closing())
                : new LastCheckpoint(record.offset(), UNNUMBERED, 0, Hash.empty(), TreeHash.XXH3, 0, false);
    }

    /** The number of a checkpoint; {@link #UNNUMBERED} in format 1. */
    static long numberOf(CheckpointRecord record) {
        return record.checkpoint() instanceof Format2Checkpoint sealed ? sealed.number() : UNNUMBERED;
    }

    /** True if a checkpoint is the next one by number, sequence and chain; in format 1 any one may be. */
    boolean isContinuedBy(CheckpointRecord record) {
        return !(record.checkpoint() instanceof Format2Checkpoint sealed)
                || (sealed.number() == number + 1
                        && sealed.firstSequence() == nextSequence
                        && sealed.previousHash().equals(chainHash));
    }

    /** True if a checkpoint says the same. In format 1 two intervals may say the same, so that it never is. */
    boolean isRepeatedBy(CheckpointRecord record) {
        return number != UNNUMBERED && chainHash.equals(record.chainHash());
    }

    /** True if another checkpoint was promised. */
    boolean owesAnother() {
        return promiseMillis > 0 && !closing;
    }
}
