package dev.stormproof.config;

import static org.apache.kafka.common.config.ConfigDef.Importance.HIGH;
import static org.apache.kafka.common.config.ConfigDef.Importance.LOW;
import static org.apache.kafka.common.config.ConfigDef.Importance.MEDIUM;
import static org.apache.kafka.common.config.ConfigDef.NO_DEFAULT_VALUE;
import static org.apache.kafka.common.config.ConfigDef.Type.BOOLEAN;
import static org.apache.kafka.common.config.ConfigDef.Type.INT;
import static org.apache.kafka.common.config.ConfigDef.Type.LIST;
import static org.apache.kafka.common.config.ConfigDef.Type.LONG;
import static org.apache.kafka.common.config.ConfigDef.Type.STRING;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.LambdaValidator;
import org.apache.kafka.common.config.ConfigDef.NonEmptyString;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.ValidString;
import org.apache.kafka.common.config.ConfigDef.Validator;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigValue;
import org.jspecify.annotations.Nullable;

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
    public static final String ORIGINS = "origins";
    public static final String MIRRORS = "mirrors";
    public static final String ORIGIN_BOOTSTRAP_SERVERS = "origin.bootstrap.servers";
    public static final String GROUP_ID = "group.id";
    public static final String ALERTS_TOPIC = "alerts.topic";
    public static final String CANARY_TOPIC = "canary.topic";
    public static final String RUNBOOK_BASE_URL = "runbook.base.url";
    public static final String AUDIT_COMMAND = "audit.command";
    public static final String RECORD_URL_TEMPLATE = "record.url.template";
    public static final String VERDICTS_TOPIC = "verdicts.topic";
    public static final String TRANSFORM = "transform";
    public static final String TRANSFORM_RETRIES = "transform.retries";
    public static final String TRANSFORM_TIMEOUT_MILLIS = "transform.timeout.ms";
    public static final String TRANSFORM_ON_ERROR = "transform.on.error";
    public static final String OUTPUT_TOPIC = "output.topic";
    public static final String OUTPUT_HOLD = "output.hold";
    public static final String OUTPUT_ON_VIOLATION = "output.on.violation";
    public static final String OUTPUT_HOLD_MAX_BYTES = "output.hold.max.bytes";
    public static final String DIVERTED_TOPIC = "diverted.topic";
    public static final String TRACKER_PLACEMENT = "tracker.placement";
    public static final String SIGNATURE_HEADER = "signature.header";
    public static final String FORMAT1_TOPICS = "format1.topics";
    public static final String UNSIGNED_EVENTS = "unsigned.events";
    public static final String EMITTERS_ALLOWED = "emitters.allowed";
    public static final String EVENT_SIGNERS = "event.signers";
    public static final String CHECKPOINT_KEYS = "checkpoint.keys";
    public static final String CHECKPOINT_SIGNATURES_REQUIRED = "checkpoint.signatures.required";
    public static final String REQUIRE_PROTECTION = "require.protection";
    public static final String SPOUT_TASKS = "spout.tasks";
    public static final String TRANSFORM_TASKS = "transform.tasks";
    public static final String CHECKPOINT_TASKS = "checkpoint.tasks";
    public static final String AUDIT_THREADS = "audit.threads";
    public static final String WORKERS = "workers";
    public static final String SILENCE_GRACE_MILLIS = "silence.grace.ms";
    public static final String SILENCE_PROMISE_MAX_MILLIS = "silence.promise.max.ms";
    public static final String SILENCE_WITHOUT_PROMISE_MILLIS = "silence.without.promise.ms";
    public static final String NOTARY_TOPICS = "notary.topics";
    public static final String NOTARY_KEY = "notary.key";
    public static final String NOTARY_INTERVAL_MILLIS = "notary.interval.ms";
    public static final String NOTARY_TILES = "notary.tiles";
    public static final String NOTES_TOPIC = "notes.topic";
    public static final String FLUSH_INTERVAL_MILLIS = "flush.interval.ms";
    public static final String FLUSH_MAX_FINDINGS = "flush.max.findings";
    public static final String METRICS_HTTP_PORT = MetricsAddress.PORT_KEY;
    public static final String METRICS_HTTP_HOST = "metrics.http.host";
    public static final String METRICS_HTTP_NAMES = "metrics.http.names";

    public static final String NO_TRANSFORM = "identity";

    /** What follows the group's name in those of its notaries, releases, replicas and scraped processes. */
    private static final List<String> GROUPS_BESIDE = List.of("-notary", "-release", "-replicas", "-metrics");

    private static final String HALT = "halt";
    private static final String DIVERT = "divert";
    private static final String NOTHING_HELD = "none";
    private static final String VERIFIED = "verified";
    private static final String ACCIDENTS = "accidents";
    private static final String TAMPERING = "tampering";
    private static final String EVERY_TOPIC = "*";
    private static final String EVERY_NAME = "*";

    private static final ConfigDef DEFINITION = new ConfigDef();

    static {
        new Setting(BOOTSTRAP_SERVERS, STRING, NO_DEFAULT_VALUE, new NonEmptyString(), HIGH)
                .means("The Kafka brokers to begin with, as host:port, separated by commas.");
        new Setting(INPUT_TOPICS, LIST, List.of(), null, HIGH)
                .means("The topics to verify. Either this or " + INPUT_TOPICS_PATTERN + " is required.");
        new Setting(INPUT_TOPICS_PATTERN, STRING, "", null, MEDIUM)
                .means("A regular expression; every topic whose whole name matches is verified, later ones too.");
        new Setting(ORIGINS, LIST, List.of(), null, MEDIUM)
                .means("The input topics that hold what a transform made of another topic's events, as topic:origin"
                        + " (orders-enriched:orders): the output of a topology, or a mirror of one. Their checkpoints"
                        + " name the origin; what the transform states is believed.");
        new Setting(MIRRORS, LIST, List.of(), null, MEDIUM)
                .means("The input topics that hold unaltered copies of another topic's records, as topic:origin"
                        + " (dc1.orders:orders). Their checkpoints name the origin; no transform is believed there.");
        new Setting(ORIGIN_BOOTSTRAP_SERVERS, STRING, "", null, MEDIUM)
                .means(
                        "The Kafka brokers that have the origins' logs, for the audit command in alerts, which asks them on"
                                + " which hop a violation came about. Verification does not ask them. Empty: none.");
        new Setting(GROUP_ID, STRING, NO_DEFAULT_VALUE, new NonEmptyString(), HIGH)
                .means("The consumer group whose committed offsets are the verified progress; one for each topology."
                        + " Does not end with -notary, -release, -replicas or -metrics.");
        new Setting(ALERTS_TOPIC, STRING, "stormproof-alerts", new NonEmptyString(), HIGH)
                .means("The topic that alerts are written to, as CloudEvents JSON.");
        new Setting(CANARY_TOPIC, STRING, "", null, MEDIUM)
                .means(
                        "A topic in which stormproof canary plants faults. It is verified beside the input topics, has no"
                                + " output, and what is found there is told as of the canary and counted nowhere. Empty: none.");
        new Setting(RUNBOOK_BASE_URL, STRING, "", null, LOW)
                .means(
                        "What stands before the handbook's path in an alert's runbook, as https://wiki/stormproof/. Empty:"
                                + " the path alone.");
        new Setting(
                        AUDIT_COMMAND,
                        STRING,
                        "scripts/stormproof audit --bootstrap-server $KAFKA",
                        new NonEmptyString(),
                        LOW)
                .means("The command in an alert that reads the log again, as it is run where alerts are read; topic,"
                        + " partition and range follow it.");
        new Setting(
                        RECORD_URL_TEMPLATE,
                        STRING,
                        "",
                        LambdaValidator.with(
                                (key, value) -> RecordUrlTemplate.of(key, (String) value),
                                () -> "an http or https address with {topic}, {partition} and {offset}"),
                        LOW)
                .means("The address at which a web page shows the record at a place, for links in alerts, terminal and"
                        + " page; {topic}, {partition} and {offset} stand in it. Empty: none.");
        new Setting(VERDICTS_TOPIC, STRING, "", null, LOW)
                .means("A topic for every verdict, also on verified intervals, as CloudEvents JSON; empty: none."
                        + " After a restart those of verified intervals ahead of progress come again, ids the same.");
        new Setting(TRANSFORM, STRING, NO_TRANSFORM, new NonEmptyString(), HIGH)
                .means("What makes one value-added event of each event: identity, log-json, or the name of a class"
                        + " that implements dev.stormproof.transform.EventTransform.");
        new Setting(TRANSFORM_RETRIES, INT, 3, Range.between(0, 1_000), LOW)
                .means("How often a transform that fails on an event is tried again.");
        new Setting(TRANSFORM_TIMEOUT_MILLIS, LONG, 10_000L, Range.atLeast(1), LOW)
                .means("How long a transform may take for an event before it is interrupted, which is a failure.");
        new Setting(TRANSFORM_ON_ERROR, STRING, HALT, ValidString.in(HALT, DIVERT), MEDIUM)
                .means("What to do if a transform fails on an event in every attempt, or the topic refuses the record."
                        + " halt: the partition's output stands until it is released. divert: the event goes to "
                        + DIVERTED_TOPIC + ", and a marker takes its place.");
        new Setting(OUTPUT_TOPIC, STRING, "", null, HIGH)
                .means(
                        "The topic that the transformed events are appended to, in order and once, with the checkpoints; *"
                                + " in it stands for the name of the input topic. Empty: none.");
        new Setting(OUTPUT_HOLD, STRING, NOTHING_HELD, ValidString.in(NOTHING_HELD, VERIFIED), MEDIUM)
                .means(
                        "What of the output is held back: none, or verified, so that an event is written once the checkpoint"
                                + " of its interval is, and the verdict says verified.");
        new Setting(OUTPUT_ON_VIOLATION, STRING, HALT, ValidString.in(HALT, "skip", "mark"), MEDIUM)
                .means("What to do at an event that was judged and is not verified, with " + OUTPUT_HOLD + "="
                        + VERIFIED
                        + ". halt: the partition's output stands until it is released. skip: its interval is left out."
                        + " mark: it is written with a header that says so.");
        new Setting(OUTPUT_HOLD_MAX_BYTES, LONG, 64L << 20, Range.atLeast(1_000), LOW)
                .means("About how many bytes of events each task holds back. What has no room is read from the log"
                        + " again when its turn has come.");
        new Setting(DIVERTED_TOPIC, STRING, "", null, MEDIUM)
                .means("The topic for events that the transform fails on.");
        new Setting(
                        TRACKER_PLACEMENT,
                        STRING,
                        TrackerPlacement.BOLT.label(),
                        ValidString.in(TrackerPlacement.labels().toArray(new String[0])),
                        MEDIUM)
                .means(
                        "Where events are verified: bolt, in tasks of their own behind the transform; or source, in the"
                                + " tasks that read them, which is faster; the transform runs there too if there is an output.");
        new Setting(SIGNATURE_HEADER, STRING, "signature", new NonEmptyString(), MEDIUM)
                .means("The record header in which events of format 1 carry their signature.");
        new Setting(FORMAT1_TOPICS, LIST, List.of(EVERY_TOPIC), null, MEDIUM)
                .means("The topics whose records may be of format 1, in which no checkpoint is signed. Elsewhere such"
                        + " records are strays. *: all topics, or none with " + CHECKPOINT_SIGNATURES_REQUIRED
                        + ". Empty: none.");
        new Setting(UNSIGNED_EVENTS, STRING, "alert", ValidString.in("alert", "ignore"), MEDIUM)
                .means("What to do about events without a signature: alert, or ignore while producers are migrated.");
        new Setting(EMITTERS_ALLOWED, LIST, List.of(), null, MEDIUM)
                .means(
                        "The emitters that may write, as topic:name (orders:shop-*); * in a name stands for anything, as the"
                                + " topic for each one. Checkpoints of others are alerts, and judged. A topic without an entry:"
                                + " every emitter.");
        new Setting(EVENT_SIGNERS, LIST, List.of(), null, LOW)
                .means("Names of classes that implement dev.stormproof.sign.EventSigner, the application's own.");
        new Setting(CHECKPOINT_KEYS, LIST, List.of(), null, LOW)
                .means("The public Ed25519 keys to believe, as id:base64 of X.509; empty: no signature is looked at.");
        new Setting(CHECKPOINT_SIGNATURES_REQUIRED, BOOLEAN, false, null, LOW)
                .means("Whether checkpoints without a signature are refused.");
        new Setting(REQUIRE_PROTECTION, STRING, ACCIDENTS, ValidString.in(ACCIDENTS, TAMPERING), MEDIUM)
                .means(
                        "What streams must be protected against: accidents, which all are, or tampering. A checkpoint with"
                                + " less is not believed then: one that no key of " + CHECKPOINT_KEYS
                                + " signed, or whose hashes"
                                + " protect against accidents alone.");
        new Setting(SPOUT_TASKS, INT, 1, Range.atLeast(1), MEDIUM)
                .means("How many tasks read from Kafka: as many as the input has partitions, or a divisor of that.");
        new Setting(TRANSFORM_TASKS, INT, 1, Range.atLeast(1), MEDIUM)
                .means("How many tasks transform events; a partition always goes to the same task.");
        new Setting(CHECKPOINT_TASKS, INT, 1, Range.atLeast(1), MEDIUM)
                .means("How many tasks verify; a partition always goes to the same task.");
        new Setting(AUDIT_THREADS, INT, 2, Range.between(1, 64), LOW)
                .means("How many threads of each verifying task read intervals again, each with its own client.");
        new Setting(WORKERS, INT, 1, Range.atLeast(1), MEDIUM).means("How many worker processes to run.");
        new Setting(SILENCE_GRACE_MILLIS, LONG, 30_000L, Range.atLeast(0), LOW)
                .means("How much longer than promised a stream may be silent before its open interval is given up.");
        new Setting(SILENCE_PROMISE_MAX_MILLIS, LONG, 3_600_000L, Range.atLeast(1), LOW)
                .means("The longest promise of a checkpoint that counts: a longer one is taken for this.");
        new Setting(SILENCE_WITHOUT_PROMISE_MILLIS, LONG, 300_000L, Range.atLeast(1), LOW)
                .means("The same for a stream whose checkpoints promise nothing.");
        new Setting(FLUSH_INTERVAL_MILLIS, LONG, 100L, Range.between(1, 60_000), LOW)
                .means(
                        "How long output and verdicts wait at most before they are committed. Alerts wait for the next batch of records"
                                + " at most, progress alone for a second at least.");
        new Setting(FLUSH_MAX_FINDINGS, INT, 500, Range.between(1, 10_000), LOW)
                .means("How many findings wait at most before they are committed.");
        new Setting(NOTARY_TOPICS, LIST, List.of(), null, MEDIUM)
                .means(
                        "The topics to notarize, whoever writes them: signed notes say what each partition holds. They need"
                                + " not be input topics. Empty: none.");
        new Setting(NOTARY_KEY, STRING, "", null, MEDIUM)
                .means(
                        "The private key that signs notes, as id:file, a file that 'key create' writes. The id begins the"
                                + " name of each tree: another id begins other trees.");
        new Setting(NOTARY_INTERVAL_MILLIS, LONG, 5_000L, Range.between(100, 3_600_000), LOW)
                .means("How often a note is written on a partition in which anything was written.");
        new Setting(NOTES_TOPIC, STRING, "", null, MEDIUM)
                .means("The topic that notes are written to, which keeps them: retention.ms=-1.");
        new Setting(NOTARY_TILES, STRING, "", null, LOW)
                .means(
                        "The compacted topic for the hashes of single records, 32 bytes each: with them an audit names each"
                                + " record, and proofs outlive retention. Empty: none.");
        new Setting(
                        METRICS_HTTP_PORT,
                        STRING,
                        "",
                        LambdaValidator.with(
                                (key, value) -> MetricsAddress.portsOf((String) value),
                                () -> "a port or a range of ports"),
                        MEDIUM)
                .means("The port at which each worker serves its metrics to Prometheus, as /metrics; or a range, as"
                        + " 9404-9413, of which each worker takes the first that is free. 0: any free one, which"
                        + " its log names. Empty: none.");
        new Setting(METRICS_HTTP_HOST, STRING, MetricsAddress.LOOPBACK, new NonEmptyString(), LOW)
                .means("The address that the metrics are served at: without password or encryption, so that by default"
                        + " only this host reads them.");
        new Setting(METRICS_HTTP_NAMES, LIST, List.of(), null, LOW)
                .means("What the workers' hosts are called by those who ask for the metrics: other names are not"
                        + " answered, so that no foreign page reads them through a browser. Addresses, names without a"
                        + " dot and " + METRICS_HTTP_HOST + " need not be named.");
    }

    /** A setting that is defined as soon as its meaning is given. */
    private record Setting(
            String key,
            ConfigDef.Type type,
            Object byDefault,
            @Nullable Validator valid,
            Importance importance) {
        void means(String documentation) {
            DEFINITION.define(key, type, byDefault, valid, importance, documentation);
        }
    }

    private final KafkaClientProperties clients;
    private final Map<String, String> properties;

    /** Checks and takes {@code properties}, keys and values as in a properties file. */
    public StormproofConfig(Map<String, String> properties) {
        // Kafka properties first: a mistyped key is better news than the one that is missing for it.
        this(properties, false);
    }

    /** @param literalSecrets whether secrets may stand literally, because nothing here reaches Storm */
    private StormproofConfig(Map<String, String> properties, boolean literalSecrets) {
        this(properties, literalSecrets, ownOf(properties), Mistakes.THROWN);
    }

    private StormproofConfig(
            Map<String, String> properties, boolean literalSecrets, Map<String, String> own, Mistakes mistakes) {
        this(
                KafkaClientProperties.of(properties, DEFINITION.names(), literalSecrets, mistakes),
                properties,
                own,
                mistakes);
    }

    private StormproofConfig(
            KafkaClientProperties clients, Map<String, String> properties, Map<String, String> own, Mistakes mistakes) {
        super(DEFINITION, own, Map.of(), false);
        this.clients = clients;
        this.properties = Map.copyOf(properties);
        mistakes.check(this::checkInputs);
        for (String outputKey : List.of(ALERTS_TOPIC, VERDICTS_TOPIC, OUTPUT_TOPIC, DIVERTED_TOPIC)) {
            mistakes.check(() -> refuseInputTopic(outputKey));
        }
        mistakes.check(this::checkOutput);
        mistakes.check(this::checkDiversion);
        mistakes.check(this::checkOrigins);
        mistakes.check(this::checkCanary);
        mistakes.check(this::checkProtection);
        mistakes.check(this::checkPlacement);
        mistakes.check(this::checkGroup);
        mistakes.check(this::checkVerdicts);
        mistakes.check(this::checkNotary);
        mistakes.check(this::checkEmitters);
        mistakes.check(() -> transactionTime().check(kafkaProducer()));
    }

    /**
     * Reads everything of {@code properties} that can be read, and hands each mistake to {@code mistakes}; what is missing
     * or wrong has its default, or a name that stands for it.
     */
    public static StormproofConfig reviewed(Map<String, String> properties, Mistakes mistakes) {
        Map<String, String> own = new HashMap<>(properties);
        own.keySet().retainAll(DEFINITION.names());
        List<ConfigValue> values = new ArrayList<>(DEFINITION.validate(own));
        values.sort(Comparator.comparing(ConfigValue::name));
        for (ConfigValue value : values) {
            String given = own.getOrDefault(value.name(), "");
            if (!value.errorMessages().isEmpty()) {
                // Of a missing one a mistyped one is the cause, which is told as an unknown key.
                mistakes.take(new ConfigException(String.join("; ", value.errorMessages())));
                own.remove(value.name());
            } else if (SecretReferences.isReferenceIn(given)) {
                mistakes.check(() -> refuseReference(value.name(), given));
                own.remove(value.name());
            }
        }
        for (String required : List.of(BOOTSTRAP_SERVERS, GROUP_ID)) {
            own.putIfAbsent(required, "?");
        }
        return new StormproofConfig(properties, false, own, mistakes);
    }

    private void checkInputs() {
        boolean none = inputTopics().isEmpty() && inputTopicsPattern().isEmpty();
        boolean both = !inputTopics().isEmpty() && inputTopicsPattern().isPresent();
        if (both || (none && notaryTopics().isEmpty())) {
            throw new ConfigException("set exactly one of " + INPUT_TOPICS + " and " + INPUT_TOPICS_PATTERN);
        }
    }

    private void checkNotary() {
        if (notaryTopics().isEmpty()) {
            return;
        }
        if (getString(NOTES_TOPIC).isEmpty()) {
            throw new ConfigException(NOTARY_TOPICS + " needs " + NOTES_TOPIC + ", where the notes go");
        }
        if (getString(NOTARY_KEY).indexOf(':') < 1) {
            throw new ConfigException(NOTARY_TOPICS + " needs " + NOTARY_KEY + " as id:file, the key that signs the"
                    + " notes: make one with 'stormproof key create'");
        }
        for (String key : List.of(NOTES_TOPIC, NOTARY_TILES)) {
            String topic = getString(key);
            if (notaryTopics().contains(topic) || (!topic.isEmpty() && inputs().matches(topic))) {
                throw new ConfigException(
                        key + " is '" + topic + "', which is also read: what is written there would be"
                                + " noted again without end; name another topic");
            }
        }
        if (List.of(getString(NOTARY_TILES), alertsTopic(), getString(VERDICTS_TOPIC))
                .contains(getString(NOTES_TOPIC))) {
            throw new ConfigException(NOTES_TOPIC + "=" + getString(NOTES_TOPIC)
                    + " is also the topic of tiles, alerts or verdicts: name another");
        }
    }

    private void refuseInputTopic(String outputKey) {
        if (inputs().matches(getString(outputKey))) {
            throw new ConfigException(outputKey + " is '" + getString(outputKey)
                    + "', which is also an input topic: what is written there would be read again without end;"
                    + " name another topic");
        }
    }

    /** A topic that is mistyped here would let every emitter write to the one that is meant. */
    private void checkEmitters() {
        for (String topic : allowedEmitters().keySet()) {
            if (!topic.equals(EVERY_TOPIC) && !inputs().matches(topic)) {
                throw new ConfigException(EMITTERS_ALLOWED + " names the topic '" + topic
                        + "', which is no input topic: every emitter would be allowed where it was meant");
            }
        }
    }

    private void checkPlacement() {
        if (trackerPlacement() == TrackerPlacement.SOURCE && !transform().equals(NO_TRANSFORM) && !hasOutput()) {
            throw new ConfigException(
                    TRACKER_PLACEMENT + "=" + TrackerPlacement.SOURCE.label() + " has no transform bolt, so that "
                            + TRANSFORM + "=" + transform() + " would never run without " + OUTPUT_TOPIC
                            + ": set that, or leave one of them out");
        }
    }

    private void checkGroup() {
        for (String suffix : GROUPS_BESIDE) {
            if (groupId().endsWith(suffix)) {
                throw new ConfigException(GROUP_ID + " is '" + groupId() + "', and what ends with " + suffix
                        + " belongs to the group without that: the two would share offsets, members or transactional"
                        + " ids; name another group");
            }
        }
    }

    private void checkVerdicts() {
        if (alertsTopic().equals(getString(VERDICTS_TOPIC))) {
            throw new ConfigException(VERDICTS_TOPIC + " and " + ALERTS_TOPIC + " are the same topic");
        }
    }

    private void checkProtection() {
        boolean tampering = requiresProtectionAgainstTampering();
        if (checkpointSignaturesRequired() && checkpointKeys().isEmpty()) {
            throw new ConfigException(
                    (tampering ? REQUIRE_PROTECTION + "=" + TAMPERING : CHECKPOINT_SIGNATURES_REQUIRED) + " needs "
                            + CHECKPOINT_KEYS + ", the public keys of the emitters that sign their checkpoints");
        }
        if (tampering && !origins().isEmpty()) {
            throw new ConfigException(REQUIRE_PROTECTION + "=" + TAMPERING
                    + ": nothing signs what a transform states of" + " the events in "
                    + origins().keySet() + ": verify the origin so, and these topics apart");
        }
        if (tampering && format1Topics().filter(Set::isEmpty).isEmpty()) {
            throw new ConfigException(REQUIRE_PROTECTION + "=" + TAMPERING + ": nothing signs checkpoints of format 1,"
                    + " which " + FORMAT1_TOPICS + " expects in " + getList(FORMAT1_TOPICS) + ": leave it out");
        }
    }

    private void checkOutput() {
        boolean several = inputTopicsPattern().isPresent() || inputTopics().size() > 1;
        if (getString(OUTPUT_TOPIC).equals(InputTopics.NAME)) {
            throw new ConfigException(OUTPUT_TOPIC + "=" + InputTopics.NAME
                    + " is each input topic itself: what is written there would be read again without end");
        }
        if (hasOutput() && several && !getString(OUTPUT_TOPIC).contains(InputTopics.NAME)) {
            throw new ConfigException(OUTPUT_TOPIC + "=" + getString(OUTPUT_TOPIC)
                    + " would mix the streams of several input topics: write " + InputTopics.NAME
                    + " for the input topic's name, for instance " + InputTopics.NAME + "-" + getString(OUTPUT_TOPIC));
        }
        if (hasOutput()
                && List.of(alertsTopic(), getString(VERDICTS_TOPIC), getString(DIVERTED_TOPIC))
                        .contains(getString(OUTPUT_TOPIC))) {
            throw new ConfigException(OUTPUT_TOPIC + "=" + getString(OUTPUT_TOPIC)
                    + " is also the topic of alerts, verdicts or diverted events: name another");
        }
        for (String key : List.of(ALERTS_TOPIC, VERDICTS_TOPIC, DIVERTED_TOPIC)) {
            if (inputs().isOutput(getString(key))) {
                throw new ConfigException(
                        key + " is '" + getString(key) + "', which is the output of an input topic, by " + OUTPUT_TOPIC
                                + "=" + getString(OUTPUT_TOPIC) + ": name another");
            }
        }
        if (holdsOutput() && !hasOutput()) {
            throw new ConfigException(
                    OUTPUT_HOLD + "=" + VERIFIED + " needs " + OUTPUT_TOPIC + ", the output to hold back");
        }
        if (!holdsOutput() && !outputOnViolation().equals(HALT)) {
            throw new ConfigException(OUTPUT_ON_VIOLATION + "=" + outputOnViolation() + " needs " + OUTPUT_HOLD + "="
                    + VERIFIED + ": without it the output is written before its input is judged");
        }
        if (holdsOutput() && outputOnViolation().equals(HALT) && !alertsOnUnsignedEvents()) {
            throw new ConfigException(OUTPUT_HOLD + "=" + VERIFIED + " with " + UNSIGNED_EVENTS
                    + "=ignore: the output would halt at each event without a signature, and no alert would say why. Set "
                    + OUTPUT_ON_VIOLATION + "=skip or mark, or " + UNSIGNED_EVENTS + "=alert");
        }
        inputTopics()
                .forEach(input -> outputTopic(input).ifPresent(output -> {
                    if (inputs().matches(output)) {
                        throw new ConfigException(
                                OUTPUT_TOPIC + " is '" + output
                                        + "', which is also an input topic: what is written there would be read again without end");
                    }
                }));
    }

    private void checkDiversion() {
        if (diverts() && !hasOutput()) {
            throw new ConfigException(TRANSFORM_ON_ERROR + "=" + DIVERT + " needs " + OUTPUT_TOPIC);
        }
        if (diverts() && divertedTopic().isEmpty()) {
            throw new ConfigException(TRANSFORM_ON_ERROR + "=" + DIVERT + " needs " + DIVERTED_TOPIC);
        }
    }

    private void checkOrigins() {
        for (String topic : mirrors().keySet()) {
            if (origins().containsKey(topic)) {
                throw new ConfigException(MIRRORS + ": " + topic + " stands in " + ORIGINS
                        + " as well: a mirror of what" + " a transform made belongs there, any other mirror here");
            }
        }
        if (!originServers().isEmpty() && origins().isEmpty() && mirrors().isEmpty()) {
            throw new ConfigException(ORIGIN_BOOTSTRAP_SERVERS + " needs " + ORIGINS + " or " + MIRRORS
                    + ", which say of which topic an input topic is a copy");
        }
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
     * The settings of a program that reads one topic as a topology would, and hands nothing to Storm: taken from the same
     * file, or from one of client properties as Kafka's own tools take it, in which secrets may stand literally. What it
     * says of servers, groups and topics does not count.
     */
    public static StormproofConfig ofReader(Map<String, String> properties, String bootstrapServers, String topic) {
        Map<String, String> reader = new HashMap<>(properties);
        reader.keySet()
                .removeAll(List.of(
                        INPUT_TOPICS_PATTERN,
                        VERDICTS_TOPIC,
                        OUTPUT_TOPIC,
                        CANARY_TOPIC,
                        DIVERTED_TOPIC,
                        TRANSFORM_ON_ERROR,
                        TRANSFORM,
                        NOTARY_TOPICS));
        reader.computeIfPresent(EMITTERS_ALLOWED, (key, entries) -> entriesOf(topic, entries));
        reader.put(BOOTSTRAP_SERVERS, bootstrapServers);
        reader.put(INPUT_TOPICS, topic);
        reader.put(ALERTS_TOPIC, topic + "-alerts");
        reader.put(GROUP_ID, "none");
        return new StormproofConfig(reader, true);
    }

    /** Those entries of a list that name a topic or every topic, and those that name none. */
    private static String entriesOf(String topic, String entries) {
        return Arrays.stream(entries.split(",", -1))
                .map(String::strip)
                .filter(entry ->
                        entry.startsWith(topic + ":") || entry.startsWith(EVERY_TOPIC + ":") || entry.indexOf(':') < 1)
                .collect(Collectors.joining(","));
    }

    /** As in the file, references unresolved. */
    public Map<String, String> properties() {
        return properties;
    }

    /** The keys, types, defaults and explanations of all settings but the Kafka clients'. */
    public static ConfigDef definition() {
        return new ConfigDef(DEFINITION);
    }

    public String bootstrapServers() {
        return getString(BOOTSTRAP_SERVERS);
    }

    /** The topics by name, in the configured order; empty if a pattern is configured. */
    public Set<String> inputTopics() {
        return Collections.unmodifiableSet(new LinkedHashSet<>(getList(INPUT_TOPICS)));
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

    /** The names of the topics that are verified. */
    public InputTopics inputs() {
        return inputTopicsPattern()
                .map(pattern -> InputTopics.matching(pattern, getString(OUTPUT_TOPIC)))
                .orElseGet(() -> {
                    Set<String> names = new LinkedHashSet<>(inputTopics());
                    canaryTopic().ifPresent(names::add);
                    return InputTopics.named(names, getString(OUTPUT_TOPIC));
                });
    }

    /** The topic in which faults are planted; empty if there is none. */
    public Optional<String> canaryTopic() {
        return Optional.of(getString(CANARY_TOPIC)).filter(topic -> !topic.isEmpty());
    }

    /** True if faults are planted in a topic. */
    public boolean isCanary(String topic) {
        return getString(CANARY_TOPIC).equals(topic);
    }

    private void checkCanary() {
        canaryTopic().ifPresent(canary -> {
            if (inputTopics().contains(canary)) {
                throw new ConfigException(CANARY_TOPIC + " is '" + canary + "', which stands in " + INPUT_TOPICS
                        + " as well: planted faults need a topic of their own");
            }
            if (List.of(alertsTopic(), getString(VERDICTS_TOPIC), getString(DIVERTED_TOPIC), getString(OUTPUT_TOPIC))
                    .contains(canary)) {
                throw new ConfigException(
                        CANARY_TOPIC + " is '" + canary + "', which is written otherwise: name another");
            }
            inputTopicsPattern()
                    .filter(pattern -> !pattern.matcher(canary).matches())
                    .ifPresent(pattern -> {
                        throw new ConfigException(CANARY_TOPIC + " is '" + canary + "', which " + INPUT_TOPICS_PATTERN
                                + "=" + pattern + " has to match as well");
                    });
        });
    }

    /** The origins of input topics that hold what a transform made of another topic's events. */
    public Map<String, String> origins() {
        return pairs(ORIGINS, "topic:origin", "two origins of the topic");
    }

    /** The origins of input topics that hold unaltered copies. */
    public Map<String, String> mirrors() {
        return pairs(MIRRORS, "topic:origin", "two origins of the topic");
    }

    private String originServers() {
        return getString(ORIGIN_BOOTSTRAP_SERVERS).replaceAll("\\s", "");
    }

    /** What an audit of a topic that has an origin needs besides, by topic; each begins with a space. */
    public Map<String, String> originOptions() {
        String servers = originServers().isEmpty() ? "" : " --origin-bootstrap-server " + originServers();
        Map<String, String> options = new HashMap<>();
        origins().forEach((topic, origin) -> options.put(topic, " --origin " + origin + servers));
        mirrors().forEach((topic, origin) -> options.put(topic, " --mirror-of " + origin + servers));
        return options;
    }

    public String groupId() {
        return getString(GROUP_ID);
    }

    public String alertsTopic() {
        return getString(ALERTS_TOPIC);
    }

    /** What stands before the handbook's path in alerts; empty for a path alone. */
    public String runbookBaseUrl() {
        return getString(RUNBOOK_BASE_URL);
    }

    /** The beginning of the command in alerts that reads the log again. */
    public String auditCommand() {
        return getString(AUDIT_COMMAND);
    }

    /** The template of links to records; an empty one makes none. */
    public RecordUrlTemplate recordUrl() {
        return RecordUrlTemplate.of(RECORD_URL_TEMPLATE, getString(RECORD_URL_TEMPLATE));
    }

    public Optional<String> verdictsTopic() {
        return Optional.of(getString(VERDICTS_TOPIC)).filter(topic -> !topic.isEmpty());
    }

    /** {@code identity}, {@code log-json} or a class name. */
    public String transform() {
        return getString(TRANSFORM);
    }

    public int transformRetries() {
        return getInt(TRANSFORM_RETRIES);
    }

    public long transformTimeoutMillis() {
        return getLong(TRANSFORM_TIMEOUT_MILLIS);
    }

    /** What a transaction of a task may take, and has. */
    public TransactionTime transactionTime() {
        return new TransactionTime(
                hasOutput(),
                flushIntervalMillis(),
                transformRetries() + 1,
                transformTimeoutMillis(),
                TransactionTime.writingMillis(kafkaProducer(), flushIntervalMillis()));
    }

    /** True if events that the transform fails on are diverted; false if the output halts before them. */
    public boolean diverts() {
        return getString(TRANSFORM_ON_ERROR).equals(DIVERT);
    }

    /** True if transformed events are written to Kafka. */
    public boolean hasOutput() {
        return !getString(OUTPUT_TOPIC).isEmpty();
    }

    /** The topic that the transformed events of an input topic are appended to. */
    public Optional<String> outputTopic(String inputTopic) {
        return Optional.of(getString(OUTPUT_TOPIC).replace(InputTopics.NAME, inputTopic))
                .filter(topic -> !topic.isEmpty() && !canaryTopic().equals(Optional.of(inputTopic)));
    }

    /** True if the output is held back until its input is verified. */
    public boolean holdsOutput() {
        return getString(OUTPUT_HOLD).equals(VERIFIED);
    }

    /** {@code halt}, {@code skip} or {@code mark}. */
    public String outputOnViolation() {
        return getString(OUTPUT_ON_VIOLATION);
    }

    /** About how many bytes of events each task holds back. */
    public long outputHoldMaxBytes() {
        return getLong(OUTPUT_HOLD_MAX_BYTES);
    }

    public Optional<String> divertedTopic() {
        return Optional.of(getString(DIVERTED_TOPIC)).filter(topic -> !topic.isEmpty());
    }

    public TrackerPlacement trackerPlacement() {
        return TrackerPlacement.of(getString(TRACKER_PLACEMENT));
    }

    public String signatureHeader() {
        return getString(SIGNATURE_HEADER);
    }

    /** The topics that may have records of format 1; empty for every topic. */
    public Optional<Set<String>> format1Topics() {
        Set<String> named = new HashSet<>(getList(FORMAT1_TOPICS));
        boolean all = named.remove(EVERY_TOPIC) && !checkpointSignaturesRequired();
        return all ? Optional.empty() : Optional.of(named);
    }

    public boolean alertsOnUnsignedEvents() {
        return getString(UNSIGNED_EVENTS).equals("alert");
    }

    /** The names, or patterns of names, of the emitters that may write to each topic; {@code *} in place of a topic: to each. */
    public Map<String, List<String>> allowedEmitters() {
        Map<String, List<String>> names = new LinkedHashMap<>();
        for (String entry : getList(EMITTERS_ALLOWED)) {
            int colon = entry.indexOf(':');
            if (colon < 1 || colon == entry.length() - 1) {
                throw new ConfigException(EMITTERS_ALLOWED + ": '" + entry + "' is not of the form topic:name, as"
                        + " orders:shop-* or *:shop-*");
            }
            names.computeIfAbsent(entry.substring(0, colon), topic -> new ArrayList<>())
                    .add(entry.substring(colon + 1));
        }
        // Planted faults are told as such, whoever else may not write elsewhere.
        canaryTopic().filter(topic -> !names.isEmpty()).ifPresent(topic -> names.put(topic, List.of(EVERY_NAME)));
        return names;
    }

    /** Class names. */
    public List<String> eventSigners() {
        return getList(EVENT_SIGNERS);
    }

    /** The public keys, as text, by their ids. */
    public Map<String, String> checkpointKeys() {
        return pairs(CHECKPOINT_KEYS, "id:base64", "two keys of the id");
    }

    private Map<String, String> pairs(String key, String form, String twice) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String entry : getList(key)) {
            int colon = entry.indexOf(':');
            if (colon < 1 || colon == entry.length() - 1) {
                throw new ConfigException(key + ": '" + entry + "' is not of the form " + form);
            }
            if (pairs.put(entry.substring(0, colon), entry.substring(colon + 1)) != null) {
                throw new ConfigException(key + ": there are " + twice + " " + entry.substring(0, colon));
            }
        }
        return pairs;
    }

    public boolean checkpointSignaturesRequired() {
        return getBoolean(CHECKPOINT_SIGNATURES_REQUIRED) || requiresProtectionAgainstTampering();
    }

    /** True if a stream that is protected against accidents alone is not to be believed. */
    public boolean requiresProtectionAgainstTampering() {
        return getString(REQUIRE_PROTECTION).equals(TAMPERING);
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

    public long silenceMostPromisedMillis() {
        return getLong(SILENCE_PROMISE_MAX_MILLIS);
    }

    public long silenceWithoutPromiseMillis() {
        return getLong(SILENCE_WITHOUT_PROMISE_MILLIS);
    }

    public long flushIntervalMillis() {
        return getLong(FLUSH_INTERVAL_MILLIS);
    }

    public int flushMaxFindings() {
        return getInt(FLUSH_MAX_FINDINGS);
    }

    /** True if there is anything to verify; false if there are topics to notarize alone. */
    public boolean verifies() {
        return !inputTopics().isEmpty() || inputTopicsPattern().isPresent();
    }

    /** True if there are topics to notarize. */
    public boolean notarizes() {
        return !notaryTopics().isEmpty();
    }

    /** The topics that are notarized, in the configured order. */
    public Set<String> notaryTopics() {
        return Collections.unmodifiableSet(new LinkedHashSet<>(getList(NOTARY_TOPICS)));
    }

    /** The id of the notary's key. */
    public String notaryKeyId() {
        String key = getString(NOTARY_KEY);
        return key.substring(0, Math.max(0, key.indexOf(':')));
    }

    /** The file of the notary's private key. */
    public Path notaryKeyFile() {
        String key = getString(NOTARY_KEY);
        return Path.of(key.substring(key.indexOf(':') + 1));
    }

    public long notaryIntervalMillis() {
        return getLong(NOTARY_INTERVAL_MILLIS);
    }

    public String notesTopic() {
        return getString(NOTES_TOPIC);
    }

    /** The topic of the hashes of single records; empty if they are not kept. */
    public Optional<String> notaryTiles() {
        return Optional.of(getString(NOTARY_TILES)).filter(topic -> !topic.isEmpty());
    }

    /** Where each worker serves its metrics; empty if it does not. */
    public Optional<MetricsAddress> metricsAddress() {
        return MetricsAddress.of(
                getString(METRICS_HTTP_HOST), getString(METRICS_HTTP_PORT), Set.copyOf(getList(METRICS_HTTP_NAMES)));
    }

    /**
     * The properties for a KafkaConsumer: those in the file without a prefix, overridden by those with {@code consumer.}.
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

    /** The references that this machine cannot resolve; throws {@link ConfigException} on an unusable provider. */
    public Set<String> unresolvedReferences() {
        return clients.unresolved(bootstrapServers());
    }

    private static Map<String, String> ownOf(Map<String, String> properties) {
        Map<String, String> own = new HashMap<>(properties);
        own.keySet().retainAll(DEFINITION.names());
        own.forEach(StormproofConfig::refuseReference);
        return own;
    }

    private static void refuseReference(String key, String value) {
        if (SecretReferences.isReferenceIn(value)) {
            throw new ConfigException(key + " cannot be a reference: only Kafka client properties can");
        }
    }
}
