package dev.stormproof.consume;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.jspecify.annotations.Nullable;

/** The questions about log and group, whose answers are the same whether records are held or not. */
abstract class PassingConsumer<K, V> implements Consumer<K, V> {
    final Consumer<byte[], byte[]> inner;

    PassingConsumer(Consumer<byte[], byte[]> inner) {
        this.inner = inner;
    }

    @Override
    public Set<TopicPartition> assignment() {
        return inner.assignment();
    }

    @Override
    public Set<String> subscription() {
        return inner.subscription();
    }

    @Override
    public Map<TopicPartition, OffsetAndMetadata> committed(Set<TopicPartition> ids) {
        return inner.committed(ids);
    }

    @Override
    public Map<TopicPartition, OffsetAndMetadata> committed(Set<TopicPartition> ids, Duration timeout) {
        return inner.committed(ids, timeout);
    }

    /** Of kafka-clients before 4.0. */
    public @Nullable OffsetAndMetadata committed(TopicPartition id) {
        return inner.committed(Set.of(id)).get(id);
    }

    /** Of kafka-clients before 4.0. */
    public @Nullable OffsetAndMetadata committed(TopicPartition id, Duration timeout) {
        return inner.committed(Set.of(id), timeout).get(id);
    }

    @Override
    public Uuid clientInstanceId(Duration timeout) {
        return inner.clientInstanceId(timeout);
    }

    @Override
    public List<PartitionInfo> partitionsFor(String topic) {
        return inner.partitionsFor(topic);
    }

    @Override
    public List<PartitionInfo> partitionsFor(String topic, Duration timeout) {
        return inner.partitionsFor(topic, timeout);
    }

    @Override
    public Map<String, List<PartitionInfo>> listTopics() {
        return inner.listTopics();
    }

    @Override
    public Map<String, List<PartitionInfo>> listTopics(Duration timeout) {
        return inner.listTopics(timeout);
    }

    @Override
    public Map<TopicPartition, OffsetAndTimestamp> offsetsForTimes(Map<TopicPartition, Long> times) {
        return inner.offsetsForTimes(times);
    }

    @Override
    public Map<TopicPartition, OffsetAndTimestamp> offsetsForTimes(Map<TopicPartition, Long> times, Duration timeout) {
        return inner.offsetsForTimes(times, timeout);
    }

    @Override
    public Map<TopicPartition, Long> beginningOffsets(Collection<TopicPartition> ids) {
        return inner.beginningOffsets(ids);
    }

    @Override
    public Map<TopicPartition, Long> beginningOffsets(Collection<TopicPartition> ids, Duration timeout) {
        return inner.beginningOffsets(ids, timeout);
    }

    @Override
    public Map<TopicPartition, Long> endOffsets(Collection<TopicPartition> ids) {
        return inner.endOffsets(ids);
    }

    @Override
    public Map<TopicPartition, Long> endOffsets(Collection<TopicPartition> ids, Duration timeout) {
        return inner.endOffsets(ids, timeout);
    }

    @Override
    public ConsumerGroupMetadata groupMetadata() {
        return inner.groupMetadata();
    }

    @Override
    public void enforceRebalance() {
        inner.enforceRebalance();
    }

    @Override
    public void enforceRebalance(String reason) {
        inner.enforceRebalance(reason);
    }

    @Override
    public void registerMetricForSubscription(KafkaMetric metric) {
        inner.registerMetricForSubscription(metric);
    }

    @Override
    public void unregisterMetricFromSubscription(KafkaMetric metric) {
        inner.unregisterMetricFromSubscription(metric);
    }
}
