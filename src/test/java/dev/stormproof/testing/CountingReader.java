package dev.stormproof.testing;

import dev.stormproof.log.LogReader;
import dev.stormproof.log.PartitionReader;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.TopicPartition;

/** A reader that counts the records that are handed over; any thread may ask how many. */
public final class CountingReader implements PartitionReader, LogReader {
    private final PartitionReader log;
    private final AtomicLong records = new AtomicLong();
    private volatile long bytesOfOne;

    public CountingReader(PartitionReader log) {
        this.log = log;
    }

    /** Has each record count as so many bytes. */
    public void ofBytes(long bytes) {
        bytesOfOne = bytes;
    }

    public long records() {
        return records.get();
    }

    @Override
    public PartitionReader of(TopicPartition partition) {
        return this;
    }

    @Override
    public Bounds bounds() {
        return log.bounds();
    }

    @Override
    public long offsetForTime(long millis) {
        return log.offsetForTime(millis);
    }

    @Override
    public long scan(long beginOffset, long endOffset, Taker taker) throws ExpiredRangeException {
        long before = records.get();
        log.scan(beginOffset, endOffset, (record, leaderEpoch, timestampMillis, content) -> {
            records.incrementAndGet();
            return taker.take(record, leaderEpoch, timestampMillis, content);
        });
        return (records.get() - before) * bytesOfOne;
    }

    @Override
    public long endOffsetOfEpoch(long offset, int leaderEpoch) {
        return log.endOffsetOfEpoch(offset, leaderEpoch);
    }

    @Override
    public void close() {}
}
