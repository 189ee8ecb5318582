package dev.stormproof.consume;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** The records that one poll hands out, up to a number of them. */
final class HandOut<K, V> {
    private final Map<TopicPartition, List<ConsumerRecord<K, V>>> records = new LinkedHashMap<>();
    private final int most;
    private int count;
    private @Nullable TopicPartition last;
    private List<ConsumerRecord<K, V>> ofLast = List.of();

    HandOut(int most) {
        this.most = most;
    }

    void add(TopicPartition partition, ConsumerRecord<K, V> record) {
        if (!partition.equals(last)) {
            ofLast = records.computeIfAbsent(partition, first -> new ArrayList<>());
            last = partition;
        }
        ofLast.add(record);
        count++;
    }

    boolean isEmpty() {
        return count == 0;
    }

    boolean isFull() {
        return count >= most;
    }

    /** How many more it takes. */
    int room() {
        return most - count;
    }

    Iterable<TopicPartition> partitions() {
        return records.keySet();
    }

    /** The records as KafkaConsumer returns them; before kafka-clients 4.0 they do not say what comes next. */
    @SuppressWarnings("deprecation")
    ConsumerRecords<K, V> records(Map<TopicPartition, OffsetAndMetadata> next) {
        try {
            return new ConsumerRecords<>(records, next);
        } catch (NoSuchMethodError olderClient) {
            return new ConsumerRecords<>(records);
        }
    }
}
