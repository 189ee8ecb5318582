package dev.stormproof.cli;

import dev.stormproof.local.TopicCreation;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
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
final class Connection implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 15_000;
    private static final List<String> TIMEOUTS =
            List.of(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG);

    private final String bootstrapServers;
    private final Map<String, Object> clientProperties;
    private final Admin admin;

    private Connection(String bootstrapServers, Map<String, Object> clientProperties, Admin admin) {
        this.bootstrapServers = bootstrapServers;
        this.clientProperties = clientProperties;
        this.admin = admin;
    }

    /** Connects with the properties in {@code commandConfig}, or with none. */
    static Connection open(String bootstrapServers, @Nullable Path commandConfig) {
        return open(bootstrapServers, commandConfig == null ? Map.of() : load(commandConfig));
    }

    /** Connects and waits for an answer. */
    static Connection open(String bootstrapServers, Map<String, Object> clientProperties) {
        Map<String, Object> settings = new HashMap<>(clientProperties);
        settings.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        // Kafka demands that they fit together, so that a user who gives one gets none of ours.
        if (Collections.disjoint(settings.keySet(), TIMEOUTS)) {
            TIMEOUTS.forEach(name -> settings.put(name, TIMEOUT_MILLIS));
        }
        Admin admin;
        try {
            admin = Admin.create(settings);
        } catch (KafkaException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw cause instanceof ConfigException
                    ? Failure.usage("--bootstrap-server " + bootstrapServers + ": " + cause.getMessage(), e)
                    : Failure.own("no Kafka client can be made: " + cause.getMessage(), e);
        }
        Connection connection = new Connection(bootstrapServers, clientProperties, admin);
        try {
            connection.get(admin.describeCluster().nodes());
            return connection;
        } catch (RuntimeException | InterruptedException e) {
            admin.close(Duration.ZERO);
            throw e instanceof RuntimeException known ? known : Failure.own("interrupted", e);
        }
    }

    String bootstrapServers() {
        return bootstrapServers;
    }

    /** The properties for any client of this cluster, {@code bootstrap.servers} among them. */
    Map<String, Object> clientProperties() {
        Map<String, Object> all = new HashMap<>(clientProperties);
        all.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        return all;
    }

    /** How many partitions a topic has. */
    int partitionsOf(String topic) throws InterruptedException {
        return partitionsIfPresent(topic)
                .orElseThrow(() -> Failure.usage("there is no topic " + topic + " at " + bootstrapServers
                        + "; check its name, or create it first (kafka-topics.sh --create --topic " + topic + ")"));
    }

    /** How many partitions a topic has; empty if there is no such topic. */
    Optional<Integer> partitionsIfPresent(String topic) throws InterruptedException {
        try {
            return Optional.of(get(admin.describeTopics(List.of(topic)).allTopicNames())
                    .values()
                    .iterator()
                    .next()
                    .partitions()
                    .size());
        } catch (Failure e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** True if Kafka removes records of a topic by their keys. */
    boolean isCompacted(String topic) throws InterruptedException {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        return get(admin.describeConfigs(List.of(resource)).all()).values().stream()
                .map(config -> config.get(TopicConfig.CLEANUP_POLICY_CONFIG).value())
                .anyMatch(policy -> policy.contains(TopicConfig.CLEANUP_POLICY_COMPACT));
    }

    /**
     * Creates a topic with the cluster's default replication and waits until its partitions' leaders serve it; fails if it
     * exists.
     */
    void createTopic(String name, int partitions, Map<String, String> config) throws InterruptedException {
        NewTopic topic = new NewTopic(name, Optional.of(partitions), Optional.empty()).configs(config);
        try {
            get(admin.createTopics(List.of(topic)).all());
            TopicCreation.awaitLeaders(admin, name, partitions, TIMEOUT_MILLIS);
        } catch (KafkaException e) {
            throw Failure.own("Kafka at " + bootstrapServers + ": " + e.getMessage(), e);
        } catch (Failure e) {
            if (e.getCause() instanceof TopicExistsException) {
                throw Failure.usage("topic " + name + " exists already; name another one with --topic", e);
            }
            throw e;
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
            Throwable cause = e.getCause() == null ? e : e.getCause();
            if (cause instanceof TimeoutException) {
                throw Failure.own(
                        "no Kafka broker answers at " + bootstrapServers
                                + "; check the address, and that the broker runs and speaks the configured protocol",
                        cause);
            }
            if (cause instanceof AuthenticationException) {
                throw Failure.own(
                        "Kafka at " + bootstrapServers + " refuses us: " + cause.getMessage()
                                + "; check the credentials in --command-config",
                        cause);
            }
            if (cause instanceof AuthorizationException) {
                throw Failure.own(
                        "Kafka at " + bootstrapServers + " does not let us: " + cause.getMessage()
                                + "; docs/OPERATIONS.md lists the rights that are needed",
                        cause);
            }
            throw Failure.own("Kafka at " + bootstrapServers + ": " + cause.getMessage(), cause);
        }
    }

    /** Reads a file of client properties, as Kafka's own tools take it. */
    static Map<String, Object> load(Path file) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            properties.load(reader);
        } catch (NoSuchFileException e) {
            throw Failure.usage("there is no file " + file + "; check its name", e);
        } catch (IOException | IllegalArgumentException e) {
            throw Failure.usage(file + " is no file of properties: " + e.getMessage(), e);
        }
        Map<String, Object> map = new HashMap<>();
        properties.forEach((key, value) -> map.put((String) key, value));
        return map;
    }
}
