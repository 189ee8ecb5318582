package dev.stormproof.task.storm.spout;

import dev.stormproof.log.kafka.RecordLimit;
import dev.stormproof.task.live.progress.ReadPosition;
import dev.stormproof.task.storm.tuple.DeliveryBatch;
import dev.stormproof.verify.feed.DeliveryLink;
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
 * The spout's translator and tuple listener in one object: hands records with their places to the sink.
 *
 * <p>It has to be both: the translator sees every record, but only the listener learns which partitions are assigned.
 *
 * <p>Only the spout's thread uses it; its state begins with {@link #open} and is never serialized.
 */
final class RecordTranslation implements RecordTranslator<byte[], byte[]>, KafkaTupleListener {
    private static final long serialVersionUID = 1L;

    private final Assignment assignment;
    private final RecordSink outlet;
    private transient Map<TopicPartition, Position> partitions = new HashMap<>();
    private transient @Nullable Position latest;

    /** The hooks for newly assigned partitions. */
    interface Assignment extends Serializable {
        /** The spout has gained partitions, and will read them from the committed offsets. */
        void gained(Set<TopicPartition> gained);

        /** A number that distinguishes a partition's topic from others of the same name; 0 if unknown. */
        long topicId(TopicPartition partition);
    }

    /** @param assignment is asked about every partition that the spout gains */
    RecordTranslation(Assignment assignment, RecordSink outlet) {
        this.assignment = assignment;
        this.outlet = outlet;
    }

    @Override
    public void open(Map<String, Object> conf, TopologyContext context) {
        partitions = new HashMap<>();
        latest = null;
    }

    /**
     * Hands the record to the sink, and returns null, of which KafkaSpout makes no tuple. A record that is too large is dropped: the verifier
     * finds a gap, and reads the log there.
     */
    @Override
    public @Nullable List<Object> apply(ConsumerRecord<byte[], byte[]> record) {
        Position position = position(record);
        DeliveryLink link = position.read.next(record);
        if (!RecordLimit.isExceededBy(record)) {
            outlet.take(position.partition, position.read.topicId(), link, record);
        }
        return null;
    }

    @Override
    public Fields getFieldsFor(String stream) {
        return DeliveryBatch.FIELDS;
    }

    /** Forgets the last record of a partition: its position was moved. */
    void reset(TopicPartition partition) {
        position(partition).read.reset();
    }

    /** Takes all partitions that the spout has now; those that it keeps keep their last record. */
    @Override
    public void onPartitionsReassigned(Collection<TopicPartition> assigned) {
        Set<TopicPartition> gained = new HashSet<>(assigned);
        partitions.keySet().retainAll(gained);
        latest = null;
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

    /** The records of a partition follow each other in a poll, so it is mostly the last record's. */
    private Position position(ConsumerRecord<byte[], byte[]> record) {
        Position same = latest;
        if (same == null || !same.isOf(record)) {
            same = position(new TopicPartition(record.topic(), record.partition()));
            latest = same;
        }
        return same;
    }

    private Position position(TopicPartition partition) {
        return partitions.computeIfAbsent(partition, gained -> new Position(gained, assignment.topicId(gained)));
    }

    private static final class Position {
        private final TopicPartition partition;
        private final ReadPosition read;

        Position(TopicPartition partition, long topicId) {
            this.partition = partition;
            this.read = new ReadPosition(topicId);
        }

        boolean isOf(ConsumerRecord<?, ?> record) {
            return partition.partition() == record.partition()
                    && partition.topic().equals(record.topic());
        }
    }
}
