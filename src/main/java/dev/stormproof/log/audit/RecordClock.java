package dev.stormproof.log.audit;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.verify.feed.LogSink;
import dev.stormproof.verify.feed.Read;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * The clock of a verifier that reads a log later than it was written: it ticks once a second, as it did then, by the times of the records.
 *
 * <p>The time at an offset is the latest time of a checkpoint before it. A producer's slow clock has no effect; a fast one
 * makes streams seem active for longer. Before the first checkpoint the times of events count, which applications may set.
 *
 * <p>Used by one thread.
 */
final class RecordClock implements LogSink {
    private static final long SECOND_MILLIS = 1_000;

    private final long nowMillis;
    private final LongConsumer ticks;
    private final Consumer<LogRecord> taken;
    private boolean checkpointSeen;
    private long timeMillis;
    /** True if a record was taken since the last tick, the first of them at {@code beginMillis}. */
    private boolean begun;

    private long beginMillis;

    /**
     * @param nowMillis a time after which no record was written
     * @param ticks takes the time of each tick, before the first record of the next second is verified
     * @param taken takes each record
     */
    RecordClock(long nowMillis, LongConsumer ticks, Consumer<LogRecord> taken) {
        this.nowMillis = nowMillis;
        this.ticks = ticks;
        this.taken = taken;
    }

    @Override
    public void take(Read read) {
        LogRecord record = read.record();
        boolean checkpoint = record instanceof CheckpointRecord;
        long place = timeMillis;
        if (checkpoint || !checkpointSeen) {
            long writtenMillis = Math.min(read.timestampMillis(), nowMillis);
            place = checkpoint && !checkpointSeen ? writtenMillis : Math.max(place, writtenMillis);
        }
        if (begun && place - beginMillis >= SECOND_MILLIS) {
            tick();
        }
        beginMillis = begun ? Math.min(beginMillis, place) : place;
        begun = true;
        timeMillis = place;
        checkpointSeen |= checkpoint;
        taken.accept(record);
    }

    /** Ticks after the last record, unless it has. */
    void tick() {
        if (begun) {
            begun = false;
            ticks.accept(timeMillis);
        }
    }

    @Override
    public boolean takesContent() {
        return false;
    }

    @Override
    public long truncated(long offset) {
        return offset;
    }

    @Override
    public void expired(long beginOffset, long endOffset) {}

    @Override
    public void caughtUp(long asOfMillis) {}

    @Override
    public int room() {
        return Integer.MAX_VALUE;
    }
}
