package dev.stormproof.log;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.LogRecord;
import dev.stormproof.checkpoint.StreamId;
import dev.stormproof.feed.RecordContent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** A reader of one partition of a log, as far as the log still holds it. */
public interface PartitionReader {
    /** A receiver of records, which may have enough of them. */
    interface Taker {
        /**
         * Takes the next record; false if no more are wanted.
         *
         * @param leaderEpoch the leader epoch under which it was written; -1 if unknown
         * @param timestampMillis when it was written, by the producer's clock or the broker's, as the topic is configured
         */
        boolean take(LogRecord record, int leaderEpoch, long timestampMillis);

        /** The same from a reader that has the record's content. */
        default boolean take(LogRecord record, int leaderEpoch, long timestampMillis, Supplier<RecordContent> content) {
            return take(record, leaderEpoch, timestampMillis);
        }
    }

    /** The first offset that the log still holds. */
    long beginOffset();

    /** The offset after the last one that can be read now. */
    long endOffset();

    /**
     * The offset after the last one that was written: beyond {@link #endOffset()} while a transaction is open, for a reader of
     * what is committed. A reader that knows of no transactions says that.
     */
    default long writtenEnd() {
        return endOffset();
    }

    /**
     * The offset of the first record that was written at a time or later, by the log's own times; the end if there is none.
     * The times of several producers need not ascend, so that it may lie further up than what was written then.
     */
    long offsetForTime(long millis);

    /**
     * Hands over every record of [beginOffset, endOffset), in order, and returns once the log is known to hold no more of
     * them, or the taker wants none.
     *
     * @throws ExpiredRangeException if the log no longer holds {@code beginOffset}
     */
    void scan(long beginOffset, long endOffset, Taker taker) throws ExpiredRangeException;

    /** The same for a receiver of all of them. */
    default void read(long beginOffset, long endOffset, Consumer<LogRecord> records) throws ExpiredRangeException {
        scan(beginOffset, endOffset, (record, leaderEpoch, timestampMillis) -> {
            records.accept(record);
            return true;
        });
    }

    /** The checkpoints of some streams in [beginOffset, endOffset), in order. */
    default List<CheckpointRecord> checkpoints(long beginOffset, long endOffset, Predicate<StreamId> streams)
            throws ExpiredRangeException {
        List<CheckpointRecord> found = new ArrayList<>();
        read(beginOffset, endOffset, record -> {
            if (record instanceof CheckpointRecord checkpoint && streams.test(checkpoint.checkpoint().stream())) {
                found.add(checkpoint);
            }
        });
        return found;
    }

    /**
     * The end offset of a leader epoch in the log as it is now (KIP-320), at most {@code offset}. A reader that knows of no
     * leader epochs says {@code offset}.
     *
     * @param leaderEpoch the leader epoch of the last record that was read before {@code offset}
     */
    default long endOffsetOfEpoch(long offset, int leaderEpoch) {
        return offset;
    }

    /** How many bytes of records it has read so far, as they came from the brokers. A reader that does not count says 0. */
    default long bytesRead() {
        return 0;
    }

    /** How many records it has read so far. A reader that does not count says 0. */
    default long recordsRead() {
        return 0;
    }

    /** Records expired while they were read; ask for {@link #beginOffset()} again. */
    final class ExpiredRangeException extends Exception {
        private static final long serialVersionUID = 1L;

        public ExpiredRangeException(String message) {
            super(message);
        }
    }
}
