package dev.stormproof.log.audit;

import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.verify.feed.EpochEnd;
import dev.stormproof.verify.feed.RecordContent;
import java.util.function.Supplier;
import org.apache.kafka.common.Uuid;

/**
 * A reader of one partition of a log, as far as the log still holds it. It answers every question itself: a wrapper that forgets to
 * pass one on does not compile.
 */
public interface PartitionReader {
    /** A receiver of records, which may end the scan. */
    interface Taker {
        /**
         * Takes the next record; false if no more are wanted.
         *
         * @param leaderEpoch the leader epoch under which it was written; -1 if unknown
         * @param timestampMillis when it was written, by the producer's clock or the broker's, as the topic is configured
         * @param content makes a copy of its content, until this returns
         */
        boolean take(LogRecord record, int leaderEpoch, long timestampMillis, Supplier<RecordContent> content);
    }

    /**
     * The bounds of a log.
     *
     * @param begin the first offset that it still holds
     * @param end the offset after the last one that can be read now
     * @param written the offset after the last one that is known to be written: beyond {@code end} while a transaction is open; asked
     *     for before {@code end}
     */
    record Bounds(long begin, long end, long written) {}

    Bounds bounds();

    /** The first offset that it still holds, without the other bounds. */
    long begin();

    /**
     * The offset of the first record that was written at a time or later, by the log's own times; the end if there is none.
     * The times of several producers need not ascend, so that it may be a lower one than that of the record written then.
     */
    long offsetForTime(long millis);

    /**
     * Hands over every record of [beginOffset, endOffset), in order, and returns once the log is known to hold no more of
     * them, or the taker wants none.
     *
     * @return how many bytes that took: those that came from the brokers, and those that were unpacked of them
     * @throws ExpiredRangeException if the log no longer holds {@code beginOffset}
     */
    long scan(long beginOffset, long endOffset, Taker taker) throws ExpiredRangeException;

    /**
     * The end of a leader epoch in the log as it is now, at most {@code offset}.
     *
     * @param leaderEpoch the leader epoch of the last record that was read before {@code offset}
     */
    EpochEnd endOfEpoch(long offset, int leaderEpoch);

    /**
     * The id of the topic that has the name now; {@link Uuid#ZERO_UUID} if unknown. A topic that is deleted and created again has another
     * one, and none comes twice: asked after a read, it is that of the topic that was read.
     */
    Uuid topicId();

    /** Thrown if records expired while they were read; ask for {@link #bounds()} again. */
    final class ExpiredRangeException extends Exception {
        private static final long serialVersionUID = 1L;

        public ExpiredRangeException(String message) {
            super(message);
        }
    }
}
