package dev.stormproof.evidence.notary;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The notes with which a range is compared: the last one before it, and those up to the first one that covers it.
 *
 * <pre>
 *   notes    ──3────4──────5───6──────7──
 *   range           ╶──────────╴
 *   kept       before          last
 * </pre>
 *
 * <p>They may be added in any order and repeatedly, because a topic of notes may have several partitions or copies. Those from the beginning of
 * the range are kept in memory. For one thread.
 */
public final class NoteStretch {
    private final NoteRange range;
    /** The notes that do not end before the range. */
    private final List<Note> others = new ArrayList<>();

    private @Nullable Note before;

    public NoteStretch(NoteRange range) {
        this.range = range;
    }

    public void add(Note note) {
        if (!range.isAfter(note)) {
            others.add(note);
        } else if (before == null || note.state().number() > before.state().number()) {
            before = note;
        }
    }

    /** The notes by number, including the one before the range. */
    public List<Note> notes() {
        Note last = last();
        List<Note> notes = new ArrayList<>(others);
        notes.removeIf(
                note -> last != null && note.state().number() > last.state().number());
        notes.removeIf(note -> !isAfterTheOneBefore(note));
        notes.sort(Comparator.comparingLong(note -> note.state().number()));
        Optional.ofNullable(before).ifPresent(one -> notes.add(0, one));
        return notes;
    }

    /** The last note before the range; null if the tree begins in the range. */
    public @Nullable Note before() {
        return before;
    }

    /** The first note that covers the range; null if none does. */
    public @Nullable Note last() {
        return others.stream()
                .filter(note -> isAfterTheOneBefore(note) && range.isCoveredBy(note))
                .min(Comparator.comparingLong(note -> note.state().number()))
                .orElse(null);
    }

    /** The offset up to which the log is compared: the end of the note that covers the range, or else of the range or its notes. */
    public long end() {
        Note last = last();
        return last != null
                ? last.state().next()
                : notes().stream().mapToLong(note -> note.state().next()).reduce(range.to(), Math::max);
    }

    /** True if the range has notes. */
    public boolean isNoted() {
        return !others.isEmpty();
    }

    private boolean isAfterTheOneBefore(Note note) {
        Note one = before;
        return one == null || note.state().number() > one.state().number();
    }
}
