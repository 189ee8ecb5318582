package dev.stormproof.task.config;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.kafka.common.config.ConfigException;

/** Where in the topology events are verified; the findings are the same. */
public enum TrackerPlacement {
    /** In bolts of their own, after the transform. */
    BOLT,
    /** In the tasks that read from Kafka, without a transform bolt: no record is sent on. */
    SOURCE;

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static List<String> labels() {
        return Arrays.stream(values()).map(TrackerPlacement::label).toList();
    }

    /** The placement of that label; throws {@link ConfigException} if there is none. */
    public static TrackerPlacement of(String label) {
        return Arrays.stream(values())
                .filter(placement -> placement.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new ConfigException("'" + label + "' is none of " + String.join(", ", labels())));
    }
}
