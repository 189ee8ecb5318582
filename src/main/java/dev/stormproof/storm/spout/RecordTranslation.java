package dev.stormproof.storm.spout;

import dev.stormproof.feed.HeaderBytes;
import dev.stormproof.feed.Link;
import dev.stormproof.storm.tuple.Delivery;
import java.io.Serializable;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.storm.kafka.spout.KafkaSpoutMessageId;
import org.apache.storm.kafka.spout.KafkaTupleListener;
import org.apache.storm.kafka.spout.RecordTranslator;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Fields;
import org.jspecify.annotations.Nullable;

/**
 * The spout's translator and tuple listener in one object: turns records into deliveries, and says of each where it lies.
 *
 * <p>It has to be both: the translator sees every record, but only the listener hears which partitions are assigned.
 *
 * <p>Used by the spout's thread only; what it knows begins with {@link #open} and is never serialized.
 */
final class RecordTranslation implements RecordTranslator<byte[], byte[]>, KafkaTupleListener {
    private static final long serialVersionUID = 1L;

    private final Assignment assignment;
    private final Outlet outlet;
    private transient Map<TopicPartition, Position> partitions = new HashMap<>();

    /** The hooks for newly assigned partitions. */
    interface Assignment extends Serializable {
        /** The spout has gained partitions, and will read them from what is committed. */
        void gained(Set<TopicPartition> gained);

        /** The number that tells the topic of a partition from others that bore its name. */
        long topicId(TopicPartition partition);
    }

    /** @param assignment is asked about every partition that the spout gains */
    RecordTranslation(Assignment assignment, Outlet outlet) {
        this.assignment = assignment;
        this.outlet = outlet;
    }

    @Override
    public void open(Map<String, Object> conf, TopologyContext context) {
        partitions = new HashMap<>();
    }

    /** Returns null, of which KafkaSpout makes no tuple, if the outlet wants none. */
    @Override
    public @Nullable List<Object> apply(ConsumerRecord<byte[], byte[]> record) {
        TopicPartition partition = new TopicPartition(record.topic(), record.partition());
        Position position = position(partition);
        Link link = position.next(record.offset(), record.leaderEpoch().orElse(Link.NO_EPOCH));
        return outlet.take(new Delivery(
                partition,
                link,
                position.topicId,
                record.timestamp(),
                record.key(),
                record.value(),
                HeaderBytes.of(record.headers(), Header::key, Header::value),
                null));
    }

    @Override
    public Fields getFieldsFor(String stream) {
        return Delivery.FIELDS;
    }

    /** Forgets the last record of a partition, because the spout goes on from elsewhere. */
    void reset(TopicPartition partition) {
        position(partition).last = Position.NOTHING_READ;
    }

    /** Takes all partitions that the spout has now; those that it had before keep their last record. */
    @Override
    public void onPartitionsReassigned(Collection<TopicPartition> assigned) {
        Set<TopicPartition> gained = new HashSet<>(assigned);
        partitions.keySet().retainAll(gained);
        gained.removeAll(partitions.keySet());
        if (!gained.isEmpty()) {
            assignment.gained(gained);
        }
        gained.forEach(this::position);
    }

    @Override
    public void onRetry(KafkaSpoutMessageId message) {}

    @Override
    public void onAck(KafkaSpoutMessageId message) {}

    @Override
    public void onEmit(List<Object> tuple, KafkaSpoutMessageId message) {}

    @Override
    public void onMaxRetryReached(KafkaSpoutMessageId message) {}

    private Position position(TopicPartition partition) {
        return partitions.computeIfAbsent(partition, gained -> new Position(assignment.topicId(gained)));
    }

    /** The last record that was read of one topic's partition. */
    private static final class Position {
        private static final long NOTHING_READ = -1;

        private final long topicId;
        private long last = NOTHING_READ;

        Position(long topicId) {
            this.topicId = topicId;
        }

        /** The place of the record at {@code offset}, which the consumer just returned: maybe again. */
        Link next(long offset, int leaderEpoch) {
            long previous = last != NOTHING_READ && last < offset ? last : offset - 1;
            last = offset;
            return new Link(offset, previous, leaderEpoch);
        }
    }
}
