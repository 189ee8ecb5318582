package dev.stormproof.side;

import java.util.List;

/**
 * The offsets of the merged log: without holes where neither log has any, and each of one record.
 *
 * <pre>
 *   events    7     8     9    10          begin 7
 *   side         3     4  5                begin 2: #3 before 8, #4 and #5 before 9
 *   merged    9  10 11 12 13 14 15         event e: e + 2 + the checkpoints up to there
 * </pre>
 *
 * <p>It begins at 0 only if both logs do: only then nothing was there before.
 */
final class Placement {
    private final long base;
    private final long[] places;

    /** @param sorted the checkpoints, by their places and then by their offsets */
    Placement(long base, List<Statement> sorted) {
        this.base = base;
        this.places = sorted.stream().mapToLong(statement -> statement.place).toArray();
    }

    int count() {
        return places.length;
    }

    long place(int index) {
        return places[index];
    }

    /** The offset of an event. */
    long ofEvent(long offset) {
        return offset + base + firstBehind(offset);
    }

    /** The offset of what stands before an event, or of the event. */
    long begin(long offset) {
        return offset + base + firstBehind(offset - 1);
    }

    /** The offset of a checkpoint. */
    long of(int index) {
        return places[index] + base + index;
    }

    /** The first checkpoint at an offset or behind it. */
    int firstFrom(long merged) {
        int low = 0;
        int high = places.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (of(middle) < merged) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** The checkpoint at an offset; -1 if an event or nothing lies there. */
    int checkpointAt(long merged) {
        int index = firstFrom(merged);
        return index < places.length && of(index) == merged ? index : -1;
    }

    /** The event at an offset, or before which the checkpoint there stands. */
    long eventAt(long merged) {
        return merged - base - firstFrom(merged);
    }

    /** The first checkpoint that stands behind an event. */
    private int firstBehind(long offset) {
        int low = 0;
        int high = places.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (places[middle] <= offset) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
