package dev.stormproof.task.live.open;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.alert.AlertSchema;
import dev.stormproof.proof.checkpoint.LogRecordParser;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.progress.SubscribedTopics;
import dev.stormproof.task.live.run.RecordParsers;
import dev.stormproof.task.transform.EventTransform;
import dev.stormproof.task.transform.InputEvent;
import dev.stormproof.task.transform.Transformed;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.judge.Undelivered;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A task on a real broker with a spout before it that finds partitions as they are added; and a reader of what the task writes. */
final class DrivenTask implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(20);

    private final String servers;
    private final StormproofConfig config;
    private final DurableVerification verification;
    private final LogRecordParser parser;
    private final KafkaConsumer<byte[], byte[]> spout;
    private final KafkaConsumer<byte[], byte[]> reader;
    private final Map<TopicPartition, Long> last = new HashMap<>();
    final List<Throwable> errors = new ArrayList<>();

    /** Puts an exclamation mark behind every value. */
    public static final class Exclaiming implements EventTransform {
        @Override
        public Transformed apply(InputEvent event) {
            return Transformed.of((new String(Objects.requireNonNull(event.value()), UTF_8) + "!").getBytes(UTF_8));
        }
    }

    DrivenTask(Map<String, String> properties) {
        config = new StormproofConfig(properties);
        servers = config.bootstrapServers();
        parser = RecordParsers.newParser(config);
        spout = consumer();
        reader = consumer();
        verification = new DurableVerification(
                config, new DurableVerification.Task("t", 0, 0, partition -> true), type -> {}, errors::add);
    }

    /** Drives it until something is so. */
    void driveUntil(BooleanSupplier done) {
        do {
            assign();
            for (ConsumerRecord<byte[], byte[]> record : spout.poll(POLL)) {
                TopicPartition partition = new TopicPartition(record.topic(), record.partition());
                Long before = last.put(partition, record.offset());
                verification.take(
                        partition,
                        0,
                        new DeliveryLink(
                                record.offset(),
                                before == null ? record.offset() - 1 : before,
                                record.leaderEpoch().orElse(DeliveryLink.NO_EPOCH)),
                        record,
                        parser);
            }
            verification.tick();
        } while (!done.getAsBoolean());
    }

    /** All that can be read of a partition; nothing if it does not exist. */
    List<ConsumerRecord<byte[], byte[]>> read(String topic, int partition) {
        List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
        if (reader.listTopics().getOrDefault(topic, List.of()).size() <= partition) {
            return all;
        }
        TopicPartition one = new TopicPartition(topic, partition);
        reader.assign(Set.of(one));
        reader.seekToBeginning(Set.of(one));
        long end = Objects.requireNonNull(reader.endOffsets(Set.of(one)).get(one));
        while (reader.position(one) < end) {
            reader.poll(POLL).forEach(all::add);
        }
        return all;
    }

    /** The values of a partition; "-" for none. */
    List<String> values(String topic, int partition) {
        return read(topic, partition).stream()
                .map(record -> record.value() == null ? "-" : new String(record.value(), UTF_8))
                .toList();
    }

    /** What was told of the output of a partition. */
    List<Undelivered> told(String topic, int partition) {
        List<Undelivered> told = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : read(config.alerts.topic(), 0)) {
            try {
                if (AlertSchema.read(record.value()).finding() instanceof Undelivered one
                        && one.partition().topic().equals(topic)
                        && one.partition().partition() == partition) {
                    told.add(one);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return told;
    }

    @Override
    public void close() {
        spout.close();
        reader.close();
        verification.close();
    }

    private void assign() {
        Set<TopicPartition> mine = new SubscribedTopics(config.input.names()).partitions(spout);
        Set<TopicPartition> fresh = new HashSet<>(mine);
        fresh.removeAll(spout.assignment());
        if (!fresh.isEmpty()) {
            Map<TopicPartition, Long> positions = new HashMap<>();
            spout.assignment().forEach(partition -> positions.put(partition, spout.position(partition)));
            spout.assign(mine);
            positions.forEach(spout::seek);
            spout.seekToBeginning(fresh);
        }
    }

    private KafkaConsumer<byte[], byte[]> consumer() {
        return new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        servers,
                        "isolation.level",
                        "read_committed",
                        "metadata.max.age.ms",
                        1_000,
                        "allow.auto.create.topics",
                        "false"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }
}
