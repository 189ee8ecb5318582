package dev.stormproof.boot;

import dev.stormproof.emit.EmitterConfig;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The emitter's settings of an application. Each other setting of an emitter goes where a producer's go, for instance
 * {@code spring.kafka.producer.properties.stormproof.checkpoint.max.events}.
 *
 * @param enabled false for producers that sign nothing, as they are without this starter
 * @param name the emitter's name in checkpoints and alerts; by default {@code spring.application.name}
 * @param maxInterval the longest time that an event waits for its checkpoint
 * @param deadline after how long without a checkpoint verifiers raise an alarm, and the health goes down
 */
@ConfigurationProperties("stormproof.emitter")
public record StormproofProperties(
        @DefaultValue("true") boolean enabled, String name, Duration maxInterval, Duration deadline) {
    /** What is set of these, as an emitter's settings. */
    Map<String, Object> toMap(String application) {
        Map<String, Object> settings = new HashMap<>();
        String chosen = name == null ? application : name;
        if (!chosen.isEmpty()) {
            settings.put(EmitterConfig.EMITTER_NAME, chosen);
        }
        if (maxInterval != null) {
            settings.put(EmitterConfig.MAX_INTERVAL_MS, maxInterval.toMillis());
        }
        if (deadline != null) {
            settings.put(EmitterConfig.DEADLINE_MS, deadline.toMillis());
        }
        return settings;
    }
}
