package dev.stormproof.task.storm.spout;

import dev.stormproof.task.storm.tuple.Delivery;
import dev.stormproof.task.storm.tuple.DeliveryBatcher;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.HeaderBytes;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Values;

/**
 * The outlet to the bolts: makes tuples of what a poll returned, and emits them with it. KafkaSpout, which would emit one record
 * each time that Storm asks, looks at all its partitions before.
 */
public final class TupleOutlet implements RecordSink {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("NullAway.Init") // The spout opens it first.
    private transient DeliveryBatcher batcher;

    @Override
    public void open(TopologyContext context, SpoutOutputCollector output) {
        batcher = new DeliveryBatcher(batch -> output.emit(new Values(batch)));
    }

    @Override
    public void take(TopicPartition partition, long topicId, DeliveryLink link, ConsumerRecord<byte[], byte[]> record) {
        batcher.add(delivery(partition, topicId, link, record));
    }

    @Override
    public void polled() {
        batcher.flush();
    }

    /** The record as bolts take it. */
    static Delivery delivery(
            TopicPartition partition, long topicId, DeliveryLink link, ConsumerRecord<byte[], byte[]> record) {
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
}
