package dev.stormproof.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.cli.fault.FaultInjector;
import dev.stormproof.cli.fault.FaultKind;
import dev.stormproof.cli.fault.FaultPlan;
import dev.stormproof.cli.fault.InjectedFault;
import dev.stormproof.emit.CheckpointingProducer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * An emitter stands for an upstream application: it writes events at a steady pace until it is stopped, with the broker there or
 * not: one producer after the other, each for a few seconds, some with faults behind their signer and some without.
 *
 * <p>One with a short delivery timeout gives up records after 4 s, so that a broker that is gone for longer leaves it with
 * records in doubt; the others wait as long as KafkaProducer does by default.
 *
 * <p>One thread runs it; any thread may stop it.
 */
final class ChaosEmitter implements Runnable {
    /** How many events an interval has at most; half a second's worth or so. */
    static final int INTERVAL_EVENTS = 100;

    private static final int LEAST_SECONDS = 4;
    private static final int MOST_SECONDS = 10;
    private static final int MOST_FAULTS_OF_A_KIND = 4;
    private static final long HUSHED_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(90);

    private final Map<String, Object> settings;
    private final String topic;
    private final double eventsPerSecond;
    private final Conduct conduct;
    private final SplittableRandom random;
    private final List<FaultInjector> injectors = new ArrayList<>();
    private final AtomicLong failed = new AtomicLong();
    private volatile boolean stopped;
    private long sent;
    private double startNanos;

    ChaosEmitter(
            String servers,
            String topic,
            double eventsPerSecond,
            boolean shortDeliveryTimeout,
            Conduct conduct,
            SplittableRandom random) {
        this.settings = settings(servers, shortDeliveryTimeout);
        this.topic = topic;
        this.eventsPerSecond = eventsPerSecond;
        this.conduct = conduct;
        this.random = random;
    }

    private static Map<String, Object> settings(String servers, boolean shortDeliveryTimeout) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", servers);
        settings.put("linger.ms", 20);
        settings.put("stormproof.checkpoint.max.events", INTERVAL_EVENTS);
        // One that cannot begin, since there is no broker, shall not be deaf to the order to stop.
        settings.put("max.block.ms", 5_000);
        if (shortDeliveryTimeout) {
            settings.put("request.timeout.ms", 2_000);
            settings.put("delivery.timeout.ms", 4_000);
        }
        return settings;
    }

    @Override
    public void run() {
        startNanos = System.nanoTime();
        while (!stopped) {
            live();
        }
    }

    void stop() {
        stopped = true;
    }

    /** Everything that the injectors did; complete when the emitter has ended. */
    List<InjectedFault> injected() {
        return injectors.stream()
                .flatMap(injector -> injector.injected().stream())
                .toList();
    }

    /** How many events the producers gave up, or did not take. */
    long failed() {
        return failed.get();
    }

    private void live() {
        int partitions = conduct.partitions();
        int events = conduct.isSteady()
                ? Integer.MAX_VALUE
                : (int) Math.max(50, eventsPerSecond * random.nextInt(LEAST_SECONDS, MOST_SECONDS + 1) / partitions);
        FaultPlan plan = conduct.isSteady() || random.nextInt(3) == 0 ? FaultPlan.none() : plan(events, partitions);
        CheckpointingProducer<byte[], byte[]> producer =
                new CheckpointingProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer(), inner -> {
                    FaultInjector injector =
                            new FaultInjector(conduct.acknowledged().producer(inner), plan);
                    injectors.add(injector);
                    return injector;
                });
        try {
            for (int event = 0; event < events && !stopped; event++) {
                for (int partition = 0; partition < conduct.partitions(); partition++) {
                    send(producer, partition);
                }
                pace();
            }
        } finally {
            producer.close(CLOSE_TIMEOUT);
        }
    }

    private FaultPlan plan(int events, int partitions) {
        Map<TopicPartition, Integer> planned = new HashMap<>();
        for (int partition = 0; partition < partitions; partition++) {
            planned.put(new TopicPartition(topic, partition), events);
        }
        Map<FaultKind, Integer> faults = new EnumMap<>(FaultKind.class);
        for (FaultKind kind : FaultKind.values()) {
            faults.put(kind, random.nextInt(1, MOST_FAULTS_OF_A_KIND + 1));
        }
        return FaultPlan.of(planned, faults, INTERVAL_EVENTS, random.nextLong());
    }

    private void send(Producer<byte[], byte[]> producer, int partition) {
        byte[] value = ("order " + sent + " of customer " + random.nextLong()).getBytes(UTF_8);
        sent++;
        try {
            var unused = producer.send(new ProducerRecord<>(topic, partition, null, value), (metadata, exception) -> {
                if (exception != null) {
                    failed.incrementAndGet();
                }
            });
        } catch (KafkaException e) {
            // Nothing was appended; an application would try again, and this one has other events.
            failed.incrementAndGet();
        }
    }

    private void pace() {
        while (conduct.isHushed() && !stopped) {
            LockSupport.parkNanos(HUSHED_NANOS);
        }
        double earlyNanos = startNanos + sent * TimeUnit.SECONDS.toNanos(1) / eventsPerSecond - System.nanoTime();
        if (earlyNanos > 0) {
            LockSupport.parkNanos((long) earlyNanos);
        } else if (earlyNanos < -TimeUnit.SECONDS.toNanos(2)) {
            // It does not catch up on what it was held up for: the pace is steady, not the number.
            startNanos -= earlyNanos;
        }
    }
}
