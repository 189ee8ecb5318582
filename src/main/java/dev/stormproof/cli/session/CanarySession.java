package dev.stormproof.cli.session;

import dev.stormproof.alert.Alert;
import dev.stormproof.cli.canary.CanaryWatch;
import dev.stormproof.cli.canary.PlantedFault;
import dev.stormproof.cli.canary.Planter;
import dev.stormproof.cli.terminal.Terminal;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * A canary: plants faults in a topic of its own, and watches whether they are reported.
 *
 * <pre>
 *   its thread:   Planter ──one fault in each partition──► canary topic ──► the verifier ──► alerts topic
 *   ours:         CanaryWatch ◄── FindingFeed ◄──────────────────────────────────────────────────┘
 * </pre>
 */
public final class CanarySession implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);

    private final CanaryWatch watch;
    private final Planter planter;
    private final Partitions kafka;
    private final long intervalMillis;
    private final Terminal err;
    private final String run = "canary-" + UUID.randomUUID();
    private final SplittableRandom seeds = new SplittableRandom();
    private final ExecutorService planting = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "stormproof-canary");
        thread.setDaemon(true);
        return thread;
    });
    /** Of the planting thread, once that runs. */
    private List<TopicPartition> partitions;

    private long next;
    private long plantAtMillis = nowMillis();
    private volatile boolean busy;
    private Optional<String> blind = Optional.empty();

    /** Tells which partitions the canary's topic has now. */
    public interface Partitions {
        /**
         * The partitions, as Kafka knows them.
         *
         * @throws RuntimeException if Kafka cannot say
         */
        List<TopicPartition> now() throws InterruptedException;
    }

    /**
     * @param kafka is asked before each round, since partitions may be added; each gets a fault
     * @param withinMillis how soon each fault has to be reported
     */
    public CanarySession(Planter planter, Partitions kafka, long intervalMillis, long withinMillis, Terminal err)
            throws InterruptedException {
        this.planter = planter;
        this.kafka = kafka;
        this.partitions = kafka.now();
        this.intervalMillis = intervalMillis;
        this.err = err;
        Set<Integer> numbers =
                partitions.stream().map(TopicPartition::partition).collect(Collectors.toSet());
        this.watch = new CanaryWatch(numbers, intervalMillis, withinMillis, nowMillis());
    }

    /** Plants and watches until it is asked to end. */
    public void run(FindingFeed feed, BooleanSupplier ending) {
        while (!ending.getAsBoolean()) {
            if (nowMillis() >= plantAtMillis && !busy) {
                plantAtMillis = Math.max(plantAtMillis + intervalMillis, nowMillis());
                busy = true;
                planting.execute(this::plantAll);
            }
            listen(feed);
            look();
        }
    }

    /** Why the verifier is blind; empty as long as it is not. */
    public synchronized Optional<String> blind() {
        return watch.blind(nowMillis());
    }

    public synchronized boolean isEachPartitionReported() {
        return watch.isEachPartitionReported();
    }

    public synchronized long reported() {
        return watch.reported();
    }

    /** How many seconds ago the last reported fault was planted. */
    public synchronized double sinceReportedSeconds() {
        return watch.sinceReportedMillis(nowMillis()) / 1_000.0;
    }

    @Override
    public void close() {
        planting.shutdownNow();
    }

    private void plantAll() {
        try {
            follow();
            for (TopicPartition partition : partitions) {
                if (planting.isShutdown()) {
                    return;
                }
                plant(partition);
            }
        } finally {
            busy = false;
        }
    }

    /** Takes on partitions that were added; if Kafka cannot say, the next round will. */
    private void follow() {
        try {
            List<TopicPartition> now = kafka.now();
            synchronized (this) {
                now.forEach(partition -> watch.add(partition.partition(), nowMillis()));
            }
            partitions = now;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // The canary ends.
        } catch (RuntimeException e) { // After any failure: the partitions that are known get their faults.
            err.println("stormproof: it is not known now which partitions the canary's topic has: " + e.getMessage());
        }
    }

    /** Plants a fault, if the partition can be written: the others are planted in all the same. */
    private void plant(TopicPartition partition) {
        long millis = nowMillis();
        String name = run + "-" + next++;
        synchronized (this) {
            watch.writes(name);
        }
        try {
            PlantedFault fault = planter.plant(partition.partition(), name, seeds.nextLong());
            synchronized (this) {
                watch.planted(fault, millis);
            }
        } catch (KafkaException e) {
            err.println("stormproof: no fault could be planted in " + partition + " now: " + e.getMessage());
        }
    }

    private void listen(FindingFeed feed) {
        for (ConsumerRecord<byte[], byte[]> record : feed.poll(POLL)) {
            try {
                if (FindingFeed.reported(record) instanceof Alert alert) {
                    hear(alert);
                }
            } catch (IOException e) {
                // Not one of ours: nothing that could be an answer.
            }
        }
    }

    private synchronized void hear(Alert alert) {
        boolean unused = watch.reported(alert);
    }

    private void look() {
        Optional<String> now = blind();
        if (now.isPresent() && blind.isEmpty()) {
            err.println("stormproof: BLIND: " + now.get() + "; the verifier is dead or blind");
        } else if (now.isEmpty() && blind.isPresent()) {
            err.println("stormproof: no longer blind: planted faults are reported");
        }
        blind = now;
    }

    private static long nowMillis() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }
}
