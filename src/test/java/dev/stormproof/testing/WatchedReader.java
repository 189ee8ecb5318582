package dev.stormproof.testing;

import dev.stormproof.log.audit.LogReader;
import dev.stormproof.log.audit.PartitionReader;
import dev.stormproof.verify.feed.EpochEnd;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/**
 * A reader that notes what it is asked, counts the records that it hands over, and has something happen before or behind them. Any
 * thread may ask how many.
 */
public final class WatchedReader implements PartitionReader, LogReader {
    private final PartitionReader log;
    private final Runnable before;
    private final Runnable behind;
    private final List<String> questions = Collections.synchronizedList(new ArrayList<>());
    private final AtomicLong records = new AtomicLong();
    private volatile long bytesOfOne;

    public WatchedReader(PartitionReader log) {
        this(log, () -> {}, () -> {});
    }

    private WatchedReader(PartitionReader log, Runnable before, Runnable behind) {
        this.log = log;
        this.before = before;
        this.behind = behind;
    }

    /** A reader with which something happens before records are read. */
    public static WatchedReader before(PartitionReader log, Runnable before) {
        return new WatchedReader(log, before, () -> {});
    }

    /** A reader with which something happens once records were read. */
    public static WatchedReader behind(PartitionReader log, Runnable behind) {
        return new WatchedReader(log, () -> {}, behind);
    }

    public long records() {
        return records.get();
    }

    /** The questions so far: {@code bounds}, {@code begin}, {@code time}, {@code records}, {@code end of epoch}. */
    public List<String> questions() {
        return List.copyOf(questions);
    }

    @Override
    public PartitionReader of(TopicPartition partition) {
        return this;
    }

    @Override
    public Bounds bounds() {
        questions.add("bounds");
        return log.bounds();
    }

    @Override
    public long begin() {
        questions.add("begin");
        return log.begin();
    }

    @Override
    public long offsetForTime(long millis) {
        questions.add("time");
        return log.offsetForTime(millis);
    }

    @Override
    public long scan(long beginOffset, long endOffset, Taker taker) throws ExpiredRangeException {
        questions.add("records");
        before.run();
        long counted = records.get();
        log.scan(beginOffset, endOffset, (record, leaderEpoch, timestampMillis, content) -> {
            records.incrementAndGet();
            return taker.take(record, leaderEpoch, timestampMillis, content);
        });
        behind.run();
        return (records.get() - counted) * bytesOfOne;
    }

    @Override
    public EpochEnd endOfEpoch(long offset, int leaderEpoch) {
        questions.add("end of epoch");
        return log.endOfEpoch(offset, leaderEpoch);
    }

    @Override
    public Uuid topicId() {
        return log.topicId();
    }

    @Override
    public void close() {}
}
