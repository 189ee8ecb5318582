package dev.stormproof.verify.fold;

import dev.stormproof.proof.checkpoint.Checkpoint;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.tree.Hash;

/**
 * A checkpoint that was accepted, with everything that its successor is compared with.
 *
 * @param offset its offset; for the beginning of a stream, the one before its first record
 * @param number its number, from 0; {@link #BEGINNING} for the beginning of a stream, which no checkpoint states
 * @param nextSequence the sequence of the first event after it
 * @param hash the chain hash by which its successor names it
 * @param deadlineMillis the time within which it promises its successor; 0 if it promises none
 * @param emitterName the emitter's name for people, maybe empty
 * @param writtenMillis when its record was written
 * @param firstOffset the offset of the first record of its interval
 * @param whole true if every record of its interval was read
 * @param anchored false if what is before it is unknown
 */
public record Head(
        long offset,
        long number,
        long nextSequence,
        Hash hash,
        long deadlineMillis,
        boolean closing,
        String emitterName,
        long writtenMillis,
        long firstOffset,
        boolean whole,
        boolean anchored) {
    /** The number of a stream's beginning. */
    public static final long BEGINNING = -1;

    static Head of(CheckpointRecord record) {
        return of(record, record.offset(), record.offset(), true, true);
    }

    /** @param offset where it counts: its own offset, or that of its predecessor if that is after it */
    static Head of(CheckpointRecord record, long offset, long firstOffset, boolean whole, boolean anchored) {
        Checkpoint checkpoint = record.checkpoint();
        return new Head(
                offset,
                checkpoint.number(),
                checkpoint.nextSequence(),
                record.chainHash(),
                checkpoint.deadlineMillis(),
                checkpoint.closing(),
                checkpoint.emitterName(),
                record.writtenMillis(),
                firstOffset,
                whole,
                anchored);
    }

    /** The beginning of a stream. */
    static Head before(long firstOffset) {
        return before(firstOffset, true);
    }

    /** The same, or where a stream goes on of which what is before is forgotten. */
    static Head before(long firstOffset, boolean anchored) {
        return new Head(firstOffset - 1, BEGINNING, 0, Hash.empty(), 0, false, "", -1, firstOffset, true, anchored);
    }

    boolean isBeginning() {
        return number == BEGINNING;
    }

    /** True if a checkpoint names this one as its predecessor. */
    boolean isNamedBy(Checkpoint next) {
        return next.number() == number + 1 && next.previousHash().equals(hash);
    }

    /** True if a checkpoint names this one, and states the events right after it. */
    boolean isContinuedBy(CheckpointRecord next) {
        return isNamedBy(next.checkpoint()) && next.checkpoint().firstSequence() == nextSequence;
    }

    /** The offset from which on a range holds this checkpoint and everything after it. */
    long readFrom() {
        return isBeginning() ? offset + 1 : offset;
    }

    boolean owesAnother() {
        return deadlineMillis > 0 && !closing;
    }
}
