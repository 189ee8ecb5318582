package dev.stormproof.config;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.ValidString;
import org.apache.kafka.common.config.ConfigException;

/**
 * The settings of a topology: its own keys, and the properties of the Kafka clients that it runs.
 *
 * <p>Read from a properties file. Kafka properties may stand without a prefix (see {@link #kafkaConsumer()}) or with
 * {@code consumer.} or {@code producer.}. Unknown keys are refused. References such as {@code ${file:/path:key}} are
 * never resolved here but by the Kafka clients on the workers, so that no secret passes through Storm.
 *
 * <p>Every constructor and factory throws {@link ConfigException} with a message for the person who wrote the file.
 */
public final class StormproofConfig extends AbstractConfig {
    public static final String BOOTSTRAP_SERVERS = "bootstrap.servers";
    public static final String INPUT_TOPICS = "input.topics";
    public static final String INPUT_TOPICS_PATTERN = "input.topics.pattern";
    public static final String GROUP_ID = "group.id";
    public static final String ALERTS_TOPIC = "alerts.topic";
    public static final String VERDICTS_TOPIC = "verdicts.topic";
    public static final String TRANSFORM = "transform";
    public static final String TRACKER_PLACEMENT = "tracker.placement";
    public static final String SIGNATURE_HEADER = "signature.header";
    public static final String UNSIGNED_EVENTS = "unsigned.events";
    public static final String EVENT_SIGNERS = "event.signers";
    public static final String CHECKPOINT_KEYS = "checkpoint.keys";
    public static final String CHECKPOINT_SIGNATURES_REQUIRED = "checkpoint.signatures.required";
    public static final String SPOUT_TASKS = "spout.tasks";
    public static final String TRANSFORM_TASKS = "transform.tasks";
    public static final String CHECKPOINT_TASKS = "checkpoint.tasks";
    public static final String AUDIT_THREADS = "audit.threads";
    public static final String WORKERS = "workers";
    public static final String SILENCE_GRACE_MILLIS = "silence.grace.ms";
    public static final String SILENCE_WITHOUT_PROMISE_MILLIS = "silence.without.promise.ms";
    public static final String FLUSH_INTERVAL_SECONDS = "flush.interval.seconds";
    public static final String FLUSH_MAX_FINDINGS = "flush.max.findings";

    /** The transform that leaves every event as it is. */
    private static final String NO_TRANSFORM = "identity";

    /** How the names of Kafka's own topics begin. */
    private static final String INTERNAL = "__";

