package dev.stormproof.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.fault.FaultKind;
import dev.stormproof.cli.fault.FaultPlan;
import dev.stormproof.cli.local.Stages;
import dev.stormproof.emit.testing.Clients;
import dev.stormproof.packaging.testing.ClusterLogs;
import dev.stormproof.packaging.testing.ClusterScene;
import dev.stormproof.packaging.testing.ClusterScene.Sent;
import dev.stormproof.packaging.testing.ClusterScript;
import dev.stormproof.packaging.testing.SteadyEmission;
import dev.stormproof.task.metrics.testing.Scrape;
import dev.stormproof.verify.judge.Verdict.Verified;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The uber-jar on a real cluster: ZooKeeper, Nimbus, two Supervisors, two workers and the broker are processes of their own,
 * started and fed as a person does it, by {@code scripts/cluster}.
 *
 * <pre>
 *   worker 1:  events   checkpoint   transform         one transform task, two of the others: half of what reaches
 *   worker 2:  events   checkpoint                     it, and half of what leaves it, crosses processes
 * </pre>
 */
@Tag(Stages.CLUSTER)
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the cluster is started by a bash script")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(900)
class ClusterIT {
    private static final String TOPOLOGY = "proof";
    private static final String CROSSING = "crossing";
    private static final String UPGRADED = "upgraded";
    private static final String METERED = "metered";

    /** How many verdicts show that a topology is at work. */
    private static final int SOME = 20;

    /** The address in the log of a worker that serves metrics. */
    private static final Pattern SERVED =
            Pattern.compile("metrics are served at http://127\\.0\\.0\\.1:(\\d+)/metrics");

    private final Path jar = ClusterScene.jar();
    private final long seed = Long.getLong("seed", new SplittableRandom().nextLong());
    private ClusterScene scene;
    private String submitted;

    @TempDir
    static Path directory;

    @BeforeAll
    void start() throws Exception {
        System.out.println("ClusterIT: -Dseed=" + seed);
        scene = ClusterScene.start(
                "it", directory, List.of("--supervisors", "2"), "clean", "faulty", CROSSING, METERED, UPGRADED);
        String topics = String.join(",", "clean", "faulty", CROSSING, METERED);
        submitted = scene.submit(jar, TOPOLOGY, topics, 2, List.of("metrics.http.port=0"))
                .done()
                .printed();
    }

    @AfterAll
    void stop() throws IOException {
        if (scene != null) {
            scene.close();
        }
    }

    @Test
    void aCleanStreamIsVerifiedWithoutAnAlert() throws Exception {
        long checkpoints = scene.emit("clean", FaultPlan.none()).checkpoints();

        scene.awaitVerdicts("clean", checkpoints);

        assertThat(scene.verdictsOf("clean"))
                .hasSize((int) checkpoints)
                .allSatisfy(finding -> assertThat(finding).isInstanceOf(Verified.class));
        assertThat(scene.alertsOf("clean")).isEmpty();
    }

    @Test
    @Order(1)
    void exactlyTheInjectedFaultsAreNamed() throws Exception {
        Map<FaultKind, Integer> counts = new HashMap<>();
        for (FaultKind kind : FaultKind.values()) {
            counts.put(kind, 6);
        }
        Sent sent = scene.emit("faulty", ClusterScene.plan("faulty", ClusterScene.PARTITIONS, counts, seed));

        scene.awaitVerdicts("faulty", sent.checkpoints());

        List<String> named = scene.namedIn("faulty");
        // The log does not show which of the two events of a swap left its place: either will do.
        assertThat(sent.injected())
                .hasSize(30)
                .allSatisfy(fault -> assertThat(ClusterScene.names(fault))
                        .as("%s, -Dseed=%s", fault, seed)
                        .anyMatch(named::contains));
        assertThat(named)
                .as("-Dseed=%s", seed)
                .hasSize(30)
                .allSatisfy(name -> assertThat(sent.injected().stream().flatMap(ClusterScene::names))
                        .contains(name));
    }

