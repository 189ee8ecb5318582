package dev.stormproof.soak;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** What Kafka holds of a measured topology: the log itself, the progress of the group, alerts. */
final class Ledger {
    private final String servers;
    private final String group;
    private final Set<TopicPartition> input;

    Ledger(String servers, String group, String topic, int partitions) {
        this.servers = servers;
        this.group = group;
        this.input = IntStream.range(0, partitions)
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .collect(Collectors.toSet());
    }

    /** The sum of the group's committed offsets. */
    long progress() throws InterruptedException, ExecutionException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            return progress(admin);
        }
    }

    /** The same, asked through a client that is there. */
    long progress(Admin admin) throws InterruptedException, ExecutionException {
        return admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get().entrySet().stream()
                .filter(entry -> input.contains(entry.getKey()) && entry.getValue() != null)
                .mapToLong(entry -> entry.getValue().offset())
                .sum();
    }

    /** The sum of the log's ends. */
    long end() throws InterruptedException, ExecutionException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            return admin
                    .listOffsets(input.stream().collect(Collectors.toMap(p -> p, p -> OffsetSpec.latest())))
                    .all()
                    .get()
                    .values()
                    .stream()
                    .mapToLong(result -> result.offset())
                    .sum();
        }
    }

    /** How many alerts there are. */
    long alerts(String topic) {
        long[] count = new long[1];
        read(Set.of(new TopicPartition(topic, 0)), record -> count[0]++);
        return count[0];
    }

    private void read(Set<TopicPartition> partitions, Consumer<ConsumerRecord<byte[], byte[]>> reader) {
        Map<String, Object> settings = Map.of(
                "bootstrap.servers", servers, "auto.offset.reset", "earliest", "isolation.level", "read_committed");
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            List<TopicPartition> waiting = List.copyOf(partitions);
            while (!waiting.isEmpty()) {
                consumer.poll(Duration.ofMillis(200)).forEach(reader);
                waiting = waiting.stream()
                        .filter(partition -> consumer.position(partition) < ends.get(partition))
                        .toList();
            }
        }
    }
}
