package dev.stormproof.cli.fault;

import dev.stormproof.proof.checkpoint.EventHeader;
import dev.stormproof.proof.checkpoint.Format1Codec;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.jspecify.annotations.Nullable;

/**
 * A fault injector is a producer that injects the faults of a {@link FaultPlan} into the events that it passes on.
 *
 * <pre>
 *   application ──► CheckpointingProducer ──► FaultInjector ──► KafkaProducer
 *                   signs and seals           errs              writes
 * </pre>
 *
 * <p>It comes after the signer, so that headers and checkpoints state the events as they should have been written.
 * Checkpoints pass untouched and in their place, also while an event is held back, so that faults reach across the edges of
 * intervals, by one checkpoint at most. The sender sees no fault: a lost event is acknowledged at once, a held one when it
 * is really written.
 *
 * <p>{@link #flush()}, {@link #commitTransaction()} and {@link #close()} release held events. {@link #injected()} lists the
 * faults that really happened, which are fewer than planned if fewer events came than the plan was made for, or if one of
 * these released an event early. Faults of an aborted transaction are forgotten, and their sites used again.
 *
 * <p>Safe for many threads.
 */
public final class FaultInjector implements Producer<byte[], byte[]> {
    private final Producer<byte[], byte[]> delegate;
    private final FaultPlan plan;
    private final Map<TopicPartition, PartitionFaults> partitions = new ConcurrentHashMap<>();

    public FaultInjector(Producer<byte[], byte[]> delegate, FaultPlan plan) {
        this.delegate = delegate;
        this.plan = plan;
    }

    /** The faults so far, by topic and partition, and within a partition in the order of the log. */
    public List<InjectedFault> injected() {
        return partitions.values().stream()
                .flatMap(faults -> faults.injected().stream())
                .sorted(Comparator.comparing(InjectedFault::topic).thenComparingInt(InjectedFault::partition))
                .toList();
    }

    @Override
    public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record) {
        return send(record, null);
    }

    /** Sends a record that names its partition, or injects the fault that the plan has for it. */
    @Override
    public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, @Nullable Callback callback) {
        if (record.partition() == null) {
            throw new IllegalArgumentException("a record without a partition: the signer chooses it");
        }
        TopicPartition partition = new TopicPartition(record.topic(), record.partition());
        if (isCheckpoint(record)) {
            PartitionFaults faults = partitions.get(partition);
            return faults == null ? delegate.send(record, callback) : faults.sendCheckpoint(record, callback);
        }
        return partitions
                .computeIfAbsent(partition, p -> new PartitionFaults(p, plan, delegate))
                .send(record, callback);
    }

    private static boolean isCheckpoint(ProducerRecord<byte[], byte[]> record) {
        return record.headers().lastHeader(Format2Checkpoint.HEADER) != null
                || (record.headers().lastHeader(EventHeader.NAME) == null
                        && record.value() != null
                        && Format1Codec.hasMagic(record.value()));
    }

    @Override
    public void initTransactions() {
        delegate.initTransactions();
    }

    @Override
    public void beginTransaction() {
        delegate.beginTransaction();
        partitions.values().forEach(PartitionFaults::mark);
    }

    @Override
    public void sendOffsetsToTransaction(
            Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata groupMetadata) {
        delegate.sendOffsetsToTransaction(offsets, groupMetadata);
    }

    @Override
    public void commitTransaction() {
        partitions.values().forEach(PartitionFaults::release);
        delegate.commitTransaction();
    }

    @Override
    public void abortTransaction() {
        delegate.abortTransaction();
        partitions.values().forEach(PartitionFaults::rollback);
    }

    @Override
    public void flush() {
        partitions.values().forEach(PartitionFaults::release);
        delegate.flush();
    }

    @Override
    public void close() {
        partitions.values().forEach(PartitionFaults::release);
        delegate.close();
    }

    @Override
    public void close(Duration timeout) {
        partitions.values().forEach(PartitionFaults::release);
        delegate.close(timeout);
    }

    @Override
    public List<PartitionInfo> partitionsFor(String topic) {
        return delegate.partitionsFor(topic);
    }

    @Override
    public Map<MetricName, ? extends Metric> metrics() {
        return delegate.metrics();
    }

    @Override
    public void registerMetricForSubscription(KafkaMetric metric) {
        delegate.registerMetricForSubscription(metric);
    }

    @Override
    public void unregisterMetricFromSubscription(KafkaMetric metric) {
        delegate.unregisterMetricFromSubscription(metric);
    }

    @Override
    public Uuid clientInstanceId(Duration timeout) {
        return delegate.clientInstanceId(timeout);
    }
}
