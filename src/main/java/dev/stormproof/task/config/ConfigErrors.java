package dev.stormproof.task.config;

import org.apache.kafka.common.config.ConfigException;

/** The taker of what is wrong with a configuration: the first mistake may end the reading, or all of them are gathered. */
@FunctionalInterface
public interface ConfigErrors {
    /** Ends the reading with the first mistake. */
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
