package dev.stormproof.storm;

import dev.stormproof.config.StormproofConfig;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/**
 * The verified progress as Kafka has it: the committed offsets of the spout's group, which has no members.
 *
 * @param offsets per partition; none where nothing was ever committed
 * @param group the identity under which to commit further progress
 */
record GroupProgress(Map<TopicPartition, Long> offsets, ConsumerGroupMetadata group) {
    /** Reads it; waits for a transaction that is about to change it. */
    static GroupProgress read(StormproofConfig config) {
        Map<String, Object> properties = CustodySpouts.consumerProperties(config);
        properties.put(ConsumerConfig.GROUP_ID_CONFIG, config.groupId());
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        Map<TopicPartition, Long> offsets = new HashMap<>();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(properties)) {
            consumer.committed(SubscribedTopics.of(config).getAllSubscribedPartitions(consumer))
                    .forEach((partition, committed) -> {
                        if (committed != null) {
                            offsets.put(partition, committed.offset());
                        }
                    });
            return new GroupProgress(offsets, consumer.groupMetadata());
        }
    }
}
