package dev.stormproof.consume;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/** The settings of the application's consumer divide into those that are ours to fulfil and those of the clients that we make. */
final class ConsumerSettings<K, V> {
    /** How many records are taken from what was fetched at once, if as many of {@value #LARGE_BYTES} bytes may be held. */
    private static final int FETCHED_RECORDS = 4_000;

    private static final long LARGE_BYTES = 16 << 10;

    private final Map<String, Object> properties;
    private final ConsumerConfig outer;

    ConsumerSettings(Map<String, ?> given) {
        this.properties = VerifiedConsumerConfig.kafkas(given);
        this.outer = new ConsumerConfig(bytes(properties));
    }

    /** Properties as a map; what has no text as its key is refused. */
    static Map<String, Object> map(Properties properties) {
        Map<String, Object> map = new HashMap<>();
        // Of Properties, defaults are seen by name alone.
        properties.stringPropertyNames().forEach(name -> map.put(name, properties.getProperty(name)));
        properties.forEach((key, value) -> {
            if (!(key instanceof String name)) {
                throw new ConfigException(String.valueOf(key), value, "a key is no text");
            }
            map.put(name, value);
        });
        return map;
    }

    int maxPollRecords() {
        return outer.getInt(ConsumerConfig.MAX_POLL_RECORDS_CONFIG);
    }

    String clientId() {
        return outer.getString(ConsumerConfig.CLIENT_ID_CONFIG);
    }

    /** True if positions are committed from time to time. */
    boolean autoCommits() {
        return outer.getBoolean(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG)
                && outer.getString(ConsumerConfig.GROUP_ID_CONFIG) != null;
    }

    /** For how long a call waits that says nothing of it. */
    Duration apiTimeout() {
        return Duration.ofMillis(outer.getInt(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG));
    }

    long autoCommitNanos() {
        return TimeUnit.MILLISECONDS.toNanos(outer.getInt(ConsumerConfig.AUTO_COMMIT_INTERVAL_MS_CONFIG));
    }

    /** The deserializers that were given, or that the properties name. */
    Deserialization<K, V> deserialization(@Nullable Deserializer<K> key, @Nullable Deserializer<V> value) {
        return new Deserialization<>(
                key == null ? named(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, true) : key,
                value == null ? named(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, false) : value);
    }

    @SuppressWarnings("unchecked") // As KafkaConsumer does: the configuration is untyped.
    private <T> Deserializer<T> named(String setting, boolean isKey) {
        if (properties.get(setting) == null) {
            throw new ConfigException(setting, null, "is needed, or a deserializer in its place");
        }
        Map<String, Object> one = bytes(properties);
        one.put(setting, properties.get(setting));
        Deserializer<T> made = new ConsumerConfig(one).getConfiguredInstance(setting, Deserializer.class);
        made.configure(new HashMap<>(properties), isKey);
        return made;
    }

    @SuppressWarnings("unchecked")
    ConsumerInterceptors<K, V> interceptors() {
        List<ConsumerInterceptor<K, V>> made = new ArrayList<>();
        for (Object one : outer.getConfiguredInstances(
                ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG,
                ConsumerInterceptor.class,
                Map.of(ConsumerConfig.CLIENT_ID_CONFIG, clientId()))) {
            made.add((ConsumerInterceptor<K, V>) one);
        }
        return new ConsumerInterceptors<>(made);
    }

    /**
     * The consumer that fetches.
     *
     * @param heldMaxBytes how much may be held, about
     * @param headers reads those of each record
     */
    Consumer<byte[], byte[]> inner(long heldMaxBytes, FetchedHeaders headers) {
        Map<String, Object> inner = bytes(properties);
        inner.remove(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG);
        inner.put(ConsumerConfig.CLIENT_ID_CONFIG, clientId());
        inner.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        // Kafka's part of a poll costs much, and what is handed out at once is bounded by what the application says.
        int fetched = (int) Math.min(FETCHED_RECORDS, heldMaxBytes / LARGE_BYTES);
        inner.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, Math.max(fetched, maxPollRecords()));
        boolean commitsWhatItFetched = false;
        inner.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, commitsWhatItFetched);
        return new KafkaConsumer<>(inner, new ByteArrayDeserializer(), headers);
    }

    /** The watch on the verified progress, with clients of its own. */
    ProgressWatch watch(VerifiedConsumerConfig config) {
        Map<String, Object> common = new HashMap<>(properties);
        common.keySet()
                .removeIf(key -> ConsumerConfig.configNames().contains(key)
                        && !AdminClientConfig.configNames().contains(key));
        // A consumer may have less time for a call than for a request, and an admin client may not.
        common.remove(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG);
        common.put(AdminClientConfig.CLIENT_ID_CONFIG, clientId() + "-verified");
        Map<String, Object> alerts = bytes(common);
        alerts.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        alerts.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        alerts.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        alerts.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        Admin admin = Admin.create(common);
        try {
            return new ProgressWatch(admin, new KafkaConsumer<>(alerts), config, clientId());
        } catch (KafkaException e) {
            admin.close(Duration.ZERO);
            throw e;
        }
    }

    private static Map<String, Object> bytes(Map<String, Object> properties) {
        Map<String, Object> bytes = new HashMap<>(properties);
        bytes.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        bytes.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        return bytes;
    }
}
