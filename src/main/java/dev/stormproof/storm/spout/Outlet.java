package dev.stormproof.storm.spout;

import dev.stormproof.feed.HeaderBytes;
import dev.stormproof.feed.Link;
import dev.stormproof.storm.tuple.Delivery;
import java.io.Serializable;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Values;
import org.jspecify.annotations.Nullable;

/**
 * The receiver of a spout's deliveries: the bolts, or a verification in the spout's own task.
 *
 * <p>Used by the spout's thread only.
 */
@FunctionalInterface
public interface Outlet extends Serializable {
    /** Every record becomes a tuple. */
    Outlet TO_BOLTS = (partition, topicId, link, record) -> new Values(delivery(partition, topicId, link, record));

    /**
     * Takes the next record, and returns the tuple to emit; null if there is none.
     *
     * @param topicId tells the topic from others that bore its name; 0 if unknown
     * @param link says which record it follows
     */
    @Nullable
    List<Object> take(TopicPartition partition, long topicId, Link link, ConsumerRecord<byte[], byte[]> record);

    /** The record as bolts take it. */
    static Delivery delivery(TopicPartition partition, long topicId, Link link, ConsumerRecord<byte[], byte[]> record) {
        return new Delivery(
                partition,
                link,
                topicId,
                record.timestamp(),
                record.key(),
                record.value(),
                HeaderBytes.of(record.headers(), Header::key, Header::value),
                null);
    }

    /** Begins with the spout's task, before it reads anything or asks where to begin. */
    default void open(TopologyContext context, Consumer<Throwable> errors) {}

    /** Follows every poll of the spout, several times a second. */
    default void polled() {}

    /** Follows the deactivation of the spout: writes at once what waits, as there may be no further poll. */
    default void flush() {}

    /** Ends with the spout's task, even if it was never opened. */
    default void close() {}
}
