package dev.stormproof.emit;

import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;

/** The partitions that have a leader, so that they can be written to. */
final class WritablePartitions {
    private WritablePartitions() {}

    /** Waits for the topic's metadata. */
    static Set<TopicPartition> of(Producer<?, ?> inner, String topic) {
        return inner.partitionsFor(topic).stream()
                .filter(partition -> partition.leader() != null)
                .map(partition -> new TopicPartition(topic, partition.partition()))
                .collect(Collectors.toSet());
    }
}
