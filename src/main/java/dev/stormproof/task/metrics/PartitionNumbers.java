package dev.stormproof.task.metrics;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of one partition. Its task's thread writes them, about once a second; any thread reads them.
 *
 * <p>For how long the oldest record has waited is known from marks: up to which offset records were delivered at a time. The
 * first mark behind the progress is that of the oldest one.
 */
public final class PartitionNumbers {
    /** How many marks are kept: an hour's. After that the marks are those of the beginning, and so is the lag. */
    static final int MOST_MARKS = 3_600;

    /** Stands for an offset or a time of which nothing is known. */
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
    private volatile @Nullable State state;
    private volatile long openEvents;
    private volatile int openStreams;
    private volatile int silentStreams;
    private volatile boolean halted;
    private volatile long heldEvents;
    private volatile long heldMillis;
    private volatile long unverifiedEvents;
    private volatile long verdictNanos;

    /** What is the matter with a partition that is verified. */
    public enum State {
        /** Nothing: it is verified as it is written. */
        FOLLOWING,
        /** It is read from the log, since deliveries did not come or came too late. */
        READING,
        /** Its log cannot be read now. */
        FAILING,
        /** It is verified, and its output stands before a record. */
        HALTED
    }

    private record Mark(long endOffset, long nanos) {}

    /** Records were read before an offset, the last one of them written at a time. */
    private record ReadMark(long nextOffset, long writtenMillis) {}

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

    /**
     * Notes up to where the log was read, and up to where that has final verdicts.
     *
     * @param firstMillis when the first record was written that was read since the beginning; negative if there is none
     * @param lastMillis the same of the last record before {@code nextOffset}
     */
    public void read(long nextOffset, long progressOffset, long firstMillis, long lastMillis) {
        readMarks.removeIf(mark -> mark.nextOffset() > nextOffset);
        ReadMark last = readMarks.peekLast();
        if (lastMillis >= 0 && readMarks.size() < MOST_MARKS && (last == null || last.nextOffset() < nextOffset)) {
            readMarks.add(new ReadMark(nextOffset, lastMillis));
        }
        // Before the first record that was read lies what was verified before: the time of that one is later than of
        // any of them.
        long verified = verifiedMillis == UNKNOWN ? firstMillis : verifiedMillis;
        while (!readMarks.isEmpty() && readMarks.element().nextOffset() <= progressOffset) {
            verified = readMarks.remove().writtenMillis();
        }
        verifiedMillis = verified;
        verifiedOffset = progressOffset;
    }

    /** Takes what is the matter with the partition. */
    public void state(State now) {
        state = now;
    }

    /** Notes how many events and streams wait for a checkpoint, and for how many that was given up. */
    public void open(long events, int open, int silent) {
        openEvents = events;
        openStreams = open;
        silentStreams = silent;
    }

    /** Takes whether the partition's output stands before an event. */
    public void output(boolean stands) {
        halted = stands;
    }

    /**
     * Notes what the partition's output holds back.
     *
     * @param heldFor for how long the first of the events has waited, in milliseconds
     * @param unverified how many were left out or marked since the output began
     */
    public void held(long events, long heldFor, long unverified) {
        heldEvents = events;
        heldMillis = heldFor;
        unverifiedEvents = unverified;
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

    long verifiedOffset() {
        return verifiedOffset;
    }

    double verifiedSeconds() {
        return verifiedMillis / 1_000.0;
    }

    Optional<State> state() {
        return Optional.ofNullable(state);
    }

    long openEvents() {
        return openEvents;
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

    long heldEvents() {
        return heldEvents;
    }

    double heldSeconds() {
        return heldMillis / 1_000.0;
    }

    long unverifiedEvents() {
        return unverifiedEvents;
    }

    private double secondsSince(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - nanos) / 1_000.0;
    }
}
