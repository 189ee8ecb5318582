package dev.stormproof.task.config;

import dev.stormproof.verify.fold.InactivityTimeouts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef.NonEmptyString;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.ValidString;

/**
 * The rules by which records are read and trusted.
 *
 * @param signatureHeader the header in which events of format 1 carry their signature
 * @param format1Topics the topics that may have records of format 1
 * @param alertsOnUnsigned false if events without a signature are ignored
 * @param allowedEmitters the names, or patterns of names, of the emitters that may write to each topic; {@code *} stands for every topic
 * @param keys the public keys, as text, by their ids
 * @param againstTampering true if streams that are protected only against accidents are not trusted
 */
public record CheckingSettings(
        String signatureHeader,
        Set<String> format1Topics,
        boolean alertsOnUnsigned,
        Map<String, List<String>> allowedEmitters,
        List<String> signers,
        Map<String, String> keys,
        boolean againstTampering,
        InactivityTimeouts silence) {
    public static final String UNSIGNED_EVENTS = "unsigned.events";
    public static final String EMITTERS_ALLOWED = "emitters.allowed";
    public static final String EVENT_SIGNERS = "event.signers";
    public static final String CHECKPOINT_KEYS = "checkpoint.keys";
    public static final String REQUIRE_PROTECTION = "require.protection";
    private static final String FORMAT1_TOPICS = "format1.topics";

    /** Stands for every topic, and for every emitter. */
    static final String EVERY = "*";

    private static final String ACCIDENTS = "accidents";
    private static final String TAMPERING = "tampering";

    static void define(Settings to) {
        to.text("signature.header", "signature", new NonEmptyString())
                .means("The record header with the signature of a format 1 event.");
        to.list(FORMAT1_TOPICS, List.of(), null)
                .means("Topics that may hold records of format 1, whose checkpoints are unsigned.");
        to.text(UNSIGNED_EVENTS, "alert", ValidString.in("alert", "ignore"))
                .means("What to do about events without a signature; ignore is for the migration of producers.");
        Pairs emitters = new Pairs("topic:name, as orders:shop-* or *:shop-*", "");
        to.list(EMITTERS_ALLOWED, List.of(), emitters)
                .means("The emitters that may write, as topic:name (orders:shop-*, *:billing). A topic without an "
                        + "entry allows all.");
        to.list(EVENT_SIGNERS, List.of(), null)
                .means("Your own signature algorithms: classes that implement dev.stormproof.proof.sign.EventSigner.");
        Pairs keys = new Pairs("id:base64", "two keys of the id");
        to.list(CHECKPOINT_KEYS, List.of(), keys)
                .means("The trusted public Ed25519 keys, as id:base64, or @directory of .pub files. Any other "
                        + "checkpoint is refused. Empty: signatures are not checked.");
        to.text(REQUIRE_PROTECTION, ACCIDENTS, ValidString.in(ACCIDENTS, TAMPERING))
                .means("What streams must be protected against. tampering needs " + CHECKPOINT_KEYS
                        + " and refuses weaker hashes.");
        to.amount("silence.grace.ms", 30_000, Range.atLeast(0))
                .means("How long after its deadline a stream may be silent before its open interval is unsealed.");
        to.amount("silence.deadline.max.ms", 3_600_000, Range.atLeast(1))
                .means("The longest deadline that counts; longer ones are cut to it.");
        to.amount("silence.without.deadline.ms", 300_000, Range.atLeast(1))
                .means("The same time for a stream without deadlines.");
    }

    static CheckingSettings of(AbstractConfig values, Optional<String> canary) {
        boolean tampering = values.getString(REQUIRE_PROTECTION).equals(TAMPERING);
        Map<String, String> keys = Pairs.of(values, CHECKPOINT_KEYS);
        Map<String, List<String>> emitters = new LinkedHashMap<>();
        for (String pair : values.getList(EMITTERS_ALLOWED)) {
            emitters.computeIfAbsent(Pairs.first(pair), topic -> new ArrayList<>())
                    .add(Pairs.second(pair));
        }
        // Planted faults are reported as such, whatever emitters are allowed elsewhere.
        canary.filter(topic -> !emitters.isEmpty()).ifPresent(topic -> emitters.put(topic, List.of(EVERY)));
        return new CheckingSettings(
                values.getString("signature.header"),
                new TreeSet<>(values.getList(FORMAT1_TOPICS)),
                values.getString(UNSIGNED_EVENTS).equals("alert"),
                emitters,
                values.getList(EVENT_SIGNERS),
                keys,
                tampering,
                new InactivityTimeouts(
                        values.getLong("silence.grace.ms"),
                        values.getLong("silence.without.deadline.ms"),
                        values.getLong("silence.deadline.max.ms")));
    }

    /** True if unsigned checkpoints are refused: where keys are named, an attacker must not gain by leaving the signature out. */
    public boolean signaturesRequired() {
        return !keys.isEmpty();
    }

    void check(InputSettings input, ConfigErrors mistakes) {
        String tampering = REQUIRE_PROTECTION + "=" + TAMPERING;
        mistakes.takeIf(
                againstTampering && keys.isEmpty(),
                tampering + " needs " + CHECKPOINT_KEYS
                        + ", the public keys of the emitters that sign their checkpoints");
        mistakes.takeIf(
                againstTampering && !input.origins().isEmpty(),
                tampering + ": nothing signs what a transform states of the events in "
                        + input.origins().keySet() + ": verify the origin so, and these topics apart");
        mistakes.takeIf(
                againstTampering && !format1Topics.isEmpty(),
                tampering + ": nothing signs checkpoints of format 1, which " + FORMAT1_TOPICS + " expects in "
                        + format1Topics + ": leave it out");
        mistakes.takeIf(
                format1Topics.contains(EVERY),
                FORMAT1_TOPICS + "=" + EVERY + ": name the topics, in which anyone who may write can state anything");
        // A mistyped topic would allow every emitter to write to the intended one.
        for (String topic : allowedEmitters.keySet()) {
            mistakes.takeIf(
                    !topic.equals(EVERY) && !input.names().matches(topic),
                    EMITTERS_ALLOWED + " names the topic '" + topic
                            + "', which is no input topic: every emitter would be allowed where it was meant");
        }
    }
}
