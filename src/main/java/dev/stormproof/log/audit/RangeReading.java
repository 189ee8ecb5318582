package dev.stormproof.log.audit;

import dev.stormproof.log.audit.PartitionReader.Bounds;
import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.verify.feed.RecordContent;
import dev.stormproof.verify.fold.LogRange;
import dev.stormproof.verify.fold.RangeQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The reading of ranges of a log that overlap or are near each other, in one pass.
 *
 * <pre>
 *   log      ──────────────────────────────────────►
 *   ranges      ├── a ──┤   ├── c ──┤
 *                  ├──── b ────┤
 *   read        └───────────────────┘
 * </pre>
 *
 * <p>Of each, the records of its stream are kept; of all together about {@value #MOST_BYTES} bytes. A range beyond that is read again
 * by itself, and if it takes as much alone, only its tree is known.
 */
public final class RangeReading {
    private static final long MOST_BYTES = 64 << 20;

    /** How many unsigned records are kept beside them, in all. */
    private static final int MOST_UNSIGNED = 65_536;

    /** How many offsets between two ranges are read rather than asked for again. */
    private static final long NEAR_OFFSETS = 10_000;

    private final List<LogRange> ranges;
    private final long mostBytes;
    private long bytes;
    private int unsigned;

    private RangeReading(List<LogRange> ranges, long mostBytes) {
        this.ranges = ranges;
        this.mostBytes = mostBytes;
    }

    /** The ranges that are to be read in one pass, of some in the order of their beginnings. */
    static List<RangeQuery> nearTheFirst(List<RangeQuery> sorted) {
        int count = 1;
        long end = sorted.get(0).endOffset();
        while (count < sorted.size() && sorted.get(count).beginOffset() <= end + NEAR_OFFSETS) {
            end = Math.max(end, sorted.get(count).endOffset());
            count++;
        }
        return List.copyOf(sorted.subList(0, count));
    }

    /** The ranges of queries that are near each other. */
    public static List<LogRange> read(PartitionReader log, List<RangeQuery> queries) throws ExpiredRangeException {
        return read(log, queries, MOST_BYTES);
    }

    static List<LogRange> read(PartitionReader log, List<RangeQuery> queries, long mostBytes)
            throws ExpiredRangeException {
        List<LogRange> whole = new ArrayList<>();
        for (LogRange range : readTogether(log, queries, mostBytes)) {
            boolean done = queries.size() == 1 || !range.isTooLarge();
            whole.add(
                    done
                            ? range
                            : readTogether(log, List.of(range.query()), mostBytes)
                                    .get(0));
        }
        return whole;
    }

    private static List<LogRange> readTogether(PartitionReader log, List<RangeQuery> queries, long mostBytes)
            throws ExpiredRangeException {
        Bounds bounds = log.bounds();
        List<LogRange> ranges = queries.stream()
                .map(query -> new LogRange(query, Math.max(query.beginOffset(), bounds.begin())))
                .toList();
        long begin = queries.stream().mapToLong(RangeQuery::beginOffset).min().orElse(0);
        long end = queries.stream().mapToLong(RangeQuery::endOffset).max().orElse(0);
        RangeReading reading = new RangeReading(ranges, mostBytes);
        if (Math.max(begin, bounds.begin()) < Math.min(end, bounds.end())) {
            log.scan(Math.max(begin, bounds.begin()), Math.min(end, bounds.end()), (record, epoch, millis, content) -> {
                reading.take(record, content);
                return true;
            });
        }
        return ranges;
    }

    private void take(LogRecord record, Supplier<RecordContent> content) {
        for (LogRange range : ranges) {
            RangeQuery query = range.query();
            boolean inside = query.beginOffset() <= record.offset() && record.offset() < query.endOffset();
            if (inside && range.add(record)) {
                bytes += RecordSizes.of(record);
                if (bytes > mostBytes) {
                    range.dropRecords();
                }
            } else if (inside
                    && unsigned < MOST_UNSIGNED
                    && record instanceof UnattributedRecord stray
                    && stray.kind() == UnattributedRecord.Kind.UNSIGNED
                    && range.addUnsigned(stray, content)) {
                unsigned++;
            }
        }
    }
}
