package dev.stormproof.log;

import java.util.concurrent.atomic.AtomicInteger;

/** A reader that counts the records that are handed over. */
record CountingReader(PartitionReader log, AtomicInteger read) implements PartitionReader {
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
            read.incrementAndGet();
            return taker.take(record, leaderEpoch, timestampMillis);
        });
    }
}
