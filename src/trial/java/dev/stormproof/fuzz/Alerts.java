package dev.stormproof.fuzz;

import dev.stormproof.alert.AlertJson;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.PartitionId;
import dev.stormproof.verify.judge.Undelivered;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The alerts of a topology: how many of each type a partition has, and what became of the records that it could not deliver.
 *
 * <p>For one thread.
 */
final class Alerts implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(50);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Map<PartitionId, Map<Long, Undelivered>> undelivered = new HashMap<>();
    private final Map<PartitionId, Map<String, Integer>> counts = new HashMap<>();

    Alerts(String servers, String topic) {
        consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", servers, "isolation.level", "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        TopicPartition partition = new TopicPartition(topic, 0);
        consumer.assign(Set.of(partition));
        consumer.seekToBeginning(Set.of(partition));
    }

    /** Reads what has come. */
    void poll() {
        consumer.poll(POLL).forEach(this::note);
    }

    /** True if an alert says that the output goes without this record, in its place. */
    boolean tellOf(ConsumerRecord<byte[], byte[]> input) {
        return isOf(input.topic(), input.partition(), input.offset(), Undelivered.Kind.DIVERTED);
    }

    /** True if the last alert on an offset says that the output stands there. */
    boolean haltAt(TopicPartition input, long offset) {
        return isOf(input.topic(), input.partition(), offset, Undelivered.Kind.HALTED);
    }

    /** How many alerts of each type there are of a partition. */
    Map<String, Integer> countsOf(TopicPartition partition) {
        return counts.getOrDefault(new PartitionId(partition.topic(), partition.partition()), Map.of());
    }

    @Override
    public void close() {
        consumer.close();
    }

    private boolean isOf(String topic, int partition, long offset, Undelivered.Kind kind) {
        Undelivered last = undelivered
                .getOrDefault(new PartitionId(topic, partition), Map.of())
                .get(offset);
        return last != null && last.kind() == kind;
    }

    private void note(ConsumerRecord<byte[], byte[]> record) {
        Finding finding;
        try {
            finding = AlertJson.read(record.value()).finding();
        } catch (IOException e) {
            throw new UncheckedIOException("an alert that cannot be read", e);
        }
        counts.computeIfAbsent(finding.partition(), first -> new TreeMap<>())
                .merge(finding.type().label(), 1, Integer::sum);
        if (finding instanceof Undelivered one) {
            undelivered
                    .computeIfAbsent(one.partition(), first -> new HashMap<>())
                    .put(one.offset(), one);
        }
    }
}
