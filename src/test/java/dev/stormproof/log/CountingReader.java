package dev.stormproof.log;

import org.apache.kafka.common.TopicPartition;

/** A reader that counts the records that are handed over. */
final class CountingReader implements PartitionReader, LogReader {
    private final PartitionReader log;
    private long records;
    private long bytesOfOne;

    CountingReader(PartitionReader log) {
        this.log = log;
    }

    /** Has each record count as so many bytes. */
    void ofBytes(long bytes) {
        bytesOfOne = bytes;
    }

    @Override
    public long bytesRead() {
        return records * bytesOfOne;
    }

    long records() {
        return records;
    }

    @Override
    public PartitionReader of(TopicPartition partition) {
        return this;
    }

    @Override
    public long beginOffset() {
        return log.beginOffset();
    }

    @Override
    public long endOffset() {
        return log.endOffset();
    }

    @Override
    public long offsetForTime(long millis) {
        return log.offsetForTime(millis);
    }

    @Override
    public void scan(long beginOffset, long endOffset, Taker taker) throws ExpiredRangeException {
        log.scan(beginOffset, endOffset, (record, leaderEpoch, timestampMillis) -> {
            records++;
            return taker.take(record, leaderEpoch, timestampMillis);
        });
    }

    @Override
    public void close() {}
}
