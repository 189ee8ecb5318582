package dev.stormproof.witness;

import dev.stormproof.notary.Growth;
import dev.stormproof.notary.Note;
import dev.stormproof.notary.SignedNote;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * The witnesses of some trees, each with a thread of its own, which asks it for cosignatures on the last note of each tree.
 *
 * <pre>
 *   notary ──noted──► the last note of each tree ──every interval──► witness ──cosignature──► taker
 *                     growth since it saw one
 * </pre>
 *
 * <p>Whoever calls waits for nothing. A witness that is away is asked again, ever more rarely, for the note that is the last one then.
 */
public final class Witnesses implements AutoCloseable {
    /** How many there may be. */
    public static final int MOST = 16;

    private final List<AskedWitness> asked = new ArrayList<>();

    /**
     * Begins to ask.
     *
     * @param intervalMillis how long a witness that signed a note on a tree is not asked for the next one on it
     * @param sources opens where growth is looked up; called in a witness's thread, and used and closed there
     * @param taker takes, in a witness's thread, each note with the notary's signature and that witness's
     */
    public Witnesses(
            Collection<Witness> witnesses,
            long intervalMillis,
            Supplier<GrowthSource> sources,
            BiConsumer<Note, SignedNote> taker) {
        witnesses.forEach(witness -> asked.add(new AskedWitness(witness, intervalMillis, sources, taker)));
        asked.forEach(AskedWitness::start);
    }

    /**
     * Tells of a note that was written.
     *
     * @param growth of its tree since the note before
     */
    public void noted(Note note, Growth growth) {
        asked.forEach(witness -> witness.noted(note, growth));
    }

    /** Forgets all trees but these. */
    public void keep(Set<String> origins) {
        asked.forEach(witness -> witness.keep(origins));
    }

    @Override
    public void close() {
        asked.forEach(AskedWitness::stop);
        asked.forEach(AskedWitness::join);
    }
}
