package dev.stormproof.storm;

import dev.stormproof.config.StormproofConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.storm.Config;

/** What is checked before a topology starts, so that what cannot work is refused with a reason instead of failing late. */
public final class StartupCheck {
    private static final String REQUEST_TIMEOUT_MILLIS = "5000";
    private static final String TIMEOUT_MILLIS = "15000";

    /** How long a topic that was created just now may take to be known to the broker that is asked. */
    private static final long NEW_TOPIC_MILLIS = 2_000;

    private static final long PAUSE_MILLIS = 100;

    private final StormproofConfig config;
    private final List<String> warnings = new ArrayList<>();

    private StartupCheck(StormproofConfig config) {
        this.config = config;
    }

    /**
     * Looks at the configuration, at the classes that it names, and at the topics in Kafka.
     *
     * @param stormOverrides settings of Storm that the topology will be submitted with besides its own
     * @return warnings, one line each
     * @throws RefusedException with the first reason not to start
     */
    public static List<String> check(StormproofConfig config, Map<String, ?> stormOverrides) throws RefusedException {
        StartupCheck check = new StartupCheck(config);
        check.checkClasses();
        checkBatchSizes(stormOverrides);
        check.checkTopics();
        return List.copyOf(check.warnings);
    }

    private void checkClasses() throws RefusedException {
        try {
            EventTransforms.named(config.transform());
            TopologySettings.newParser(config);
        } catch (ConfigException e) {
            throw RefusedException.usage(String.valueOf(e.getMessage()), e);
        }
    }

    /** Larger batches reorder tuples around a full queue. */
    private static void checkBatchSizes(Map<String, ?> overrides) throws RefusedException {
        for (String key : List.of(Config.TOPOLOGY_PRODUCER_BATCH_SIZE, Config.TOPOLOGY_TRANSFER_BATCH_SIZE)) {
            Object value = overrides.get(key);
            if (value != null && !value.toString().equals("1")) {
                throw RefusedException.usage(
                        key + "=" + value + " would reorder events inside Storm: leave it at 1", null);
            }
        }
    }

    private void checkTopics() throws RefusedException {
        Map<String, Object> properties = new HashMap<>(config.kafkaAdmin());
        properties.putIfAbsent(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MILLIS);
        properties.putIfAbsent(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_MILLIS);
        try (Admin admin = Admin.create(properties)) {
            Map<String, TopicDescription> inputs = inputs(admin);
            describe(admin, config.alertsTopic(), StormproofConfig.ALERTS_TOPIC);
            if (config.verdictsTopic().isPresent()) {
                describe(admin, config.verdictsTopic().get(), StormproofConfig.VERDICTS_TOPIC);
            }
            refuseCompacted(admin, inputs.keySet());
            int partitions = inputs.values().stream()
                    .mapToInt(topic -> topic.partitions().size())
                    .sum();
            if (config.spoutTasks() > partitions) {
                warnings.add(StormproofConfig.SPOUT_TASKS + "=" + config.spoutTasks() + ", but the input has only "
                        + partitions + " partitions: the other tasks will be idle");
            }
        } catch (KafkaException e) {
            Throwable reason = e.getCause() == null ? e : e.getCause();
            throw RefusedException.usage("cannot make a Kafka client: " + reason.getMessage(), e);
        }
    }

    private Map<String, TopicDescription> inputs(Admin admin) throws RefusedException {
        Map<String, TopicDescription> inputs = new LinkedHashMap<>();
        Set<String> names = new TreeSet<>(config.inputTopics());
        if (config.inputTopicsPattern().isPresent()) {
            answer(admin.listTopics().names()).stream()
                    .filter(config::isInputTopic)
                    .forEach(names::add);
            if (names.isEmpty()) {
                warnings.add("no topic matches " + StormproofConfig.INPUT_TOPICS_PATTERN + " yet");
            }
        }
        for (String name : names) {
            inputs.put(name, describe(admin, name, StormproofConfig.INPUT_TOPICS));
        }
        return inputs;
    }

    private TopicDescription describe(Admin admin, String topic, String key) throws RefusedException {
        long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(NEW_TOPIC_MILLIS);
        while (true) {
            try {
                return Objects.requireNonNull(
                        answer(admin.describeTopics(Set.of(topic)).allTopicNames())
                                .get(topic));
            } catch (RefusedException e) {
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
                    throw e;
                }
                if (System.nanoTime() >= deadlineNanos) {
                    throw RefusedException.usage(
                            "topic '" + topic + "' does not exist at " + config.bootstrapServers()
                                    + ": create it or correct " + key,
                            e.getCause());
                }
                pause();
            }
        }
    }

    private static void pause() throws RefusedException {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw RefusedException.failure("interrupted while asking Kafka", e);
        }
    }

    private void refuseCompacted(Admin admin, Set<String> topics) throws RefusedException {
        for (String topic : topics) {
            ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
            org.apache.kafka.clients.admin.Config described = Objects.requireNonNull(
                    answer(admin.describeConfigs(Set.of(resource)).all()).get(resource));
            String policy = described.get(TopicConfig.CLEANUP_POLICY_CONFIG).value();
            if (policy.contains(TopicConfig.CLEANUP_POLICY_COMPACT)) {
                throw RefusedException.usage(
                        "input topic '" + topic + "' is compacted (" + TopicConfig.CLEANUP_POLICY_CONFIG + "=" + policy
                                + "): Kafka itself removes events from it, so that nothing can be proven of them",
                        null);
            }
        }
    }

    private <T> T answer(KafkaFuture<T> future) throws RefusedException {
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw RefusedException.failure("interrupted while asking Kafka", e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            String servers = config.bootstrapServers();
            if (cause instanceof TimeoutException) {
                throw RefusedException.failure(
                        "no Kafka broker answers at " + servers + ": is it running, and is "
                                + StormproofConfig.BOOTSTRAP_SERVERS + " right?",
                        cause);
            }
            if (cause instanceof AuthenticationException) {
                throw RefusedException.failure(
                        "Kafka at " + servers + " does not accept our credentials: " + cause.getMessage(), cause);
            }
            if (cause instanceof AuthorizationException) {
                throw RefusedException.failure("Kafka at " + servers + " forbids it: " + cause.getMessage(), cause);
            }
            throw RefusedException.failure("Kafka at " + servers + " fails: " + cause.getMessage(), cause);
        }
    }
}
