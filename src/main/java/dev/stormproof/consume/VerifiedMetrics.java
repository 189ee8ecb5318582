package dev.stormproof.consume;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;

/** The consumer's own metrics, beside those of KafkaConsumer. */
final class VerifiedMetrics {
    /** Their group. */
    static final String GROUP = "stormproof-verified-metrics";

    private final Map<MetricName, Metric> metrics = new HashMap<>();
    private final Map<String, String> tags;

    private record Gauge(MetricName metricName, Supplier<Object> value) implements Metric {
        @Override
        public Object metricValue() {
            return value.get();
        }
    }

    VerifiedMetrics(String clientId) {
        this.tags = Map.of("client-id", clientId);
    }

    void add(String name, String description, Supplier<Object> value) {
        MetricName metric = new MetricName(name, GROUP, description, tags);
        metrics.put(metric, new Gauge(metric, value));
    }

    /** These and others. */
    Map<MetricName, Metric> with(Map<MetricName, ? extends Metric> others) {
        Map<MetricName, Metric> all = new HashMap<>(others);
        all.putAll(metrics);
        return all;
    }
}
