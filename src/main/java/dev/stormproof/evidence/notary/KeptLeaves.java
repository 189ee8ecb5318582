package dev.stormproof.evidence.notary;

import org.jspecify.annotations.Nullable;

/** The hashes of leaves as the notary kept them, in tiles. They are believed as far as they make the root of a note. */
public interface KeptLeaves extends AutoCloseable {
    KeptLeaves NONE = (begin, end) -> null;

    /** The hashes of the leaves [begin, end), one behind the other; null if one is not there. */
    byte @Nullable [] leaves(long begin, long end);

    @Override
    default void close() {}
}
