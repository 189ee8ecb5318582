package dev.stormproof.evidence.notary;

import org.jspecify.annotations.Nullable;

/** The hashes of leaves that the notary kept, in tiles. They are trusted only if they make the root of a note. */
public interface KeptLeaves extends AutoCloseable {
    KeptLeaves NONE = (begin, end) -> null;

    /** The hashes of the leaves [begin, end), concatenated; null if one is missing. */
    byte @Nullable [] leaves(long begin, long end);

    @Override
    default void close() {}
}
