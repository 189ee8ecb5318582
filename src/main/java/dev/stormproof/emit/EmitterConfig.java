package dev.stormproof.emit;

import static org.apache.kafka.common.config.ConfigDef.Type.INT;
import static org.apache.kafka.common.config.ConfigDef.Type.LONG;
import static org.apache.kafka.common.config.ConfigDef.Type.PASSWORD;
import static org.apache.kafka.common.config.ConfigDef.Type.STRING;

import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.sign.CheckpointKey;
import dev.stormproof.proof.sign.EventSigner;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.sign.Sha256Signer;
import dev.stormproof.proof.sign.Xxh3Signer;
import dev.stormproof.proof.tree.TreeHash;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.NonEmptyString;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.ValidString;
import org.apache.kafka.common.config.ConfigDef.Validator;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * The emitter's settings, which are among those of KafkaProducer and begin with {@link #PREFIX}; {@link #definition} describes them.
 *
 * <p>A key with the prefix that is not defined here is refused, with the nearest known key. References such as {@code ${file:…}} are resolved by
 * Kafka's configuration providers. Every mistake is a {@link ConfigException}.
 */
public final class EmitterConfig extends AbstractConfig {
    public static final String PREFIX = "stormproof.";
    public static final String EMITTER_NAME = "stormproof.emitter.name";
    public static final String FORMAT = "stormproof.format";
    public static final String MAX_EVENTS = "stormproof.checkpoint.max.events";
    public static final String MAX_INTERVAL_MS = "stormproof.checkpoint.max.interval.ms";
    public static final String MAX_BYTES = "stormproof.checkpoint.max.bytes";
    public static final String DEADLINE_MS = "stormproof.checkpoint.deadline.ms";
    public static final String DETAIL = "stormproof.checkpoint.detail";
    public static final String PROTECT_AGAINST = "stormproof.protect.against";
    public static final String TREE_HASH = "stormproof.tree.hash";
    public static final String EVENT_SIGNER = "stormproof.event.signer";
    public static final String SIGNATURE_HEADER = "stormproof.signature.header";
    public static final String KEY_ID = "stormproof.checkpoint.key.id";
    public static final String KEY_FILE = "stormproof.checkpoint.key.file";
    public static final String KEY_PRIVATE = "stormproof.checkpoint.key.private";

    static final int LEAST_MAX_BYTES = 2_000;

    private static final String LEAVES = "leaves";
    private static final String ACCIDENTS = "accidents";
    private static final String TAMPERING = "tampering";
    private static final String SHA256_KEY_VALUE = "sha256-key-value";
    private static final List<String> WEAK_SIGNERS = List.of("xxh3-key-value");

    private static final String NO_RECOVERY =
            "producers no longer state the ends of other streams: leave it out; the finding 'unsealed' "
                    + "reports what is known of that end, and 'stormproof alerts accept' closes it";
    private static final String NO_VERIFIED_CONSUMER =
            "read the output topic of a verifier that has output.hold=verified, with"
                    + " any consumer and HideCheckpoints as its interceptor";

    /** The removed settings, each with what to use instead. */
    static final Map<String, String> REMOVED = Map.ofEntries(
            Map.entry("stormproof.recover.predecessor", NO_RECOVERY),
            Map.entry("stormproof.recover.reach", NO_RECOVERY),
            Map.entry(
                    "stormproof.checkpoint.topic",
                    "checkpoints are among the events: leave it out, and write the events to a topic that is not "
                            + "compacted"),
            Map.entry("stormproof.checkpoint.promise.ms", "set stormproof.checkpoint.deadline.ms"),
            Map.entry("stormproof.verified.group", NO_VERIFIED_CONSUMER),
            Map.entry("stormproof.verified.timeout.ms", NO_VERIFIED_CONSUMER),
            Map.entry("stormproof.alerts.topic", NO_VERIFIED_CONSUMER),
            Map.entry("stormproof.on.violation", NO_VERIFIED_CONSUMER),
            Map.entry("stormproof.progress.interval.ms", NO_VERIFIED_CONSUMER),
            Map.entry("stormproof.held.max.bytes", NO_VERIFIED_CONSUMER));

    private static final ConfigDef DEFINITION = new ConfigDef();

