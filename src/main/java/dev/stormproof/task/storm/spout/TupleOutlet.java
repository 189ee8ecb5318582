package dev.stormproof.task.storm.spout;

import dev.stormproof.log.kafka.ConsumedRecords;
import dev.stormproof.task.storm.tuple.Delivery;
import dev.stormproof.task.storm.tuple.DeliveryBatcher;
import dev.stormproof.verify.feed.DeliveryLink;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Values;

/**
 * The sink for bolts: emits the records of a poll as tuples at once. KafkaSpout itself would emit one record for each call, and look at all
 * its partitions before each.
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
        batcher.add(new Delivery(partition, link, topicId, ConsumedRecords.content(record), null));
    }

    @Override
    public void polled() {
        batcher.flush();
    }
}
