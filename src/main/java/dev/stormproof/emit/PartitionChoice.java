package dev.stormproof.emit;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.Partitioner;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * Chooses each event's partition as KafkaProducer documents it: the record's own, else the configured {@code partitioner.class}'s, else by the
 * key's murmur2 hash, else one that changes every {@code batch.size} bytes.
 *
 * <p>This and not the inner producer chooses, because the event's place in the stream of its partition must be known before it is sent. The load
 * of brokers, which KafkaProducer's adaptive partitioning uses, is unknown here. Safe for many threads.
 */
final class PartitionChoice implements AutoCloseable {
    private final Producer<byte[], byte[]> inner;
    private final @Nullable Partitioner partitioner;
    private final boolean ignoreKeys;
    private final int stickyBytes;
    private final Map<String, Sticky> stickyPartitions = new ConcurrentHashMap<>();
    private final Map<String, KnownCluster> clusters = new ConcurrentHashMap<>();

    /** A cluster, and the list that it was made from. Kafka keeps the list object until its metadata change. */
    private record KnownCluster(List<PartitionInfo> source, Cluster cluster) {}

    /** The current partition of a topic's events without keys, and what it got. */
    private record Sticky(int partition, AtomicLong sentBytes) {}

    PartitionChoice(Producer<byte[], byte[]> inner, ProducerConfig config) {
        this.inner = inner;
        this.partitioner = config.getConfiguredInstance(
                ProducerConfig.PARTITIONER_CLASS_CONFIG,
                Partitioner.class,
                Map.of(ProducerConfig.CLIENT_ID_CONFIG, config.getString(ProducerConfig.CLIENT_ID_CONFIG)));
        this.ignoreKeys = config.getBoolean(ProducerConfig.PARTITIONER_IGNORE_KEYS_CONFIG);
        this.stickyBytes = Math.max(1, config.getInt(ProducerConfig.BATCH_SIZE_CONFIG));
    }

    /** The partition for a record; blocks while the topic's partitions are unknown, as KafkaProducer does. */
    int choose(ProducerRecord<?, ?> record, byte @Nullable [] key, byte @Nullable [] value) {
        if (record.partition() != null) {
            return record.partition();
        }
        if (partitioner == null && (key == null || ignoreKeys)) {
            return sticky(record.topic(), (key == null ? 0 : key.length) + (value == null ? 0 : value.length));
        }
        List<PartitionInfo> partitions = inner.partitionsFor(record.topic());
        if (partitioner != null) {
            int chosen = partitioner.partition(
                    record.topic(), record.key(), key, record.value(), value, clusterOf(record.topic(), partitions));
            if (chosen < 0) {
                throw new IllegalArgumentException("the partitioner chose partition " + chosen);
            }
            return chosen;
        }
        return Utils.toPositive(Utils.murmur2(Objects.requireNonNull(key))) % partitions.size();
    }

    private int sticky(String topic, int sizeBytes) {
        Sticky current = stickyPartitions.get(topic);
        if (current == null || current.sentBytes.getAndAdd(sizeBytes) >= stickyBytes) {
            // Of threads that choose at once, the last one's choice stays.
            current = new Sticky(another(inner.partitionsFor(topic)), new AtomicLong(sizeBytes));
            stickyPartitions.put(topic, current);
        }
        return current.partition;
    }

    private static int another(List<PartitionInfo> partitions) {
        List<PartitionInfo> available = partitions.stream()
                .filter(partition -> partition.leader() != null)
                .toList();
        List<PartitionInfo> candidates = available.isEmpty() ? partitions : available;
        return candidates
                .get(ThreadLocalRandom.current().nextInt(candidates.size()))
                .partition();
    }

    @Override
    public void close() {
        if (partitioner != null) {
            partitioner.close();
        }
    }

    private Cluster clusterOf(String topic, List<PartitionInfo> partitions) {
        KnownCluster known = clusters.get(topic);
        // By identity, because PartitionInfo has no equals.
        if (known == null || known.source() != partitions) {
            Set<Node> nodes = partitions.stream()
                    .flatMap(partition -> Stream.of(partition.replicas()))
                    .collect(Collectors.toSet());
            known = new KnownCluster(partitions, new Cluster(null, nodes, partitions, Set.of(), Set.of()));
            clusters.put(topic, known);
        }
        return known.cluster();
    }
}
