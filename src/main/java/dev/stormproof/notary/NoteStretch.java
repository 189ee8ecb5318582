package dev.stormproof.notary;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The notes of a tree that a range is compared with: the last one before it, and those up to the first one that covers it.
 *
 * <pre>
 *   notes    ──3────4──────5───6──────7──      read in pieces, the last one first, until note 3 is found
 *   range           ╶──────────╴
 *   kept       before          last
 * </pre>
 *
 * <p>So the notes of a piece and of the range are in memory, however many there are. For one thread.
 */
public final class NoteStretch {
    private final NoteRange range;
    private Part later = new Part();
    private Part piece = new Part();

    /** Notes that follow each other. */
    private static final class Part {
        private final List<Note> notes = new ArrayList<>();
        private @Nullable Note before;
        private @Nullable Note last;
    }

    public NoteStretch(NoteRange range) {
        this.range = range;
    }

    /** All notes of a tree, in order. */
    public static NoteStretch whole(List<Note> notes) {
        NoteStretch stretch = new NoteStretch(NoteRange.WHOLE);
        stretch.later.notes.addAll(notes);
        return stretch;
    }

    /** Adds the next note of a piece. */
    public void add(Note note) {
        long number = note.state().number();
        Note before = piece.before;
        if (before != null && number < before.state().number()) {
            return; // It was written twice.
        }
        if (range.isBehind(note)) {
            if (before == null || number > before.state().number()) {
                piece.notes.clear();
            }
            piece.before = note;
            piece.last = null;
        } else if (piece.last != null && number > piece.last.state().number()) {
            return;
        } else if (piece.last == null && range.isCoveredBy(note)) {
            piece.last = note;
        }
        piece.notes.add(note);
    }

    /** Ends a piece; the next one holds earlier notes. */
    public void endPiece() {
        if (!hasBegin()) {
            if (piece.last == null) {
                piece.notes.addAll(later.notes);
                piece.last = later.last;
            }
            later = piece;
        }
        piece = new Part();
    }

    /** True if no earlier note is wanted. Before the first note of a tree there may be those on a topic that was deleted. */
    public boolean hasBegin() {
        return later.before != null;
    }

    /** True if no note is wanted behind those of the piece. */
    public boolean hasEnd() {
        return piece.last != null;
    }

    /** The notes, with the one before the range. */
    public List<Note> notes() {
        return List.copyOf(later.notes);
    }

    /** The last note before the range; null if its notes begin with what is compared. */
    public @Nullable Note before() {
        return later.before;
    }

    /** The note that covers the range; null if none does. */
    public @Nullable Note last() {
        return later.last;
    }

    /** The offset up to which the log is compared: that of the note that covers the range, or else where the range ends. */
    public long end() {
        Note last = later.last;
        return last == null ? range.to() : last.state().next();
    }

    /** True if anything was noted of the range. */
    public boolean isNoted() {
        return later.notes.stream().anyMatch(note -> !range.isBehind(note));
    }
}
