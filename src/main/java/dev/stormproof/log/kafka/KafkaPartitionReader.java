package dev.stormproof.log.kafka;

import dev.stormproof.log.audit.PartitionReader;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.LogRecordParser;
import dev.stormproof.verify.feed.EpochEnd;
import dev.stormproof.verify.feed.RecordContent;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A reader of one partition of Kafka that reads record batches in place, beside all consumer groups.
 *
 * <p>A range has been read when its batches pass its end: offsets may have gaps (transaction markers, aborted transactions). Where one
 * range ends within an answer, the next one goes on there, so that a log that is read range by range is fetched and unpacked once. Not
 * thread-safe.
 */
public final class KafkaPartitionReader implements PartitionReader {
    private static final Duration POLL = Duration.ofMillis(200);

    private final BatchFetcher fetcher;
    private final TopicPartition partition;
    private final LogRecordParser parser;
    private final Duration maxSilence;
    private final LongSupplier nanoTime;
    private final RecordBatches batches;
    private @Nullable Answer answer;

    /** @param maxSilence for how long the log may give nothing of what it holds */
    KafkaPartitionReader(
            BatchFetcher fetcher,
            TopicPartition partition,
            LogRecordParser parser,
            Duration maxSilence,
            LongSupplier nanoTime) {
        this.fetcher = fetcher;
        this.partition = partition;
        this.parser = parser;
        this.maxSilence = maxSilence;
        this.nanoTime = nanoTime;
        this.batches = new RecordBatches(partition, RecordLimit.MAX_BYTES);
        fetcher.assign(partition);
    }

    @Override
    public Bounds bounds() {
        long begin = begin();
        long end = fetcher.endOffset();
        return new Bounds(begin, end, end);
    }

    @Override
    public long begin() {
        return fetcher.beginOffset();
    }

    @Override
    public long offsetForTime(long millis) {
        return fetcher.offsetForTime(millis).orElseGet(fetcher::endOffset);
    }

    @Override
    public long scan(long beginOffset, long endOffset, Taker taker) throws ExpiredRangeException {
        return counted(beginOffset, endOffset, new Handing(taker));
    }

    /**
     * Does what {@link #scan} does, without a look into the records.
     *
     * @param taker takes the next record, or those in a row that are too large; false if no more are wanted
     */
    public long scanStored(long beginOffset, long endOffset, Predicate<StoredRecord> taker)
            throws ExpiredRangeException {
        return counted(beginOffset, endOffset, taker::test);
    }

    private long counted(long beginOffset, long endOffset, RecordBatches.Taker taker) throws ExpiredRangeException {
        long unpackedBefore = batches.unpackedBytes();
        long bytes = read(beginOffset, endOffset, taker);
        return bytes + batches.unpackedBytes() - unpackedBefore;
    }

    /** Gives the answer that was read in part back: another partition is read next. */
    void release() {
        batches.close();
        Answer left = answer;
        answer = null;
        if (left != null) {
            fetcher.giveBack(left.records());
        }
    }

    private record Answer(FetchedRecords records, RecordBatches.End end) {}

    private long read(long beginOffset, long endOffset, RecordBatches.Taker handing) throws ExpiredRangeException {
        long bytes = 0;
        long position = beginOffset;
        Answer before = answer;
        if (before != null && position < before.end().offset() && batches.canGoOn(position)) {
            if (!keep(before, batches.goOn(position, endOffset, handing))) {
                return bytes;
            }
            position = before.end().offset();
        } else {
            release();
        }
        if (position < endOffset) {
            fetcher.seek(position);
        }
        long lastAdvanceNanos = nanoTime.getAsLong();
        while (position < endOffset) {
            Optional<FetchedRecords> fetched = fetch(position);
            if (fetched.isPresent()) {
                bytes += fetched.get().bytes().remaining();
                RecordBatches.End end = RecordBatches.end(fetched.get(), position);
                advance(position, end, end.offset() < endOffset);
                boolean goesOn = batches.read(fetched.get(), position, endOffset, handing);
                if (!keep(new Answer(fetched.get(), end), goesOn)) {
                    return bytes;
                }
                lastAdvanceNanos = end.offset() > position ? nanoTime.getAsLong() : lastAdvanceNanos;
                position = end.offset();
            }
            if (nanoTime.getAsLong() - lastAdvanceNanos > maxSilence.toNanos()) {
                throw new TimeoutException(partition + " gave nothing at offset " + position + " for "
                        + maxSilence.toMillis() + " ms; wanted everything up to " + endOffset);
            }
        }
        return bytes;
    }

    /** Keeps an answer if reading ended within it; returns {@code goesOn}. */
    private boolean keep(Answer read, boolean goesOn) {
        answer = read;
        if (!batches.hasMore()) {
            release();
        }
        return goesOn;
    }

    private Optional<FetchedRecords> fetch(long position) throws ExpiredRangeException {
        try {
            return fetcher.poll(POLL);
        } catch (OffsetOutOfRangeException expired) {
            throw new ExpiredRangeException(partition + " no longer holds offset " + position);
        }
    }

    private void advance(long position, RecordBatches.End end, boolean further) throws ExpiredRangeException {
        try {
            fetcher.advance(end.offset(), end.leaderEpoch(), further);
        } catch (OffsetOutOfRangeException truncated) {
            throw new ExpiredRangeException(partition + " no longer holds what was read before offset " + position);
        }
    }

    @Override
    public EpochEnd endOfEpoch(long offset, int leaderEpoch) {
        return fetcher.endOfEpoch(offset, leaderEpoch);
    }

    @Override
    public Uuid topicId() {
        return fetcher.topicId();
    }

    /** Parses each record and hands it on. */
    private final class Handing implements RecordBatches.Taker, Supplier<RecordContent> {
        private final Taker taker;
        private RecordSlice current = new RecordSlice();

        Handing(Taker taker) {
            this.taker = taker;
        }

        @Override
        public boolean take(RecordSlice record) {
            current = record;
            if (record.isUnread()) {
                return taker.take(record.unread(), record.leaderEpoch(), record.timestampMillis(), this);
            }
            LogRecord parsed = parser.parseInPlace(
                    partition.topic(),
                    partition.partition(),
                    record.offset(),
                    record.timestampMillis(),
                    record.key(),
                    record.value(),
                    record,
                    null);
            return taker.take(parsed, record.leaderEpoch(), record.timestampMillis(), this);
        }

        @Override
        public RecordContent get() {
            return current.content();
        }
    }
}
