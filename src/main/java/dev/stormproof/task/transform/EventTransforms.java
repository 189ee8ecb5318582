package dev.stormproof.task.transform;

import dev.stormproof.task.config.NamedClasses;
import org.apache.kafka.common.config.ConfigException;

/** Makes the transforms that a configuration names. */
public final class EventTransforms {
    /** Leaves every event as it is. */
    public static final String IDENTITY = "identity";

    /** Wraps a log line into JSON; see {@link LogLineToJson}. */
    public static final String LOG_JSON = "log-json";

    private EventTransforms() {}

    /**
     * Makes a new transform of that name.
     *
     * @param name {@link #IDENTITY}, {@link #LOG_JSON} or the name of a class
     * @throws ConfigException if there is none, with what to do about it
     */
    public static EventTransform named(String name) {
        return switch (name) {
            case IDENTITY -> event -> Transformed.of(event.read().value());
            case LOG_JSON -> new LogLineToJson();
            default -> NamedClasses.newInstance("transform", name, EventTransform.class);
        };
    }
}
