package dev.stormproof.log.audit;

import dev.stormproof.log.audit.PartitionReader.Bounds;
import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.verify.chain.LogRange;
import dev.stormproof.verify.chain.RangeQuery;

/** The reading of one range of the log, in which one stream's records are kept up to {@value #MOST_BYTES} bytes. */
public final class RangeReading {
    private static final long MOST_BYTES = 64 << 20;

    private final LogRange range;
    private long bytes;

    private RangeReading(LogRange range) {
        this.range = range;
    }

    public static LogRange read(PartitionReader log, RangeQuery query) throws ExpiredRangeException {
        Bounds bounds = log.bounds();
        long begin = Math.max(query.beginOffset(), bounds.begin());
        long end = Math.min(query.endOffset(), bounds.end());
        LogRange range = new LogRange(query, begin);
        RangeReading reading = new RangeReading(range);
        if (begin < end) {
            log.scan(begin, end, (record, epoch, millis, content) -> {
                reading.take(record);
                return true;
            });
        }
        return range;
    }

    private void take(dev.stormproof.proof.checkpoint.LogRecord record) {
        boolean kept = range.add(record);
        bytes += kept ? RecordSizes.of(record) : 0;
        if (bytes > MOST_BYTES) {
            range.dropRecords();
        }
    }
}
