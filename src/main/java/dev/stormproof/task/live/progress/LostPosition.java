package dev.stormproof.task.live.progress;

import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;

/**
 * Where a consumer goes on that retention or truncation has overtaken. What lies between is the verifier's to find out.
 *
 * <pre>
 *   the position is not in the log                 ──► the verified progress, if the log still holds it; else its beginning
 *   the log was truncated at an offset, and grew   ──► that offset or the verified progress, whichever is less
 *   it was truncated at an unknown offset          ──► the log's beginning
 * </pre>
 */
public final class LostPosition {
    private LostPosition() {}

    /** The offset from which on the log may hold other records than it did: any if it was truncated where Kafka does not say. */
    public static long limit(OffsetOutOfRangeException e, TopicPartition partition) {
        if (e instanceof LogTruncationException truncation) {
            OffsetAndMetadata divergent = truncation.divergentOffsets().get(partition);
            return divergent == null ? 0 : divergent.offset();
        }
        return Long.MAX_VALUE;
    }

    /** The offset to go on from in a log that holds {@code [begin, end)}. */
    public static long goOn(OptionalLong progress, long limit, long begin, long end) {
        long to = progress.isEmpty() ? begin : Math.min(progress.getAsLong(), limit);
        return begin <= to && to <= end ? to : begin;
    }
}
