package dev.stormproof.task.live.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.alert.Alert;
import dev.stormproof.alert.AlertJson;
import dev.stormproof.alert.AlertLedger.Place;
import dev.stormproof.task.config.InputTopics;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.progress.AlertSpan;
import dev.stormproof.task.live.progress.SubscribedTopics;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads back the published alerts for a task that starts. */
public final class AlertsTopic {
    private static final Logger LOG = LoggerFactory.getLogger(AlertsTopic.class);
    private static final Duration POLL = Duration.ofMillis(200);

    /** How much longer the topic may be silent than an open transaction of a dead task can hide its end. */
    private static final Duration MAX_SILENCE = Duration.ofSeconds(60);

    private AlertsTopic() {}

    /**
     * Hands over the committed alerts about the partitions that {@code wanted} accepts.
     *
     * @param spans where to look for them; empty for everywhere
     * @param nanoTime measures the topic's silence
     * @return how many records were read for it
     */
    public static long read(
            StormproofConfig config,
            Optional<List<AlertSpan>> spans,
            Predicate<TopicPartition> wanted,
            BiConsumer<Alert, Place> reader,
            LongSupplier nanoTime) {
        if (spans.isPresent() && spans.get().isEmpty()) {
            return 0;
        }
        Map<String, Object> properties = config.kafkaReader();
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        List<AlertSpan> bounded = bounded(config, properties, spans);
        long silenceNanos =
                ProducerLimits.transactionTimeout(config).plus(MAX_SILENCE).toNanos();
        long records = 0;
        properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(properties)) {
            for (AlertSpan span : bounded) {
                records += read(consumer, config.alerts.topic(), span, wanted, reader, silenceNanos, nanoTime);
            }
        }
        return records;
    }

    /**
     * The parts of spans that the log holds. Its end is the one for readers of uncommitted records: an open transaction of another task can
     * hide committed alerts after it, and these must be waited for.
     */
    private static List<AlertSpan> bounded(
            StormproofConfig config, Map<String, Object> properties, Optional<List<AlertSpan>> spans) {
        properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_uncommitted");
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(properties)) {
            Set<TopicPartition> partitions =
                    new SubscribedTopics(InputTopics.named(Set.of(config.alerts.topic()), "")).partitions(consumer);
            Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            List<AlertSpan> wanted = spans.orElseGet(() -> partitions.stream()
                    .map(partition -> new AlertSpan(partition.partition(), 0, Long.MAX_VALUE))
                    .toList());
            return wanted.stream()
                    .map(span -> {
                        TopicPartition partition = new TopicPartition(config.alerts.topic(), span.partition());
                        return new AlertSpan(
                                span.partition(),
                                Math.max(span.beginOffset(), begins.getOrDefault(partition, 0L)),
                                Math.min(span.endOffset(), ends.getOrDefault(partition, 0L)));
                    })
                    .filter(span -> span.beginOffset() < span.endOffset())
                    .toList();
        }
    }

    private static long read(
            KafkaConsumer<byte[], byte[]> consumer,
            String topic,
            AlertSpan span,
            Predicate<TopicPartition> wanted,
            BiConsumer<Alert, Place> reader,
            long silenceNanos,
            LongSupplier nanoTime) {
        TopicPartition partition = new TopicPartition(topic, span.partition());
        consumer.assign(Set.of(partition));
        consumer.seek(partition, span.beginOffset());
        long records = 0;
        long deadlineNanos = nanoTime.getAsLong() + silenceNanos;
        while (consumer.position(partition) < span.endOffset()) {
            ConsumerRecords<byte[], byte[]> polled = consumer.poll(POLL);
            for (ConsumerRecord<byte[], byte[]> record : polled) {
                if (record.offset() < span.endOffset()
                        && about(record).filter(wanted).isPresent()) {
                    take(record, reader);
                }
            }
            records += polled.count();
            if (!polled.isEmpty()) {
                deadlineNanos = nanoTime.getAsLong() + silenceNanos;
            } else if (nanoTime.getAsLong() > deadlineNanos) {
                throw new TimeoutException("the alerts topic cannot be read: " + span);
            }
        }
        return records;
    }

    private static void take(ConsumerRecord<byte[], byte[]> record, BiConsumer<Alert, Place> reader) {
        try {
            if (AlertJson.readRecord(record.value()) instanceof Alert alert) {
                reader.accept(alert, new Place(record.partition(), record.offset()));
            }
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