    private static final ConfigDef DEFINITION = new ConfigDef()
            .define(
                    BOOTSTRAP_SERVERS,
                    ConfigDef.Type.STRING,
                    ConfigDef.NO_DEFAULT_VALUE,
                    new ConfigDef.NonEmptyString(),
                    Importance.HIGH,
                    "The Kafka brokers to begin with, as host:port, separated by commas.")
            .define(
                    INPUT_TOPICS,
                    ConfigDef.Type.LIST,
                    List.of(),
                    Importance.HIGH,
                    "The topics to verify. Either this or " + INPUT_TOPICS_PATTERN + " is required.")
            .define(
                    INPUT_TOPICS_PATTERN,
                    ConfigDef.Type.STRING,
                    "",
                    Importance.MEDIUM,
                    "A regular expression; every topic whose whole name matches is verified, also those created later.")
            .define(
                    GROUP_ID,
                    ConfigDef.Type.STRING,
                    ConfigDef.NO_DEFAULT_VALUE,
                    new ConfigDef.NonEmptyString(),
                    Importance.HIGH,
                    "The consumer group whose committed offsets are the verified progress. Its own for each topology.")
            .define(
                    ALERTS_TOPIC,
                    ConfigDef.Type.STRING,
                    "stormproof-alerts",
                    new ConfigDef.NonEmptyString(),
                    Importance.HIGH,
                    "The topic that alerts are written to, as CloudEvents JSON.")
            .define(
                    VERDICTS_TOPIC,
                    ConfigDef.Type.STRING,
                    "",
                    Importance.LOW,
                    "A topic for every verdict, also on verified intervals, as CloudEvents JSON. After a restart the ones"
                            + " on verified intervals ahead of the progress come again, with the same id. Empty: none.")
            .define(
                    TRANSFORM,
                    ConfigDef.Type.STRING,
                    NO_TRANSFORM,
                    new ConfigDef.NonEmptyString(),
                    Importance.HIGH,
                    "What makes one value-added event of each event: identity, log-json, or the name of a class that"
                            + " implements dev.stormproof.transform.EventTransform.")
            .define(
                    TRACKER_PLACEMENT,
                    ConfigDef.Type.STRING,
                    TrackerPlacement.BOLT.label(),
                    ValidString.in(TrackerPlacement.labels().toArray(new String[0])),
                    Importance.MEDIUM,
                    "Where events are verified: bolt, in tasks of their own behind the transform; or source, in the tasks"
                            + " that read them, which is faster, and without a transform.")
            .define(
                    SIGNATURE_HEADER,
                    ConfigDef.Type.STRING,
                    "signature",
                    new ConfigDef.NonEmptyString(),
                    Importance.MEDIUM,
                    "The record header in which events of format 1 carry their signature.")
            .define(
                    UNSIGNED_EVENTS,
                    ConfigDef.Type.STRING,
                    "alert",
                    ValidString.in("alert", "ignore"),
                    Importance.MEDIUM,
                    "What to do about events without a signature: alert, or ignore while producers are being migrated.")
            .define(
                    EVENT_SIGNERS,
                    ConfigDef.Type.LIST,
                    List.of(),
                    Importance.LOW,
                    "Names of classes that implement dev.stormproof.checkpoint.EventSigner, for signature algorithms"
                            + " of the application's own.")
            .define(
                    CHECKPOINT_KEYS,
                    ConfigDef.Type.LIST,
                    List.of(),
                    Importance.LOW,
                    "The public Ed25519 keys whose checkpoints are believed, each as id:base64 of its X.509 form."
                            + " Empty: signatures are not looked at.")
            .define(
                    CHECKPOINT_SIGNATURES_REQUIRED,
                    ConfigDef.Type.BOOLEAN,
                    false,
                    Importance.LOW,
                    "Whether checkpoints without a signature are refused.")
            .define(
                    SPOUT_TASKS,
                    ConfigDef.Type.INT,
                    1,
                    Range.atLeast(1),
                    Importance.MEDIUM,
                    "How many tasks read from Kafka: as many as the input has partitions, or a divisor of that.")
            .define(
                    TRANSFORM_TASKS,
                    ConfigDef.Type.INT,
                    1,
                    Range.atLeast(1),
                    Importance.MEDIUM,
                    "How many tasks transform events; a partition always goes to the same task.")
            .define(
                    CHECKPOINT_TASKS,
                    ConfigDef.Type.INT,
                    1,
                    Range.atLeast(1),
                    Importance.MEDIUM,
                    "How many tasks verify; a partition always goes to the same task.")
            .define(
                    AUDIT_THREADS,
                    ConfigDef.Type.INT,
                    2,
                    Range.between(1, 64),
                    Importance.LOW,
                    "How many threads of each verifying task read intervals again from the log, each with a consumer of"
                            + " its own.")
            .define(
                    WORKERS,
                    ConfigDef.Type.INT,
                    1,
                    Range.atLeast(1),
                    Importance.MEDIUM,
                    "How many worker processes to run.")
            .define(
                    SILENCE_GRACE_MILLIS,
                    ConfigDef.Type.LONG,
                    30_000L,
                    Range.atLeast(0),
                    Importance.LOW,
                    "How much longer than its checkpoints promise a stream may be silent before its open interval is"
                            + " given up.")
            .define(
                    SILENCE_WITHOUT_PROMISE_MILLIS,
                    ConfigDef.Type.LONG,
                    300_000L,
                    Range.atLeast(1),
                    Importance.LOW,
                    "The same for a stream whose checkpoints promise nothing.")
            .define(
                    FLUSH_INTERVAL_SECONDS,
                    ConfigDef.Type.INT,
                    1,
                    Range.between(1, 60),
                    Importance.LOW,
                    "How long alerts and verified progress wait at most before they are committed.")
            .define(
                    FLUSH_MAX_FINDINGS,
                    ConfigDef.Type.INT,
                    500,
                    Range.between(1, 10_000),
                    Importance.LOW,
                    "How many findings wait at most before they are committed.");

    private final KafkaClientProperties clients;
    private final Map<String, String> properties;

    /** Checks and takes {@code properties}, keys and values as in a properties file. */
    public StormproofConfig(Map<String, String> properties) {
        // Kafka properties first: a mistyped key is better news than the one that is missing for it.
        this(KafkaClientProperties.of(properties, DEFINITION.names()), properties);
    }

