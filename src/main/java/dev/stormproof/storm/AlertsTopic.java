package dev.stormproof.storm;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.alert.Alert;
import dev.stormproof.alert.AlertJson;
import dev.stormproof.config.StormproofConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The alerts that were written so far, read back by a task that begins anew. */
final class AlertsTopic {
    private static final Logger LOG = LoggerFactory.getLogger(AlertsTopic.class);
    private static final Duration POLL = Duration.ofMillis(200);

    /** Longer than any open transaction of a task that died can hold the end of the topic back. */
    private static final Duration MAX_SILENCE = Duration.ofSeconds(90);

    private AlertsTopic() {}

    /**
     * Hands over every committed alert about the partitions that {@code wanted} accepts.
     *
     * <p>The end is taken as readers of uncommitted records see it: an open transaction of another task can hide
     * committed alerts behind it, and these must be waited for.
     */
    static void read(StormproofConfig config, Predicate<TopicPartition> wanted, Consumer<Alert> alerts) {
        Map<String, Object> properties = CustodySpouts.consumerProperties(config);
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        Map<TopicPartition, Long> ends;
        properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_uncommitted");
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(properties)) {
            ends = consumer.endOffsets(
                    SubscribedTopics.named(Set.of(config.alertsTopic())).getAllSubscribedPartitions(consumer));
        }
        properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(properties)) {
            consumer.assign(ends.keySet());
            consumer.seekToBeginning(ends.keySet());
            read(consumer, ends, wanted, alerts);
        }
    }

    private static void read(
            KafkaConsumer<byte[], byte[]> consumer,
            Map<TopicPartition, Long> ends,
            Predicate<TopicPartition> wanted,
            Consumer<Alert> alerts) {
        Set<TopicPartition> left = new HashSet<>(ends.keySet());
        long deadlineNanos = System.nanoTime() + MAX_SILENCE.toNanos();
        while (!isEmptyWithout(left, partition -> consumer.position(partition) >= ends.getOrDefault(partition, 0L))) {
            boolean heard = false;
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                heard = true;
                if (about(record).filter(wanted).isPresent()) {
                    take(record, alerts);
                }
            }
            if (heard) {
                deadlineNanos = System.nanoTime() + MAX_SILENCE.toNanos();
            } else if (System.nanoTime() > deadlineNanos) {
                throw new TimeoutException("the alerts topic cannot be read to its end: " + left);
            }
        }
    }

    private static boolean isEmptyWithout(Set<TopicPartition> left, Predicate<TopicPartition> done) {
        left.removeIf(done);
        return left.isEmpty();
    }

    private static void take(ConsumerRecord<byte[], byte[]> record, Consumer<Alert> alerts) {
        try {
            alerts.accept(AlertJson.read(record.value()));
        } catch (IOException e) {
            LOG.warn(
                    "{}-{}@{} is no alert of ours: {}",
                    record.topic(),
                    record.partition(),
                    record.offset(),
                    e.getMessage());
        }
    }

    /** The partition that an alert's key, {@code topic/partition/…}, names. */
    private static Optional<TopicPartition> about(ConsumerRecord<byte[], byte[]> record) {
        if (record.key() == null || record.value() == null) {
            return Optional.empty();
        }
        String[] parts = new String(record.key(), UTF_8).split("/", 3);
        try {
            return parts.length < 3
                    ? Optional.empty()
                    : Optional.of(new TopicPartition(parts[0], Integer.parseInt(parts[1])));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
