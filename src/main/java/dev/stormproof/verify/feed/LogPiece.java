package dev.stormproof.verify.feed;

import java.util.List;
import java.util.Optional;

/**
 * A piece of the log that the feed wants to be read: what lies behind the last record that it handed over.
 *
 * @param beginOffset the offset right behind that record
 * @param leaderEpoch that record's leader epoch; {@link DeliveryLink#NO_EPOCH} if unknown
 * @param maxRecords how many records to read at most
 * @param maxBytes about how much memory they may take; the record that exceeds it is the last one
 * @param contents whether the records are to come with their content
 */
public record LogPiece(long beginOffset, int leaderEpoch, int maxRecords, long maxBytes, boolean contents) {
    /**
     * The answer. Its parts are asked of the log in this order, so that what changes in between is seen: the records, then
     * where the epoch ends, then where the log begins.
     *
     * @param records what lies at and behind the beginning, as far as the log still holds it
     * @param end where the log ended, if it ended behind them when they were read
     * @param epochEnd where the log ends for the leader of the record before the piece, if it was truncated since that was read; {@link
     *     EpochEnd#WHOLE}
     * @param beginOffset the first offset that was read: the one that was asked for, or where the log begins by now; of a
     *     log that was truncated, where it begins
     * @param expiredBefore true if the log no longer holds the record before the piece, nor knows of a truncation there
     */
    public record Found(
            List<Read> records, Optional<End> end, EpochEnd epochEnd, long beginOffset, boolean expiredBefore) {
        public Found {
            records = List.copyOf(records);
        }

        /** The answer of a log that was truncated, and now begins at an offset. */
        public static Found truncated(EpochEnd end, long logBeginOffset) {
            return new Found(List.of(), Optional.empty(), end, logBeginOffset, false);
        }

        /** True if the log ended behind the records when they were read. */
        public boolean atEnd() {
            return end.isPresent();
        }

        /** True if the log was truncated at an offset or anywhere before: it no longer holds the place. */
        boolean truncationExpired(long truncatedAt) {
            return beginOffset > 0 && beginOffset >= truncatedAt;
        }
    }

    /**
     * The two ends of a log.
     *
     * @param readable the offset after the last one that could be read
     * @param written the offset after the last one that had been written before: if it lies further on, an open transaction
     *     keeps what lies between from being read
     */
    public record End(long readable, long written) {}
}