    static {
        new Setting(EMITTER_NAME, STRING, "", null)
                .means("The emitter's name in each checkpoint. Empty: the client.id.");
        new Setting(FORMAT, INT, 2, Range.between(1, 2))
                .means("The wire format; 1 is for readers of the merkle-tree project of 2015.");
        new Setting(MAX_EVENTS, INT, 1_000, Range.atLeast(1))
                .means("The most events of a partition between two checkpoints; in format 1 at least 2.");
        new Setting(MAX_INTERVAL_MS, LONG, 1_000L, Range.atLeast(1))
                .means("The longest time from an unsealed event to its checkpoint.");
        new Setting(MAX_BYTES, INT, 900_000, Range.atLeast(LEAST_MAX_BYTES))
                .means("The largest size of a checkpoint, within the client's max.request.size and buffer.memory.");
        new Setting(DEADLINE_MS, LONG, 60_000L, Range.between(10, Integer.MAX_VALUE))
                .means("How soon each checkpoint is followed by another, even without events. It must exceed the "
                        + "longest transaction; with transactions the default is at least twice "
                        + "transaction.timeout.ms.");
        new Setting(DETAIL, STRING, LEAVES, ValidString.in(LEAVES, "root"))
                .means("leaves: a checkpoint holds every event's signature, so that a verifier can name more "
                        + "anomalies. root: only the root.");
        new Setting(PROTECT_AGAINST, STRING, "", ValidString.in("", ACCIDENTS, TAMPERING))
                .means("accidents: XXH3 for events and tree. tampering: SHA-256 for both, and a key that signs "
                        + "checkpoints. Empty: accidents, or SHA-256 if there is a key or the sha256 tree.");
        new Setting(TREE_HASH, STRING, "", null)
                .means("The hash of the tree: xxh3 or sha256; in format 1 adler32. Empty: by " + PROTECT_AGAINST + ".");
        new Setting(EVENT_SIGNER, STRING, "", null)
                .means("The signature of an event: xxh3-key-value, sha256-key-value, or a class that implements "
                        + "dev.stormproof.proof.sign.EventSigner; in format 1 sha1. Empty: by " + PROTECT_AGAINST
                        + ".");
        new Setting(SIGNATURE_HEADER, STRING, "signature", new NonEmptyString())
                .means("The record header of an event's signature in format 1.");
        new Setting(KEY_FILE, STRING, "", null)
                .means("The file from 'key create' that signs checkpoints. Empty: they are not signed.");
        new Setting(KEY_ID, STRING, "", null).means("The key's id for verifiers. Empty: the file's name without .pem.");
        new Setting(KEY_PRIVATE, PASSWORD, "", null)
                .means("The key in place of a file, PEM or base64 of PKCS #8; better a reference to a "
                        + "configuration provider.");
    }

    /** A setting that {@link #means} defines. */
    private record Setting(
            String key,
            ConfigDef.Type type,
            Object byDefault,
            @Nullable Validator valid) {
        void means(String documentation) {
            DEFINITION.define(key, type, byDefault, valid, Importance.MEDIUM, documentation);
        }
    }

    final int format;
    final String emitterName;
    final int maxEvents;
    final long maxIntervalMillis;
    final int maxBytes;
    final long deadlineMillis;

    /** True for detail {@code leaves}. */
    final boolean keepsLeaves;

    final TreeHash treeHash;

    /** Makes signers, each for one thread. */
    final Supplier<EventSigner> signers;

    /** Empty if checkpoints are not signed. */
    final Optional<CheckpointKey> key;

    final String signatureHeader;
    final boolean isTransactional;

    /** Reads the emitter's settings among all those of the producer. */
    public EmitterConfig(Map<String, ?> properties) {
        super(DEFINITION, properties, false);
        refuseRemovedKeys(properties);
        refuseUnknownKeys(properties);
        refuseWeakAcknowledgement();
        this.format = getInt(FORMAT);
        this.maxEvents = getInt(MAX_EVENTS);
        this.maxIntervalMillis = getLong(MAX_INTERVAL_MS);
        this.maxBytes = readMaxBytes();
        this.keepsLeaves = getString(DETAIL).equals(LEAVES);
        this.signatureHeader = getString(SIGNATURE_HEADER);
        this.isTransactional = originals().get(ProducerConfig.TRANSACTIONAL_ID_CONFIG) != null;
        this.key = readKey();
        boolean tampering = isAgainstTampering();
        this.treeHash = readTreeHash(tampering);
        this.signers = readSigner(tampering);
        if (format == 1 && maxEvents < 2) {
            throw new ConfigException(MAX_EVENTS, maxEvents, "a checkpoint of format 1 has at least 2 events");
        }
        this.emitterName = readEmitterName();
        this.deadlineMillis = readDeadline();
    }

    /** Keys, types, defaults and explanations of all settings. */
    public static ConfigDef definition() {
        return new ConfigDef(DEFINITION);
    }

