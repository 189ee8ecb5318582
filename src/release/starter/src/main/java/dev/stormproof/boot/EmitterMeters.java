package dev.stormproof.boot;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.concurrent.TimeUnit;

/** The meters of the emitters, over all partitions: a topic has one series each, however many partitions it has. */
class EmitterMeters implements MeterBinder {
    private final Emitters emitters;

    EmitterMeters(Emitters emitters) {
        this.emitters = emitters;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        FunctionCounter.builder("stormproof.emitter.events", emitters, Emitters::events)
                .description("Events that were written")
                .register(registry);
        FunctionCounter.builder("stormproof.emitter.checkpoints", emitters, Emitters::checkpoints)
                .description("Checkpoints that were written")
                .register(registry);
        FunctionCounter.builder("stormproof.emitter.streams.ended", emitters, Emitters::failures)
                .description("Streams that a failed record has ended")
                .register(registry);
        Gauge.builder("stormproof.emitter.events.open", emitters, Emitters::openEvents)
                .description("Events that no checkpoint covers yet")
                .register(registry);
        Gauge.builder("stormproof.emitter.troubles", emitters, each -> each.troubles().size())
                .description("Emitters that were stopped, or are late with a checkpoint")
                .register(registry);
        TimeGauge.builder("stormproof.emitter.checkpoint.age", emitters, TimeUnit.MILLISECONDS, EmitterMeters::age)
                .description("Time since the last checkpoint of the partition that waits longest; NaN before the first")
                .register(registry);
    }

    private static double age(Emitters emitters) {
        return emitters.oldestCheckpoint()
                .map(millis -> (double) Math.max(0, System.currentTimeMillis() - millis))
                .orElse(Double.NaN);
    }
}
