package dev.stormproof.verify.fold;

public sealed interface LogQuery permits RangeQuery, PieceQuery {
    /** The first offset to read. */
    long beginOffset();
}
