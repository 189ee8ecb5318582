package dev.stormproof.emit.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.emit.CheckpointingProducer;
import dev.stormproof.emit.EmitterConfig;
import dev.stormproof.emit.EmitterStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** These clients are emitters and consumers of text for tests; {@link #await} waits for them. */
public final class Clients {
    public static final long PATIENCE_SECONDS = 60;

    private Clients() {}

    /** An emitter that seals by time only if {@code more} says so. */
    public static CheckpointingProducer<String, String> producer(EmbeddedKafka kafka, Object... more) {
        return new CheckpointingProducer<>(
                producerSettings(kafka, more), new StringSerializer(), new StringSerializer());
    }

    public static Map<String, Object> producerSettings(EmbeddedKafka kafka, Object... more) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", kafka.bootstrapServers());
        settings.put(EmitterConfig.MAX_INTERVAL_MS, 60_000L);
        put(settings, more);
        return settings;
    }

    public static void send(Producer<String, String> producer, String topic, int partition, String value) {
        Future<RecordMetadata> unused = producer.send(new ProducerRecord<>(topic, partition, "key", value));
    }

    public static long checkpoints(CheckpointingProducer<?, ?> producer, String topic, int partition) {
        EmitterStats stats = producer.stats().get(new TopicPartition(topic, partition));
        return stats == null ? 0 : stats.checkpointsSent();
    }

    public static KafkaConsumer<String, String> consumer(EmbeddedKafka kafka, String group, Object... more) {
        return new KafkaConsumer<>(
                consumerSettings(kafka, group, more), new StringDeserializer(), new StringDeserializer());
    }

    public static Map<String, Object> consumerSettings(EmbeddedKafka kafka, String group, Object... more) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", kafka.bootstrapServers());
        settings.put("group.id", group);
        settings.put("auto.offset.reset", "earliest");
        settings.put("enable.auto.commit", false);
        // Closing waits for the fetch that is in flight.
        settings.put("fetch.max.wait.ms", 10);
        put(settings, more);
        return settings;
    }

    /** Polls until at least {@code count} records have come. */
    public static <K, V> List<ConsumerRecord<K, V>> poll(KafkaConsumer<K, V> consumer, int count) {
        List<ConsumerRecord<K, V>> found = new ArrayList<>();
        await(count + " records", () -> {
            consumer.poll(Duration.ofMillis(100)).forEach(found::add);
            return found.size() >= count;
        });
        return found;
    }

    /** All committed records of a partition. */
    public static List<ConsumerRecord<byte[], byte[]>> committed(EmbeddedKafka kafka, TopicPartition partition) {
        return committed(kafka.bootstrapServers(), partition);
    }

    /** All committed records of a partition on a broker of any kind. */
    public static List<ConsumerRecord<byte[], byte[]>> committed(String servers, TopicPartition partition) {
        List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> reader = new KafkaConsumer<>(
                Map.of("bootstrap.servers", servers, "isolation.level", "read_committed", "fetch.max.wait.ms", 10),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            reader.assign(Set.of(partition));
            reader.seekToBeginning(Set.of(partition));
            long end = reader.endOffsets(Set.of(partition)).getOrDefault(partition, 0L);
            while (reader.position(partition) < end) {
                reader.poll(Duration.ofMillis(100)).forEach(all::add);
            }
        }
        return all;
    }

    public static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waiting for " + what).isLessThan(deadline);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
        }
    }

    private static void put(Map<String, Object> settings, Object... more) {
        for (int i = 0; i < more.length; i += 2) {
            settings.put((String) more[i], more[i + 1]);
        }
    }
}
