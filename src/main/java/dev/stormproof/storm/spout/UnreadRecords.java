package dev.stormproof.storm.spout;

import dev.stormproof.config.MetricsAddress;
import dev.stormproof.judge.PartitionId;
import dev.stormproof.metrics.TaskMetrics;
import dev.stormproof.metrics.WorkerMetrics;
import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.utils.Time;
import org.jspecify.annotations.Nullable;

/**
 * The count of the records that the log has and a spout has not read, as its consumer knows it from what it fetched last: once a
 * second, without asking a broker.
 *
 * <p>Used by the spout's thread; any thread reads the numbers.
 */
final class UnreadRecords implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final @Nullable MetricsAddress address;
    private final String group;

    private transient @Nullable TaskMetrics metrics;
    private transient long countedNanos;

    /**
     * @param address where the worker serves its metrics; empty if it does not
     * @param group the topology's consumer group
     */
    UnreadRecords(Optional<MetricsAddress> address, String group) {
        this.address = address.orElse(null);
        this.group = group;
    }

    void open(TopologyContext context) {
        TaskMetrics opened = WorkerMetrics.ofThisProcess().task(Optional.ofNullable(address), group);
        context.registerGauge("unread-records", opened::unreadRecords);
        metrics = opened;
        countedNanos = Time.nanoTime() - EVERY_NANOS;
    }

    /** Follows a poll of the consumer. */
    void polled(Consumer<?, ?> consumer) {
        long nowNanos = Time.nanoTime();
        if (metrics != null && nowNanos - countedNanos >= EVERY_NANOS) {
            countedNanos = nowNanos;
            Map<PartitionId, Long> unread = new HashMap<>();
            consumer.assignment()
                    .forEach(partition -> consumer.currentLag(partition)
                            .ifPresent(
                                    lag -> unread.put(new PartitionId(partition.topic(), partition.partition()), lag)));
            metrics.unread(unread);
        }
    }

    void close() {
        if (metrics != null) {
            metrics.close();
        }
    }
}
