package dev.stormproof.emit;

import dev.stormproof.merkle.Hash;

/**
 * A checkpoint as bytes, ready to be sent, and what becomes of its stream once it is.
 *
 * <p>Immutable; the bytes are shared inside this package and changed by nobody.
 */
final class Draft {
    /** The checkpoint. In format 2 a header of the record, in format 1 its value. */
    final byte[] bytes;

    /** The checkpoint's number; in format 1, which has none, how many came before it. */
    final long number;

    /** The first sequence of its interval. */
    final long firstSequence;

    /** The first sequence of the next interval. */
    final long nextSequence;

    /** The chain hash of its predecessor; empty in number 0. */
    final Hash previousHash;

    /** Its own chain hash; empty in format 1. */
    final Hash chainHash;

    /** True if the stream ends with it. */
    final boolean closing;

    Draft(
            byte[] bytes,
            long number,
            long firstSequence,
            long nextSequence,
            Hash previousHash,
            Hash chainHash,
            boolean closing) {
        this.bytes = bytes;
        this.number = number;
        this.firstSequence = firstSequence;
        this.nextSequence = nextSequence;
        this.previousHash = previousHash;
        this.chainHash = chainHash;
        this.closing = closing;
    }
}
