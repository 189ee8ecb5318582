package dev.stormproof.task.live.run;

import dev.stormproof.task.config.StormproofConfig;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bounds on alerts and verdicts in bytes: what the producer sends, or less.
 *
 * <pre>
 *   first record ──► the topic's max.message.bytes, if it is known
 *   refused ───────► the same, asked for again; or half of the record, if that is nothing new
 * </pre>
 *
 * <p>Asking needs {@code DescribeConfigs} on the topic. Without that right only refusals show a bound. For one thread.
 */
public final class RecordLimits {
    /** The bytes of a batch with one record besides key and value: headers, lengths, and the batch's own fields. */
    static final int OVERHEAD_BYTES = 256;

    private static final Logger LOG = LoggerFactory.getLogger(RecordLimits.class);
    private static final String TIMEOUT_MILLIS = "10000";

    private final int mostBytes;
    private final Function<String, OptionalInt> topics;
    private final Map<String, Integer> byTopic = new HashMap<>();

    /**
     * @param mostBytes the bound of unknown topics
     * @param topics the limit of a topic, if it is known
     */
    public RecordLimits(int mostBytes, Function<String, OptionalInt> topics) {
        this.mostBytes = mostBytes;
        this.topics = topics;
    }

    /** Asks for the limits of the topics of alerts and verdicts. */
    public static RecordLimits of(StormproofConfig config, ProducerLimits producer) {
        RecordLimits limits = new RecordLimits(producer.mostBytes(), topic -> ask(config, topic));
        limits.of(config.alerts.topic());
        config.alerts.verdictsTopic().ifPresent(limits::of);
        return limits;
    }

    /** The bound on key and value of a record of a topic. */
    public int of(String topic) {
        return byTopic.computeIfAbsent(topic, first -> Math.min(mostBytes, asked(first)) - OVERHEAD_BYTES);
    }

    /** Lowers the bound of a topic that refused a record. */
    void refused(String topic, int sizeBytes) {
        int now = asked(topic) - OVERHEAD_BYTES;
        byTopic.put(topic, now < sizeBytes ? now : sizeBytes / 2);
        LOG.warn(
                "{} takes no record of {} bytes (max.message.bytes there, max.request.size here): from now on {}",
                topic,
                sizeBytes,
                byTopic.get(topic));
    }

    private int asked(String topic) {
        return topics.apply(topic).orElse(mostBytes);
    }

    private static OptionalInt ask(StormproofConfig config, String topic) {
        Map<String, Object> properties = config.kafkaAdmin();
        properties.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_MILLIS);
        properties.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MILLIS);
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        try (Admin admin = Admin.create(properties)) {
            return OptionalInt.of(Integer.parseInt(Objects.requireNonNull(
                            admin.describeConfigs(Set.of(resource)).all().get().get(resource))
                    .get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG)
                    .value()));
        } catch (ExecutionException e) {
            LOG.info("max.message.bytes of {} cannot be asked for: {}", topic, e.toString());
            return OptionalInt.empty();
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }
}