    private StormproofConfig(KafkaClientProperties clients, Map<String, String> properties) {
        super(DEFINITION, ownOf(properties), Map.of(), false);
        this.clients = clients;
        this.properties = Map.copyOf(properties);
        if (inputTopics().isEmpty() == inputTopicsPattern().isEmpty()) {
            throw new ConfigException("set exactly one of " + INPUT_TOPICS + " and " + INPUT_TOPICS_PATTERN);
        }
        for (String outputKey : List.of(ALERTS_TOPIC, VERDICTS_TOPIC)) {
            if (isInputTopic(getString(outputKey))) {
                throw new ConfigException(outputKey + " is '" + getString(outputKey)
                        + "', which is also an input topic: alerts about alerts would never end; name another topic");
            }
        }
        if (checkpointSignaturesRequired() && checkpointKeys().isEmpty()) {
            throw new ConfigException(CHECKPOINT_SIGNATURES_REQUIRED + " needs " + CHECKPOINT_KEYS);
        }
        if (trackerPlacement() == TrackerPlacement.SOURCE && !transform().equals(NO_TRANSFORM)) {
            throw new ConfigException(
                    TRACKER_PLACEMENT + "=" + TrackerPlacement.SOURCE.label() + " has no transform bolt, so that "
                            + TRANSFORM + "=" + transform() + " would never run: leave one of them out");
        }
        if (alertsTopic().equals(getString(VERDICTS_TOPIC))) {
            throw new ConfigException(VERDICTS_TOPIC + " and " + ALERTS_TOPIC + " are the same topic");
        }
    }

