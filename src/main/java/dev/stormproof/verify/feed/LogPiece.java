package dev.stormproof.verify.feed;

import java.util.List;
import java.util.Optional;

/**
 * A piece of the log that the feed requests: the records after the last one that it handed over.
 *
 * @param beginOffset the offset after that record
 * @param leaderEpoch that record's leader epoch; {@link DeliveryLink#NO_EPOCH} if unknown
 * @param maxRecords how many records to read at most
 * @param maxBytes about how many bytes of memory they may take; the record that exceeds it is the last one
 * @param contents whether the records are to come with their content
 */
public record LogPiece(long beginOffset, int leaderEpoch, int maxRecords, long maxBytes, boolean contents) {
    /**
     * The answer. Its parts are read in this order, so that changes in between are noticed: the records, then where the epoch
     * ends, then where the log begins.
     *
     * @param records the records from the beginning on that the log still holds; not copied, and not to be changed
     * @param end where the log ended, if it ended after them when they were read
     * @param epochEnd where the records of the previous record's leader end, if the log was truncated since; else {@link EpochEnd#WHOLE}
     * @param beginOffset the first offset that was read: the requested one, or where the log begins now; if the log was
     *     truncated, where it begins
     * @param expiredBefore true if the log no longer holds the record before the piece, nor knows of a truncation there
     */
    public record Found(
            List<Read> records, Optional<End> end, EpochEnd epochEnd, long beginOffset, boolean expiredBefore) {
        public static Found truncated(EpochEnd end, long logBeginOffset) {
            return new Found(List.of(), Optional.empty(), end, logBeginOffset, false);
        }

        /** True if the log ended after the records when they were read. */
        public boolean atEnd() {
            return end.isPresent();
        }

        /** True if the log may have been truncated even before an offset: it no longer holds that place. */
        boolean truncationExpired(long truncatedAt) {
            return beginOffset > 0 && beginOffset >= truncatedAt;
        }
    }

    /**
     * The two ends of a log.
     *
     * @param readable the offset after the last one that could be read
     * @param written the offset after the last one that was written before; if it is greater, an open transaction blocks the
     *     records between
     */
    public record End(long readable, long written) {}
}
