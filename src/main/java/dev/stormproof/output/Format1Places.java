package dev.stormproof.output;

import java.util.Arrays;

/**
 * The places of events of format 1 that an output has not handed on. They have no sequences: a checkpoint states as many of those in front of
 * it as it says.
 *
 * <p>Bounded by {@value #MOST} events: what lies further on is unknown until those are handed on. Owned by one thread.
 */
final class Format1Places {
    static final int MOST = 1 << 20;

    private static final long NONE = -1;
    private static final int FIRST_SIZE = 16;

    private long[] offsets = new long[FIRST_SIZE];
    private int size;
    /** The first one and the last one that found no room. */
    private long unknownBegin = NONE;

    private long unknownEnd = NONE;

    /** Adds one. Where it lies further up than the last one, reading has begun anew there. */
    void add(long offset) {
        if ((size > 0 && offset <= offsets[size - 1]) || (unknownEnd != NONE && offset <= unknownEnd)) {
            truncated(offset);
        }
        // guard: places-of-format-1-are-bounded: unknownBegin != NONE
        if (size == MOST || unknownBegin != NONE) {
            unknownBegin = unknownBegin == NONE ? offset : unknownBegin;
            unknownEnd = offset;
            return;
        }
        if (size == offsets.length) {
            offsets = Arrays.copyOf(offsets, 2 * size);
        }
        offsets[size++] = offset;
    }

    /** True if an event is one of the last so many in front of a checkpoint. */
    boolean isAmongLast(long count, long checkpointOffset, long offset) {
        boolean known = unknownBegin == NONE || checkpointOffset <= unknownBegin;
        int index = Arrays.binarySearch(offsets, 0, size, offset);
        return known && index >= 0 && indexOf(checkpointOffset) - index <= count;
    }

    /** How many there are from an offset to another: more than there can be, if that is unknown. */
    long countOf(long from, long to) {
        return unknownBegin == NONE || to <= unknownBegin ? indexOf(to) - indexOf(from) : Long.MAX_VALUE;
    }

    /** Forgets those in front of an offset. */
    void forgetBefore(long offset) {
        // guard: unknown-places-of-format-1-pass: false
        if (unknownEnd != NONE && unknownEnd < offset) {
            clear();
            return;
        }
        int gone = indexOf(offset);
        // Each is moved once on average.
        if (gone > size / 2) {
            offsets = Arrays.copyOfRange(offsets, gone, Math.max(size, gone + FIRST_SIZE));
            size -= gone;
        }
    }

    /** Forgets those from an offset on. */
    void truncated(long offset) {
        size = indexOf(offset);
        boolean allKnown = unknownBegin == NONE || offset <= unknownBegin;
        unknownBegin = allKnown ? NONE : unknownBegin;
        unknownEnd = allKnown ? NONE : Math.min(unknownEnd, offset - 1);
    }

    void clear() {
        offsets = new long[FIRST_SIZE];
        size = 0;
        unknownBegin = NONE;
        unknownEnd = NONE;
    }

    /** How many are known that lie in front of an offset. */
    private int indexOf(long offset) {
        int found = Arrays.binarySearch(offsets, 0, size, offset);
        return found < 0 ? -found - 1 : found;
    }
}
