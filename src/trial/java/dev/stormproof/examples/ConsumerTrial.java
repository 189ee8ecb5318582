package dev.stormproof.examples;

import dev.stormproof.consume.VerifiedConsumer;
import dev.stormproof.consume.VerifiedConsumerConfig;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.utils.AppInfoParser;

/**
 * A trial of {@link VerifiedConsumer} with the kafka-clients of the class path: it reads what {@link ClientTrial} wrote, as a verifier
 * that runs beside it verifies it. Each event has to come once, without checkpoints and without events of aborted transactions.
 */
public final class ConsumerTrial {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int COMMITTED = 800;

    private ConsumerTrial() {}

    /** Takes the servers, the prefix of the topics' names, and the verifier's group; says which kafka-clients it used. */
    public static void main(String[] arguments) {
        read(arguments[0], arguments[1], arguments[2], ClientTrial.EVENTS, ClientTrial.EVENTS);
        // Each transaction sends the same texts.
        read(arguments[0], arguments[1] + "-transactions", arguments[2], COMMITTED, COMMITTED / 16);
        System.out.println("kafka-clients " + AppInfoParser.getVersion());
    }

    private static void read(String servers, String topic, String verifier, int records, int texts) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", servers);
        settings.put("group.id", "trial-" + topic);
        settings.put("auto.offset.reset", "earliest");
        settings.put("enable.auto.commit", false);
        settings.put(VerifiedConsumerConfig.VERIFIED_GROUP, verifier);
        settings.put(VerifiedConsumerConfig.ALERTS_TOPIC, "trial-alerts");
        try (VerifiedConsumer<String, String> consumer =
                new VerifiedConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            consumer.subscribe(List.of(topic));
            Set<String> seen = new TreeSet<>();
            int count = 0;
            long deadline = System.nanoTime() + LIMIT.toNanos();
            while (count < records && System.nanoTime() < deadline) {
                for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(200))) {
                    seen.add(record.value());
                    count++;
                }
            }
            if (count != records || seen.size() != texts) {
                throw new IllegalStateException("%s: %d records with %d texts, not %d with %d"
                        .formatted(topic, count, seen.size(), records, texts));
            }
            consumer.commitSync();
            Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(consumer.assignment());
            if (committed.size() != 2) {
                throw new IllegalStateException(topic + ": committed are " + committed);
            }
        }
    }
}
