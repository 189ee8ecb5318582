package dev.stormproof.packaging.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.alert.Alert;
import dev.stormproof.alert.AlertJson;
import dev.stormproof.alert.AlertSchema;
import dev.stormproof.cli.fault.FaultInjector;
import dev.stormproof.cli.fault.FaultKind;
import dev.stormproof.cli.fault.FaultPlan;
import dev.stormproof.cli.fault.InjectedFault;
import dev.stormproof.emit.CheckpointingProducer;
import dev.stormproof.emit.EmitterConfig;
import dev.stormproof.emit.EmitterStats;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.Verdict;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A scene is a cluster of {@code scripts/cluster} that runs, with the topologies that are submitted to it and the latest
 * revision of everything that they publish.
 *
 * <p>One thread uses it.
 */
public final class ClusterScene implements AutoCloseable {
    /** The output of a topic is called as the topic and this. */
    public static final String OUTPUT_SUFFIX = "-json";

    /** What makes it. */
    public static final String TRANSFORM = "log-json";

    public static final int PARTITIONS = 4;
    public static final int EVENTS_PER_PARTITION = 1_000;

    /** How many events an interval has. */
    public static final int EVERY = 50;

    public static final String ALERTS = "alerts";
    public static final String VERDICTS = "verdicts";

    private static final long PATIENCE_SECONDS = 180;

    private final ClusterScript script;
    private final Path directory;
    private final Map<String, Alert> alerts = new HashMap<>();
    private final Map<String, Alert> verdicts = new HashMap<>();
    private final Thread emergency;
    private final String bootstrapServers;
    private final KafkaConsumer<byte[], byte[]> consumer;

    private ClusterScene(ClusterScript script, Path directory, Thread emergency, String bootstrapServers) {
        this.script = script;
        this.directory = directory;
        this.emergency = emergency;
        this.bootstrapServers = bootstrapServers;
        this.consumer = consumerOf(Map.of("bootstrap.servers", bootstrapServers), ALERTS, VERDICTS);
    }

    /**
     * The checkpoints and faults that were sent to a topic.
     *
     * @param checkpoints how many checkpoints
     * @param injected the faults
     */
    public record Sent(long checkpoints, List<InjectedFault> injected) {}