    /** Throws if one of the settings was removed. */
    static void refuseRemovedKeys(Map<String, ?> properties) {
        for (String key : new TreeSet<>(properties.keySet())) {
            String instead = REMOVED.get(key);
            if (instead != null) {
                throw new ConfigException(key + " was removed: " + instead);
            }
        }
    }

    private void refuseUnknownKeys(Map<String, ?> properties) {
        for (String key : new TreeSet<>(properties.keySet())) {
            if (key.startsWith(PREFIX) && !DEFINITION.names().contains(key)) {
                String nearest = DEFINITION.names().stream()
                        .min(Comparator.comparingInt((String known) -> editDistance(key, known))
                                .thenComparing(known -> known))
                        .orElseThrow();
                throw new ConfigException("unknown setting " + key + "; did you mean " + nearest + "?");
            }
        }
    }

    private void refuseWeakAcknowledgement() {
        demand(ProducerConfig.ACKS_CONFIG, "all", "-1");
        demand(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true", "true");
    }

    private void demand(String key, String wanted, String alias) {
        Object given = originals().getOrDefault(key, wanted);
        if (!given.toString().equals(wanted) && !given.toString().equals(alias)) {
            throw new ConfigException(
                    key, given, "checkpoints need " + key + "=" + wanted + ", which is also the default");
        }
    }

    private int readMaxBytes() {
        int bytes = getInt(MAX_BYTES);
        for (String limit : List.of(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, ProducerConfig.BUFFER_MEMORY_CONFIG)) {
            Object most = originals().get(limit);
            long rest = most == null ? bytes : Long.parseLong(most.toString()) - MaxMessageBytes.RECORD_OVERHEAD_BYTES;
            if (bytes > rest && originals().containsKey(MAX_BYTES)) {
                throw new ConfigException(
                        MAX_BYTES,
                        bytes,
                        "must leave " + MaxMessageBytes.RECORD_OVERHEAD_BYTES + " bytes of " + limit + " (" + most
                                + ")");
            }
            bytes = (int) Math.max(0, Math.min(bytes, rest));
        }
        return bytes;
    }

    /** True if settings without a value default to protection against tampering. */
    private boolean isAgainstTampering() {
        if (getString(PROTECT_AGAINST).equals(TAMPERING)) {
            refuseLessThanTampering();
        }
        return switch (getString(PROTECT_AGAINST)) {
            case TAMPERING -> true;
            case ACCIDENTS -> false;
            default -> key.isPresent() || getString(TREE_HASH).equals(TreeHash.SHA256.label());
        };
    }

    private void refuseLessThanTampering() {
        String wanted = PROTECT_AGAINST + "=" + TAMPERING;
        if (format == 1) {
            throw new ConfigException(wanted + " needs " + FORMAT + "=2: nothing signs checkpoints of format 1");
        }
        if (key.isEmpty()) {
            throw new ConfigException(wanted + " needs " + KEY_FILE
                    + ": an attacker who alters events can write other checkpoints too, unless a key signs them");
        }
        String tree = getString(TREE_HASH);
        if (!tree.isEmpty() && !tree.equals(TreeHash.SHA256.label())) {
            throw new ConfigException(TREE_HASH, tree, "protects against accidents alone: leave it out with " + wanted);
        }
        String signer = getString(EVENT_SIGNER);
        if (WEAK_SIGNERS.contains(signer)) {
            throw new ConfigException(
                    EVENT_SIGNER,
                    signer,
                    "protects key and value against accidents alone: leave it out with " + wanted + ", or name "
                            + SHA256_KEY_VALUE + " or a class of your own");
        }
    }

    private TreeHash readTreeHash(boolean tampering) {
        String label = getString(TREE_HASH);
        TreeHash byDefault = format == 1 ? TreeHash.ADLER32 : tampering ? TreeHash.SHA256 : TreeHash.XXH3;
        TreeHash wanted = label.isEmpty()
                ? byDefault
                : TreeHash.ofLabel(label)
                        .orElseThrow(() -> new ConfigException(TREE_HASH, label, "must be xxh3, sha256 or adler32"));
        if ((wanted == TreeHash.ADLER32) != (format == 1)) {
            throw new ConfigException(TREE_HASH, label, "format 1 has adler32, and only format 1 has it");
        }
        return wanted;
    }

    private Supplier<EventSigner> readSigner(boolean tampering) {
        String name = getString(EVENT_SIGNER);
        if (format == 1) {
            if (!name.isEmpty() && !name.equals("sha1")) {
                throw new ConfigException(EVENT_SIGNER, name, "format 1 has sha1");
            }
            return EventSigners::sha1;
        }
        return switch (name) {
            case "" -> tampering ? Sha256Signer::new : Xxh3Signer::new;
            case "xxh3-key-value" -> Xxh3Signer::new;
            case SHA256_KEY_VALUE -> Sha256Signer::new;
            default -> suppliedSigner(name);
        };
    }

    private static Supplier<EventSigner> suppliedSigner(String className) {
        Class<? extends EventSigner> type;
        try {
            type = Utils.loadClass(className, EventSigner.class);
        } catch (ClassNotFoundException e) {
            throw new ConfigException(
                    EVENT_SIGNER, className, "is neither xxh3-key-value, nor sha256-key-value, nor a class found here");
        } catch (ClassCastException e) {
            throw new ConfigException(EVENT_SIGNER, className, "is no " + EventSigner.class.getName());
        }
        EventSigner sample = Utils.newInstance(type);
        if (Byte.toUnsignedInt(sample.id()) < EventSigners.FIRST_SUPPLIED
                || sample.sizeBytes() < 1
                || sample.sizeBytes() > EventSigners.MAX_SIZE_BYTES) {
            throw new ConfigException(
                    EVENT_SIGNER,
                    className,
                    "has id " + Byte.toUnsignedInt(sample.id()) + " and " + sample.sizeBytes() + " bytes; must be "
                            + EventSigners.FIRST_SUPPLIED + " to 255 and 1 to " + EventSigners.MAX_SIZE_BYTES);
        }
        return () -> Utils.newInstance(type);
    }

    private String readEmitterName() {
        String given = getString(EMITTER_NAME);
        Object clientId = originals().get(ProducerConfig.CLIENT_ID_CONFIG);
        String name = given.isEmpty() && clientId != null ? clientId.toString() : given;
        boolean hasControls = name.chars().anyMatch(Character::isISOControl);
        boolean isUtf8 = StandardCharsets.UTF_8.newEncoder().canEncode(name);
        boolean fits = name.getBytes(StandardCharsets.UTF_8).length <= Format2Checkpoint.MAX_NAME_BYTES;
        if (hasControls || !isUtf8 || !fits) {
            throw new ConfigException(
                    EMITTER_NAME,
                    name,
                    "at most " + Format2Checkpoint.MAX_NAME_BYTES + " bytes of UTF-8 without control characters");
        }
        return name;
    }

    private Optional<CheckpointKey> readKey() {
        String given = getString(KEY_ID);
        String file = getString(KEY_FILE);
        Password secret = getPassword(KEY_PRIVATE);
        String id = given.isEmpty() ? CheckpointKey.idOf(file) : given;
        if (!file.isEmpty() && !secret.value().isEmpty()) {
            throw new ConfigException(KEY_FILE + " and " + KEY_PRIVATE + " name the same thing: leave one out");
        }
        if (id.isEmpty() != (file.isEmpty() && secret.value().isEmpty())) {
            throw new ConfigException(KEY_ID + " and " + KEY_PRIVATE + " are needed together, or neither of them; "
                    + KEY_FILE + " is enough alone");
        }
        if (id.isEmpty()) {
            return Optional.empty();
        }
        if (format == 1) {
            throw new ConfigException(KEY_ID, id, "format 1 has no signed checkpoints");
        }
        try {
            return Optional.of(
                    CheckpointKey.ofText(id, file.isEmpty() ? secret.value() : Files.readString(Path.of(file))));
        } catch (IllegalArgumentException e) {
            throw new ConfigException(
                    file.isEmpty() ? KEY_PRIVATE : KEY_FILE, file.isEmpty() ? secret : file, e.getMessage());
        } catch (NoSuchFileException e) {
            throw new ConfigException(KEY_FILE, file, "there is no such file");
        } catch (IOException e) {
            throw new ConfigException(KEY_FILE, file, "cannot be read: " + e);
        }
    }

    private long readDeadline() {
        long deadline = getLong(DEADLINE_MS);
        if (!isTransactional || originals().containsKey(DEADLINE_MS)) {
            return deadline;
        }
        Object timeout = originals().getOrDefault(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, 60_000);
        return Math.max(deadline, 2 * Long.parseLong(timeout.toString()));
    }

    /** Levenshtein's distance: how many characters must be inserted, deleted or replaced. */
    private static int editDistance(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j - 1], row[j]) + 1);
            }
        }
        return row[to.length()];
    }
}
