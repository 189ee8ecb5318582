package dev.stormproof.task.storm.spout;

import dev.stormproof.verify.feed.DeliveryLink;
import java.io.Serializable;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;

/**
 * Receives the records that a spout reads: for the bolts, or for a verification in the spout's own task.
 *
 * <p>Only the spout's thread uses it.
 */
public interface RecordSink extends Serializable {
    /**
     * Takes the next record.
     *
     * @param topicId distinguishes the topic from others of the same name; 0 if unknown
     * @param link says which record it follows
     */
    void take(TopicPartition partition, long topicId, DeliveryLink link, ConsumerRecord<byte[], byte[]> record);

    /** Called at the start of the spout's task, before it reads anything or asks where to begin. */
    void open(TopologyContext context, SpoutOutputCollector collector);

    /** Called after every poll of the spout, several times a second. */
    default void polled() {}

    /** Called after the spout was deactivated: writes at once what waits, as there may be no further poll. */
    default void flush() {}

    /** Called at the end of the spout's task, even if this was never opened. */
    default void close() {}
}
