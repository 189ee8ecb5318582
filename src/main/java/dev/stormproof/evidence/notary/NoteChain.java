package dev.stormproof.evidence.notary;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The notes of one tree by number, one for each. What depends on many of them is computed once, in linear time. */
final class NoteChain {
    private final List<Note> notes;
    private final List<Fork> forks;
    /** The least offset to which the log was cut after each note. */
    private final long[] cuts;

    private final Unnoted unnoted;

    /** Two different notes with the same number. */
    record Fork(Note one, Note other) {}

    /** @param notes by number, one for each */
    NoteChain(List<Note> notes, List<Fork> forks) {
        this.notes = notes;
        this.forks = forks;
        this.unnoted = unnoted(notes);
        this.cuts = new long[notes.size()];
        long cut = Long.MAX_VALUE;
        for (int i = cuts.length - 1; i >= 0; i--) {
            cuts[i] = cut;
            cut = Math.min(cut, notes.get(i).state().from());
        }
    }

    /** @param notes of one origin, in any order */
    static NoteChain of(List<Note> notes) {
        List<Note> sorted = new ArrayList<>(notes);
        sorted.sort(Comparator.comparingLong(note -> note.state().number()));
        List<Note> single = new ArrayList<>();
        List<Fork> forks = new ArrayList<>();
        Note before = null;
        for (Note note : sorted) {
            if (before == null || before.state().number() != note.state().number()) {
                single.add(note);
            } else {
                boolean isSame = before.signed().text().equals(note.signed().text())
                        && before.state().equals(note.state());
                if (!isSame) {
                    forks.add(new Fork(before, note));
                }
            }
            before = note;
        }
        return new NoteChain(single, forks);
    }

    List<Note> notes() {
        return notes;
    }

    List<Fork> forks() {
        return forks;
    }

    /** The least offset to which the log was cut after a note. */
    long cutAfter(int index) {
        return cuts[index];
    }

    /** The last note before another one that covers nothing after an offset; null if there is none. */
    @Nullable
    Note lastUpTo(long offset, Note behind) {
        int before = Collections.binarySearch(
                notes, behind, Comparator.comparingLong(note -> note.state().number()));
        do {
            before--;
        } while (before >= 0 && isBeyond(before, offset));
        return before < 0 ? null : notes.get(before);
    }

    private boolean isBeyond(int index, long offset) {
        return notes.get(index).state().next() > offset;
    }

    /** The places among the leaves where there may be records without a note. */
    Unnoted unnoted() {
        return unnoted;
    }

    private static Unnoted unnoted(List<Note> notes) {
        NavigableMap<Long, Long> lastByFirst = new TreeMap<>();
        long size = 0;
        long next = 0;
        long number = 0;
        for (Note note : notes) {
            NoteState state = note.state();
            boolean follows = state.number() == number;
            boolean isGap = follows && state.from() > next;
            boolean isMissing = !follows;
            if (isGap) {
                lastByFirst.merge(size, size, Math::max);
            } else if (isMissing) {
                lastByFirst.merge(size, note.head().size(), Math::max);
            }
            size = note.head().size();
            next = state.next();
            number = state.number() + 1;
        }
        long last = -1;
        for (Map.Entry<Long, Long> range : lastByFirst.entrySet()) {
            last = Math.max(last, range.getValue());
            range.setValue(last);
        }
        return new Unnoted(lastByFirst);
    }

    /**
     * Places among the leaves.
     *
     * @param lastByFirst for the first leaf of each range, the last leaf of it and all ranges before
     */
    record Unnoted(NavigableMap<Long, Long> lastByFirst) {
        /** True if there may be a record without a note right before a leaf. */
        boolean isBefore(long leaf) {
            Map.Entry<Long, Long> range = lastByFirst.floorEntry(leaf);
            return range != null && leaf <= range.getValue();
        }
    }
}
