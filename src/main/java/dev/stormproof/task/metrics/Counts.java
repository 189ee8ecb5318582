package dev.stormproof.task.metrics;

import dev.stormproof.verify.judge.PartitionId;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The counters that all tasks of a worker share. Any thread may use it. */
final class Counts {
    private static final double[] DELAYS = {0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300};

    private final Map<Metric, Counter> counters = new EnumMap<>(Metric.class);
    private final Histogram delays;

    Counts(PrometheusRegistry registry) {
        for (Metric metric : List.of(
                Metric.EVENTS,
                Metric.VERDICTS,
                Metric.VERIFIED_EVENTS,
                Metric.ANOMALIES,
                Metric.STRAY_RECORDS,
                Metric.MISSED_RECORDS,
                Metric.UNDELIVERED_EVENTS,
                Metric.TRANSFORM_FAILURES)) {
            counters.put(
                    metric,
                    metric.describe(Counter.builder()).withoutExemplars().register(registry));
        }
        delays = Metric.DETECTION_DELAY
                .describe(Histogram.builder())
                .classicOnly()
                .classicUpperBounds(DELAYS)
                .register(registry);
    }

    void add(Metric metric, long more, String group) {
        of(metric).labelValues(group).inc(more);
    }

    void add(Metric metric, long more, String group, PartitionId partition) {
        of(metric)
                .labelValues(group, partition.topic(), String.valueOf(partition.partition()))
                .inc(more);
    }

    void add(Metric metric, long more, String group, PartitionId partition, String word) {
        of(metric)
                .labelValues(group, word, partition.topic(), String.valueOf(partition.partition()))
                .inc(more);
    }

    void delayed(String group, String verdict, double seconds) {
        delays.labelValues(group, verdict).observe(seconds);
    }

    private Counter of(Metric metric) {
        return Objects.requireNonNull(counters.get(metric));
    }
}
