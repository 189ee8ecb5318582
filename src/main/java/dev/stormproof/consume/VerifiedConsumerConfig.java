package dev.stormproof.consume;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.NonEmptyString;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.ValidString;
import org.apache.kafka.common.config.ConfigException;

/**
 * The verified consumer's own settings stand among those of KafkaConsumer and begin with {@link #PREFIX}.
 *
 * <p>A key with the prefix that is not defined here is refused. Every violation is a {@link ConfigException}.
 */
public final class VerifiedConsumerConfig extends AbstractConfig {
    /** The beginning of every key. */
    public static final String PREFIX = "stormproof.";

    /** The {@code group.id} of the topology or process that verifies the topics. */
    public static final String VERIFIED_GROUP = "stormproof.verified.group";

    /** Its {@code alerts.topic}. */
    public static final String ALERTS_TOPIC = "stormproof.alerts.topic";

    /**
     * What to do at a record that was judged, and is not verified. {@code halt}: {@code poll} throws {@link
     * UnverifiedRecordException} until the position is behind it. {@code skip}: it is passed over. {@code mark}: it is handed out with the header
     * {@link VerifiedConsumer#UNVERIFIED_HEADER}.
     */
    public static final String ON_VIOLATION = "stormproof.on.violation";

    /** How long after one question for the verified progress the next is asked, while records wait for it. */
    public static final String PROGRESS_INTERVAL_MS = "stormproof.progress.interval.ms";

    /** For how long a record waits for its verification before {@code poll} throws a timeout; 0: without end. */
    public static final String VERIFIED_TIMEOUT_MS = "stormproof.verified.timeout.ms";

    /** About how many bytes of records wait for their verification, of all partitions together. */
    public static final String HELD_MAX_BYTES = "stormproof.held.max.bytes";

    private static final ConfigDef DEFINITION = new ConfigDef()
            .define(
                    VERIFIED_GROUP,
                    ConfigDef.Type.STRING,
                    ConfigDef.NO_DEFAULT_VALUE,
                    new NonEmptyString(),
                    Importance.HIGH,
                    "The group.id of the topology or process that verifies the topics.")
            .define(
                    ALERTS_TOPIC,
                    ConfigDef.Type.STRING,
                    "stormproof-alerts",
                    new NonEmptyString(),
                    Importance.HIGH,
                    "The alerts.topic of that topology or process.")
            .define(
                    ON_VIOLATION,
                    ConfigDef.Type.STRING,
                    "halt",
                    ValidString.in("halt", "skip", "mark"),
                    Importance.HIGH,
                    "What to do at a record that was judged and is not verified: halt, so that poll throws; skip it; or mark it"
                            + " with a header.")
            .define(
                    PROGRESS_INTERVAL_MS,
                    ConfigDef.Type.LONG,
                    50L,
                    Range.between(1, 60_000),
                    Importance.LOW,
                    "How long after one question for the verified progress the next is asked, while records wait for it.")
            .define(
                    VERIFIED_TIMEOUT_MS,
                    ConfigDef.Type.LONG,
                    0L,
                    Range.atLeast(0),
                    Importance.MEDIUM,
                    "For how long a record waits for its verification before poll throws a timeout. 0: without end.")
            .define(
                    HELD_MAX_BYTES,
                    ConfigDef.Type.LONG,
                    64L * 1024 * 1024,
                    Range.atLeast(1_000),
                    Importance.MEDIUM,
                    "About how many bytes of records wait for their verification, of all partitions together. It must hold the"
                            + " longest interval.");

    /** What becomes of records that are not verified. */
    enum OnViolation {
        HALT,
        SKIP,
        MARK
    }

    final String verifiedGroup;
    final String alertsTopic;
    final OnViolation onViolation;
    final long progressIntervalMillis;
    final long verifiedTimeoutMillis;
    final long heldMaxBytes;

    /** @param properties those of KafkaConsumer with ours among them */
    public VerifiedConsumerConfig(Map<String, ?> properties) {
        super(DEFINITION, properties, false);
        for (String key : new TreeSet<>(properties.keySet())) {
            if (key.startsWith(PREFIX) && !DEFINITION.names().contains(key)) {
                throw new ConfigException("unknown setting " + key + "; a verified consumer has "
                        + String.join(", ", new TreeSet<>(DEFINITION.names())));
            }
        }
        Object isolation = properties.get(ConsumerConfig.ISOLATION_LEVEL_CONFIG);
        if (isolation != null && !isolation.toString().equals("read_committed")) {
            throw new ConfigException(
                    ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                    isolation,
                    "nobody verifies records that are not committed: leave it out");
        }
        this.verifiedGroup = getString(VERIFIED_GROUP);
        this.alertsTopic = getString(ALERTS_TOPIC);
        this.onViolation = OnViolation.valueOf(getString(ON_VIOLATION).toUpperCase(Locale.ROOT));
        this.progressIntervalMillis = getLong(PROGRESS_INTERVAL_MS);
        this.verifiedTimeoutMillis = getLong(VERIFIED_TIMEOUT_MS);
        this.heldMaxBytes = getLong(HELD_MAX_BYTES);
    }

    /** The keys, types, defaults and explanations. */
    public static ConfigDef definition() {
        return new ConfigDef(DEFINITION);
    }

    /** The properties without ours, as Kafka's own clients take them. */
    static Map<String, Object> kafkas(Map<String, ?> properties) {
        Map<String, Object> kafkas = new HashMap<>(properties);
        kafkas.keySet().removeIf(key -> key.startsWith(PREFIX));
        return kafkas;
    }
}
