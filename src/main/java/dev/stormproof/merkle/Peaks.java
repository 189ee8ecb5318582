package dev.stormproof.merkle;

/**
 * The roots of the complete subtrees of a {@link CompactRange}, and how many leaves they are over.
 *
 * <p>Bit k of the count says whether there is a subtree of 2<sup>k</sup> leaves. Belongs to one thread.
 */
sealed interface Peaks permits Xxh3Peaks, HashedPeaks {
    /** How many levels there can be. */
    int LEVELS = 31;

    /** How many leaves were appended. */
    int count();

    /** Appends a leaf. */
    void append(byte[] data, int begin, int sizeBytes);

    /** Appends the leaf of {@code number}, as 8 bytes big endian, followed by the data. */
    void append(long number, byte[] data, int begin, int sizeBytes);

    /** The root over all leaves, at least one. */
    Hash root();

    /** Forgets all leaves. */
    void reset();

    /** Independent peaks over the same leaves. */
    Peaks copy();
}
