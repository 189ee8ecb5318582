package dev.stormproof.task.storm.spout;

import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.metrics.TaskMetrics;
import dev.stormproof.task.metrics.WorkerMetrics;
import java.io.Serializable;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.utils.Time;
import org.jspecify.annotations.Nullable;

/**
 * Counts the unread records of a spout once a second, as its consumer knows them from the last fetches.
 *
 * <p>The spout's thread uses it; any thread reads the numbers.
 */
final class UnreadRecords implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final TreeMap<String, String> properties;

    private transient @Nullable TaskMetrics metrics;
    private transient long countedNanos;

    UnreadRecords(StormproofConfig config) {
        this.properties = new TreeMap<>(config.properties());
    }

    void open(TopologyContext context) {
        StormproofConfig config = new StormproofConfig(properties);
        TaskMetrics opened = WorkerMetrics.ofThisProcess().task(config.metricsAddress(), config.groupId());
        context.registerGauge("unread-records", opened::unreadRecords);
        metrics = opened;
        countedNanos = Time.nanoTime() - EVERY_NANOS;
    }

    void polled(Consumer<?, ?> consumer) {
        long nowNanos = Time.nanoTime();
        if (metrics != null && nowNanos - countedNanos >= EVERY_NANOS) {
            countedNanos = nowNanos;
            metrics.unreadOf(consumer);
        }
    }

    void close() {
        if (metrics != null) {
            metrics.close();
        }
    }
}
