package dev.stormproof.packaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.Context;
import dev.stormproof.alert.Alert;
import dev.stormproof.alert.AlertJson;
import dev.stormproof.cli.SecuredScene;
import dev.stormproof.emit.CheckpointingProducer;
import dev.stormproof.emit.EmitterConfig;
import dev.stormproof.emit.EmitterStats;
import dev.stormproof.fault.FaultInjector;
import dev.stormproof.fault.FaultKind;
import dev.stormproof.fault.FaultPlan;
import dev.stormproof.fault.InjectedFault;
import dev.stormproof.judge.Anomaly;
import dev.stormproof.judge.Finding;
import dev.stormproof.judge.Verdict;
import dev.stormproof.judge.Verdict.Verified;
import dev.stormproof.judge.Verdict.Violated;
import dev.stormproof.underfire.Blow;
import dev.stormproof.underfire.Result;
import dev.stormproof.underfire.Round;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The uber-jar on a real cluster: ZooKeeper, Nimbus, Supervisor, two workers and the broker are processes of their own,
 * started and fed as a person does it, by {@code scripts/cluster}.
 *
 * <pre>
 *   worker 1:  events   checkpoint   transform         one transform task, two of the others: half of what reaches
 *   worker 2:  events   checkpoint                     it, and half of what leaves it, crosses processes
 * </pre>
 */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the cluster is started by a bash script")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(900)
class ClusterIT {
    private static final int PARTITIONS = 4;
    private static final int EVENTS_PER_PARTITION = 1_000;
    private static final int EVERY = 50;
    private static final double FIRE_EVENTS_PER_SECOND = 1_000;
    private static final long PATIENCE_SECONDS = 180;
    private static final String ALERTS = "alerts";
    private static final String VERDICTS = "verdicts";
    private static final String TOPOLOGY = "proof";
    private static final String UPGRADED = "upgraded";

    /** How many verdicts show that a topology is at work. */
    private static final int SOME = 20;

    private final ClusterScript cluster = new ClusterScript("it");
    private final Path jar = Path.of(Objects.requireNonNull(System.getProperty("stormproof.uber.jar")));
    private final long seed = Long.getLong("seed", new SplittableRandom().nextLong());
    private final Map<String, Alert> alerts = new HashMap<>();
    private final Map<String, Alert> verdicts = new HashMap<>();
    private final Thread emergency = new Thread(() -> cluster.run("down"));
    private String bootstrapServers;
    private String submitted;
    private KafkaConsumer<byte[], byte[]> consumer;

    @TempDir
    static Path directory;

