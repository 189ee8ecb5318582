package dev.stormproof.boot;

import dev.stormproof.emit.EmitterStats;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * The health of the emitters is DOWN, with the reason, when one was stopped, or when verifiers wait for a checkpoint beyond
 * its deadline. Before the first event there is no emitter, and nothing is owed: UP.
 */
class EmitterHealth extends AbstractHealthIndicator {
    private final Emitters emitters;

    EmitterHealth(Emitters emitters) {
        super("the emitters cannot be asked");
        this.emitters = emitters;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        List<String> troubles = emitters.troubles();
        if (troubles.isEmpty()) {
            health.up();
        } else {
            health.down().withDetail("reason", String.join("; ", troubles));
        }
        health.withDetail("stopped", emitters.anyStopped()).withDetail("openEvents", emitters.openEvents());
        Map<String, Object> partitions = new LinkedHashMap<>();
        emitters.partitions().forEach((partition, numbers) -> partitions.put(partition, details(numbers)));
        health.withDetail("partitions", partitions);
    }

    private static Map<String, Object> details(EmitterStats numbers) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("events", numbers.eventsSent());
        details.put("openEvents", numbers.openEvents());
        details.put("lastCheckpoint", numbers.lastNumber());
        details.put(
                "lastCheckpointTime",
                numbers.lastCheckpointMillis() < 0
                        ? "none has arrived"
                        : Instant.ofEpochMilli(numbers.lastCheckpointMillis()).toString());
        return details;
    }
}
