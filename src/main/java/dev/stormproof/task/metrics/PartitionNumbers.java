package dev.stormproof.task.metrics;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of one partition. Its task's thread writes them, about once a second; any thread reads them.
 *
 * <p>A mark says up to which offset records had been delivered at a time. The first mark after the progress shows for how long the oldest
 * record has waited.
 */
public final class PartitionNumbers {
    /** Marks of an hour. After that only the oldest ones are kept, so that the lag stays right. */
    static final int MOST_MARKS = 3_600;

    /** An unknown offset or time. */
    static final long UNKNOWN = -1;

    private final LongSupplier nanoTime;
    private final Deque<Mark> marks = new ArrayDeque<>();
    private final Deque<ReadMark> readMarks = new ArrayDeque<>();
    private long counted;
    private volatile long lagRecords;
    private volatile long waitsSinceNanos;
    private volatile boolean waits;
    private volatile long verifiedOffset = UNKNOWN;
    private volatile long verifiedMillis = UNKNOWN;
    private volatile long verdictNanos;
    private volatile Snapshot snapshot = new Snapshot(null, 0, 0, 0, 0, 0, 0, 0);

    /** The state of a verified partition. */
    public enum State {
        /** It is verified as it is written. */
        FOLLOWING,
        /** It is read from the log, because deliveries are missing or late. */
        READING,
        /** Its log cannot be read now. */
        FAILING,
        /** It is verified, and its output is halted. */
        HALTED
    }

    /**
     * What waits in a partition.
     *
     * @param state null as long as nothing is known
     * @param openEvents events that wait for a checkpoint
     * @param openStreams streams that have such events
     * @param silentStreams streams whose checkpoint is overdue
     * @param outputHalted 1 while the output is halted before a record, else 0
     * @param heldEvents events that the output holds back
     * @param heldSeconds for how long the first of them has waited
     * @param unverifiedEvents events that were left out or marked since the output began
     */
    public record Snapshot(
            @Nullable State state,
            long openEvents,
            int openStreams,
            int silentStreams,
            int outputHalted,
            long heldEvents,
            double heldSeconds,
            long unverifiedEvents) {}

    private record Mark(long endOffset, long nanos) {}

    /** Up to which offset records were read, and when the last of them was written. */
    private record ReadMark(long nextOffset, long writtenMillis) {}

    PartitionNumbers(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.verdictNanos = nanoTime.getAsLong();
    }

    /**
     * Takes how far the partition's records have come.
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

    /**
     * Takes up to where the log was read, and up to where that has final verdicts.
     *
     * @param firstMillis when the first record was written that this verifier read; negative if there is none
     * @param lastMillis when the last record before {@code nextOffset} was written
     */
    public void read(long nextOffset, long progressOffset, long firstMillis, long lastMillis) {
        readMarks.removeIf(mark -> mark.nextOffset() > nextOffset);
        ReadMark last = readMarks.peekLast();
        if (lastMillis >= 0 && readMarks.size() < MOST_MARKS && (last == null || last.nextOffset() < nextOffset)) {
            readMarks.add(new ReadMark(nextOffset, lastMillis));
        }
        // Records before the first one that was read were verified earlier, and are older than it.
        long verified = verifiedMillis == UNKNOWN ? firstMillis : verifiedMillis;
        while (!readMarks.isEmpty() && readMarks.element().nextOffset() <= progressOffset) {
            verified = readMarks.remove().writtenMillis();
        }
        verifiedMillis = verified;
        verifiedOffset = progressOffset;
    }

    public void show(Snapshot now) {
        snapshot = now;
    }

    /** Takes how many events the verifier has read, and returns how many are new. A new verifier counts from 0. */
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

    long verifiedOffset() {
        return verifiedOffset;
    }

    double verifiedSeconds() {
        return verifiedMillis / 1_000.0;
    }

    Snapshot snapshot() {
        return snapshot;
    }

    private double secondsSince(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - nanos) / 1_000.0;
    }
}
