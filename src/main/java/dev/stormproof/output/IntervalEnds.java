package dev.stormproof.output;

import java.util.Arrays;

/**
 * The ends of intervals that follow on in one stream: where the checkpoint of each lies, and the sequence behind it.
 *
 * <pre>
 *   log        e0 e1 #1 e2 e3 #2 e4 #3
 *   offset     10 11 12 13 14 15 16 17
 *
 *   places     12 15 17        the event at 13 is of the second:
 *   sequences   2  4  5        one of 2 and 3
 * </pre>
 */
final class IntervalEnds {
    /** How many are kept together. */
    static final int MOST = 64;

    private final long firstSequence;
    private final long[] places;
    private final long[] sequences;

    private IntervalEnds(long firstSequence, long[] places, long[] sequences) {
        this.firstSequence = firstSequence;
        this.places = places;
        this.sequences = sequences;
    }

    /** That of one interval. */
    static IntervalEnds of(long firstSequence, long place, long nextSequence) {
        return new IntervalEnds(firstSequence, new long[] {place}, new long[] {nextSequence});
    }

    /** These with another one behind. */
    IntervalEnds and(long place, long nextSequence) {
        int size = places.length;
        long[] morePlaces = Arrays.copyOf(places, size + 1);
        long[] moreSequences = Arrays.copyOf(sequences, size + 1);
        morePlaces[size] = place;
        moreSequences[size] = nextSequence;
        return new IntervalEnds(firstSequence, morePlaces, moreSequences);
    }

    /** Those at or behind an offset; the last one if none is. */
    IntervalEnds from(long offset) {
        int gone = Math.min(firstAt(offset), places.length - 1);
        return gone == 0
                ? this
                : new IntervalEnds(
                        sequences[gone - 1],
                        Arrays.copyOfRange(places, gone, places.length),
                        Arrays.copyOfRange(sequences, gone, sequences.length));
    }

    /**
     * Those before an offset, and what is left of the interval that lies around it, which ends there now.
     *
     * @param gone how many sequences fewer that one states
     */
    IntervalEnds upTo(long offset, long gone) {
        int cut = Math.min(firstAt(offset), places.length - 1);
        if (cut > 0 && places[cut - 1] == offset - 1) {
            return new IntervalEnds(firstSequence, Arrays.copyOf(places, cut), Arrays.copyOf(sequences, cut));
        }
        long[] leftPlaces = Arrays.copyOf(places, cut + 1);
        long[] leftSequences = Arrays.copyOf(sequences, cut + 1);
        leftPlaces[cut] = Math.min(leftPlaces[cut], offset - 1);
        leftSequences[cut] -= gone;
        return new IntervalEnds(firstSequence, leftPlaces, leftSequences);
    }

    /** True if the interval that lies around an offset states a sequence. */
    boolean state(long sequence, long offset) {
        int at = firstAt(offset);
        // guard: copy-behind-the-interval-that-states-it-is-held: firstSequence
        long first = at == 0 ? firstSequence : sequences[at - 1];
        // guard: copy-before-the-interval-that-states-it-is-held: sequences[at] => nextSequence()
        return at < places.length && first <= sequence && sequence < sequences[at];
    }

    int count() {
        return places.length;
    }

    /** How many lie at or behind an offset. */
    int countFrom(long offset) {
        return places.length - firstAt(offset);
    }

    long firstSequence() {
        return firstSequence;
    }

    /** Where the last one ends. */
    long lastPlace() {
        return places[places.length - 1];
    }

    /** The sequence behind the last one. */
    long nextSequence() {
        return sequences[sequences.length - 1];
    }

    /** The index of the first one at or behind an offset. */
    private int firstAt(long offset) {
        int found = Arrays.binarySearch(places, offset);
        return found < 0 ? -found - 1 : found;
    }
}
