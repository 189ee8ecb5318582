package dev.stormproof.bench;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A KafkaConsumer that only polls: what others are measured against. */
final class PlainPoll {
    private PlainPoll() {}

    /** Reads the committed records of a partition to its end, and says how many they are. */
    static long count(Map<String, Object> client, TopicPartition partition) {
        Map<String, Object> config = new HashMap<>(client);
        config.put("isolation.level", "read_committed");
        config.put("enable.auto.commit", "false");
        long seen = 0;
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            Set<TopicPartition> one = Set.of(partition);
            consumer.assign(one);
            consumer.seekToBeginning(one);
            long end = consumer.endOffsets(one).getOrDefault(partition, 0L);
            while (consumer.position(partition) < end) {
                seen += consumer.poll(Duration.ofMillis(200)).count();
            }
        }
        return seen;
    }
}
