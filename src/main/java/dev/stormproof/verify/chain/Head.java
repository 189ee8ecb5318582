package dev.stormproof.verify.chain;

import dev.stormproof.proof.tree.Hash;

/**
 * A checkpoint that was accepted: all that its successor is compared with.
 *
 * @param offset where it lies; of a stream's beginning, right before the stream's first record, which is -1 in a log that begins with it
 * @param number from 0; of a stream's beginning, where nothing is accepted yet, {@link #BEGINNING}
 * @param nextSequence the sequence after the last one that it seals
 * @param hash the hash by which its successor names it
 * @param deadlineMillis when its successor is due; 0 if none is owed
 * @param closing true if it ends its stream
 * @param emitterName the emitter's name for people; empty if there is none
 * @param writtenMillis when its record was written; -1 if unknown
 * @param firstOffset the first record of its interval
 * @param whole true if every record of its interval was read
 * @param anchored false if what lies before it is not known
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
}
