package dev.stormproof.storm;

import dev.stormproof.audit.KafkaPartitionReader;
import dev.stormproof.checkpoint.LogRecordParser;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.TopicPartition;

/**
 * The readers of one task's partitions: opened when first needed, and the least recently used one closed when there are
 * more than {@value #MAX_OPEN}.
 */
final class PartitionReaders implements AutoCloseable {
    /** How many readers, each with connections of its own, are open at once. */
    static final int MAX_OPEN = 8;

    private final Map<String, Object> consumerProperties;
    private final LogRecordParser parser;
    private final LinkedHashMap<TopicPartition, KafkaPartitionReader> open = new LinkedHashMap<>(16, 0.75f, true);

    PartitionReaders(Map<String, Object> consumerProperties, LogRecordParser parser) {
        this.consumerProperties = consumerProperties;
        this.parser = parser;
    }

    /** The reader of a partition; good until the next call. */
    KafkaPartitionReader of(TopicPartition partition) {
        KafkaPartitionReader reader = open.get(partition);
        if (reader == null) {
            if (open.size() == MAX_OPEN) {
                TopicPartition eldest = open.keySet().iterator().next();
                Objects.requireNonNull(open.remove(eldest)).close();
            }
            reader = new KafkaPartitionReader(
                    KafkaPartitionReader.newConsumer(consumerProperties, "read_committed"), partition, parser);
            open.put(partition, reader);
        }
        return reader;
    }

    @Override
    public void close() {
        open.values().forEach(KafkaPartitionReader::close);
        open.clear();
    }
}
