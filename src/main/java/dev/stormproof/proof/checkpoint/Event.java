package dev.stormproof.proof.checkpoint;

import dev.stormproof.proof.sign.EventSigner;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;

/**
 * An event as it is in the log.
 *
 * @param emitter the emitter that its header names; {@link StreamId#NO_EMITTER} in format 1
 * @param sequence its place in the stream; {@link #NO_SEQUENCE} in format 1
 * @param treeHash the hash that the stream's checkpoints use, as its header says
 * @param signatureAlgorithm the {@link EventSigner}'s id, as its header says; {@link EventSigners#SHA1} in format 1
 * @param stated the signature that its header states; empty if the header is missing
 * @param observed the signature computed of the event, the leaf of the tree; empty if the algorithm is unknown here
 * @param content whether the record is as its transform states
 * @param writtenMillis when it was written; has no effect on any verdict
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

    /** How a record compares with the statement of the transform that made it. */
    public enum Content {
        /** No transform made a statement about it. */
        UNTRANSFORMED,
        /** As the transform states. */
        AS_MADE,
        /** Not as the transform states: it was altered after that. */
        ALTERED,
        /** A marker in the place of a diverted event. */
        DIVERTED
    }

    /** The same header with what was seen of the content. */
    Event observedAs(Hash seen, Content seenContent) {
        return seenContent == content && seen.equals(observed)
                ? this
                : new Event(
                        offset,
                        emitter,
                        sequence,
                        treeHash,
                        signatureAlgorithm,
                        stated,
                        seen,
                        seenContent,
                        writtenMillis);
    }

    /** The same content at another place of the stream. */
    public Event at(long other) {
        return new Event(
                offset, emitter, other, treeHash, signatureAlgorithm, stated, observed, content, writtenMillis);
    }

    /** True if the event is the one that upstream signed, and its record is what the transform made of it. */
    public boolean intact() {
        return isAsMade() && stated.equals(observed);
    }

    /**
     * True if its content differs from its own header: it was altered, whatever a checkpoint will state. False if the algorithm
     * is unknown here.
     */
    public boolean contradictsItsHeader() {
        return content == Content.ALTERED
                || (content != Content.DIVERTED && observed.sizeBytes() > 0 && !stated.equals(observed));
    }

    /** True if no transform states another content, and none failed on it. */
    public boolean isAsMade() {
        return content == Content.UNTRANSFORMED || content == Content.AS_MADE;
    }

    /** True if its header states the same hash and signature algorithm as a checkpoint. */
    public boolean isMadeAs(Checkpoint checkpoint) {
        return treeHash == checkpoint.treeHash() && signatureAlgorithm == checkpoint.signatureAlgorithm();
    }
}
