package dev.stormproof.cli.session;

import dev.stormproof.alert.RecordUrls;
import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.cli.text.Circumstances;
import dev.stormproof.cli.text.ProgramVersion;
import dev.stormproof.log.kafka.TopicCreation;
import dev.stormproof.proof.checkpoint.Protection;
import dev.stormproof.task.config.AlertSettings;
import dev.stormproof.task.config.RecordUrlTemplate;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.run.RecordParsers;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/** A connection reaches one Kafka cluster, and turns its errors into {@link Failure}s that say what to do. */
public record Connection(
        String bootstrapServers, String settingsOption, Map<String, String> clientProperties, Admin admin)
        implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 15_000;
    private static final List<String> TIMEOUTS =
            List.of(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG);

    /** Connects with the properties in {@code commandConfig}, or with none, and waits for an answer. */
    public static Connection open(String bootstrapServers, @Nullable Path commandConfig) {
        return open(
                "--bootstrap-server",
                bootstrapServers,
                "--command-config",
                commandConfig == null ? Map.of() : load(commandConfig));
    }

    /**
     * The same for servers that another option names.
     *
     * @param settingsOption the option that mistakes in {@code properties} are reported under
     */
    public static Connection open(
            String option, String bootstrapServers, String settingsOption, Map<String, String> properties) {
        Map<String, String> clientProperties = new HashMap<>(properties);
        clientProperties.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        Map<String, Object> settings = new HashMap<>(clientProperties);
        // Kafka demands that they fit together, so that a user who gives one gets none of ours.
        if (Collections.disjoint(settings.keySet(), TIMEOUTS)) {
            TIMEOUTS.forEach(name -> settings.put(name, TIMEOUT_MILLIS));
        }
        Admin admin;
        try {
            admin = Admin.create(settings);
        } catch (KafkaException e) {
            String reason = Failure.ofClient(e);
            throw e.getCause() instanceof ConfigException
                    ? Failure.usage(option + " " + bootstrapServers + ": " + reason, e)
                    : Failure.own("no Kafka client can be made: " + reason, e);
        }
        Connection connection = new Connection(bootstrapServers, settingsOption, clientProperties, admin);
        try {
            connection.get(admin.describeCluster().nodes());
            return connection;
        } catch (RuntimeException | InterruptedException e) {
            admin.close(Duration.ZERO);
            throw e instanceof RuntimeException known ? known : Failure.own("interrupted", e);
        }
    }

    /** A new map of the properties for any client of this cluster, {@code bootstrap.servers} among them. */
    @Override
    public Map<String, String> clientProperties() {
        return new HashMap<>(clientProperties);
    }

    /** The pages that show records, as the configuration names them; it may be the topology's. */
    public RecordUrls recordUrls() {
        String key = AlertSettings.RECORD_URL_TEMPLATE;
        return Failure.configured("--config: ", () -> RecordUrlTemplate.of(key, clientProperties.getOrDefault(key, "")))
                ::at;
    }

    /** The alerts topic: the one that an option names, or else that of the configuration, or else the default. */
    public String alertsTopic(@Nullable String given) {
        return given != null ? given : clientProperties.getOrDefault(AlertSettings.ALERTS_TOPIC, "stormproof-alerts");
    }

    /** The configuration to read a topic with. */
    public StormproofConfig config(Map<String, String> properties, String topic) {
        return Failure.configured(
                settingsOption + ": ", () -> StormproofConfig.ofReader(properties, bootstrapServers, topic));
    }

    public int partitionsOf(String topic) throws InterruptedException {
        try {
            return get(admin.describeTopics(List.of(topic))
                            .topicNameValues()
                            .values()
                            .iterator()
                            .next())
                    .partitions()
                    .size();
        } catch (Failure e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                throw Failure.usage("there is no topic " + topic + " at " + bootstrapServers
                        + "; check its name, or create it first (kafka-topics.sh --create --topic " + topic + ")");
            }
            throw e;
        }
    }

    String clusterId() throws InterruptedException {
        return get(admin.describeCluster().clusterId());
    }

    /** Kafka's id of a topic that is there, as its tools print it. */
    String topicId(String topic) throws InterruptedException {
        Map<String, TopicDescription> described =
                get(admin.describeTopics(List.of(topic)).allTopicNames());
        return Objects.requireNonNull(described.get(topic)).topicId().toString();
    }

    /** The circumstances of an audit of a topic that begins now. */
    public Circumstances circumstances(String topic, StormproofConfig config) throws InterruptedException {
        return new Circumstances(
                clusterId(),
                topicId(topic),
                Instant.now().truncatedTo(ChronoUnit.MILLIS),
                ProgramVersion.NAME,
                Failure.configured("--config: ", () -> RecordParsers.trustedKeys(config))
                        .texts(),
                config.checking.againstTampering() ? Protection.TAMPERING : Protection.ACCIDENTS);
    }

    /** The partitions of a topic, which has to be there. */
    public List<TopicPartition> partitions(String topic) throws InterruptedException {
        return IntStream.range(0, partitionsOf(topic))
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .toList();
    }

    public boolean hasTopic(String topic) throws InterruptedException {
        return get(admin.listTopics().names()).contains(topic);
    }

    /** The topics whose whole name matches, by name, without Kafka's own. */
    public List<String> topicsMatching(Pattern pattern) throws InterruptedException {
        return get(admin.listTopics().names()).stream()
                .filter(topic -> pattern.matcher(topic).matches())
                .sorted()
                .toList();
    }

    public boolean isCompacted(String topic) throws InterruptedException {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        return get(admin.describeConfigs(List.of(resource)).all()).values().stream()
                .map(config -> config.get(TopicConfig.CLEANUP_POLICY_CONFIG).value())
                .anyMatch(policy -> policy.contains(TopicConfig.CLEANUP_POLICY_COMPACT));
    }

    /** Refuses a topic of which nothing can be proven. */
    public void refuseCompacted(String topic) throws InterruptedException {
        if (isCompacted(topic)) {
            throw Failure.usage("topic " + topic + " is compacted: Kafka itself removes events from it, so that "
                    + "nothing can be proven of them; name a topic with cleanup.policy=delete");
        }
    }

    /** Creates a topic with the cluster's defaults and waits until its leaders serve it; fails if it exists. */
    void createTopic(String name, int partitions) throws InterruptedException {
        NewTopic topic = new NewTopic(name, Optional.of(partitions), Optional.empty());
        try {
            TopicCreation.create(admin, topic, TIMEOUT_MILLIS);
        } catch (TopicExistsException e) {
            throw Failure.usage("topic " + name + " exists already; name another one with --topic", e);
        } catch (KafkaException e) {
            throw explain(e);
        }
    }

    @Override
    public void close() {
        admin.close(Duration.ofSeconds(5));
    }

    private <T> T get(KafkaFuture<T> future) throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw explain(e.getCause() == null ? e : e.getCause());
        }
    }

    /** The failure to report for an error of the cluster. */
    Failure explain(Throwable e) {
        if (e instanceof TimeoutException) {
            return Failure.own(
                    "no Kafka broker answers at " + bootstrapServers
                            + "; check the address, and that the broker runs and speaks the configured protocol",
                    e);
        }
        String reason = ": " + e.getMessage();
        if (e instanceof AuthenticationException) {
            reason = " refuses us" + reason + "; check the credentials in --command-config";
        } else if (e instanceof AuthorizationException) {
            reason = " does not let us" + reason + "; docs/guides/verify.md lists the rights that are needed";
        }
        return Failure.own("Kafka at " + bootstrapServers + reason, e);
    }

    /** Reads a file of client properties, as Kafka's own tools take it. */
    public static Map<String, String> load(Path file) {
        try {
            return StormproofConfig.read(file);
        } catch (NoSuchFileException e) {
            throw Failure.usage("there is no file " + file + "; check its name", e);
        } catch (IOException e) {
            throw Failure.usage(file + " is no file of properties: " + e.getMessage(), e);
        }
    }
}
