package dev.stormproof.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.fault.FaultPlan;
import dev.stormproof.cli.local.Stages;
import dev.stormproof.cli.testing.Shell;
import dev.stormproof.packaging.testing.ClusterScene;
import dev.stormproof.packaging.testing.ClusterScene.Sent;
import dev.stormproof.packaging.testing.DeliveredTopic;
import dev.stormproof.packaging.testing.FragileTransform;
import dev.stormproof.packaging.testing.MergedJar;
import dev.stormproof.packaging.testing.SteadyEmission;
import dev.stormproof.verify.judge.Undelivered;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Delivery on a real cluster where something fails: the transform of an application, or a worker that is stopped and woken. */
@Tag(Stages.CLUSTER)
@Tag("full")
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the cluster is started by a bash script")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(900)
class ClusterDeliveryIT {
    private static final String HALTED = "halted";
    private static final String DIVERTED = "diverted";
    private static final String STOPPED = "stopped";
    private static final String REFUSED = "unused";
    private static final int RECORDS = ClusterScene.EVENTS_PER_PARTITION * ClusterScene.PARTITIONS;
    private static final int SOME = 2_000;
    private static final Pattern WORKER =
            Pattern.compile("(?m)^worker +127\\.0\\.0\\.1:\\d+ +pid (\\d+), " + STOPPED + "-");

    private ClusterScene cluster;
    private Path jar;

    @TempDir
    static Path directory;

    @BeforeAll
    void start() throws IOException {
        cluster = ClusterScene.start("it-delivery", directory, HALTED, DIVERTED, STOPPED);
        jar = MergedJar.write(
                directory.resolve("application.jar"),
                List.of(ClusterScene.jar(), FragileTransform.jar(directory.resolve("transform.jar"))));
    }

    @AfterAll
    void stop() throws IOException {
        if (cluster != null) {
            cluster.close();
        }
    }

    private static List<String> settings(String onError) {
        return List.of(
                "transform=" + FragileTransform.class.getName(),
                "transform.retries=1",
                "transform.on.error=" + onError,
                "diverted.topic=" + REFUSED);
    }

    private DeliveredTopic delivered(String topic) {
        return new DeliveredTopic(cluster.bootstrapServers(), topic, topic + ClusterScene.OUTPUT_SUFFIX);
    }

    @Test
    void aTransformThatFailsHaltsEachPartitionUntilItIsReleased() throws Exception {
        cluster.submit(jar, HALTED, HALTED, 2, settings("halt")).done();
        Sent sent = cluster.emit(HALTED, FaultPlan.none());
        try (DeliveredTopic delivered = delivered(HALTED)) {
            List<Undelivered> halts =
                    cluster.awaitUndelivered(HALTED, Undelivered.Kind.HALTED, ClusterScene.PARTITIONS);
            cluster.awaitVerdicts(HALTED, sent.checkpoints());
            for (Undelivered halt : halts) {
                int partition = halt.partition().partition();
                delivered.await("the records before the halt", () -> delivered.delivered(partition) >= halt.offset());
                assertThat(delivered.delivered(partition)).isEqualTo(halt.offset());
            }

            for (Undelivered halt : halts) {
                Shell.here(
                                "output",
                                "resume",
                                "--config",
                                cluster.configurationOf(HALTED).toString(),
                                "--topic",
                                HALTED,
                                "--partition",
                                Integer.toString(halt.partition().partition()),
                                "--offset",
                                Long.toString(halt.offset()),
                                "--divert")
                        .ends(0);
            }

            delivered.awaitEnd(RECORDS + sent.checkpoints());
            assertThat(delivered.differences()).isEmpty();
        }
        assertThat(cluster.awaitUndelivered(HALTED, Undelivered.Kind.DIVERTED, ClusterScene.PARTITIONS))
                .hasSize(ClusterScene.PARTITIONS);
        cluster.script().run("kill", HALTED).done();
    }

    @Test
    void aTransformThatFailsHasTheEventDiverted() throws Exception {
        cluster.submit(jar, DIVERTED, DIVERTED, 2, settings("divert")).done();
        Sent sent = cluster.emit(DIVERTED, FaultPlan.none());
        try (DeliveredTopic delivered = delivered(DIVERTED)) {
            delivered.awaitEnd(RECORDS + sent.checkpoints());
            assertThat(delivered.differences()).isEmpty();
        }
        assertThat(cluster.awaitUndelivered(DIVERTED, Undelivered.Kind.DIVERTED, ClusterScene.PARTITIONS))
                .hasSize(ClusterScene.PARTITIONS);
        cluster.awaitVerdicts(DIVERTED, sent.checkpoints());
        cluster.script().run("kill", DIVERTED).done();
    }

    /**
     * Both workers and the supervisor, which would end them, are stopped. The topology is started elsewhere, with another number of
     * tasks, and goes on. Then they are woken, in the middle of what they were doing.
     */
    @Test
    void workersThatAreStoppedAndWokenWriteNothingTwice() throws Exception {
        List<String> settings = List.of(
                "transform=" + FragileTransform.class.getName(),
                "transform.on.error=divert",
                "diverted.topic=" + REFUSED);
        cluster.submit(jar, STOPPED, STOPPED, 2, settings).done();
        Path elsewhere = directory.resolve("elsewhere.properties");
        List<String> lines = new ArrayList<>(Files.readAllLines(cluster.configurationOf(STOPPED)));
        lines.add("checkpoint.tasks=3");
        Files.write(elsewhere, lines);
        try (SteadyEmission emission = new SteadyEmission(
                        cluster.bootstrapServers(), STOPPED, ClusterScene.PARTITIONS, ClusterScene.EVERY);
                DeliveredTopic delivered = delivered(STOPPED)) {
            delivered.await("some records", () -> delivered.delivered() >= SOME);
            List<Long> processes = processes();
            assertThat(processes).hasSize(3);
            for (long process : processes) {
                signal("STOP", process);
            }
            long before = delivered.delivered();
            try (Shell.Running running = Shell.start("dev", "local", "--config", elsewhere.toString())) {
                delivered.await("records by the other topology", () -> delivered.delivered() >= before + SOME);
                assertThat(running.process().isAlive()).isTrue();
                for (long process : processes) {
                    signal("CONT", process);
                }
                long woken = delivered.delivered();
                delivered.await("records by either", () -> delivered.delivered() >= woken + SOME);
                long checkpoints = emission.finish();
                delivered.awaitEnd(emission.events() + checkpoints);
            }
            cluster.script().run("kill", STOPPED).done();
            delivered.awaitEnd(emission.events());
            assertThat(delivered.differences()).isEmpty();
        }
    }

    private List<Long> processes() throws IOException {
        List<Long> processes = new ArrayList<>();
        processes.add(Long.parseLong(
                Files.readString(cluster.script().dir().resolve("pids").resolve("supervisor-1"))
                        .strip()));
        Matcher worker = WORKER.matcher(cluster.script().run("status").done().printed());
        while (worker.find()) {
            processes.add(Long.parseLong(worker.group(1)));
        }
        return processes;
    }

    private static void signal(String signal, long process) throws IOException, InterruptedException {
        int exitCode = new ProcessBuilder("kill", "-" + signal, Long.toString(process))
                .start()
                .waitFor();
        assertThat(exitCode).as("kill -%s %s", signal, process).isZero();
    }
}
