package dev.stormproof.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.Context;
import dev.stormproof.chaos.ChaosRound;
import dev.stormproof.chaos.ClusterFault;
import dev.stormproof.chaos.OutputCheck;
import dev.stormproof.chaos.Result;
import dev.stormproof.cli.fault.FaultKind;
import dev.stormproof.cli.local.Stages;
import dev.stormproof.cli.testing.SecuredScene;
import dev.stormproof.packaging.testing.ClusterLogs;
import dev.stormproof.packaging.testing.ClusterScene;
import dev.stormproof.packaging.testing.ClusterScene.Sent;
import dev.stormproof.packaging.testing.ClusterScript;
import dev.stormproof.packaging.testing.MergedJar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.apache.kafka.clients.consumer.KafkaConsumer;
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

/** The long forms on a real cluster: a spoiled jar, a secured broker, and chaos rounds, which kill and stop each of its processes. */
@Tag(Stages.CLUSTER)
@Tag("full")
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the cluster is started by a bash script")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(900)
class ClusterFullIT {
    private static final double EVENTS_PER_SECOND = 300;
    private static final String CHAOS = "chaos";

    private final Path jar = ClusterScene.jar();
    private final long seed = Long.getLong("seed", new SplittableRandom().nextLong());
    private ClusterScene cluster;

    @TempDir
    static Path directory;

    @BeforeAll
    void start() {
        System.out.println("ClusterFullIT: -Dseed=" + seed);
        List<String> size = new ArrayList<>(List.of("--supervisors", "2"));
        ChaosRound.STORM.forEach(setting -> size.addAll(List.of("--storm", setting)));
        // While no partition has a leader, Kafka 4.3.1 ends a transaction without its markers (KAFKA-20734): the only
        // broker that is
        // stopped for half a minute stays their leader.
        size.addAll(List.of("--kafka", "broker.session.timeout.ms=60000"));
        cluster = ClusterScene.start("it-full", directory, size, CHAOS);
    }

