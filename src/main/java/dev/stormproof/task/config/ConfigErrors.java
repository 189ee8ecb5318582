package dev.stormproof.task.config;

import org.apache.kafka.common.config.ConfigException;

/** Takes the mistakes of a configuration: the first one ends the reading, or all are collected. */
@FunctionalInterface
public interface ConfigErrors {
    ConfigErrors THROWN = mistake -> {
        throw mistake;
    };

    void take(ConfigException mistake);

    /** Runs a check that throws at most one mistake, and takes it. */
    default void check(Runnable check) {
        try {
            check.run();
        } catch (ConfigException e) {
            take(e);
        }
    }

    default void takeIf(boolean wrong, String mistake) {
        if (wrong) {
            take(new ConfigException(mistake));
        }
    }
}
