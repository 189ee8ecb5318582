package dev.stormproof.merkle;

/**
 * The roots of the complete subtrees of a {@link CompactRange}, which knows their count.
 *
 * <p>Bit k of the count says whether there is one of 2<sup>k</sup> leaves. Belongs to one thread.
 */
sealed interface Peaks permits Xxh3Peaks, HashedPeaks {
    /** How many levels there can be. */
    int LEVELS = 31;

    /** Appends a leaf to {@code count} others. */
    void append(int count, byte[] data, int begin, int sizeBytes);

    /** Appends the leaf of {@code number}, as 8 bytes big endian, followed by the data. */
    void append(int count, long number, byte[] data, int begin, int sizeBytes);

    /** The root over {@code count} leaves, at least one. */
    Hash root(int count);

    /** Independent ones, the same. */
    Peaks copy();
}