    @AfterAll
    void stop() throws IOException {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    void aLoggingBackendInTheJarIsCaught() throws Exception {
        Path spoiled = MergedJar.write(
                directory.resolve("spoiled.jar"),
                List.of(jar, MergedJar.of(LoggerContext.class), MergedJar.of(Context.class)));

        ClusterScript.Result result =
                cluster.submit(spoiled, "spoiled", "unused", 1).done();

        assertThat(ClusterLogs.misfits(result.printed())).anyMatch(line -> line.contains("multiple SLF4J providers"));
        assertThat(cluster.script().workerLogs("spoiled").values())
                .singleElement()
                .satisfies(log -> assertThat(ClusterLogs.misfits(log))
                        .anyMatch(line -> line.contains("multiple SLF4J providers")));
        cluster.script().run("kill", "spoiled").done();
    }

    /**
     * TLS, SCRAM and an authorizer: a worker, which reads the secrets where the configuration says, verifies at the source.
     * The files that Storm stores, ships and logs of the topology hold references only.
     */
    @Test
    void onASecuredBrokerAWorkerFindsItsSecretsAndTheClusterShowsNone() throws Exception {
        String topic = SecuredScene.TOPIC;
        try (SecuredScene secured = SecuredScene.start(Files.createDirectory(directory.resolve("etc")))) {
            Path config = secured.configuration("stormproof");
            Files.writeString(config, "\ntracker.placement=source\nflush.interval.ms=100\n", StandardOpenOption.APPEND);
            ClusterScript.Result submitted = cluster.script()
                    .run("submit", "--config", config.toString(), "--topology", "secured", "--jar", jar.toString())
                    .done();
            Sent sent = ClusterScene.emit(
                    secured.clientSettings("upstream"),
                    topic,
                    SecuredScene.PARTITIONS,
                    ClusterScene.plan(
                            topic, SecuredScene.PARTITIONS, Map.of(FaultKind.LOSE, 2, FaultKind.ALTER, 2), seed));
            try (KafkaConsumer<byte[], byte[]> findings = ClusterScene.consumerOf(
                    secured.clientSettings("reader"), SecuredScene.ALERTS, SecuredScene.VERDICTS)) {
                cluster.awaitVerdicts(findings, topic, sent.checkpoints());
            }

            assertThat(cluster.namedIn(topic))
                    .as("-Dseed=%s", seed)
                    .containsExactlyInAnyOrderElementsOf(sent.injected().stream()
                            .flatMap(ClusterScene::names)
                            .toList());
            assertThat(cluster.script().filesWith(List.of("{directory:" + directory.resolve("etc"))))
                    .as("where the search sees the references")
                    .anyMatch(file -> file.toString().contains("stormdist"))
                    .anyMatch(file -> file.toString().contains("blobs"));
            assertThat(cluster.script().filesWith(SecuredScene.secrets())).isEmpty();
            assertThat(submitted.printed()).doesNotContain(SecuredScene.secrets());
            cluster.script().run("kill", "secured").done();
        }
    }

    /** Faults of {@code scripts/trial under-fire}; docs/RELIABILITY.md has all of them. These tests come last: they kill what the others need. */
    @Test
    @Order(Integer.MAX_VALUE - 1)
    void nothingIsLostOrInventedWhenDaemonsAndAWorkerAreKilledAndOthersStandStill() throws Exception {
        cluster.submit(jar, CHAOS, CHAOS, 2).done();
        List<String> complaints = new ArrayList<>();
        try (OutputCheck output = new OutputCheck(
                        cluster.bootstrapServers(),
                        CHAOS,
                        CHAOS + ClusterScene.OUTPUT_SUFFIX,
                        ClusterScene.PARTITIONS,
                        ClusterScene.TRANSFORM);
                ChaosRound round = new ChaosRound(
                        cluster.script(),
                        cluster.bootstrapServers(),
                        CHAOS,
                        cluster.configurationOf(CHAOS),
                        new ChaosRound.Scene(
                                CHAOS,
                                ClusterScene.PARTITIONS,
                                ClusterScene.ALERTS,
                                ClusterScene.VERDICTS,
                                Optional.of(output)),
                        EVENTS_PER_SECOND,
                        complaints::add)) {
            Result result = round.play(
                    List.of(
                            ClusterFault.ZOOKEEPER_KILL,
                            ClusterFault.NIMBUS_KILL,
                            ClusterFault.SUPERVISOR_KILL,
                            ClusterFault.BROKER_PAUSE,
                            ClusterFault.BROKER_STOP,
                            ClusterFault.WORKER_PAUSE,
                            ClusterFault.WORKER_STOP,
                            ClusterFault.SUPERVISOR_LOSS,
                            ClusterFault.REBALANCE),
                    ClusterFault.WORKER_KILL,
                    seed);

            System.out.println("ClusterFullIT: " + result.toJson());
            assertThat(result.isGood()).as("%s %s", result.toJson(), complaints).isTrue();
            assertThat(result.reported()).as("-Dseed=%s", seed).isPositive();
            assertThat(result.delivered()).as("-Dseed=%s", seed).isGreaterThanOrEqualTo(result.events());
            assertThat(output.differencesOfAudits()).as("-Dseed=%s", seed).isEmpty();
        }
    }

    @Test
    @Order(Integer.MAX_VALUE)
    void nothingIsLostOrInventedWhenTheBrokerIsKilled() throws Exception {
        List<String> complaints = new ArrayList<>();
        try (ChaosRound round = new ChaosRound(
                cluster.script(),
                cluster.bootstrapServers(),
                CHAOS,
                cluster.configurationOf(CHAOS),
                new ChaosRound.Scene(CHAOS, ClusterScene.PARTITIONS, ClusterScene.ALERTS, ClusterScene.VERDICTS),
                EVENTS_PER_SECOND,
                complaints::add)) {
            Result result = round.play(ClusterFault.BROKER_KILL, seed);

            System.out.println("ClusterFullIT: " + result.toJson());
            assertThat(result.isGood()).as("%s %s", result.toJson(), complaints).isTrue();
            assertThat(result.reported()).as("-Dseed=%s", seed).isPositive();
        }
    }
}
