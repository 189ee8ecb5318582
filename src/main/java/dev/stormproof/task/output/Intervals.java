package dev.stormproof.task.output;

import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.verify.judge.IntervalId;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Consecutive intervals of one stream: the begin and end of each, and the sequence after it.
 *
 * <pre>
 *   log        e0 e1 #1 e2 e3 #2 e4 #3
 *   offset     10 11 12 13 14 15 16 17
 *
 *   begins     10 13 16        the event at 13 is of the second:
 *   ends       12 15 17        one of 2 and 3
 *   sequences   2  4  5
 * </pre>
 */
final class Intervals {
    /** The most intervals in one object. */
    static final int MOST = 64;

    /** After every sequence: in format 1 events have none. */
    private static final long UNNUMBERED = Long.MAX_VALUE;

    private final long firstSequence;
    private final long[] begins;
    private final long[] ends;
    private final long[] sequences;

    private Intervals(long firstSequence, long[] begins, long[] ends, long[] sequences) {
        this.firstSequence = firstSequence;
        this.begins = begins;
        this.ends = ends;
        this.sequences = sequences;
    }

    /** One interval without events before an offset. */
    static Intervals of(long begin, IntervalId interval) {
        boolean numbered = interval.stream().emitter() != StreamId.NO_EMITTER;
        long next = numbered ? interval.firstSequence() + interval.eventCount() : UNNUMBERED;
        return new Intervals(
                numbered ? interval.firstSequence() : Long.MIN_VALUE,
                new long[] {begin},
                new long[] {interval.checkpointOffset()},
                new long[] {next});
    }

    /** True if the first of the others begins after these, with the next sequence. */
    boolean areContinuedBy(Intervals others) {
        return others.begins[0] > lastEnd() && others.firstSequence == nextSequence();
    }

    /** These, followed by others. */
    Intervals and(Intervals others) {
        return new Intervals(
                firstSequence,
                joined(begins, others.begins),
                joined(ends, others.ends),
                joined(sequences, others.sequences));
    }

    private static long[] joined(long[] some, long[] more) {
        long[] all = Arrays.copyOf(some, some.length + more.length);
        System.arraycopy(more, 0, all, some.length, more.length);
        return all;
    }

    /** The intervals that end at or after an offset; the last one if none does. */
    Intervals from(long offset) {
        int gone = Math.min(firstAt(offset), ends.length - 1);
        return gone == 0 ? this : range(gone, ends.length, lastEnd());
    }

    /** The intervals that end before an offset; null if none does. */
    @Nullable
    Intervals before(long offset) {
        return firstAt(offset) == 0 ? null : range(0, firstAt(offset), lastEnd());
    }

    /** The rest of the interval around an offset after a cut there: it ends right before the offset. Null if nothing is left. */
    @Nullable
    Intervals cutAt(long offset) {
        int cut = firstAt(offset);
        return cut == ends.length || begins[cut] >= offset ? null : range(cut, cut + 1, offset - 1);
    }

    /** A part of these, the last of which ends at an offset at the latest. */
    private Intervals range(int from, int to, long lastEnd) {
        long[] some = Arrays.copyOfRange(ends, from, to);
        some[some.length - 1] = Math.min(some[some.length - 1], lastEnd);
        return new Intervals(
                from == 0 ? firstSequence : sequences[from - 1],
                Arrays.copyOfRange(begins, from, to),
                some,
                Arrays.copyOfRange(sequences, from, to));
    }

    /** True if the interval around an event states its sequence. */
    boolean state(Event event) {
        int at = firstAt(event.offset());
        boolean within = at < ends.length && begins[at] <= event.offset();
        if (!within) {
            return false;
        }
        long first = at == 0 ? firstSequence : sequences[at - 1];
        return first <= event.sequence() && event.sequence() < sequences[at];
    }

    /** The begin of the first interval that ends after an event. */
    long beginAt(Event event) {
        return begins[Math.min(firstAt(event.offset()), begins.length - 1)];
    }

    int count() {
        return ends.length;
    }

    long firstSequence() {
        return firstSequence;
    }

    long firstEnd() {
        return ends[0];
    }

    long lastEnd() {
        return ends[ends.length - 1];
    }

    long nextSequence() {
        return sequences[sequences.length - 1];
    }

    private int firstAt(long offset) {
        int found = Arrays.binarySearch(ends, offset);
        return found < 0 ? -found - 1 : found;
    }
}
