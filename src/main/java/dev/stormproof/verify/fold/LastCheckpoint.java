package dev.stormproof.verify.fold;

import dev.stormproof.proof.checkpoint.Checkpoint;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;

/**
 * The part of a checkpoint that its successor is compared with.
 *
 * @param offset where it lies
 * @param number its number in the stream; {@link Checkpoint#NO_NUMBER} in format 1
 * @param nextSequence the sequence that follows its interval
 * @param chainHash the hash that its successor names; empty in format 1
 * @param treeHash the hash of the tree over the events after it; xxh3 in format 1, whose own hash proves nothing
 * @param promiseMillis the time within which it promises a successor; 0 if it promises none
 * @param closing true if it ends the stream
 * @param emitterName the emitter's name for people
 * @param writtenMillis when it was written
 */
record LastCheckpoint(
        long offset,
        long number,
        long nextSequence,
        Hash chainHash,
        TreeHash treeHash,
        long promiseMillis,
        boolean closing,
        String emitterName,
        long writtenMillis) {
    static LastCheckpoint of(CheckpointRecord record) {
        Checkpoint checkpoint = record.checkpoint();
        return new LastCheckpoint(
                record.offset(),
                checkpoint.number(),
                checkpoint.nextSequence(),
                record.chainHash(),
                checkpoint.number() == Checkpoint.NO_NUMBER ? TreeHash.XXH3 : checkpoint.treeHash(),
                checkpoint.deadlineMillis(),
                checkpoint.closing(),
                checkpoint.emitterName(),
                record.writtenMillis());
    }

    /** True if a checkpoint is the next one by number, sequence and chain; in format 1 any one may be. */
    boolean isContinuedBy(CheckpointRecord record) {
        Checkpoint next = record.checkpoint();
        return next.number() == Checkpoint.NO_NUMBER
                || (next.number() == number + 1
                        && next.firstSequence() == nextSequence
                        && next.previousHash().equals(chainHash));
    }

    /** True if a checkpoint is the same. In format 1 two intervals may have the same checkpoint, so that it is always false. */
    boolean isRepeatedBy(CheckpointRecord record) {
        return number != Checkpoint.NO_NUMBER && chainHash.equals(record.chainHash());
    }

    boolean owesAnother() {
        return promiseMillis > 0 && !closing;
    }
}
