package dev.stormproof.task.heads;

import dev.stormproof.log.kafka.TopicCreation;
import dev.stormproof.task.config.AlertSettings;
import dev.stormproof.task.config.StormproofConfig;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * A topic of our own as a start demands it: that of heads, which is compacted, so that it keeps the last record of each stream and no others, or
 * that of verdicts.
 *
 * @param key the setting that names it
 * @param servers the brokers, as commands name them
 * @param partitions how many it gets if it is created
 * @param settings what it is created with
 * @param need what to do if it is not ours
 */
public record OwnTopic(
        String key, String name, String servers, int partitions, Map<String, String> settings, String need) {
    /** A segment is not compacted while it is written to: the default one, 1 GB, would be read at each start. */
    private static final Map<String, String> COMPACTED = new TreeMap<>(Map.of(
            TopicConfig.CLEANUP_POLICY_CONFIG,
            TopicConfig.CLEANUP_POLICY_COMPACT,
            TopicConfig.SEGMENT_BYTES_CONFIG,
            Integer.toString(50 << 20)));

    private static final int TIMEOUT_MILLIS = 30_000;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** That of a topology's heads, with as many partitions as tasks. */
    public static OwnTopic ofHeads(StormproofConfig config) {
        return ofHeads(config.headsTopic(), config.bootstrapServers(), config.tasks.verifying());
    }

    static OwnTopic ofHeads(String name, String servers, int partitions) {
        return new OwnTopic(
                StormproofConfig.HEADS_TOPIC,
                name,
                servers,
                partitions,
                COMPACTED,
                "Allow Read, Write and DescribeConfigs on it");
    }

    /** That of a topology's verdicts; empty if it writes none. */
    public static Optional<OwnTopic> ofVerdicts(StormproofConfig config) {
        String key = AlertSettings.VERDICTS_TOPIC;
        return config.alerts
                .verdictsTopic()
                .map(name -> new OwnTopic(
                        key,
                        name,
                        config.bootstrapServers(),
                        1,
                        Map.of(),
                        "Set " + key + "=" + AlertSettings.NO_VERDICTS + ", or allow Write on it"));
    }

    /**
     * The number of its partitions; creates it if it is not there.
     *
     * @throws ConfigException if it cannot be created, or is not compacted though it should be, with the command that makes it right
     */
    public int demand(Admin admin) {
        long begunNanos = System.nanoTime();
        while (System.nanoTime() - begunNanos < TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS)) {
            OptionalInt there = partitionsOf(admin);
            if (there.isPresent()) {
                if (settings.equals(COMPACTED)) {
                    demandCompacted(admin);
                }
                return there.getAsInt();
            }
            if (isCreated(admin)) {
                return partitions;
            }
            // Another task has created it just now, and not every broker has heard of it.
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        throw new TimeoutException("topic " + name + " was created, but no broker knows it yet");
    }

    String command() {
        return "kafka-topics.sh --bootstrap-server " + servers + " --create --topic " + name + " --partitions "
                + partitions
                + settings.entrySet().stream()
                        .map(one -> " --config " + one.getKey() + "=" + one.getValue())
                        .collect(Collectors.joining());
    }

    private OptionalInt partitionsOf(Admin admin) {
        try {
            return OptionalInt.of(Objects.requireNonNull(
                            admin.describeTopics(Set.of(name)).topicNameValues().get(name))
                    .get()
                    .partitions()
                    .size());
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                return OptionalInt.empty();
            }
            throw refusal(e);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    /** Creates it; false if another task has. */
    private boolean isCreated(Admin admin) {
        try {
            TopicCreation.create(
                    admin,
                    new NewTopic(name, Optional.of(partitions), Optional.empty()).configs(settings),
                    TIMEOUT_MILLIS);
            return true;
        } catch (TopicExistsException e) {
            return false;
        } catch (KafkaException e) {
            throw refusal(e);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    private void demandCompacted(Admin admin) {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, name);
        String policy;
        try {
            policy = Objects.requireNonNull(
                            admin.describeConfigs(Set.of(resource)).values().get(resource))
                    .get()
                    .get(TopicConfig.CLEANUP_POLICY_CONFIG)
                    .value();
        } catch (ExecutionException e) {
            throw refusal(e);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
        if (!policy.equals(TopicConfig.CLEANUP_POLICY_COMPACT)) {
            throw new ConfigException("topic '" + name + "' (" + key + ") has "
                    + TopicConfig.CLEANUP_POLICY_CONFIG
                    + "="
                    + policy + ", so that heads would expire from it. If it is for nothing else: kafka-configs.sh"
                    + " --bootstrap-server " + servers + " --alter --entity-type topics --entity-name " + name
                    + " --add-config " + TopicConfig.CLEANUP_POLICY_CONFIG + "=" + TopicConfig.CLEANUP_POLICY_COMPACT);
        }
    }

    /** What is to be thrown: what may pass stays as it is, so that the start is tried again. */
    private KafkaException refusal(Exception e) {
        Throwable cause = e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
        if (cause instanceof RetriableException retriable) {
            return retriable;
        }
        return new ConfigException("topic '" + name + "' (" + key + ") "
                + (cause instanceof AuthorizationException ? "is not ours to look at or create" : "cannot be created")
                + ": " + cause.getMessage()
                + ". " + need + "; if it is not there, create it: " + command());
    }
}
