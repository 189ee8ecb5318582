package dev.stormproof.proof.compare;

/**
 * A difference between two logs, as ranges of offsets of both.
 *
 * @param source the offset of the first such record in the source; if it is missing there, that of the record after its place
 * @param sourceEnd the offset after the last one
 * @param target the same in the target
 * @param targetEnd the offset after the last one
 * @param records how many records of one log differ
 */
public record Difference(Kind kind, long source, long sourceEnd, long target, long targetEnd, long records) {
    public enum Kind {
        /** In the source and not in the target; or its key or value is altered there, if an extra record is in its place. */
        MISSING,
        /** In the target and not in the source, or more often. */
        EXTRA,
        /** In both, in another order. */
        REORDERED,
        /** In both with the same key and value, in order, and with other headers. */
        ALTERED,
        /** In the target only, before the first record that the source still holds: not compared. */
        EXPIRED_AT_SOURCE,
        /** In the source only, before the first record that the target still holds: not compared. */
        EXPIRED_AT_TARGET
    }
}
