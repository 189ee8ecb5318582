package dev.stormproof.proof.checkpoint;

import dev.stormproof.proof.sign.EventSigner;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;

/**
 * An event as it lies in the log.
 *
 * @param emitter the emitter that its header names; {@link StreamId#NO_EMITTER} in format 1
 * @param sequence its place in the stream; {@link #NO_SEQUENCE} in format 1
 * @param treeHash the hash that the stream's checkpoints use, as its header says
 * @param signatureAlgorithm the {@link EventSigner}'s id, as its header says; {@link EventSigners#SHA1} in format 1
 * @param stated the signature that its header states
 * @param observed the signature of the event that was read, the leaf of the tree; empty if the algorithm is unknown here
 * @param content whether the record is what a transform states that it made
 * @param writtenMillis when it was written; of no effect on any verdict
 */
public record Event(
        long offset,
        long emitter,
        long sequence,
        TreeHash treeHash,
        int signatureAlgorithm,
        Hash stated,
        Hash observed,
        Content content,
        long writtenMillis)
        implements LogRecord {
    /** The sequence of every event of format 1, which has none. */
    public static final long NO_SEQUENCE = -1;

    /** The relation of a record to the statement of the transform that made it. */
    public enum Content {
        /** No transform states anything about it. */
        UNTRANSFORMED,
        /** As the transform states. */
        AS_MADE,
        /** Another one than the transform states: it was altered behind it. */
        ALTERED,
        /** A marker that stands where a diverted event was. */
        DIVERTED
    }

    /** An event whose content no transform states, and whose time is unknown. */
    public Event(
            long offset,
            long emitter,
            long sequence,
            TreeHash treeHash,
            int signatureAlgorithm,
            Hash stated,
            Hash observed) {
        this(offset, emitter, sequence, treeHash, signatureAlgorithm, stated, observed, Content.UNTRANSFORMED, NO_TIME);
    }

    /** The event that a header of format 2 describes. */
    static Event of(long offset, EventHeader header, Hash observed, Content content, long writtenMillis) {
        return new Event(
                offset,
                header.emitter(),
                header.sequence(),
                header.treeHash(),
                header.signatureAlgorithm(),
                header.signature(),
                observed,
                content,
                writtenMillis);
    }

    /** True if the event is the one that upstream signed, and lies here as it was made of that. */
    public boolean intact() {
        return isAsMade() && stated.equals(observed);
    }

    /**
     * True if its content is another one than its own header states: it was altered, whatever a checkpoint will say. Of an
     * algorithm that is unknown here that cannot be said.
     */
    public boolean contradictsItsHeader() {
        return content == Content.ALTERED
                || (content != Content.DIVERTED && observed.sizeBytes() > 0 && !stated.equals(observed));
    }

    /** True if it lies here as it was made: no transform states another content, and none failed on it. */
    public boolean isAsMade() {
        return content == Content.UNTRANSFORMED || content == Content.AS_MADE;
    }

    /** True if its header states the hash and the signature algorithm that a checkpoint states. */
    public boolean isMadeAs(Checkpoint checkpoint) {
        return treeHash == checkpoint.treeHash() && signatureAlgorithm == checkpoint.signatureAlgorithm();
    }
}
