package dev.stormproof.task.config;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The Kafka client properties of a configuration, sorted by client.
 *
 * <p>Without a prefix: properties that an Admin client and another one know, and everything of {@code security.}, {@code ssl.}, {@code sasl.}
 * and {@code client.}. With {@code consumer.} or {@code producer.}: properties of that client, which override those without a prefix. Values
 * stay as they were written; the clients themselves resolve references.
 */
final class KafkaClientProperties {
    private static final String CONSUMER = "consumer.";
    private static final String PRODUCER = "producer.";
    private static final String PROVIDERS = AbstractConfig.CONFIG_PROVIDERS_CONFIG;
    private static final List<String> OPEN_PREFIXES = List.of("security.", "ssl.", "sasl.", "client.");

    private static final ConfigDef CONSUMER_DEF = ConsumerConfig.configDef();
    private static final ConfigDef PRODUCER_DEF = ProducerConfig.configDef();
    private static final ConfigDef ADMIN_DEF = AdminClientConfig.configDef();

    /** The properties on which the guarantees depend; only the topology sets them. */
    static final Map<String, String> FIXED = Map.ofEntries(
            Map.entry(CONSUMER + ConsumerConfig.GROUP_ID_CONFIG, "use group.id"),
            Map.entry(CONSUMER + ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, "use bootstrap.servers"),
            Map.entry(PRODUCER + ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, "use bootstrap.servers"),
            Map.entry(CONSUMER + ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, "the group has no members"),
            Map.entry(CONSUMER + ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, "records travel as bytes"),
            Map.entry(CONSUMER + ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, "records travel as bytes"),
            Map.entry(CONSUMER + ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG, "one could hide records from the proof"),
            Map.entry(CONSUMER + ConsumerConfig.ISOLATION_LEVEL_CONFIG, "it is read_committed"),
            Map.entry(CONSUMER + ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "only verified progress is committed"),
            Map.entry(CONSUMER + ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "a silent jump would hide a loss"),
            Map.entry(PRODUCER + ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, "alerts are bytes"),
            Map.entry(PRODUCER + ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, "alerts are bytes"),
            Map.entry(PRODUCER + ProducerConfig.TRANSACTIONAL_ID_CONFIG, "it is derived from group.id"),
            Map.entry(PRODUCER + ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "transactions demand it"),
            Map.entry(PRODUCER + ProducerConfig.ACKS_CONFIG, "transactions demand acks=all"));

    private final Map<String, String> providers = new TreeMap<>();
    private final Map<String, String> shared = new TreeMap<>();
    private final Map<String, String> consumer = new TreeMap<>();
    private final Map<String, String> producer = new TreeMap<>();

    private KafkaClientProperties() {}

    /**
     * Sorts and checks everything in {@code properties} that is not in {@code ownKeys}.
     *
     * @param literalSecrets whether literal secrets are allowed, because nothing here reaches Storm
     * @param mistakes takes each unknown or fixed key, value of the wrong type, and literal secret
     */
    static KafkaClientProperties of(
            Map<String, String> properties, Set<String> ownKeys, boolean literalSecrets, ConfigErrors mistakes) {
        SecretReferences secrets = SecretReferences.of(properties, literalSecrets, mistakes);
        KafkaClientProperties sorted = new KafkaClientProperties();
        for (Map.Entry<String, String> property : new TreeMap<>(properties).entrySet()) {
            if (!ownKeys.contains(property.getKey())) {
                mistakes.check(() -> sorted.put(property.getKey(), property.getValue(), ownKeys, secrets));
            }
        }
        return sorted;
    }

    /** Everything for a KafkaConsumer except the fixed properties; values are strings. */
    Map<String, Object> forConsumer(String bootstrapServers) {
        return merged(bootstrapServers, CONSUMER_DEF, consumer);
    }

    /** Everything for a KafkaConsumer that reads what is verified, except its group and commits. */
    Map<String, Object> forReader(String bootstrapServers) {
        Map<String, Object> properties = forConsumer(bootstrapServers);
        properties.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
        properties.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
        properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
        return properties;
    }

    Map<String, Object> forProducer(String bootstrapServers) {
        return merged(bootstrapServers, PRODUCER_DEF, producer);
    }

    Map<String, Object> forAdmin(String bootstrapServers) {
        return merged(bootstrapServers, ADMIN_DEF, Map.of());
    }

