package dev.stormproof.cli;

import java.util.Map;
import java.util.Optional;

/** Commands and options that left, each with what to use in its place. */
final class Removed {
    private static final Map<String, String> INSTEAD = Map.of(
            "forward",
            "Prometheus and Alertmanager, a Kafka-to-HTTP connector on the alerts topic, or a loop over"
                    + " 'alerts --json' bring alerts to people, see docs/operations/alerts.md");

    private Removed() {}

    /** What to say of a word that was typed and is not known any more; empty if it never was. */
    static Optional<String> of(String typed) {
        String name = typed.replaceFirst("=.*", "");
        return Optional.ofNullable(INSTEAD.get(name)).map(instead -> name + " was removed: " + instead);
    }
}
