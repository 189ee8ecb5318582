package dev.stormproof.task.storm.spout;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/** Kafka's mock consumer in front of a log that can be read again, so that seeking back works. */
final class LogConsumer extends MockConsumer<byte[], byte[]> {
    private final Map<TopicPartition, TreeMap<Long, ConsumerRecord<byte[], byte[]>>> logs = new HashMap<>();
    private @Nullable KafkaException failure;
    private @Nullable Error error;
    private final Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>();
    private final Map<TopicPartition, OffsetAndMetadata> seeksWithEpoch = new HashMap<>();

    LogConsumer(TopicPartition... partitions) {
        super("none");
        for (TopicPartition partition : partitions) {
            create(partition);
        }
    }

    /** Adds a partition to the cluster. */
    void create(TopicPartition partition) {
        logs.put(partition, new TreeMap<>());
        updateBeginningOffsets(Map.of(partition, 0L));
        updateEndOffsets(Map.of(partition, 0L));
        String topic = partition.topic();
        List<PartitionInfo> infos = logs.keySet().stream()
                .filter(one -> one.topic().equals(topic))
                .map(one -> new PartitionInfo(topic, one.partition(), null, new Node[0], new Node[0]))
                .toList();
        updatePartitions(topic, infos);
    }

    void append(TopicPartition partition, long offset, int leaderEpoch) {
        ConsumerRecord<byte[], byte[]> record = new ConsumerRecord<>(
                partition.topic(),
                partition.partition(),
                offset,
                1_000 + offset,
                TimestampType.CREATE_TIME,
                1,
                1,
                new byte[] {1},
                new byte[] {2},
                new RecordHeaders(),
                Optional.of(leaderEpoch));
        log(partition).put(offset, record);
    }

    void truncate(TopicPartition partition, long fromOffset) {
        log(partition).tailMap(fromOffset, true).clear();
    }

    /** The next poll throws; what was fetched for it is dropped, as when the position moves. */
    @Override
    public synchronized void setPollException(KafkaException exception) {
        failure = exception;
    }

    /** The next poll throws, as where records do not fit into memory. */
    void failWith(Error thrown) {
        error = thrown;
    }

    @Override
    public synchronized ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        Error ending = error;
        if (ending != null) {
            error = null;
            throw ending;
        }
        KafkaException thrown = failure;
        if (thrown != null) {
            failure = null;
            throw thrown;
        }
        for (TopicPartition partition : assignment()) {
            log(partition).tailMap(position(partition), true).values().forEach(this::addRecord);
        }
        return super.poll(timeout);
    }

    @Override
    public synchronized Map<TopicPartition, OffsetAndMetadata> committed(Set<TopicPartition> partitions) {
        Map<TopicPartition, OffsetAndMetadata> found = new HashMap<>();
        partitions.forEach(partition -> found.put(partition, committed.get(partition)));
        return found;
    }

    @Override
    public synchronized void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets) {
        committed.putAll(offsets);
    }

    @Override
    public synchronized void seek(TopicPartition partition, OffsetAndMetadata offset) {
        seeksWithEpoch.put(partition, offset);
        super.seek(partition, offset);
    }

    /** The last position of each partition that was given with an epoch, for the brokers to check. */
    Map<TopicPartition, OffsetAndMetadata> seeksWithEpoch() {
        return Map.copyOf(seeksWithEpoch);
    }

    /** Everything that was ever committed last. */
    Map<TopicPartition, OffsetAndMetadata> commits() {
        return Map.copyOf(committed);
    }

    Collection<TopicPartition> partitions() {
        return logs.keySet();
    }

    private NavigableMap<Long, ConsumerRecord<byte[], byte[]>> log(TopicPartition partition) {
        NavigableMap<Long, ConsumerRecord<byte[], byte[]>> log = logs.get(partition);
        if (log == null) {
            throw new IllegalArgumentException("no " + partition);
        }
        return log;
    }
}
