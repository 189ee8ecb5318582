package dev.stormproof.chaos;

import static java.util.stream.Collectors.toMap;

import dev.stormproof.alert.AlertSchema;
import dev.stormproof.chaos.testing.WaitLimit;
import dev.stormproof.cli.session.FindingFeed;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A view of Kafka shows where the log ends, how far the group has verified it, and which findings a topic holds. */
final class KafkaView implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final long ANSWER_MILLIS = 8_000;

    private final String servers;
    private final String group;
    private final String topic;
    private volatile Set<TopicPartition> input;
    private final Admin admin;

    KafkaView(String servers, String group, String topic, int partitions) {
        this.servers = servers;
        this.group = group;
        this.topic = topic;
        this.input = first(partitions);
        // Short, so that a broker that comes back is noticed soon.
        this.admin = Admin.create(
                Map.of("bootstrap.servers", servers, "request.timeout.ms", 4_000, "default.api.timeout.ms", 6_000));
    }

    private Set<TopicPartition> first(int partitions) {
        return IntStream.range(0, partitions)
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .collect(Collectors.toSet());
    }

    /** Looks at so many partitions from now on. */
    void widen(int partitions) {
        input = first(partitions);
    }

    int partitions() {
        return input.size();
    }

    String servers() {
        return servers;
    }

    /** The ends of the input's partitions; empty if the broker does not answer. */
    Optional<Map<TopicPartition, Long>> ends() throws InterruptedException {
        try {
            return Optional.of(admin
                    .listOffsets(input.stream().collect(toMap(p -> p, p -> OffsetSpec.latest())))
                    .all()
                    .get(ANSWER_MILLIS, TimeUnit.MILLISECONDS)
                    .entrySet()
                    .stream()
                    .collect(toMap(Map.Entry::getKey, entry -> entry.getValue().offset())));
        } catch (ExecutionException | TimeoutException e) {
            return Optional.empty();
        }
    }

    /** How many records of the input's partitions have been deleted by now. */
    long awaitBegin(WaitLimit limit) throws InterruptedException {
        while (true) {
            try {
                return admin
                        .listOffsets(input.stream().collect(toMap(p -> p, p -> OffsetSpec.earliest())))
                        .all()
                        .get(ANSWER_MILLIS, TimeUnit.MILLISECONDS)
                        .values()
                        .stream()
                        .mapToLong(one -> one.offset())
                        .sum();
            } catch (ExecutionException | TimeoutException e) {
                limit.check(() -> "the broker does not answer");
            }
        }
    }

    /** The group's progress, 0 where it has none; empty if the broker does not answer. */
    Optional<Map<TopicPartition, Long>> progress() throws InterruptedException {
        try {
            Map<TopicPartition, Long> progress = input.stream().collect(toMap(p -> p, p -> 0L));
            admin.listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata()
                    .get(ANSWER_MILLIS, TimeUnit.MILLISECONDS)
                    .forEach((partition, committed) -> {
                        if (committed != null) {
                            progress.replace(partition, committed.offset());
                        }
                    });
            return Optional.of(progress);
        } catch (ExecutionException | TimeoutException e) {
            return Optional.empty();
        }
    }

    /** The ends of the input's partitions, as soon as the broker answers. */
    Map<TopicPartition, Long> awaitEnds(WaitLimit limit) throws InterruptedException {
        while (true) {
            Optional<Map<TopicPartition, Long>> ends = ends();
            if (ends.isPresent()) {
                return ends.get();
            }
            limit.check(() -> "the broker does not answer");
        }
    }

    /** The group's progress, as soon as the broker answers. */
    Map<TopicPartition, Long> awaitProgressKnown(WaitLimit limit) throws InterruptedException {
        while (true) {
            Optional<Map<TopicPartition, Long>> progress = progress();
            if (progress.isPresent()) {
                return progress.get();
            }
            limit.check(() -> "the broker does not answer");
        }
    }

    /** Waits until every partition is verified up to {@code offsets}. */
    void awaitProgress(Map<TopicPartition, Long> offsets, WaitLimit limit) throws InterruptedException {
        while (true) {
            Optional<Map<TopicPartition, Long>> progress = progress();
            if (progress.isPresent()
                    && offsets.entrySet().stream()
                            .allMatch(
                                    wanted -> progress.get().getOrDefault(wanted.getKey(), 0L) >= wanted.getValue())) {
                return;
            }
            limit.check(() -> "verified up to " + progress + " of " + offsets);
            limit.pause();
        }
    }

    /** Reads the findings on a topic of one partition, from an offset to its end; returns that end. */
    long readPublished(String topic, long from, Published published) throws IOException {
        TopicPartition partition = new TopicPartition(topic, 0);
        Map<String, Object> settings = new HashMap<>(Map.of("bootstrap.servers", servers));
        settings.put("isolation.level", "read_committed");
        settings.put("auto.offset.reset", "none");
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seek(partition, from);
            long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
            while (consumer.position(partition) < end) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    AlertSchema.check(record.value());
                    published.add(FindingFeed.alert(record));
                }
            }
            return consumer.position(partition);
        }
    }

    @Override
    public void close() {
        admin.close(Duration.ofSeconds(5));
    }
}
