package dev.stormproof.metrics;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The numbers of one partition. Its task's thread writes them, about once a second; any thread reads them.
 *
 * <p>For how long the oldest record has waited is known from marks: up to which offset records were delivered at a time. The
 * first mark behind the progress is that of the oldest one.
 */
public final class PartitionNumbers {
    /** How many marks are kept: an hour's. After that the marks are those of the beginning, and so is the lag. */
    static final int MOST_MARKS = 3_600;

    private final LongSupplier nanoTime;
    private final Deque<Mark> marks = new ArrayDeque<>();
    private long counted;
    private volatile long lagRecords;
    private volatile long waitsSinceNanos;
    private volatile boolean waits;
    private volatile int openStreams;
    private volatile int silentStreams;
    private volatile boolean halted;
    private volatile long verdictNanos;

    private record Mark(long endOffset, long nanos) {}

    PartitionNumbers(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.verdictNanos = nanoTime.getAsLong();
    }

    /**
     * Notes how far the partition's records have come.
     *
     * @param endOffset the offset after the last one that was delivered
     * @param progressOffset the offset before which everything has a final verdict
     */
    public void reached(long endOffset, long progressOffset) {
        marks.removeIf(mark -> mark.endOffset() <= progressOffset);
        Mark last = marks.peekLast();
        if (endOffset > progressOffset && marks.size() < MOST_MARKS && (last == null || last.endOffset() < endOffset)) {
            marks.add(new Mark(endOffset, nanoTime.getAsLong()));
        }
        Mark oldest = marks.peekFirst();
        waitsSinceNanos = oldest == null ? 0 : oldest.nanos();
        waits = oldest != null;
        lagRecords = Math.max(0, endOffset - progressOffset);
    }

    /** Notes how many streams wait for a checkpoint, and for how many that was given up. */
    public void streams(int open, int silent) {
        openStreams = open;
        silentStreams = silent;
    }

    /** Takes whether the partition's output stands before an event. */
    public void output(boolean stands) {
        halted = stands;
    }

    /** Takes how many events a verifier of the partition has read; returns how many are new. A new verifier begins at 0. */
    long newEvents(long read) {
        long more = read < counted ? read : read - counted;
        counted = read;
        return more;
    }

    void verdict() {
        verdictNanos = nanoTime.getAsLong();
    }

    long lagRecords() {
        return lagRecords;
    }

    double lagSeconds() {
        return waits ? secondsSince(waitsSinceNanos) : 0;
    }

    double secondsSinceVerdict() {
        return secondsSince(verdictNanos);
    }

    int openStreams() {
        return openStreams;
    }

    int silentStreams() {
        return silentStreams;
    }

    int outputHalted() {
        return halted ? 1 : 0;
    }

    private double secondsSince(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - nanos) / 1_000.0;
    }
}
