package dev.stormproof.log;

import dev.stormproof.checkpoint.LogRecord;
import dev.stormproof.log.PartitionReader.ExpiredRangeException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * A searched log that keeps the records that it read last, for several audits of neighbouring intervals.
 *
 * <pre>
 *              ┌──────── kept ────────┐
 *   log  ──────┼──────────────────────┼──────┬─────┬────────►
 *            begin                   end     └read─┘
 *                                     └─ near ─┘     the records in between are read and kept as well
 * </pre>
 *
 * <p>An audit looks at a checkpoint, at its predecessor, at that one's predecessor, and then reads everything between; the
 * next one's interval overlaps. So nearly everything that is asked for lies beside what is kept, and each record is read
 * once. What lies far off, or would be too much to keep, is read and not kept; beyond the bound the lowest offsets are
 * dropped, for audits are made from low to high ones.
 *
 * <p>It lives as long as one job, so that what it keeps is never older.
 */
public final class SharedScan extends SearchedLog {
    /** How many offsets beside the kept ones are read to reach a range that was asked for. */
    static final long NEAR_OFFSETS = 10_000;

    /** How many records are kept. */
    static final int MAX_RECORDS = 50_000;

    private static final long MAX_LEAVES_BYTES = 16 << 20;

    /** What is read at once; nothing of it is kept if its leaves are too many. */
    private static final class Part {
        private final List<LogRecord> records = new ArrayList<>();
        private long leavesBytes;
        private boolean tooMuch;

        /** Takes a record; true if there are too many leaves, so that the rest is not wanted. */
        boolean accept(LogRecord record) {
            leavesBytes += RecordSizes.ofLeaves(record);
            tooMuch |= leavesBytes > MAX_LEAVES_BYTES;
            if (tooMuch) {
                records.clear();
            } else {
                records.add(record);
            }
            return tooMuch;
        }
    }

    private final TreeMap<Long, LogRecord> kept = new TreeMap<>();
    private long begin;
    private long end;
    private long leavesBytes;
    /** The beginning before which too many leaves lie. */
    private long crowdedBefore = -1;

    public SharedScan(PartitionReader log) {
        super(log);
    }

    @Override
    void read(long beginOffset, long endOffset, Consumer<LogRecord> records) throws ExpiredRangeException {
        if (beginOffset >= endOffset) {
            return;
        }
        if (begin == end) {
            begin = beginOffset;
            end = beginOffset;
        }
        boolean near = beginOffset - end <= NEAR_OFFSETS && begin - endOffset <= NEAR_OFFSETS;
        long missing = Math.max(0, begin - beginOffset) + Math.max(0, endOffset - end);
        Part before = new Part();
        boolean crowded = beginOffset < begin && begin == crowdedBefore;
        if (!near
                || missing > MAX_RECORDS
                || crowded
                || !isRead(before, beginOffset, begin)
                || !keepBehind(endOffset)) {
            crowdedBefore = before.tooMuch ? begin : crowdedBefore;
            super.read(beginOffset, endOffset, records);
            return;
        }
        if (!keepBefore(before, beginOffset)) {
            before.records.stream()
                    .takeWhile(record -> record.offset() < endOffset)
                    .forEach(records);
        }
        kept.subMap(beginOffset, endOffset).values().forEach(records);
        shrink();
    }

    @Override
    void forget() {
        super.forget();
        kept.clear();
        begin = 0;
        end = 0;
        leavesBytes = 0;
        crowdedBefore = -1;
    }

    /** How many records are kept. */
    int kept() {
        return kept.size();
    }

    /** Reads a part that is not kept yet; false if its leaves are too many. */
    private boolean isRead(Part part, long from, long to) throws ExpiredRangeException {
        if (from < to) {
            readUntil(from, to, part::accept);
        }
        return !part.tooMuch;
    }

    /** Keeps what lies right before what is kept; false if both are too much. */
    private boolean keepBefore(Part part, long from) {
        if (part.records.size() + kept.size() > MAX_RECORDS || part.leavesBytes + leavesBytes > MAX_LEAVES_BYTES) {
            return from >= begin;
        }
        keep(part);
        begin = Math.min(begin, from);
        return true;
    }

    /** Keeps what lies right behind what is kept; false if that is too much. */
    private boolean keepBehind(long to) throws ExpiredRangeException {
        Part part = new Part();
        if (!isRead(part, end, to)) {
            return false;
        }
        keep(part);
        end = Math.max(end, to);
        return true;
    }

    private void keep(Part part) {
        part.records.forEach(record -> kept.put(record.offset(), record));
        leavesBytes += part.leavesBytes;
    }

    /** Drops the lowest offsets, by half, so that this is rare. */
    private void shrink() {
        if (kept.size() <= MAX_RECORDS && leavesBytes <= MAX_LEAVES_BYTES) {
            return;
        }
        Iterator<LogRecord> lowest = kept.values().iterator();
        for (int drop = kept.size() - kept.size() / 2; drop > 0; drop--) {
            leavesBytes -= RecordSizes.ofLeaves(lowest.next());
            lowest.remove();
        }
        begin = kept.isEmpty() ? end : kept.firstKey();
    }
}
