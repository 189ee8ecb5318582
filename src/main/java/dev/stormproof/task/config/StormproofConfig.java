package dev.stormproof.task.config;

import static org.apache.kafka.common.config.ConfigDef.NO_DEFAULT_VALUE;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.NonEmptyString;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigValue;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a topology: its own keys, and the properties of the Kafka clients that it runs.
 *
 * <p>Read from a properties file. Kafka properties have no prefix (see {@link #kafkaConsumer()}) or {@code consumer.} or {@code producer.}.
 * Unknown keys are refused. Only the Kafka clients on the workers resolve references such as {@code ${file:/path:key}}, so that no secret passes
 * through Storm.
 *
 * <p>Every constructor and factory throws {@link ConfigException} with a message for the author of the file.
 */
public final class StormproofConfig extends AbstractConfig {
    public static final String BOOTSTRAP_SERVERS = "bootstrap.servers";
    public static final String GROUP_ID = "group.id";
    public static final String HEADS_TOPIC = "heads.topic";

    /** The suffixes of the groups of its notaries, releases and replicas. */
    private static final List<String> GROUPS_BESIDE = List.of("-notary", "-release", "-replicas");

    private static final ConfigDef DEFINITION = new ConfigDef();

    static {
        Settings to = new Settings(DEFINITION);
        to.text(BOOTSTRAP_SERVERS, NO_DEFAULT_VALUE, new NonEmptyString())
                .means("The Kafka brokers to begin with, as host:port.");
        to.text(GROUP_ID, NO_DEFAULT_VALUE, new NonEmptyString())
                .means("The consumer group whose committed offsets are the verified progress. It must not end "
                        + "with -notary, -release or -replicas.");
        InputSettings.define(to);
        AlertSettings.define(to);
        OutputSettings.define(to);
        CheckingSettings.define(to);
        TaskSettings.define(to);
        to.text(HEADS_TOPIC, "", null)
                .means("The compacted topic of each stream's last checkpoints, for this group alone; created if "
                        + "missing. Empty: the group's name and -heads.");
        NotarySettings.define(to);
        MetricsAddress.define(to);
    }

    public final InputSettings input;
    public final AlertSettings alerts;
    public final OutputSettings output;
    public final CheckingSettings checking;
    public final TaskSettings tasks;
    public final NotarySettings notary;

    private final KafkaClientProperties clients;
    private final Map<String, String> properties;

    /** Checks and takes {@code properties}, keys and values as in a properties file. */
    public StormproofConfig(Map<String, String> properties) {
        this(properties, false, ConfigErrors.THROWN);
    }

    private StormproofConfig(Map<String, String> properties, boolean literalSecrets, ConfigErrors mistakes) {
        // Kafka properties first: it is more helpful to name a mistyped key than the missing one.
        this(
                KafkaClientProperties.of(properties, DEFINITION.names(), literalSecrets, mistakes),
                KeyDirectory.read(properties, mistakes),
                mistakes);
    }

    private StormproofConfig(KafkaClientProperties clients, Map<String, String> properties, ConfigErrors mistakes) {
        super(DEFINITION, readable(properties, mistakes), Map.of(), false);
        this.clients = clients;
        this.properties = Map.copyOf(properties);
        this.output = OutputSettings.of(this);
        this.input = InputSettings.of(this, output.topic());
        this.alerts = AlertSettings.of(this, bootstrapServers());
        this.checking = CheckingSettings.of(this, input.canary());
        this.tasks = TaskSettings.of(this);
        this.notary = NotarySettings.of(this);
        input.check(notary.isAny(), mistakes);
        output.check(input, checking.alertsOnUnsigned(), mistakes);
        checking.check(input, mistakes);
        tasks.check(output, mistakes);
        notary.check(mistakes);
        WrittenTopics.check(input, alerts, output, notary, headsTopic(), mistakes);
        for (String suffix : GROUPS_BESIDE) {
            mistakes.takeIf(
                    groupId().endsWith(suffix),
                    GROUP_ID + " is '" + groupId() + "', and what ends with " + suffix
                            + " belongs to the group without that: the two would share offsets, members or transactional"
                            + " ids; name another group");
        }
        mistakes.check(() -> transactionTime().check(kafkaProducer()));
    }

    /**
     * Reads as much of {@code properties} as possible, and hands each mistake to {@code mistakes}. A missing or wrong setting has its default,
     * or a placeholder.
     */
    public static StormproofConfig reviewed(Map<String, String> properties, ConfigErrors mistakes) {
        return new StormproofConfig(properties, false, mistakes);
    }

    private static Map<String, String> readable(Map<String, String> properties, ConfigErrors mistakes) {
        Map<String, String> own = new HashMap<>(properties);
        own.keySet().retainAll(DEFINITION.names());
        for (Map.Entry<String, String> one : new TreeMap<>(own).entrySet()) {
            String key = one.getKey();
            if (SecretReferences.isReferenceIn(one.getValue())) {
                mistakes.take(new ConfigException(key + " cannot be a reference: only Kafka client properties can"));
                own.remove(key);
            }
        }
        DEFINITION.validate(own).stream()
                .filter(value -> !value.errorMessages().isEmpty())
                .sorted(Comparator.comparing(ConfigValue::name))
                .forEach(value -> {
                    mistakes.take(new ConfigException(String.join("; ", value.errorMessages())));
                    own.remove(value.name());
                });
        for (String required : List.of(BOOTSTRAP_SERVERS, GROUP_ID)) {
            own.putIfAbsent(required, "?");
        }
        if (properties.containsKey(InputSettings.INPUT_TOPICS_PATTERN)) {
            own.putIfAbsent(InputSettings.INPUT_TOPICS_PATTERN, InputSettings.NO_NAME);
        }
        return own;
    }

    /** The configuration in a properties file in UTF-8. */
    public static StormproofConfig load(Path file) {
        return new StormproofConfig(properties(file, Map.of()));
    }

    /** The properties in a file, if there is one, overridden by those in environment variables. */
    public static Map<String, String> properties(@Nullable Path file, Map<String, String> environment) {
        try {
            Map<String, String> properties = file == null ? new HashMap<>() : read(file);
            properties.putAll(EnvironmentSettings.of(environment));
            return properties;
        } catch (NoSuchFileException e) {
            throw new ConfigException("there is no file " + file);
        } catch (IOException e) {
            throw new ConfigException("cannot read " + file + ": " + e.getMessage());
        }
    }

    /** Reads a properties file in UTF-8; values without the spaces around them. */
    public static Map<String, String> read(Path file) throws IOException {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
        Map<String, String> map = new HashMap<>();
        properties.forEach((key, value) -> map.put((String) key, ((String) value).trim()));
        return map;
    }

    /**
     * The settings of a program that reads one topic as a topology would, without Storm: from the same file, or from one of client properties as
     * for Kafka's own tools, which may hold literal secrets. Its servers, groups and topics are ignored.
     */
    public static StormproofConfig ofReader(Map<String, String> properties, String bootstrapServers, String topic) {
        Map<String, String> reader = new HashMap<>(properties);
        reader.keySet()
                .removeAll(List.of(
                        InputSettings.INPUT_TOPICS_PATTERN,
                        AlertSettings.VERDICTS_TOPIC,
                        OutputSettings.OUTPUT_TOPIC,
                        InputSettings.CANARY_TOPIC,
                        OutputSettings.DIVERTED_TOPIC,
                        OutputSettings.TRANSFORM_ON_ERROR,
                        OutputSettings.TRANSFORM,
                        NotarySettings.NOTARY_TOPICS));
        reader.computeIfPresent(CheckingSettings.EMITTERS_ALLOWED, (key, entries) -> entriesOf(topic, entries));
        reader.put(BOOTSTRAP_SERVERS, bootstrapServers);
        reader.put(InputSettings.INPUT_TOPICS, topic);
        reader.put(AlertSettings.ALERTS_TOPIC, topic + "-alerts");
        reader.put(HEADS_TOPIC, topic + "-heads");
        reader.put(GROUP_ID, "none");
        return new StormproofConfig(reader, true, ConfigErrors.THROWN);
    }

    private static String entriesOf(String topic, String entries) {
        return Arrays.stream(entries.split(",", -1))
                .map(String::strip)
                .filter(entry -> entry.startsWith(topic + ":")
                        || entry.startsWith(CheckingSettings.EVERY + ":")
                        || entry.indexOf(':') < 1)
                .collect(Collectors.joining(","));
    }

    /** The properties as they were given, with references. */
    public Map<String, String> properties() {
        return properties;
    }

    /** Keys, types, defaults and explanations of all settings except the Kafka clients'. */
    public static ConfigDef definition() {
        return new ConfigDef(DEFINITION);
    }

    /** What replicas of one group must have in common: a hash of the settings that decide a verdict. */
    public long fingerprint() {
        return Fingerprint.of(values());
    }

    public String bootstrapServers() {
        return getString(BOOTSTRAP_SERVERS);
    }

    public String groupId() {
        return getString(GROUP_ID);
    }

    /** The topic that keeps the heads of streams. */
    public String headsTopic() {
        String topic = getString(HEADS_TOPIC);
        return topic.isEmpty() ? groupId() + "-heads" : topic;
    }

    /** False if there are only topics to notarize. */
    public boolean verifies() {
        return input.isAny();
    }

    public boolean notarizes() {
        return notary.isAny();
    }

    /** The topic that the transformed events of an input topic are appended to; the canary has none. */
    public Optional<String> outputTopic(String inputTopic) {
        return input.isCanary(inputTopic) ? Optional.empty() : output.topicOf(inputTopic);
    }

    /** Where each worker serves its metrics; empty if it does not. */
    public Optional<MetricsAddress> metricsAddress() {
        return MetricsAddress.of(this);
    }

    public TransactionTime transactionTime() {
        return new TransactionTime(
                output.isAny(),
                tasks.flushIntervalMillis(),
                output.retries() + 1,
                output.timeoutMillis(),
                TransactionTime.writingMillis(kafkaProducer(), tasks.flushIntervalMillis()));
    }

    /**
     * The properties for a KafkaConsumer: those in the file without a prefix, overridden by those with {@code consumer.}.
     */
    public Map<String, Object> kafkaConsumer() {
        return clients.forConsumer(bootstrapServers());
    }

    /** As {@link #kafkaConsumer()}, for readers of the topology: bytes, only committed records, no jumps, no new topics. */
    public Map<String, Object> kafkaReader() {
        return clients.forReader(bootstrapServers());
    }

    /** As {@link #kafkaConsumer()}, for a KafkaProducer and {@code producer.}. */
    public Map<String, Object> kafkaProducer() {
        return clients.forProducer(bootstrapServers());
    }

    /** The properties without a prefix that an Admin client knows. */
    public Map<String, Object> kafkaAdmin() {
        return clients.forAdmin(bootstrapServers());
    }

    /** The references that this machine cannot resolve; throws {@link ConfigException} on an unusable provider. */
    public Set<String> unresolvedReferences() {
        return clients.unresolved(bootstrapServers());
    }
}