    /**
     * Starts a cluster that has the topics of findings, one topic of one partition called {@code unused}, and others.
     *
     * @param name the name of the cluster
     * @param directory where configurations lie
     * @param topics topics of {@value #PARTITIONS} partitions, each with another for its output
     */
    public static ClusterScene start(String name, Path directory, List<String> more, String... topics) {
        ClusterScript script = new ClusterScript(name);
        // An earlier run that was killed may have left one.
        script.run("down", "--purge").done();
        Thread emergency = new Thread(() -> script.run("down"));
        Runtime.getRuntime().addShutdownHook(emergency);
        long begunNanos = System.nanoTime();
        List<String> arguments = new ArrayList<>(List.of(
                "up",
                "--slots",
                "3",
                "--worker-opts",
                "-Xmx384m -XX:+UseSerialGC -XX:TieredStopAtLevel=1",
                "--topic",
                "unused:1",
                "--topic",
                "unused" + OUTPUT_SUFFIX + ":1",
                "--topic",
                ALERTS + ":1",
                "--topic",
                VERDICTS + ":1"));
        arguments.addAll(more);
        for (String topic : topics) {
            arguments.addAll(List.of("--topic", topic + ":" + PARTITIONS));
            arguments.addAll(List.of("--topic", topic + OUTPUT_SUFFIX + ":" + PARTITIONS));
        }
        boolean isUp = false;
        try {
            String servers =
                    script.run(arguments.toArray(String[]::new)).done().find("broker-1 +(127\\.0\\.0\\.1:\\d+)");
            isUp = true;
            System.out.printf(
                    Locale.ROOT,
                    "cluster %s: up after %d s%n",
                    name,
                    TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begunNanos));
            return new ClusterScene(script, directory, emergency, servers);
        } finally {
            if (!isUp) {
                script.run("down").done();
            }
        }
    }

    /** The jar that {@code package} made; failsafe says where it is. */
    public static Path jar() {
        return Path.of(Objects.requireNonNull(System.getProperty("stormproof.uber.jar")));
    }

    public ClusterScript script() {
        return script;
    }

    public String bootstrapServers() {
        return bootstrapServers;
    }

    /** The configuration that {@link #submit} wrote for a topology. */
    public Path configurationOf(String topology) {
        return directory.resolve(topology + ".properties");
    }

    public ClusterScript.Result submit(Path submission, String topology, String topics, int workers)
            throws IOException {
        return submit(submission, topology, topics, workers, List.of());
    }

    /** The same with further settings, which count before the others. */
    public ClusterScript.Result submit(
            Path submission, String topology, String topics, int workers, List<String> settings) throws IOException {
        List<String> lines = new ArrayList<>(List.of(
                "bootstrap.servers=" + bootstrapServers,
                "group.id=" + topology,
                "input.topics=" + topics,
                "alerts.topic=" + ALERTS,
                "verdicts.topic=" + VERDICTS,
                "workers=" + workers,
                "spout.tasks=" + workers,
                "checkpoint.tasks=" + workers,
                "output.topic=*" + OUTPUT_SUFFIX,
                "transform=" + TRANSFORM));
        lines.addAll(settings);
        Path config = Files.write(configurationOf(topology), lines);
        return script.run(
                "submit", "--config", config.toString(), "--topology", topology, "--jar", submission.toString());
    }

    /** Sends {@value #EVENTS_PER_PARTITION} events to each partition, and seals them. */
    public Sent emit(String topic, FaultPlan plan) {
        return emit(Map.of("bootstrap.servers", bootstrapServers), topic, PARTITIONS, plan);
    }

    /** The same by a client with its own settings, to another broker perhaps. */
    public static Sent emit(Map<String, Object> client, String topic, int partitions, FaultPlan plan) {
        AtomicReference<FaultInjector> injector = new AtomicReference<>();
        Map<String, Object> emitting = new HashMap<>(client);
        emitting.put(EmitterConfig.MAX_EVENTS, EVERY);
        emitting.put(EmitterConfig.MAX_INTERVAL_MS, 60_000L);
        CheckpointingProducer<byte[], byte[]> producer = new CheckpointingProducer<>(
                emitting, new ByteArraySerializer(), new ByteArraySerializer(), settings -> {
                    FaultInjector inner = new FaultInjector(new KafkaProducer<>(settings), plan);
                    injector.set(inner);
                    return inner;
                });
        try (producer) {
            for (int i = 0; i < EVENTS_PER_PARTITION; i++) {
                for (int partition = 0; partition < partitions; partition++) {
                    var unused =
                            producer.send(new ProducerRecord<>(topic, partition, null, ("event " + i).getBytes(UTF_8)));
                }
            }
        }
        long checkpoints = producer.stats().values().stream()
                .mapToLong(EmitterStats::checkpointsSent)
                .sum();
        return new Sent(checkpoints, injector.get().injected());
    }

    /** A plan with faults in each of the first partitions of a topic. */
    public static FaultPlan plan(String topic, int partitions, Map<FaultKind, Integer> counts, long seed) {
        Map<TopicPartition, Integer> events = new HashMap<>();
        for (int partition = 0; partition < partitions; partition++) {
            events.put(new TopicPartition(topic, partition), EVENTS_PER_PARTITION);
        }
        return FaultPlan.of(events, counts, EVERY, seed);
    }

    /** Reads topics of one partition from their beginning. */
    public static KafkaConsumer<byte[], byte[]> consumerOf(Map<String, Object> client, String... topics) {
        Map<String, Object> reading = new HashMap<>(client);
        reading.put("isolation.level", "read_committed");
        KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(reading, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        List<TopicPartition> partitions =
                Stream.of(topics).map(topic -> new TopicPartition(topic, 0)).toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        return consumer;
    }

    /** Waits until as many checkpoints of a topic have their final verdict. */
    public void awaitVerdicts(String topic, long count) throws IOException {
        awaitVerdicts(consumer, topic, count);
    }

    /** The same with the findings on another broker; topics of alerts end with {@link #ALERTS} there. */
    public void awaitVerdicts(KafkaConsumer<byte[], byte[]> findings, String topic, long count) throws IOException {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (verdicts.values().stream()
                        .filter(alert -> isOf(topic, alert) && alert.finding().revision() == Finding.FINAL_REVISION)
                        .count()
                < count) {
            read(findings);
            assertThat(System.nanoTime())
                    .as("%s of %s verdicts", verdictsOf(topic).count(), count)
                    .isLessThan(deadlineNanos);
        }
    }

    private void read(KafkaConsumer<byte[], byte[]> findings) throws IOException {
        for (ConsumerRecord<byte[], byte[]> record : findings.poll(Duration.ofMillis(200))) {
            AlertSchema.check(record.value());
            Map<String, Alert> known = record.topic().endsWith(ALERTS) ? alerts : verdicts;
            known.merge(
                    new String(record.key(), UTF_8),
                    AlertJson.read(record.value()),
                    (old, now) -> now.finding().revision() > old.finding().revision() ? now : old);
        }
    }

    public Stream<Finding> verdictsOf(String topic) {
        return verdicts.values().stream().filter(alert -> isOf(topic, alert)).map(Alert::finding);
    }

    public Stream<Finding> alertsOf(String topic) {
        return alerts.values().stream().filter(alert -> isOf(topic, alert)).map(Alert::finding);
    }

    /** The names of all events that alerts about a topic, violations each, call faulty. */
    public List<String> namedIn(String topic) {
        return alertsOf(topic)
                .flatMap(finding -> ((Violated) finding).anomalies().stream())
                .flatMap(ClusterScene::names)
                .distinct()
                .toList();
    }

    /** The keys of all alerts that were read. */
    public Set<String> alertKeys() {
        return alerts.keySet();
    }

    private static boolean isOf(String topic, Alert alert) {
        return alert.finding() instanceof Verdict verdict
                && verdict.interval().stream().topic().equals(topic);
    }

    /** The events that an anomaly names: kind, partition and sequence. */
    private static Stream<String> names(Anomaly anomaly) {
        List<String> names = new ArrayList<>();
        for (long sequence = anomaly.begin(); sequence < anomaly.end(); sequence++) {
            names.add(anomaly.kind() + " " + anomaly.stream().partition() + " " + sequence);
        }
        return names.stream();
    }

    /** The names that an injected fault may get. */
    public static Stream<String> names(InjectedFault fault) {
        Anomaly.Kind kind = switch (fault.kind()) {
            case LOSE -> Anomaly.Kind.LOST;
            case DUPLICATE -> Anomaly.Kind.DUPLICATED;
            case SWAP, MOVE -> Anomaly.Kind.REORDERED;
            case ALTER -> Anomaly.Kind.ALTERED;
        };
        Stream<Long> sequences = fault.kind() == FaultKind.SWAP
                ? Stream.of(fault.sequence(), fault.otherSequence())
                : Stream.of(fault.sequence());
        return sequences.map(sequence -> kind + " " + fault.partition() + " " + sequence);
    }

    /** Ends every process of the cluster. Its logs stay in its directory. */
    @Override
    public void close() throws IOException {
        consumer.close();
        script.run("down").done();
        Runtime.getRuntime().removeShutdownHook(emergency);
        assertThat(script.processes()).isEmpty();
    }
}