    /**
     * Of four partitions in a row, two go to each checkpoint task; one of these is in another worker than the only transform
     * task. A verdict of basis "match" was not read from the log but came from the tuples.
     */
    @Test
    void tuplesCrossProcesses() throws Exception {
        List<String> workers = scene.script()
                .run("status")
                .done()
                .printed()
                .lines()
                .dropWhile(line -> !line.startsWith("topology " + TOPOLOGY + " ACTIVE"))
                .skip(1)
                .takeWhile(line -> line.startsWith("  worker "))
                .toList();
        assertThat(workers).hasSize(2).allSatisfy(worker -> assertThat(worker).contains("events (", "checkpoint ("));
        assertThat(workers).filteredOn(worker -> worker.contains("transform (")).hasSize(1);

        scene.awaitVerdicts(CROSSING, scene.emit(CROSSING, FaultPlan.none()).checkpoints());

        for (int partition = 0; partition < ClusterScene.PARTITIONS; partition++) {
            int here = partition;
            assertThat(scene.verdictsOf(CROSSING)
                            .map(Verified.class::cast)
                            .filter(verdict -> verdict.interval().stream().partition() == here))
                    .as("partition %s", here)
                    .anyMatch(verdict -> verdict.basis() == Verified.Basis.MATCH);
        }
    }

    /** As an operator does who wants to know more of a running topology, and not for ever. */
    @Test
    void theLogLevelOfARunningTopologyIsChanged() throws Exception {
        String logger = "org.apache.kafka.clients.consumer";
        scene.script().run("log-level", TOPOLOGY, logger + "=DEBUG:10").done();

        Clients.await("the workers' fetches", () -> logsOfAllWorkersHave("[DEBUG]"));
    }

