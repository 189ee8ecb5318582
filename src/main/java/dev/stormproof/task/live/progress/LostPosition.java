package dev.stormproof.task.live.progress;

import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The place where a consumer goes on after retention or truncation overtook it. The verifier judges what is between.
 *
 * <pre>
 *   the position is not in the log                 ──► the verified progress, if the log still holds it; else its beginning
 *   the log was truncated at an offset, and grew   ──► that offset or the verified progress, whichever is less
 *   it was truncated at an unknown offset          ──► the log's beginning
 * </pre>
 */
public final class LostPosition {
    private static final Logger LOG = LoggerFactory.getLogger(LostPosition.class);

    private LostPosition() {}

    /**
     * Moves a consumer whose positions are not in the log. If the brokers do not answer, a partition stays where it is, and the next poll
     * throws again.
     *
     * @param progress the verified progress of a partition; empty if it has none
     * @param moved takes each partition that was moved
     */
    public static void moveOn(
            Consumer<?, ?> consumer,
            OffsetOutOfRangeException lost,
            Function<TopicPartition, OptionalLong> progress,
            java.util.function.Consumer<TopicPartition> moved) {
        lost.offsetOutOfRangePartitions().forEach((partition, from) -> {
            try {
                Set<TopicPartition> one = Set.of(partition);
                long begin =
                        Objects.requireNonNull(consumer.beginningOffsets(one).get(partition));
                long end = Objects.requireNonNull(consumer.endOffsets(one).get(partition));
                long to = goOn(progress.apply(partition), limit(lost, partition), begin, end);
                LOG.warn(
                        "{}: offset {} is not in the log, which holds [{}, {}); going on from {}",
                        partition,
                        from,
                        begin,
                        end,
                        to);
                consumer.seek(partition, to);
                moved.accept(partition);
            } catch (RetriableException e) {
                LOG.warn("{}: cannot ask for the log's bounds now", partition, e);
            }
        });
    }

    /** The offset from which the log may hold other records than before; 0 if Kafka does not know where it was truncated. */
    private static long limit(OffsetOutOfRangeException e, TopicPartition partition) {
        if (e instanceof LogTruncationException truncation) {
            OffsetAndMetadata divergent = truncation.divergentOffsets().get(partition);
            return divergent == null ? 0 : divergent.offset();
        }
        return Long.MAX_VALUE;
    }

    private static long goOn(OptionalLong progress, long limit, long begin, long end) {
        long to = progress.isEmpty() ? begin : Math.min(progress.getAsLong(), limit);
        return begin <= to && to <= end ? to : begin;
    }
}
