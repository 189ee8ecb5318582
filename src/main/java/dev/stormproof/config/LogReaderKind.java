package dev.stormproof.config;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.kafka.common.config.ConfigException;

/** The way in which the log is read again; the findings are the same. */
public enum LogReaderKind {
    /** Batch by batch, in place, with the network client of Kafka's consumer. */
    DIRECT,
    /** With Kafka's consumer, which makes objects of each record. */
    CONSUMER;

    /** As it is written in a configuration. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    static List<String> labels() {
        return Arrays.stream(values()).map(LogReaderKind::label).toList();
    }

    static LogReaderKind of(String label) {
        return Arrays.stream(values())
                .filter(kind -> kind.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new ConfigException("'" + label + "' is none of " + String.join(", ", labels())));
    }
}
