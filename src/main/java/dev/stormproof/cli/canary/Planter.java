package dev.stormproof.cli.canary;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.cli.fault.FaultInjector;
import dev.stormproof.cli.fault.FaultKind;
import dev.stormproof.cli.fault.FaultPlan;
import dev.stormproof.cli.fault.InjectedFault;
import dev.stormproof.emit.CheckpointingProducer;
import dev.stormproof.emit.EmitterConfig;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Plants faults: writes a stream of {@value #EVENTS} events with the product's own emitter, of which one is lost on its way to the log.
 *
 * <pre>
 *   CheckpointingProducer ──► FaultInjector ──► KafkaProducer        begins, sends, loses one, ends with a closing checkpoint
 * </pre>
 */
public final class Planter {
    private static final int EVENTS = 20;
    private static final Duration CLOSE = Duration.ofSeconds(20);
    private static final int PATIENCE_MILLIS = 10_000;

    private final Map<String, Object> properties;
    private final String topic;

    /** @param properties of a producer, with settings of the emitter if the verifier demands any */
    public Planter(Map<String, ?> properties, String topic) {
        this.properties = new HashMap<>(properties);
        this.properties.putIfAbsent(ProducerConfig.MAX_BLOCK_MS_CONFIG, PATIENCE_MILLIS);
        this.properties.putIfAbsent(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, PATIENCE_MILLIS);
        this.properties.putIfAbsent(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 2 * PATIENCE_MILLIS);
        this.topic = topic;
    }

    /**
     * Plants one fault.
     *
     * @param name of the emitter
     * @param seed decides which event is lost
     * @throws KafkaException if it could not be written
     */
    public PlantedFault plant(int partition, String name, long seed) {
        TopicPartition place = new TopicPartition(topic, partition);
        FaultPlan plan = FaultPlan.of(Map.of(place, EVENTS), Map.of(FaultKind.LOSE, 1), EVENTS, seed);
        AtomicReference<@Nullable FaultInjector> injector = new AtomicReference<>();
        Map<String, Object> emitter = new HashMap<>(properties);
        emitter.put(EmitterConfig.EMITTER_NAME, name);
        AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
        CheckpointingProducer<byte[], byte[]> producer =
                new CheckpointingProducer<>(emitter, new ByteArraySerializer(), new ByteArraySerializer(), inner -> {
                    FaultInjector errs = new FaultInjector(new KafkaProducer<>(inner), plan);
                    injector.set(errs);
                    return errs;
                });
        try {
            for (int i = 0; i < EVENTS; i++) {
                var unused = producer.send(
                        new ProducerRecord<>(topic, partition, null, (name + " " + i).getBytes(UTF_8)),
                        (written, failed) -> failure.compareAndSet(null, failed));
            }
            producer.flush();
        } finally {
            producer.close(CLOSE);
        }
        Exception failed = failure.get();
        if (failed != null) {
            throw failed instanceof KafkaException known ? known : new KafkaException(failed);
        }
        FaultInjector errs = injector.get();
        List<InjectedFault> lost = errs == null ? List.of() : errs.injected();
        if (lost.size() != 1) {
            throw new KafkaException("the fault was not planted: " + lost);
        }
        return new PlantedFault(name, partition, lost.get(0).sequence());
    }
}
