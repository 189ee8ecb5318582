package dev.stormproof.sim;

import dev.stormproof.audit.PartitionReader;
import dev.stormproof.checkpoint.LogRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.LongFunction;

/** One partition of a log in memory: records at offsets, gaps where transactions leave their markers, retention. */
public final class SimulatedLog implements PartitionReader {
    private final NavigableMap<Long, Entry> entries = new TreeMap<>();
    private long begin;
    private long end;
    private int epoch;

    /** A record and the leader epoch under which it was written. */
    public record Entry(LogRecord record, int leaderEpoch) {}

    /** Appends the record that {@code made} makes for its offset. */
    public <R extends LogRecord> R append(LongFunction<R> made) {
        R record = made.apply(end);
        entries.put(end, new Entry(record, epoch));
        end++;
        return record;
    }

    /** An offset that no reader sees: a transaction marker. */
    public void appendMarker() {
        end++;
    }

    /** Retention: forgets everything before an offset. */
    public void expireBefore(long offset) {
        begin = Math.max(begin, Math.min(offset, end));
        entries.headMap(begin, false).clear();
    }

    /** An unclean election: everything from an offset on is gone, and the next records come under a new epoch. */
    public void truncate(long offset) {
        entries.tailMap(offset, true).clear();
        end = Math.max(begin, offset);
        epoch++;
    }

    public List<Entry> entries(long from, long to) {
        return new ArrayList<>(entries.subMap(from, to).values());
    }

    @Override
    public long endOffsetOfEpoch(long offset, int leaderEpoch) {
        return entries.values().stream()
                .filter(entry -> entry.leaderEpoch() > leaderEpoch)
                .mapToLong(entry -> Math.min(offset, entry.record().offset()))
                .findFirst()
                .orElse(offset);
    }

    @Override
    public long beginOffset() {
        return begin;
    }

    @Override
    public long endOffset() {
        return end;
    }

    @Override
    public void scan(long from, long to, Taker taker) throws ExpiredRangeException {
        if (from < begin) {
            throw new ExpiredRangeException("offset " + from + " is before " + begin);
        }
        for (Entry entry : entries(from, Math.max(from, to))) {
            if (!taker.take(entry.record(), entry.leaderEpoch(), 0)) {
                return;
            }
        }
    }
}
