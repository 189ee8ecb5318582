package dev.stormproof.task.storm.spout;

import dev.stormproof.verify.feed.DeliveryLink;
import java.io.Serializable;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;

/**
 * The receiver of what a spout reads: the bolts, or a verification in the spout's own task.
 *
 * <p>Used by the spout's thread only.
 */
public interface RecordSink extends Serializable {
    /**
     * Takes the next record.
     *
     * @param topicId tells the topic from others that bore its name; 0 if unknown
     * @param link says which record it follows
     */
    void take(TopicPartition partition, long topicId, DeliveryLink link, ConsumerRecord<byte[], byte[]> record);

    /** Begins with the spout's task, before it reads anything or asks where to begin. */
    void open(TopologyContext context, SpoutOutputCollector collector);

    /** Follows every poll of the spout, several times a second. */
    default void polled() {}

    /** Follows the deactivation of the spout: writes at once what waits, as there may be no further poll. */
    default void flush() {}

    /** Ends with the spout's task, even if it was never opened. */
    default void close() {}
}