    /** Looks a few times a second: logs are long. */
    private boolean logsOfAllWorkersHave(String what) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(300));
        try {
            return scene.script().workerLogs(TOPOLOGY).values().stream().allMatch(log -> log.contains(what));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As Prometheus reads it; anomalies are counted from the first one on, so this follows the faulty stream, with the workers that verified it. */
    @Test
    @Order(2)
    void eachWorkerServesWhatItsTasksCount() throws Exception {
        long checkpoints = scene.emit(METERED, FaultPlan.none()).checkpoints();
        scene.awaitVerdicts(METERED, checkpoints);

        List<Scrape> scrapes = new ArrayList<>();
        for (String log : scene.script().workerLogs(TOPOLOGY).values()) {
            List<String> ports =
                    SERVED.matcher(log).results().map(served -> served.group(1)).toList();
            assertThat(ports).isNotEmpty();
            scrapes.add(Scrape.of("127.0.0.1", Integer.parseInt(ports.get(ports.size() - 1))));
        }

        assertThat(scrapes).hasSize(2).allSatisfy(scrape -> {
            assertThat(scrape.names()).contains("stormproof_events_total", "stormproof_anomalies_total");
            assertThat(scrape.value("stormproof_tasks")).isEqualTo(1);
            assertThat(scrape.value("stormproof_verdicts_total", "verdict", "verified", "topic", METERED))
                    .as("two of the four partitions are of each worker")
                    .isPositive();
            assertThat(scrape.value("stormproof_verdicts_total", "verdict", "violated", "topic", METERED))
                    .isZero();
            assertThat(scrape.value("stormproof_detection_delay_seconds_count", "verdict", "verified"))
                    .isPositive();
            assertThat(scrape.value("stormproof_unread_records", "topic", METERED))
                    .as("as the spout's consumer says")
                    .isNotNegative();
        });
        assertThat(scrapes.stream()
                        .mapToDouble(scrape ->
                                scrape.value("stormproof_verdicts_total", "verdict", "verified", "topic", METERED))
                        .sum())
                .isEqualTo((double) checkpoints);
    }

    @Test
    void neitherTheSubmitterNorAWorkerLogsAMisfit() throws IOException {
        Map<String, String> logs = scene.script().workerLogs(TOPOLOGY);

        assertThat(ClusterLogs.misfits(submitted)).isEmpty();
        assertThat(logs)
                .hasSize(2)
                .allSatisfy((port, log) -> assertThat(ClusterLogs.misfits(log)).isEmpty());
    }

    @Test
    void theTopologysOwnLogLinesArriveInWorkerLog() throws IOException {
        Map<String, String> logs = scene.script().workerLogs(TOPOLOGY);

        assertThat(logs).hasSize(2).allSatisfy((port, log) -> assertThat(log).contains("verifying for group proof"));
        assertThat(logs.values())
                .filteredOn(log -> log.contains("transforming with " + ClusterScene.TRANSFORM))
                .hasSize(1);
    }

    @Test
    void aNameThatRunsAlreadyIsRefusedWithAnAdvice() throws Exception {
        ClusterScript.Result result = scene.submit(jar, TOPOLOGY, "unused", 1);

        assertThat(result.exitCode()).as(result.printed()).isEqualTo(64);
        assertThat(result.printed())
                .contains("a topology named 'proof' is running already: kill it first, or choose another --name");
    }

    /**
     * While events go on, a topology is killed and submitted anew from another jar. Intervals follow each other without a
     * break, so that some are open at any time: the second topology judges those that the first one left open.
     */
    @Test
    void aTopologyIsUpgradedInTheMiddleOfAnIntervalAndNothingIsLostOrAlerted() throws Exception {
        Path old = Files.copy(jar, directory.resolve("older.jar"));
        try (FileSystem entries = FileSystems.newFileSystem(old)) {
            Files.createFile(entries.getPath("older"));
        }
        long checkpoints;
        try (SteadyEmission emission =
                new SteadyEmission(scene.bootstrapServers(), UPGRADED, ClusterScene.PARTITIONS, ClusterScene.EVERY)) {
            scene.submit(old, UPGRADED, UPGRADED, 1).done();
            assertThat(jarAtWork(UPGRADED)).hasSameBinaryContentAs(old);
            scene.awaitVerdicts(UPGRADED, SOME);
            scene.script().run("kill", UPGRADED).done();
            long known = scene.verdictsOf(UPGRADED).count();

            scene.submit(jar, UPGRADED, UPGRADED, 1).done();
            assertThat(jarAtWork(UPGRADED)).hasSameBinaryContentAs(jar);
            scene.awaitVerdicts(UPGRADED, known + SOME);
            checkpoints = emission.finish();
        }
        scene.awaitVerdicts(UPGRADED, checkpoints);

        assertThat(scene.verdictsOf(UPGRADED))
                .hasSize((int) checkpoints)
                .allSatisfy(finding -> assertThat(finding).isInstanceOf(Verified.class));
        assertThat(scene.alertKeys()).noneMatch(id -> id.startsWith(UPGRADED + "/"));
        scene.script().run("kill", UPGRADED).done();
    }

    /** The jar that the workers of a topology run, as a Supervisor laid it out: an earlier one is cleared away later. */
    private Path jarAtWork(String topology) throws IOException {
        List<Path> laidOut = new ArrayList<>();
        for (int supervisor = 1; supervisor <= 2; supervisor++) {
            Path of = scene.script().dir().resolve("storm-local-" + supervisor).resolve("supervisor");
            try (Stream<Path> all = Files.list(of.resolve("stormdist"))) {
                all.filter(dir -> dir.getFileName().toString().startsWith(topology + "-"))
                        .forEach(laidOut::add);
            }
        }
        return laidOut.stream()
                .max(Comparator.comparing(dir -> dir.getFileName().toString()))
                .orElseThrow()
                .resolve("stormjar.jar");
    }
}
