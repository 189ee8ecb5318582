package dev.stormproof.soak;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.config.StormproofConfig;
import dev.stormproof.config.TrackerPlacement;
import dev.stormproof.emit.CheckpointingProducer;
import dev.stormproof.local.EmbeddedKafka;
import dev.stormproof.storm.VerificationTopology;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;

/**
 * How fast each placement of the tracker verifies one and the same log, and for how much CPU time an event.
 *
 * <pre>
 *   this JVM     emitter ──► broker: the log, written first; then the progress of each round's group
 *   child JVM                 └──► topology in a LocalCluster, one task of each component; tuples are not serialized,
 *                                  as within one worker
 * </pre>
 *
 * <p>A round runs both placements, one after the other. What is measured begins when a fifth of the log is verified, so that
 * starting and compiling hardly count, and ends with the log. CPU time is all of the child's.
 *
 * <p>A person runs it: {@code scripts/placement-bench}.
 */
public final class PlacementBench {
    private static final String TOPIC = "measured";
    private static final int PARTITIONS = 4;
    private static final long SAMPLE_MILLIS = 100;
    private static final long PATIENCE_MINUTES = 15;
    private static final int WARM_UP = 5;

    private final EmbeddedKafka kafka;
    private final Admin admin;
    private final long records;

    private PlacementBench(EmbeddedKafka kafka, Admin admin, long records) {
        this.kafka = kafka;
        this.admin = admin;
        this.records = records;
    }

    /** What a run took. */
    private record Measured(double recordsPerSecond, double cpuNanosPerRecord) {}

    /** When something was seen: how far the progress was, and what the child had spent. */
    private record Sample(long nanos, Duration cpu, long progress) {
        Measured until(Sample end) {
            long done = end.progress - progress;
            return new Measured(
                    done * 1e9 / (end.nanos - nanos),
                    (double) end.cpu.minus(cpu).toNanos() / done);
        }
    }

    /** Takes the number of events and of rounds; a child takes the file of its configuration. */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length == 1) {
            runTopology(StormproofConfig.load(Path.of(arguments[0])));
            return;
        }
        long events = Long.parseLong(arguments[0]);
        int rounds = Integer.parseInt(arguments[1]);
        try (EmbeddedKafka kafka = EmbeddedKafka.start();
                Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            kafka.createTopic(TOPIC, PARTITIONS, Map.of());
            emit(kafka, events);
            long records = new Ledger(kafka.bootstrapServers(), "none", TOPIC, PARTITIONS).end();
            System.out.printf(Locale.ROOT, "%,d events, %,d checkpoints%n", events, records - events);
            new PlacementBench(kafka, admin, records).run(rounds);
        }
        System.exit(0);
    }

    private void run(int rounds) throws Exception {
        List<Double> faster = new ArrayList<>();
        List<Double> cheaper = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            Measured bolt = measure(TrackerPlacement.BOLT, round);
            Measured source = measure(TrackerPlacement.SOURCE, round);
            faster.add(source.recordsPerSecond / bolt.recordsPerSecond);
            cheaper.add(bolt.cpuNanosPerRecord / source.cpuNanosPerRecord);
        }
        System.out.printf(
                Locale.ROOT,
                "source ÷ bolt, median (least): records/s %.1f× (%.1f×), records per CPU second %.1f× (%.1f×)%n",
                median(faster),
                least(faster),
                median(cheaper),
                least(cheaper));
    }

    private static double median(List<Double> ratios) {
        return ratios.stream().sorted().skip(ratios.size() / 2).findFirst().orElseThrow();
    }

    private static double least(List<Double> ratios) {
        return ratios.stream().sorted().findFirst().orElseThrow();
    }

    private Measured measure(TrackerPlacement placement, int round) throws Exception {
        String group = placement.label() + "-" + round;
        kafka.createTopic(group + "-alerts", 1, Map.of());
        Path config = Files.createTempFile("stormproof-placement-", ".properties");
        Process topology = null;
        try {
            Files.write(
                    config,
                    List.of(
                            "bootstrap.servers=" + kafka.bootstrapServers(),
                            "group.id=" + group,
                            "input.topics=" + TOPIC,
                            "alerts.topic=" + group + "-alerts",
                            "tracker.placement=" + placement.label()),
                    UTF_8);
            topology = start(config);
            Measured measured = awaitEnd(topology, group);
            long alerts = new Ledger(kafka.bootstrapServers(), group, TOPIC, PARTITIONS).alerts(group + "-alerts");
            System.out.printf(
                    Locale.ROOT,
                    "round %d  %-6s  %,9.0f records/s  %,7.0f ns of CPU a record  %d alerts%n",
                    round,
                    placement.label(),
                    measured.recordsPerSecond,
                    measured.cpuNanosPerRecord,
                    alerts);
            return measured;
        } finally {
            if (topology != null) {
                topology.destroyForcibly().onExit().join();
            }
            Files.deleteIfExists(config);
        }
    }

    private static Process start(Path config) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx1g",
                        "-XX:+UseParallelGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        PlacementBench.class.getName(),
                        config.toString())
                .redirectInput(new File("/dev/null"))
                .inheritIO()
                .start();
    }

    private Measured awaitEnd(Process topology, String group) throws Exception {
        long deadlineNanos = System.nanoTime() + TimeUnit.MINUTES.toNanos(PATIENCE_MINUTES);
        Sample begin = null;
        while (true) {
            Sample now = new Sample(
                    System.nanoTime(), topology.info().totalCpuDuration().orElse(Duration.ZERO), progress(group));
            if (begin == null && now.progress >= records / WARM_UP) {
                begin = now;
            }
            if (begin != null && now.progress >= records) {
                return begin.until(now);
            }
            if (topology.waitFor(SAMPLE_MILLIS, TimeUnit.MILLISECONDS) || System.nanoTime() > deadlineNanos) {
                throw new IllegalStateException(group + " ended or does not end, at " + now);
            }
        }
    }

    private long progress(String group) throws Exception {
        return admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get().entrySet().stream()
                .filter(entry -> isInput(entry.getKey()) && entry.getValue() != null)
                .mapToLong(entry -> entry.getValue().offset())
                .sum();
    }

    private static boolean isInput(TopicPartition partition) {
        return partition.topic().equals(TOPIC);
    }

    private static void emit(EmbeddedKafka kafka, long events) {
        Map<String, Object> settings = Map.of("bootstrap.servers", kafka.bootstrapServers(), "linger.ms", 20);
        try (CheckpointingProducer<byte[], byte[]> producer =
                new CheckpointingProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (long i = 0; i < events; i++) {
                byte[] value =
                        ("order " + i + ": three of these, one of those, to be paid on delivery").getBytes(UTF_8);
                var unused = producer.send(new ProducerRecord<>(TOPIC, (int) (i % PARTITIONS), null, value));
            }
        }
    }

    /** Runs the topology until this process is ended. */
    @SuppressWarnings("try") // Nobody interrupts it.
    private static void runTopology(StormproofConfig config) throws Exception {
        Config storm = VerificationTopology.stormConfig(config);
        try (LocalCluster cluster = new LocalCluster.Builder()
                .withSupervisors(1)
                .withPortsPerSupervisor(1)
                .withDaemonConf(Map.of(Config.TOPOLOGY_ENABLE_MESSAGE_TIMEOUTS, true))
                .build()) {
            cluster.submitTopology("measured", storm, VerificationTopology.build(config));
            new CountDownLatch(1).await();
        }
    }
}
