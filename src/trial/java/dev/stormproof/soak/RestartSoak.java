package dev.stormproof.soak;

import dev.stormproof.chaos.ClusterSoak;
import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.emit.CheckpointingProducer;
import dev.stormproof.task.config.TrackerPlacement;
import dev.stormproof.trial.Arguments;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Clean events, and a topology that is ended with SIGKILL at random points and started again: nothing may be alerted, and
 * in the end everything must be verified.
 *
 * <pre>
 *   this JVM     emitter ──► broker ──► ledger: what the log, the alerts and the verdicts hold in the end
 *   child JVM               ▲  │ topology in a LocalCluster   ✝ killed, again and again
 *                           └──┘
 * </pre>
 *
 * <p>Exits with 1 if anything else is found. A person runs it: {@code scripts/trial soak}.
 */
public final class RestartSoak {
    private static final String USAGE = """
            Clean events, and a topology that is killed and restarted at random points: nothing may be alerted, everything must be
            verified in the end. Exits with 1 if not.

              scripts/trial soak [EVENTS [KILLS [SEED [PLACEMENT]]]]
              scripts/trial soak --brokers 3 [--minutes N] [--rate EVENTS/S] [--seed S] [--faults KIND[,KIND…]|all]

            With --brokers 3 there are three brokers and two stormproof watch, each a process. Faulty events flow among others, at 60 % of what a
            first pressing shows to be the most, or at --rate. For N minutes (10), about once in each, a broker or one of the two is killed, paused or restarted; exactly
            the faulty events must be named. KIND is one of broker-kill, broker-pause, broker-roll, verify-kill, verify-pause, verify-roll; all if not
            given. What the log holds of a stream that is complained of is kept in target/soak/cluster. Memory, threads and open files of the
            other one must stay flat; target/soak/cluster/usage.svg draws them.

            EVENTS is 5000000 and KILLS is 30 if not given, which takes a quarter of an hour on two cores. PLACEMENT is where the
            topology verifies, bolt or source; bolt if not given. Needs a JDK 17 or newer (JAVA_HOME, or java in PATH), and the network
            for the first build.
            """;

    private static final String TOPIC = "soak";
    private static final String ALERTS = "soak-alerts";
    private static final String VERDICTS = "soak-verdicts";
    private static final String GROUP = "soak-group";
    private static final int PARTITIONS = 4;
    private static final int LIFE_LEAST_MILLIS = 500;
    private static final int LIFE_MOST_MILLIS = 12_000;
    private static final int START_MILLIS = 9_000;
    private static final long PATIENCE_MINUTES = 30;

    private final EmbeddedKafka kafka;
    private final long events;
    private final int restarts;
    private final Random random;
    private final TrackerPlacement placement;
    private final AtomicLong emitted = new AtomicLong();

    private RestartSoak(EmbeddedKafka kafka, long events, int restarts, long seed, TrackerPlacement placement) {
        this.kafka = kafka;
        this.events = events;
        this.restarts = restarts;
        this.random = new Random(seed);
        this.placement = placement;
    }

    public static void main(String[] args) throws Exception {
        if (ClusterSoak.isAskedFor(args)) {
            ClusterSoak.main(args);
        }
        Arguments arguments = Arguments.of(USAGE, 4, args);
        long events = arguments.number(0, 5_000_000);
        int restarts = Math.toIntExact(arguments.number(1, 30));
        long seed = arguments.number(2, 1);
        TrackerPlacement placement = TrackerPlacement.of(arguments.word(3, "bolt", "source"));
        System.out.printf(
                "%,d events, %d kills, seed %d, tracker.placement=%s%n", events, restarts, seed, placement.label());
        boolean clean;
        try (EmbeddedKafka kafka = EmbeddedKafka.start()) {
            kafka.createTopic(TOPIC, PARTITIONS, Map.of());
            kafka.createTopic(ALERTS, 1, Map.of());
            kafka.createTopic(VERDICTS, 1, Map.of());
            clean = new RestartSoak(kafka, events, restarts, seed, placement).run();
        }
        System.exit(clean ? 0 : 1);
    }

    private boolean run() throws Exception {
        long begun = System.nanoTime();
        Path config = Files.createTempFile("stormproof-soak-", ".properties");
        Ledger ledger = new Ledger(kafka.bootstrapServers(), GROUP, TOPIC, PARTITIONS);
        try {
            Files.write(config, configuration(), StandardCharsets.UTF_8);
            CompletableFuture<Void> emission = CompletableFuture.runAsync(this::emit);
            for (int kill = 1; kill <= restarts; kill++) {
                // One in eight dies while it is still starting.
                boolean early = random.nextInt(8) == 0;
                try (TopologyProcess topology = TopologyProcess.start(config)) {
                    if (early) {
                        topology.liveFor(random.nextInt(START_MILLIS));
                    } else {
                        topology.awaitStarted();
                        topology.liveFor(random.nextInt(LIFE_LEAST_MILLIS, LIFE_MOST_MILLIS));
                    }
                }
                System.out.printf(
                        "kill %d%s: %,d events emitted, %,d records verified, %d alerts%n",
                        kill, early ? ", while starting" : "", emitted.get(), ledger.progress(), ledger.alerts(ALERTS));
            }
            try (TopologyProcess topology = TopologyProcess.start(config)) {
                topology.awaitStarted();
                emission.get(PATIENCE_MINUTES, TimeUnit.MINUTES);
                long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(PATIENCE_MINUTES);
                while (ledger.progress() < ledger.end()) {
                    if (System.nanoTime() > deadline || !topology.isAlive()) {
                        System.out.printf("progress %,d of %,d: it does not end%n", ledger.progress(), ledger.end());
                        return false;
                    }
                    topology.liveFor(500);
                }
            }
            long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun);
            return ledger.report(events, ALERTS, VERDICTS, seconds);
        } finally {
            Files.deleteIfExists(config);
        }
    }

    private List<String> configuration() {
        List<String> lines = new ArrayList<>(List.of(
                "bootstrap.servers=" + kafka.bootstrapServers(),
                "group.id=" + GROUP,
                "input.topics=" + TOPIC,
                "alerts.topic=" + ALERTS,
                "verdicts.topic=" + VERDICTS,
                "tracker.placement=" + placement.label(),
                "spout.tasks=2"));
        if (placement == TrackerPlacement.BOLT) {
            lines.add("transform.tasks=2");
            lines.add("checkpoint.tasks=2");
        }
        return lines;
    }

    /** Emits at the pace at which the events last until the last kill. */
    private void emit() {
        long expectedNanos = TimeUnit.MILLISECONDS.toNanos(
                (long) restarts * (START_MILLIS + (LIFE_LEAST_MILLIS + LIFE_MOST_MILLIS) / 2));
        double nanosPerEvent = (double) expectedNanos / events;
        long begun = System.nanoTime();
        Map<String, Object> settings = Map.of("bootstrap.servers", kafka.bootstrapServers(), "linger.ms", 20);
        try (CheckpointingProducer<byte[], byte[]> producer =
                new CheckpointingProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (long i = 0; i < events; i++) {
                byte[] value = ("order " + i + " of the soak").getBytes(StandardCharsets.UTF_8);
                Future<RecordMetadata> unused =
                        producer.send(new ProducerRecord<>(TOPIC, (int) (i % PARTITIONS), null, value));
                emitted.incrementAndGet();
                long early = begun + (long) (i * nanosPerEvent) - System.nanoTime();
                if (early > 0 && i % 100 == 0) {
                    LockSupport.parkNanos(early);
                }
            }
        }
    }
}
