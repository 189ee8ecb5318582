package dev.stormproof.witness;

import dev.stormproof.notary.Growth;
import dev.stormproof.notary.Note;
import java.util.Optional;

/** Finds out how a tree grew since a witness saw it, where nobody kept count. */
public interface GrowthSource extends AutoCloseable {
    /**
     * An earlier note, and the growth from there.
     *
     * @param earlier of the size that was asked for
     */
    record Grown(Note earlier, Growth growth) {}

    /**
     * Looks for a note of a size, and for the growth from it to a later one; may take as long as reading the log takes.
     *
     * @return empty if there is no such note, or what lies between cannot be read any more as it was noted
     */
    Optional<Grown> find(long size, Note later);

    @Override
    void close();
}