    @BeforeAll
    void start() throws Exception {
        System.out.println("ClusterIT: -Dseed=" + seed);
        // What an earlier run left that was killed.
        cluster.run("down", "--purge").done();
        Runtime.getRuntime().addShutdownHook(emergency);
        long begun = System.nanoTime();
        ClusterScript.Result up = cluster.run(
                        "up",
                        "--slots",
                        "3",
                        "--worker-opts",
                        "-Xmx384m -XX:+UseSerialGC -XX:TieredStopAtLevel=1",
                        "--topic",
                        "clean:" + PARTITIONS,
                        "--topic",
                        "faulty:" + PARTITIONS,
                        "--topic",
                        "crossing:" + PARTITIONS,
                        "--topic",
                        "fire:" + PARTITIONS,
                        "--topic",
                        UPGRADED + ":" + PARTITIONS,
                        "--topic",
                        "unused:1",
                        "--topic",
                        ALERTS + ":1",
                        "--topic",
                        VERDICTS + ":1")
                .done();
        bootstrapServers = up.find("broker +(127\\.0\\.0\\.1:\\d+)");
        long isUp = System.nanoTime();
        submitted =
                submit(jar, TOPOLOGY, "clean,faulty,crossing,fire", 2).done().printed();
        System.out.printf(
                Locale.ROOT,
                "ClusterIT: up after %d s, submitted and running after %d s more%n",
                TimeUnit.NANOSECONDS.toSeconds(isUp - begun),
                TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - isUp));
        consumer = consumerOf(Map.of("bootstrap.servers", bootstrapServers), ALERTS, VERDICTS);
    }

    /** Reads topics of one partition from their beginning. */
    private static KafkaConsumer<byte[], byte[]> consumerOf(Map<String, Object> client, String... topics) {
        Map<String, Object> reading = new HashMap<>(client);
        reading.put("isolation.level", "read_committed");
        KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(reading, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        List<TopicPartition> told =
                Stream.of(topics).map(topic -> new TopicPartition(topic, 0)).toList();
        consumer.assign(told);
        consumer.seekToBeginning(told);
        return consumer;
    }

    /** Whatever happened: afterwards nothing of the cluster runs. Its logs stay in its directory. */
    @AfterAll
    void stop() throws IOException {
        if (consumer != null) {
            consumer.close();
        }
        cluster.run("down").done();
        Runtime.getRuntime().removeShutdownHook(emergency);
        assertThat(cluster.processes()).isEmpty();
    }

    @Test
    void aCleanStreamIsVerifiedWithoutAnAlert() throws Exception {
        long checkpoints = emit("clean", FaultPlan.none()).checkpoints();

        awaitVerdicts("clean", checkpoints);

        assertThat(of("clean", verdicts))
                .hasSize((int) checkpoints)
                .allSatisfy(finding -> assertThat(finding).isInstanceOf(Verified.class));
        assertThat(of("clean", alerts)).isEmpty();
    }

    @Test
    void exactlyTheInjectedFaultsAreNamed() throws Exception {
        Map<TopicPartition, Integer> events = new HashMap<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            events.put(new TopicPartition("faulty", partition), EVENTS_PER_PARTITION);
        }
        Map<FaultKind, Integer> counts = new HashMap<>();
        for (FaultKind kind : FaultKind.values()) {
            counts.put(kind, 6);
        }
        Emission emission = emit("faulty", FaultPlan.of(events, counts, EVERY, seed));

        awaitVerdicts("faulty", emission.checkpoints());

        List<String> named = of("faulty", alerts)
                .flatMap(finding -> ((Violated) finding).anomalies().stream())
                .flatMap(ClusterIT::names)
                .distinct()
                .toList();
        // Which of the two events of a swap left its place, nobody can say: either will do.
        assertThat(emission.injected())
                .hasSize(30)
                .allSatisfy(fault -> assertThat(names(fault))
                        .as("%s, -Dseed=%s", fault, seed)
                        .anyMatch(named::contains));
        assertThat(named)
                .as("-Dseed=%s", seed)
                .hasSize(30)
                .allSatisfy(name -> assertThat(emission.injected().stream().flatMap(ClusterIT::names))
                        .contains(name));
    }

    /**
     * Of four partitions in a row, two go to each checkpoint task; one of these is in another worker than the only transform
     * task. A verdict of basis "match" was not read from the log but came from the tuples.
     */
    @Test
    void tuplesCrossProcesses() throws Exception {
        List<String> workers = cluster.run("status")
                .done()
                .printed()
                .lines()
                .dropWhile(line -> !line.startsWith("topology " + TOPOLOGY + " ACTIVE"))
                .skip(1)
                .takeWhile(line -> line.startsWith("  worker "))
                .toList();
        assertThat(workers).hasSize(2).allSatisfy(worker -> assertThat(worker).contains("events (", "checkpoint ("));
        assertThat(workers).filteredOn(worker -> worker.contains("transform (")).hasSize(1);

        awaitVerdicts("crossing", emit("crossing", FaultPlan.none()).checkpoints());

        for (int partition = 0; partition < PARTITIONS; partition++) {
            int here = partition;
            assertThat(of("crossing", verdicts)
                            .map(Verified.class::cast)
                            .filter(verdict -> verdict.interval().stream().partition() == here))
                    .as("partition %s", here)
                    .anyMatch(verdict -> verdict.basis() == Verified.Basis.MATCH);
        }
    }

    @Test
    void neitherTheSubmitterNorAWorkerTellsOfAMisfit() throws IOException {
        Map<String, String> logs = cluster.workerLogs(TOPOLOGY);

        assertThat(ClusterLogs.misfits(submitted)).isEmpty();
        assertThat(logs)
                .hasSize(2)
                .allSatisfy((port, log) -> assertThat(ClusterLogs.misfits(log)).isEmpty());
    }

    @Test
    void theTopologysOwnLogLinesArriveInWorkerLog() throws IOException {
        Map<String, String> logs = cluster.workerLogs(TOPOLOGY);

        assertThat(logs).hasSize(2).allSatisfy((port, log) -> assertThat(log).contains("verifying for group proof"));
        assertThat(logs.values())
                .filteredOn(log -> log.contains("transforming with identity"))
                .hasSize(1);
    }

    @Test
    void aLoggingBackendInTheJarIsCaught() throws Exception {
        Path spoiled = MergedJar.write(
                directory.resolve("spoiled.jar"),
                List.of(jar, MergedJar.of(LoggerContext.class), MergedJar.of(Context.class)));

        ClusterScript.Result result = submit(spoiled, "spoiled", "unused", 1).done();

        assertThat(ClusterLogs.misfits(result.printed())).anyMatch(line -> line.contains("multiple SLF4J providers"));
        assertThat(cluster.workerLogs("spoiled").values())
                .singleElement()
                .satisfies(log -> assertThat(ClusterLogs.misfits(log))
                        .anyMatch(line -> line.contains("multiple SLF4J providers")));
        cluster.run("kill", "spoiled").done();
    }

    /**
     * TLS, SCRAM and an authorizer: a worker, which reads the secrets where the configuration says, verifies at the source.
     * What Storm stores, ships and logs of the topology holds references only.
     */
    @Test
    void onASecuredBrokerAWorkerFindsItsSecretsAndTheClusterShowsNone() throws Exception {
        String topic = SecuredScene.TOPIC;
        Map<TopicPartition, Integer> events = new HashMap<>();
        for (int partition = 0; partition < SecuredScene.PARTITIONS; partition++) {
            events.put(new TopicPartition(topic, partition), EVENTS_PER_PARTITION);
        }
        try (SecuredScene scene = SecuredScene.start(Files.createDirectory(directory.resolve("etc")))) {
            Path config = scene.configuration("stormproof");
            Files.writeString(
                    config, "\ntracker.placement=source\nflush.interval.seconds=1\n", StandardOpenOption.APPEND);
            ClusterScript.Result submitted = cluster.run(
                            "submit", "--config", config.toString(), "--topology", "secured", "--jar", jar.toString())
                    .done();
            Emission emission = emit(
                    scene.clientSettings("upstream"),
                    topic,
                    SecuredScene.PARTITIONS,
                    FaultPlan.of(events, Map.of(FaultKind.LOSE, 2, FaultKind.ALTER, 2), EVERY, seed));
            try (KafkaConsumer<byte[], byte[]> told =
                    consumerOf(scene.clientSettings("reader"), SecuredScene.ALERTS, SecuredScene.VERDICTS)) {
                awaitVerdicts(told, topic, emission.checkpoints());
            }

            assertThat(of(topic, alerts)
                            .flatMap(finding -> ((Violated) finding).anomalies().stream())
                            .flatMap(ClusterIT::names))
                    .as("-Dseed=%s", seed)
                    .containsExactlyInAnyOrderElementsOf(emission.injected().stream()
                            .flatMap(ClusterIT::names)
                            .toList());
            assertThat(cluster.filesWith(List.of("{directory:" + directory.resolve("etc"))))
                    .as("where the search sees the references")
                    .anyMatch(file -> file.toString().contains("stormdist"))
                    .anyMatch(file -> file.toString().contains("blobs"));
            assertThat(cluster.filesWith(SecuredScene.secrets())).isEmpty();
            assertThat(submitted.printed()).doesNotContain(SecuredScene.secrets());
            cluster.run("kill", "secured").done();
        }
    }

    @Test
    void aNameThatRunsAlreadyIsRefusedWithWhatToDo() throws Exception {
        ClusterScript.Result result = submit(jar, TOPOLOGY, "unused", 1);

        assertThat(result.exitCode()).as(result.printed()).isEqualTo(64);
        assertThat(result.printed())
                .contains("a topology named 'proof' is running already: kill it first, or choose another --name");
    }

    /** {@code scripts/under-fire} in short; what else it does is in docs/RELIABILITY.md. The last one: it kills a worker. */
    @Test
    @Order(Integer.MAX_VALUE)
    void nothingIsLostOrInventedWhenAWorkerAndTheBrokerAreKilled() throws Exception {
        List<String> complaints = new ArrayList<>();
        Round.Scene scene = new Round.Scene("fire", PARTITIONS, ALERTS, VERDICTS);
        try (Round round = new Round(
                cluster,
                bootstrapServers,
                TOPOLOGY,
                directory.resolve(TOPOLOGY + ".properties"),
                scene,
                FIRE_EVENTS_PER_SECOND,
                complaints::add)) {
            for (Blow blow : List.of(Blow.WORKER_KILL, Blow.BROKER_KILL)) {
                Result result = round.play(blow, seed);

                System.out.println("ClusterIT: " + result.toJson());
                assertThat(result.isGood())
                        .as("%s %s", result.toJson(), complaints)
                        .isTrue();
                assertThat(result.reported()).as("-Dseed=%s", seed).isPositive();
            }
        }
    }

    /**
     * While events go on, a topology is killed and submitted anew from another jar. Intervals follow each other without a
     * break, so that some are open at any time: what one topology left open is decided by the other.
     */
    @Test
    void aTopologyIsUpgradedInTheMiddleOfAnIntervalAndNothingIsLostOrTold() throws Exception {
        Path old = MergedJar.write(directory.resolve("older.jar"), List.of(jar));
        long checkpoints;
        try (SteadyEmission emission = new SteadyEmission(bootstrapServers, UPGRADED, PARTITIONS, EVERY)) {
            submit(old, UPGRADED, UPGRADED, 1).done();
            assertThat(jarAtWork(UPGRADED)).hasSameBinaryContentAs(old);
            awaitVerdicts(UPGRADED, SOME);
            cluster.run("kill", UPGRADED).done();
            long known = of(UPGRADED, verdicts).count();

            submit(jar, UPGRADED, UPGRADED, 1).done();
            assertThat(jarAtWork(UPGRADED)).hasSameBinaryContentAs(jar);
            awaitVerdicts(UPGRADED, known + SOME);
            checkpoints = emission.finish();
        }
        awaitVerdicts(UPGRADED, checkpoints);

        assertThat(of(UPGRADED, verdicts))
                .hasSize((int) checkpoints)
                .allSatisfy(finding -> assertThat(finding).isInstanceOf(Verified.class));
        assertThat(alerts.keySet()).noneMatch(id -> id.startsWith(UPGRADED + "/"));
        cluster.run("kill", UPGRADED).done();
    }

    /** The jar that the workers of a topology run, as the supervisor laid it out: an earlier one is cleared away later. */
    private Path jarAtWork(String topology) throws IOException {
        Path laidOut =
                cluster.dir().resolve("storm-local").resolve("supervisor").resolve("stormdist");
        try (Stream<Path> all = Files.list(laidOut)) {
            return all.filter(dir -> dir.getFileName().toString().startsWith(topology + "-"))
                    .max(Comparator.comparing(dir -> dir.getFileName().toString()))
                    .orElseThrow()
                    .resolve("stormjar.jar");
        }
    }

    private ClusterScript.Result submit(Path submission, String topology, String topics, int workers)
            throws IOException {
        Path config = Files.write(
                directory.resolve(topology + ".properties"),
                List.of(
                        "bootstrap.servers=" + bootstrapServers,
                        "group.id=" + topology,
                        "input.topics=" + topics,
                        "alerts.topic=" + ALERTS,
                        "verdicts.topic=" + VERDICTS,
                        "workers=" + workers,
                        "spout.tasks=" + workers,
                        "checkpoint.tasks=" + workers,
                        "flush.interval.seconds=1"));
        return cluster.run(
                "submit", "--config", config.toString(), "--topology", topology, "--jar", submission.toString());
    }

    /** What was sent to a topic: how many checkpoints, and which faults. */
    private record Emission(long checkpoints, List<InjectedFault> injected) {}

    private Emission emit(String topic, FaultPlan plan) {
        return emit(Map.of("bootstrap.servers", bootstrapServers), topic, PARTITIONS, plan);
    }

    private static Emission emit(Map<String, Object> client, String topic, int partitions, FaultPlan plan) {
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
        return new Emission(checkpoints, injector.get().injected());
    }

    /** Waits until each checkpoint of a topic has its last word. */
    private void awaitVerdicts(String topic, long count) throws IOException {
        awaitVerdicts(consumer, topic, count);
    }

    private void awaitVerdicts(KafkaConsumer<byte[], byte[]> told, String topic, long count) throws IOException {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (verdicts.values().stream()
                        .filter(alert -> isOf(topic, alert) && alert.finding().revision() == Finding.FINAL_REVISION)
                        .count()
                < count) {
            for (ConsumerRecord<byte[], byte[]> record : told.poll(Duration.ofMillis(200))) {
                Map<String, Alert> known = record.topic().endsWith(ALERTS) ? alerts : verdicts;
                known.merge(
                        new String(record.key(), UTF_8),
                        AlertJson.read(record.value()),
                        (old, now) -> now.finding().revision() > old.finding().revision() ? now : old);
            }
            assertThat(System.nanoTime())
                    .as("%s of %s verdicts", of(topic, verdicts).count(), count)
                    .isLessThan(deadlineNanos);
        }
    }

    private static Stream<Finding> of(String topic, Map<String, Alert> told) {
        return told.values().stream().filter(alert -> isOf(topic, alert)).map(Alert::finding);
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
    private static Stream<String> names(InjectedFault fault) {
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
}
