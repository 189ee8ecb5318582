package dev.stormproof.verify.feed;

import dev.stormproof.proof.checkpoint.LogRecord;
import org.jspecify.annotations.Nullable;

/**
 * A record as it was read: from the log, or from a delivery of it.
 *
 * @param leaderEpoch the leader epoch under which it was written; {@link DeliveryLink#NO_EPOCH} if unknown
 * @param timestampMillis when it was written, by the producer's clock or the broker's, as the topic is configured
 * @param content null if it was not requested
 */
public record Read(
        LogRecord record,
        int leaderEpoch,
        long timestampMillis,
        @Nullable RecordContent content) {}
