package dev.stormproof.task.config;

import java.util.Map;
import org.apache.kafka.common.config.ConfigException;

/** The removed settings, each with what to use instead. A key that ends with a dot is a prefix. */
final class RemovedSettings {
    private static final String AMONG_EVENTS =
            "checkpoints are read among the events: leave it out, here and in the producers";
    private static final String NO_WITNESSES = "the notary asks no witnesses: leave it out, and have a client of"
            + " c2sp.org/tlog-witness submit the notes of notes.topic";

    static final Map<String, String> INSTEAD = Map.ofEntries(
            Map.entry("checkpoint.topic", AMONG_EVENTS),
            Map.entry("stormproof.checkpoint.topic", AMONG_EVENTS),
            Map.entry(
                    "checkpoint.signatures.required",
                    "leave it out; where checkpoint.keys names keys, each checkpoint needs the signature of one"),
            Map.entry("notary.witnesses", NO_WITNESSES),
            Map.entry("notary.witness.interval.ms", NO_WITNESSES),
            Map.entry("silence.promise.max.ms", "set silence.deadline.max.ms"),
            Map.entry("silence.without.promise.ms", "set silence.without.deadline.ms"),
            Map.entry(
                    "output.hold.max.bytes",
                    "a held output keeps no records: leave it out; what is verified is read from the log again"),
            Map.entry(
                    "stormproof.verified.",
                    "nothing reads here what is verified: set output.topic with output.hold=verified, and read that topic"),
            Map.entry(
                    "origin.",
                    "leave it out; 'stormproof audit' reads the origin's log and names the hop, with"
                            + " --origin-bootstrap-server and --origin-command-config"));

    private RemovedSettings() {}

    /** Throws if an unknown key is one of them. */
    static void refuse(String key) {
        INSTEAD.forEach((removed, instead) -> {
            if (key.equals(removed) || (removed.endsWith(".") && key.startsWith(removed))) {
                throw new ConfigException(key + " was removed: " + instead);
            }
        });
    }
}
