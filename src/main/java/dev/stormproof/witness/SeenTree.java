package dev.stormproof.witness;

import dev.stormproof.notary.Extension;
import dev.stormproof.notary.Growth;
import dev.stormproof.notary.GrowthBehind;
import dev.stormproof.notary.Note;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What a witness has seen of one tree, and what it is asked next.
 *
 * <pre>
 *   unknown ──old 0──► cosigned: seen = the note ──► old seen, proof ──► …
 *                 └──► conflict N: seen = N ──looked up──► old N, proof ──► cosigned
 *   seen, asked, no answer ──► old seen ──► conflict, with the size of the note that was asked for: it was seen after all
 * </pre>
 *
 * <p>Notes come faster than they are asked for: the last one counts. Growth is kept since what was seen, and since what was asked for
 * last, so that either can be what the next proof begins with. Pure; its owner sees to it that one thread calls at a time.
 */
final class SeenTree {
    private Note last;
    private OptionalLong seenSize = OptionalLong.empty();
    private @Nullable Since seen;
    private @Nullable Since asked;
    private boolean isCosigned;

    /** A note, and the growth since. */
    private record Since(Note note, Growth growth) {
        Since then(Growth more) {
            return new Since(note, growth.then(more));
        }
    }

    SeenTree(Note first) {
        this.last = first;
    }

    /** The last note of the tree. */
    Note last() {
        return last;
    }

    /** Takes the next note, and the growth since the one before. */
    void noted(Note note, Growth growth) {
        if (seen != null) {
            seen = seen.then(growth);
        }
        if (asked != null) {
            asked = asked.then(growth);
        }
        last = note;
        isCosigned = false;
    }

    /** True if the last note is not cosigned. */
    boolean isOpen() {
        return !isCosigned;
    }

    /** Begins to ask for the last note; returns it. */
    Note ask() {
        asked = new Since(last, Growth.none(last.head().size()));
        return last;
    }

    /** The size from which growth to the note that is asked for is wanted and not known. */
    OptionalLong wanted() {
        long size = seenSize.orElse(0);
        boolean isKnown = size == 0
                || (seen != null && seen.note().head().size() == size)
                || size >= askedNote().head().size();
        return isKnown ? OptionalLong.empty() : OptionalLong.of(size);
    }

    /** The request from what was looked up. */
    Extension request(GrowthSource.Grown grown) {
        seen = new Since(grown.earlier(), grown.growth().then(askedSince().growth()));
        return request(grown.earlier(), grown.growth());
    }

    /**
     * The request, if nothing is {@link #wanted()} and no note came since {@link #ask()}; empty if the witness has seen a larger tree than
     * that of the note.
     */
    Optional<Extension> request() {
        Note note = askedNote();
        long old = seenSize.orElse(0);
        if (old > note.head().size()) {
            return Optional.empty();
        }
        if (old == 0 || old == note.head().size()) {
            return Optional.of(new Extension(old, List.of(), note.signed()));
        }
        Since since = seen;
        if (since == null) {
            throw new IllegalStateException(
                    "no growth from " + old + " to " + note.head().size());
        }
        return Optional.of(request(since.note(), since.growth()));
    }

    private Extension request(Note earlier, Growth growth) {
        Note note = askedNote();
        if (growth.end() != note.head().size()) {
            throw new IllegalStateException("growth to " + growth.end() + ", and a note of "
                    + note.head().size());
        }
        return new Extension(growth.begin(), GrowthBehind.consistency(earlier, growth), note.signed());
    }

    /** The witness has the note now. */
    void taken() {
        seen = asked;
        seenSize = OptionalLong.of(askedNote().head().size());
        isCosigned = last.equals(askedNote());
        asked = null;
    }

    /** The witness has seen a tree of this size. */
    void conflict(long size) {
        seenSize = OptionalLong.of(size);
        if (asked != null && asked.note().head().size() == size) {
            seen = asked;
        } else if (seen != null && seen.note().head().size() != size) {
            seen = null;
        }
    }

    /** Nothing is known of what the witness has seen. */
    void forget() {
        seenSize = OptionalLong.empty();
        seen = null;
    }

    private Note askedNote() {
        return askedSince().note();
    }

    private Since askedSince() {
        Since since = asked;
        if (since == null) {
            throw new IllegalStateException("nothing is asked for");
        }
        return since;
    }
}
