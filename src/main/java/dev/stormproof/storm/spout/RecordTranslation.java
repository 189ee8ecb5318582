package dev.stormproof.storm.spout;

import dev.stormproof.storm.tuple.Custody;
import dev.stormproof.storm.tuple.Delivery;
import dev.stormproof.storm.tuple.HeaderBytes;
import java.io.Serializable;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.storm.kafka.spout.KafkaSpoutMessageId;
import org.apache.storm.kafka.spout.KafkaTupleListener;
import org.apache.storm.kafka.spout.RecordTranslator;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Fields;
import org.jspecify.annotations.Nullable;

/**
 * The spout's translator and tuple listener in one object: turns records into deliveries and keeps their chain of
 * custody.
 *
 * <p>It has to be both: the translator sees every record, but only the listener hears which partitions are gained and
 * which deliveries failed.
 *
 * <p>Used by the spout's thread only; what it knows begins with {@link #open} and is never serialized.
 */
final class RecordTranslation implements RecordTranslator<byte[], byte[]>, KafkaTupleListener {
    private static final long serialVersionUID = 1L;

    private final boolean acked;
    private final Gains gains;
    private final Outlet outlet;
    private transient Map<TopicPartition, PartitionCustody> partitions = new HashMap<>();

    /** Who knows more of the partitions that a spout gains. */
    interface Gains extends Serializable {
        /** The spout has gained partitions, and will read them from what is committed. */
        void gained(Set<TopicPartition> gained);

        /** What tells the topic of a partition from others that bore its name. */
        long topicId(TopicPartition partition);
    }

    /**
     * @param acked true if the spout waits for acks and delivers again what failed
     * @param gains is asked about every partition that the spout gains
     * @param outlet says what becomes of deliveries
     */
    RecordTranslation(boolean acked, Gains gains, Outlet outlet) {
        this.acked = acked;
        this.gains = gains;
        this.outlet = outlet;
    }

    @Override
    public void open(Map<String, Object> conf, TopologyContext context) {
        partitions = new HashMap<>();
    }

    /** Returns null, of which KafkaSpout makes no tuple, if the outlet wants none. */
    @Override
    public @Nullable List<Object> apply(ConsumerRecord<byte[], byte[]> record) {
        Custody custody = custodyOf(new TopicPartition(record.topic(), record.partition()))
                .of(record.offset(), record.leaderEpoch().orElse(Custody.NO_EPOCH));
        return outlet.take(new Delivery(
                record.topic(),
                record.partition(),
                record.offset(),
                record.timestamp(),
                custody,
                record.key(),
                record.value(),
                HeaderBytes.of(record.headers()),
                null,
                false));
    }

    @Override
    public Fields getFieldsFor(String stream) {
        return Delivery.FIELDS;
    }

    /**
     * The spout lost its place in a partition: whatever comes next from there is a start.
     *
     * @param cut where it found the log cut; {@link PartitionCustody#NO_CUT} if it did not
     */
    void loseThread(TopicPartition partition, long cut) {
        custodyOf(partition).loseThread(cut);
    }

    /** Takes all partitions that the spout has now; those that it had before keep their chain. */
    @Override
    public void onPartitionsReassigned(Collection<TopicPartition> assigned) {
        Set<TopicPartition> gained = new HashSet<>(assigned);
        partitions.keySet().retainAll(gained);
        gained.removeAll(partitions.keySet());
        if (!gained.isEmpty()) {
            gains.gained(gained);
        }
        gained.forEach(this::custodyOf);
    }

    @Override
    public void onRetry(KafkaSpoutMessageId message) {
        custodyOf(message.getTopicPartition()).failed(message.offset(), message.numFails());
    }

    @Override
    public void onAck(KafkaSpoutMessageId message) {
        PartitionCustody custody = partitions.get(message.getTopicPartition());
        if (custody != null) {
            custody.acked(message.offset());
        }
    }

    @Override
    public void onEmit(List<Object> tuple, KafkaSpoutMessageId message) {}

    @Override
    public void onMaxRetryReached(KafkaSpoutMessageId message) {}

    private PartitionCustody custodyOf(TopicPartition partition) {
        return partitions.computeIfAbsent(partition, gained -> new PartitionCustody(acked, gains.topicId(gained)));
    }
}
