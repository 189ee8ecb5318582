package dev.stormproof.emit;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigResource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the topics that a producer writes to take, asked for once, and again after each refusal.
 *
 * <p>The first event of a topic waits a short time for the answer, which may not come: a producer may have the right to write without the right
 * to describe configurations. Safe for many threads.
 */
final class TopicLimits {
    private static final Logger LOG = LoggerFactory.getLogger(TopicLimits.class);
    private static final int ADMIN_TIMEOUT_MILLIS = 30_000;

    private final int maxBytes;
    private final Function<String, Map<String, String>> settingsOf;
    private final Executor background;
    private final Map<String, MaxMessageBytes> limits = new ConcurrentHashMap<>();

    /**
     * @param settingsOf asks the cluster for a topic's settings, and may take long; empty without an answer
     * @param background runs what may take long
     */
    TopicLimits(int maxBytes, Function<String, Map<String, String>> settingsOf, Executor background) {
        this.maxBytes = maxBytes;
        this.settingsOf = settingsOf;
        this.background = background;
    }

    MaxMessageBytes of(String topic) {
        MaxMessageBytes known = limits.get(topic);
        if (known != null) {
            return known;
        }
        MaxMessageBytes limit =
                limits.computeIfAbsent(topic, t -> new MaxMessageBytes(t, maxBytes, () -> ask(t, of(t))));
        ask(topic, limit);
        return limit;
    }

    private void ask(String topic, MaxMessageBytes limit) {
        try {
            background.execute(() -> {
                try {
                    limit.setKnown(settingsOf.apply(topic));
                } finally {
                    limit.answered();
                }
            });
        } catch (RejectedExecutionException e) {
            limit.answered();
            LOG.debug(
                    "{}: there is no thread to read the topic's configuration; refusals will show its limits",
                    topic,
                    e);
        }
    }

    /**
     * Asks the cluster with the connection settings of the producer. A producer without metrics of connections, such as Kafka's MockProducer,
     * has no cluster.
     */
    static Function<String, Map<String, String>> ofCluster(
            Producer<byte[], byte[]> producer, Map<String, Object> producerSettings) {
        if (producer.metrics().isEmpty()) {
            return topic -> Map.of();
        }
        Map<String, Object> settings = new HashMap<>(producerSettings);
        settings.keySet().retainAll(AdminClientConfig.configNames());
        settings.remove(AdminClientConfig.METRIC_REPORTER_CLASSES_CONFIG);
        settings.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, ADMIN_TIMEOUT_MILLIS);
        settings.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, ADMIN_TIMEOUT_MILLIS);
        return topic -> {
            ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
            Admin admin = Admin.create(settings);
            try {
                return Objects.requireNonNull(admin.describeConfigs(List.of(resource))
                                .all()
                                .get()
                                .get(resource))
                        .entries()
                        .stream()
                        .filter(entry -> entry.value() != null)
                        .collect(Collectors.toMap(ConfigEntry::name, ConfigEntry::value));
            } catch (ExecutionException | KafkaException e) {
                LOG.debug("{}: the topic's configuration cannot be read; refusals will show its limits", topic, e);
            } catch (InterruptedException e) {
                // The producer is being closed.
                Thread.currentThread().interrupt();
            } finally {
                // Otherwise its thread would run as long as the cluster does not answer.
                admin.close(Duration.ZERO);
            }
            return Map.of();
        };
    }
}