    /** Reads a properties file in UTF-8. */
    public static StormproofConfig load(Path file) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            properties.load(reader);
        } catch (NoSuchFileException e) {
            throw new ConfigException("there is no file " + file);
        } catch (IOException | IllegalArgumentException e) {
            throw new ConfigException("cannot read " + file + ": " + e.getMessage());
        }
        Map<String, String> map = new HashMap<>();
        for (String key : properties.stringPropertyNames()) {
            map.put(key, properties.getProperty(key).trim());
        }
        return new StormproofConfig(map);
    }

    /**
     * The settings of a program that reads one topic as a topology would, and hands nothing to Storm: taken from the same
     * file, or from one of client properties as Kafka's own tools take it, in which secrets may stand literally. What it
     * says of servers, groups and topics does not count.
     */
    public static StormproofConfig ofReader(Map<String, String> properties, String bootstrapServers, String topic) {
        Map<String, String> reader = new HashMap<>(properties);
        reader.keySet().removeAll(List.of(INPUT_TOPICS_PATTERN, VERDICTS_TOPIC));
        reader.put(BOOTSTRAP_SERVERS, bootstrapServers);
        reader.put(INPUT_TOPICS, topic);
        reader.put(ALERTS_TOPIC, topic + "-alerts");
        reader.put(GROUP_ID, "none");
        return new StormproofConfig(KafkaClientProperties.outsideStorm(reader, DEFINITION.names()), reader);
    }

    /** What this was made of: keys and values as in the file, references unresolved. */
    public Map<String, String> properties() {
        return properties;
    }

    /** The keys, types, defaults and explanations of everything that is not a Kafka client's. */
    public static ConfigDef definition() {
        return new ConfigDef(DEFINITION);
    }

    public String bootstrapServers() {
        return getString(BOOTSTRAP_SERVERS);
    }

    /** The topics by name; empty if a pattern is configured. */
    public Set<String> inputTopics() {
        return Set.copyOf(new HashSet<>(getList(INPUT_TOPICS)));
    }

    /** The pattern of topics; empty if they are configured by name. */
    public Optional<Pattern> inputTopicsPattern() {
        String pattern = getString(INPUT_TOPICS_PATTERN);
        try {
            return pattern.isEmpty() ? Optional.empty() : Optional.of(Pattern.compile(pattern));
        } catch (PatternSyntaxException e) {
            throw new ConfigException(INPUT_TOPICS_PATTERN + " is no regular expression: " + e.getDescription());
        }
    }

    /** True if events are read from a topic of this name; a pattern never means Kafka's internal topics. */
    public boolean isInputTopic(String topic) {
        return inputTopics().contains(topic)
                || inputTopicsPattern()
                        .map(pattern -> !topic.startsWith(INTERNAL)
                                && pattern.matcher(topic).matches())
                        .orElse(false);
    }

    public String groupId() {
        return getString(GROUP_ID);
    }

    public String alertsTopic() {
        return getString(ALERTS_TOPIC);
    }

    public Optional<String> verdictsTopic() {
        return Optional.of(getString(VERDICTS_TOPIC)).filter(topic -> !topic.isEmpty());
    }

    /** {@code identity}, {@code log-json} or a class name. */
    public String transform() {
        return getString(TRANSFORM);
    }

    public TrackerPlacement trackerPlacement() {
        return TrackerPlacement.of(getString(TRACKER_PLACEMENT));
    }

    public String signatureHeader() {
        return getString(SIGNATURE_HEADER);
    }

    public boolean alertsOnUnsignedEvents() {
        return getString(UNSIGNED_EVENTS).equals("alert");
    }

    /** Class names. */
    public List<String> eventSigners() {
        return getList(EVENT_SIGNERS);
    }

    /** The public keys, as text, by their ids. */
    public Map<String, String> checkpointKeys() {
        Map<String, String> keys = new LinkedHashMap<>();
        for (String entry : getList(CHECKPOINT_KEYS)) {
            int colon = entry.indexOf(':');
            if (colon < 1) {
                throw new ConfigException(CHECKPOINT_KEYS + ": '" + entry + "' is not of the form id:base64");
            }
            if (keys.put(entry.substring(0, colon), entry.substring(colon + 1)) != null) {
                throw new ConfigException(
                        CHECKPOINT_KEYS + ": there are two keys of the id " + entry.substring(0, colon));
            }
        }
        return keys;
    }

    public boolean checkpointSignaturesRequired() {
        return getBoolean(CHECKPOINT_SIGNATURES_REQUIRED);
    }

    public int spoutTasks() {
        return getInt(SPOUT_TASKS);
    }

    public int transformTasks() {
        return getInt(TRANSFORM_TASKS);
    }

    public int checkpointTasks() {
        return getInt(CHECKPOINT_TASKS);
    }

    /** How many tasks verify: the ones that the placement of the tracker says. */
    public int verifyingTasks() {
        return trackerPlacement() == TrackerPlacement.SOURCE ? spoutTasks() : checkpointTasks();
    }

    public int auditThreads() {
        return getInt(AUDIT_THREADS);
    }

    public int workers() {
        return getInt(WORKERS);
    }

    public long silenceGraceMillis() {
        return getLong(SILENCE_GRACE_MILLIS);
    }

    public long silenceWithoutPromiseMillis() {
        return getLong(SILENCE_WITHOUT_PROMISE_MILLIS);
    }

    public int flushIntervalSeconds() {
        return getInt(FLUSH_INTERVAL_SECONDS);
    }

    public int flushMaxFindings() {
        return getInt(FLUSH_MAX_FINDINGS);
    }

    /**
     * The properties for a KafkaConsumer: what stands in the file without a prefix and consumers know, overridden by
     * what stands there with {@code consumer.}; values are strings, references unresolved.
     */
    public Map<String, Object> kafkaConsumer() {
        return clients.forConsumer(bootstrapServers());
    }

    /** The same with what every reader of the topology sets: bytes, committed records only, no jumps, no new topics. */
    public Map<String, Object> kafkaReader() {
        return clients.forReader(bootstrapServers());
    }

    /** The same as {@link #kafkaConsumer()} for a KafkaProducer and {@code producer.}. */
    public Map<String, Object> kafkaProducer() {
        return clients.forProducer(bootstrapServers());
    }

    /** The properties without a prefix that an Admin client knows. */
    public Map<String, Object> kafkaAdmin() {
        return clients.forAdmin(bootstrapServers());
    }

    /**
     * The references to secrets that Kafka's clients cannot resolve on this machine.
     *
     * @throws ConfigException if a provider cannot be used at all
     */
    public Set<String> unresolvedReferences() {
        return clients.unresolved(bootstrapServers());
    }

    private static Map<String, String> ownOf(Map<String, String> properties) {
        Map<String, String> own = new HashMap<>(properties);
        own.keySet().retainAll(DEFINITION.names());
        own.forEach((key, value) -> {
            if (SecretReferences.isReferenceIn(value)) {
                throw new ConfigException(key + " cannot be a reference: only Kafka client properties can");
            }
        });
        return own;
    }
}
