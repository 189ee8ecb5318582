package dev.stormproof.soak;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.emit.CheckpointingProducer;
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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.storm.Config;
import org.apache.storm.DaemonConfig;
import org.apache.storm.LocalCluster;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.metricstore.NoOpMetricStore;

/**
 * The measuring of topologies that verify one and the same log, each in a process of its own.
 *
 * <pre>
 *   this JVM     emitter ──► broker: the log, written first; then the progress of each run's group
 *   child JVM                 └──► topology in a LocalCluster, one task of each component; tuples are not serialized,
 *                                  as within one worker
 * </pre>
 *
 * <p>What is measured begins when a fifth of the log is verified, so that starting and compiling hardly count, and ends with
 * the log. CPU time is all of the child's.
 */
final class MeasuredTopology implements AutoCloseable {
    private static final String TOPIC = "measured";
    private static final int PARTITIONS = 4;
    private static final long SAMPLE_MILLIS = 100;
    private static final long TIMEOUT_MINUTES = 15;
    private static final int WARM_UP = 5;

    private final EmbeddedKafka kafka;
    private final Admin admin;
    private final long records;

    /** A broker with a log of so many events. */
    MeasuredTopology(long events) throws Exception {
        kafka = EmbeddedKafka.start();
        admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
        kafka.createTopic(TOPIC, PARTITIONS, Map.of());
        emit(kafka, events);
        records = end(TOPIC, PARTITIONS);
        System.out.printf(Locale.ROOT, "%,d events, %,d checkpoints%n", events, records - events);
    }

    /** One run's figures. */
    record Measured(double recordsPerSecond, double cpuNanosPerRecord, long alerts) {
        void print(int round, String name) {
            System.out.printf(
                    Locale.ROOT,
                    "round %d  %-22s  %,9.0f records/s  %,7.0f ns of CPU a record  %d records of alerts%n",
                    round,
                    name,
                    recordsPerSecond,
                    cpuNanosPerRecord,
                    alerts);
        }
    }

    /** How far the progress was at a time, and what the child had spent. */
    private record Sample(long nanos, Duration cpu, long progress) {}

    /** The output of a group. */
    static String output(String group) {
        return group + "-output";
    }

    /**
     * Runs a program whose arguments are the file of a configuration and others.
     *
     * @param settings what the configuration says besides Kafka and topics
     */
    Measured run(String group, List<String> settings, Class<?> program, String... arguments) throws Exception {
        kafka.createTopic(group + "-alerts", 1, Map.of());
        kafka.createTopic(output(group), PARTITIONS, Map.of());
        Path config = Files.createTempFile("stormproof-measured-", ".properties");
        Process topology = null;
        try {
            List<String> lines = new ArrayList<>(settings);
            lines.add("bootstrap.servers=" + kafka.bootstrapServers());
            lines.add("group.id=" + group);
            lines.add("input.topics=" + TOPIC);
            lines.add("alerts.topic=" + group + "-alerts");
            Files.write(config, lines, UTF_8);
            topology = start(program, config, arguments);
            return measure(topology, group);
        } finally {
            if (topology != null) {
                topology.destroyForcibly().onExit().join();
            }
            Files.deleteIfExists(config);
        }
    }

    @Override
    public void close() {
        admin.close();
        kafka.close();
    }

    /** The child: runs a topology until its process is ended. */
    @SuppressWarnings("try") // Nobody interrupts it.
    static void runUntilEnded(StormTopology topology, Config storm) throws Exception {
        try (LocalCluster cluster = new LocalCluster.Builder()
                .withSupervisors(1)
                .withPortsPerSupervisor(1)
                .withDaemonConf(Map.of(
                        Config.TOPOLOGY_ENABLE_MESSAGE_TIMEOUTS,
                        true,
                        DaemonConfig.STORM_METRIC_STORE_CLASS,
                        NoOpMetricStore.class.getName()))
                .build()) {
            cluster.submitTopology("measured", storm, topology);
            new CountDownLatch(1).await();
        }
    }

    private static Process start(Class<?> program, Path config, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-XX:+UseParallelGC",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName(),
                config.toString()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectInput(new File("/dev/null"))
                .inheritIO()
                .start();
    }

    private Measured measure(Process topology, String group) throws Exception {
        Sample begin = awaitProgress(topology, group, records / WARM_UP);
        Sample end = awaitProgress(topology, group, records);
        long done = end.progress - begin.progress;
        return new Measured(
                done * 1e9 / (end.nanos - begin.nanos),
                (double) end.cpu.minus(begin.cpu).toNanos() / done,
                end(group + "-alerts", 1));
    }

    private Sample awaitProgress(Process topology, String group, long progress) throws Exception {
        long deadlineNanos = System.nanoTime() + TimeUnit.MINUTES.toNanos(TIMEOUT_MINUTES);
        while (true) {
            Sample now = new Sample(
                    System.nanoTime(), topology.info().totalCpuDuration().orElse(Duration.ZERO), progressOf(group));
            if (now.progress >= progress) {
                return now;
            }
            if (topology.waitFor(SAMPLE_MILLIS, TimeUnit.MILLISECONDS) || System.nanoTime() > deadlineNanos) {
                throw new IllegalStateException("the topology ended or does not end, at " + now);
            }
        }
    }

    /** The sum of the ends of a topic's partitions. */
    private long end(String topic, int partitions) throws Exception {
        return admin
                .listOffsets(IntStream.range(0, partitions)
                        .boxed()
                        .collect(Collectors.toMap(
                                partition -> new TopicPartition(topic, partition), partition -> OffsetSpec.latest())))
                .all()
                .get()
                .values()
                .stream()
                .mapToLong(result -> result.offset())
                .sum();
    }

    /** The sum of what a group has committed of the log. */
    private long progressOf(String group) throws Exception {
        return admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get().entrySet().stream()
                .filter(entry -> entry.getKey().topic().equals(TOPIC) && entry.getValue() != null)
                .mapToLong(entry -> entry.getValue().offset())
                .sum();
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
}