    /**
     * The references that this machine cannot resolve: a client would take the text itself, for instance as the password. Throws
     * {@link ConfigException} if a provider cannot be used at all.
     */
    Set<String> unresolved(String bootstrapServers) {
        Set<String> unresolved = new TreeSet<>();
        for (Object value : new AbstractConfig(ADMIN_DEF, forAdmin(bootstrapServers), false)
                .originals()
                .values()) {
            unresolved.addAll(SecretReferences.in(value.toString()));
        }
        return unresolved;
    }

    private Map<String, Object> merged(String bootstrapServers, ConfigDef definition, Map<String, String> own) {
        Map<String, Object> merged = new HashMap<>(providers);
        shared.forEach((key, value) -> {
            if (definition.names().contains(key)) {
                merged.put(key, value);
            }
        });
        merged.putAll(own);
        merged.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        return merged;
    }

    private void put(String key, String value, Set<String> ownKeys, SecretReferences secrets) {
        RemovedSettings.refuse(key);
        refuseFixed(key);
        if (key.equals(PROVIDERS) || key.startsWith(PROVIDERS + ".")) {
            providers.put(key, value);
        } else if (key.startsWith(CONSUMER) && CONSUMER_DEF.names().contains(key.substring(CONSUMER.length()))) {
            put(key, key.substring(CONSUMER.length()), value, CONSUMER_DEF, secrets, consumer);
        } else if (key.startsWith(PRODUCER) && PRODUCER_DEF.names().contains(key.substring(PRODUCER.length()))) {
            put(key, key.substring(PRODUCER.length()), value, PRODUCER_DEF, secrets, producer);
        } else if (sharedKeys().contains(key)) {
            ConfigDef definition = CONSUMER_DEF.names().contains(key)
                    ? CONSUMER_DEF
                    : PRODUCER_DEF.names().contains(key) ? PRODUCER_DEF : ADMIN_DEF;
            put(key, key, value, definition, secrets, shared);
        } else {
            throw new ConfigException("unknown key " + key + suggestion(key, ownKeys));
        }
    }

    private static void put(
            String key,
            String kafkaKey,
            String value,
            ConfigDef definition,
            SecretReferences secrets,
            Map<String, String> destination) {
        ConfigDef.ConfigKey known =
                Objects.requireNonNull(definition.configKeys().get(kafkaKey));
        secrets.check(key, kafkaKey, known.type, value);
        if (!SecretReferences.isReferenceIn(value)) {
            Object parsed = ConfigDef.parseType(key, value, known.type);
            if (known.validator != null) {
                known.validator.ensureValid(key, parsed);
            }
        }
        destination.put(kafkaKey, value);
    }

    private static void refuseFixed(String key) {
        for (String prefix : List.of("", CONSUMER, PRODUCER)) {
            String reason = FIXED.get(prefix + key);
            if (reason != null) {
                throw new ConfigException(key + " cannot be set: " + reason);
            }
        }
    }

    private static Set<String> sharedKeys() {
        Set<String> keys = new TreeSet<>(CONSUMER_DEF.names());
        keys.addAll(PRODUCER_DEF.names());
        keys.retainAll(ADMIN_DEF.names());
        for (ConfigDef definition : List.of(CONSUMER_DEF, PRODUCER_DEF, ADMIN_DEF)) {
            definition.names().stream()
                    .filter(key -> OPEN_PREFIXES.stream().anyMatch(key::startsWith))
                    .forEach(keys::add);
        }
        return keys;
    }

    private static String suggestion(String key, Set<String> ownKeys) {
        Set<String> known = new TreeSet<>(ownKeys);
        known.addAll(sharedKeys());
        CONSUMER_DEF.names().forEach(name -> known.add(CONSUMER + name));
        PRODUCER_DEF.names().forEach(name -> known.add(PRODUCER + name));
        known.removeAll(FIXED.keySet());
        if (CONSUMER_DEF.names().contains(key) && known.contains(CONSUMER + key)) {
            return "; for the spout's consumer write " + CONSUMER + key;
        }
        if (PRODUCER_DEF.names().contains(key) && known.contains(PRODUCER + key)) {
            return "; for the alerts' producer write " + PRODUCER + key;
        }
        return DidYouMean.of(key, known)
                .map(nearest -> "; did you mean " + nearest + "?")
                .orElse("");
    }
}
