package dev.stormproof.log;

import dev.stormproof.checkpoint.LogRecord;
import dev.stormproof.checkpoint.LogRecordParser;
import dev.stormproof.feed.RecordContent;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * A reader of one partition of Kafka that reads record batches in place, beside all consumer groups.
 *
 * <p>A range has been read when its batches pass its end: offsets may have gaps (transaction markers, aborted transactions). Not
 * thread-safe.
 */
final class DirectPartitionReader implements PartitionReader {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration MAX_SILENCE = Duration.ofSeconds(60);

    private final BatchFetcher fetcher;
    private final TopicPartition partition;
    private final LogRecordParser parser;
    private final LongSupplier nanoTime;
    private final RecordBatches batches;

    DirectPartitionReader(
            BatchFetcher fetcher, TopicPartition partition, LogRecordParser parser, LongSupplier nanoTime) {
        this.fetcher = fetcher;
        this.partition = partition;
        this.parser = parser;
        this.nanoTime = nanoTime;
        this.batches = new RecordBatches(partition, RecordBatches.MAX_RECORD_BYTES);
        fetcher.assign(partition);
    }

    @Override
    public Bounds bounds() {
        long begin = fetcher.beginOffset();
        long end = fetcher.endOffset();
        return new Bounds(begin, end, end);
    }

    @Override
    public long offsetForTime(long millis) {
        return fetcher.offsetForTime(millis).orElseGet(fetcher::endOffset);
    }

    @Override
    public long scan(long beginOffset, long endOffset, Taker taker) throws ExpiredRangeException {
        fetcher.seek(beginOffset);
        Handing handing = new Handing(taker);
        long lastAdvanceNanos = nanoTime.getAsLong();
        long position = beginOffset;
        long bytes = 0;
        while (position < endOffset) {
            Optional<FetchedRecords> fetched = fetch(beginOffset);
            if (fetched.isPresent()) {
                bytes += fetched.get().bytes().remaining();
                RecordBatches.End end = RecordBatches.end(fetched.get(), position);
                fetcher.advance(end.offset(), end.leaderEpoch(), end.offset() < endOffset);
                boolean goesOn = batches.read(fetched.get(), position, endOffset, handing);
                fetcher.giveBack(fetched.get());
                if (!goesOn) {
                    return bytes;
                }
                lastAdvanceNanos = end.offset() > position ? nanoTime.getAsLong() : lastAdvanceNanos;
                position = end.offset();
            }
            if (nanoTime.getAsLong() - lastAdvanceNanos > MAX_SILENCE.toNanos()) {
                throw new TimeoutException(partition + " gave nothing at offset " + position + " for "
                        + MAX_SILENCE.toSeconds() + " s; wanted everything up to " + endOffset);
            }
        }
        return bytes;
    }

    private Optional<FetchedRecords> fetch(long beginOffset) throws ExpiredRangeException {
        try {
            return fetcher.poll(POLL);
        } catch (OffsetOutOfRangeException expired) {
            throw new ExpiredRangeException(partition + " no longer holds offset " + beginOffset);
        }
    }

    @Override
    public long endOffsetOfEpoch(long offset, int leaderEpoch) {
        return fetcher.endOffsetOfEpoch(offset, leaderEpoch);
    }

    /** Makes of each record what the verifier takes, and hands it on. */
    private final class Handing implements RecordBatches.Taker, Supplier<RecordContent> {
        private final Taker taker;
        private RecordSlice current = new RecordSlice();

        Handing(Taker taker) {
            this.taker = taker;
        }

        @Override
        public boolean take(RecordSlice record) {
            current = record;
            LogRecord parsed = parser.parseInPlace(
                    partition.topic(),
                    partition.partition(),
                    record.offset(),
                    record.timestampMillis(),
                    record.key(),
                    record.value(),
                    record);
            return taker.take(parsed, record.leaderEpoch(), record.timestampMillis(), this);
        }

        @Override
        public RecordContent get() {
            return current.content();
        }
    }
}
