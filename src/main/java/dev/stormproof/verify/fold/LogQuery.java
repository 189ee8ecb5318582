package dev.stormproof.verify.fold;

/** A query of a verifier to the log. */
public sealed interface LogQuery permits RangeQuery, PieceQuery {
    /** The first offset to read. */
    long beginOffset();
}
