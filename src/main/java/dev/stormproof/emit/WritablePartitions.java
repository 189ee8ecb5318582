package dev.stormproof.emit;

import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;

/** The partitions that can be written to now, as far as the metadata tell: those that have a leader. */
final class WritablePartitions {
    private WritablePartitions() {}

    /** Those of a topic; waits for its metadata. */
    static Set<TopicPartition> of(Producer<?, ?> inner, String topic) {
        return inner.partitionsFor(topic).stream()
                .filter(partition -> partition.leader() != null)
                .map(partition -> new TopicPartition(topic, partition.partition()))
                .collect(Collectors.toSet());
    }
}
