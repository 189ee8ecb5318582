package dev.stormproof.cli;

import java.util.Map;
import java.util.Optional;

/** Commands and options that left, each with what to use in its place. */
final class Removed {
    private static final String STAMP =
            "let 'openssl ts' stamp the proof's file and verify the stamp, see docs/EVIDENCE.md, 5.1";

    private static final String WITNESS =
            "the tools of C2SP check what a witness signed on a note, see docs/operations/notary.md";

    private static final Map<String, String> INSTEAD = Map.ofEntries(
            Map.entry(
                    "forward",
                    "Prometheus and Alertmanager, a Kafka-to-HTTP connector on the alerts topic, or a loop over"
                            + " 'alerts --json' bring alerts to people, see docs/operations/alerts.md"),
            Map.entry("man", "'COMMAND --help' prints the same text"),
            Map.entry("--tsa", STAMP),
            Map.entry("--tsa-certificate", STAMP),
            Map.entry("--witness-key", WITNESS),
            Map.entry("--witnesses", WITNESS));

    private Removed() {}

    /** The sentence for a command or option that was removed; empty if there never was one. */
    static Optional<String> of(String typed) {
        String name = typed.replaceFirst("=.*", "");
        return Optional.ofNullable(INSTEAD.get(name)).map(instead -> name + " was removed: " + instead);
    }
}
