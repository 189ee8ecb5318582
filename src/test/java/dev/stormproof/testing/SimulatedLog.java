package dev.stormproof.testing;

import dev.stormproof.log.audit.OfflineVerifier;
import dev.stormproof.log.audit.PartitionReader;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.verify.feed.EpochEnd;
import dev.stormproof.verify.feed.HeaderBytes;
import dev.stormproof.verify.feed.RecordContent;
import dev.stormproof.verify.fold.InactivityTimeouts;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.RangeCase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.apache.kafka.common.Uuid;

/** One partition of a log in memory: records at offsets, gaps where transactions leave their markers, retention. */
public final class SimulatedLog implements PartitionReader {
    /** The content of records that have none. */
    public static final Supplier<RecordContent> NO_CONTENT = () -> {
        throw new UnsupportedOperationException("records without content");
    };

    private final Map<Long, byte[]> unsigned = new HashMap<>();
    private final NavigableMap<Long, Entry> entries = new TreeMap<>();
    private final TreeMap<Integer, Long> startByEpoch = new TreeMap<>(Map.of(0, 0L));
    private long begin;
    private long end;
    private long heldAt = Long.MAX_VALUE;
    private int epoch;
    private long nowMillis;

    /** A record, the leader epoch under which it was written, and when. */
    public record Entry(LogRecord record, int leaderEpoch, long timestampMillis) {}

    /** Appends the record that {@code made} makes for its offset. */
    public <R extends LogRecord> R append(LongFunction<R> made) {
        R record = made.apply(end);
        entries.put(end, new Entry(record, epoch, nowMillis));
        end++;
        return record;
    }

    /** Appends a record without a header. */
    public UnattributedRecord appendUnsigned(byte[] value) {
        unsigned.put(end, value);
        return append(offset -> new UnattributedRecord(offset, UnattributedRecord.Kind.UNSIGNED, "none", 0));
    }

    /** An offset that no reader sees: a transaction marker. */
    public void appendMarker() {
        end++;
    }

    /** The time at which the next records are written. */
    public void setTime(long millis) {
        nowMillis = millis;
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
        elect();
    }

    /** A clean election: the next records come under a new epoch. */
    public void elect() {
        epoch++;
        // An epoch that wrote nothing leaves no trace in the log.
        startByEpoch.values().removeIf(start -> start >= end);
        startByEpoch.put(epoch, end);
    }

    public List<Entry> entries(long from, long to) {
        return new ArrayList<>(entries.subMap(from, to).values());
    }

    @Override
    public EpochEnd endOfEpoch(long offset, int leaderEpoch) {
        Map.Entry<Integer, Long> next = startByEpoch.higherEntry(leaderEpoch);
        Map.Entry<Integer, Long> last = startByEpoch.floorEntry(leaderEpoch);
        boolean expired = last == null || (next != null && next.getValue() <= begin);
        return new EpochEnd(
                expired ? leaderEpoch : last.getKey(),
                Math.min(offset, Math.max(begin, next == null ? end : next.getValue())));
    }

    @Override
    public Uuid topicId() {
        return Uuid.ZERO_UUID;
    }

    @Override
    public Bounds bounds() {
        return new Bounds(begin, endOffset(), end);
    }

    @Override
    public long begin() {
        return begin;
    }

    public long endOffset() {
        return Math.min(end, heldAt);
    }

    /** Another producer's transaction begins at the end: what is written from here on cannot be read. */
    public void beginTransaction() {
        heldAt = end;
    }

    /** That transaction ends. */
    public void endTransaction() {
        heldAt = Long.MAX_VALUE;
    }

    @Override
    public long offsetForTime(long millis) {
        return entries.entrySet().stream()
                .filter(entry -> entry.getValue().timestampMillis() >= millis)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(end);
    }

    @Override
    public long scan(long from, long to, Taker taker) throws ExpiredRangeException {
        if (from < begin) {
            throw new ExpiredRangeException("offset " + from + " is before " + begin);
        }
        for (Entry entry : entries(from, Math.max(from, to))) {
            if (!taker.take(entry.record(), entry.leaderEpoch(), entry.timestampMillis(), content(entry.record()))) {
                break;
            }
        }
        return 0;
    }

    private Supplier<RecordContent> content(LogRecord record) {
        return record instanceof UnattributedRecord
                ? () -> new RecordContent(null, unsigned.get(record.offset()), HeaderBytes.NONE, 0, false)
                : NO_CONTENT;
    }

    /** What an audit of a range finds. */
    public List<Finding> audited(RangeCase.Origin origin, OfflineVerifier.Range range, InactivityTimeouts timeouts) {
        List<Finding> found = new ArrayList<>();
        var unused = new OfflineVerifier(
                        this, this, origin, range, timeouts, found::add, page -> {}, (offset, bytes) -> {})
                .run();
        return found;
    }

    /** An audit of a partition without an origin. */
    public static OfflineVerifier audit(
            PartitionReader ahead, PartitionReader back, OfflineVerifier.Range range, Consumer<Finding> found) {
        return new OfflineVerifier(
                ahead,
                back,
                RangeCase.Origin.NONE,
                range,
                InactivityTimeouts.DEFAULT,
                found,
                page -> {},
                (offset, bytes) -> {});
    }
}
