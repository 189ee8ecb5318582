package dev.stormproof.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.fault.FaultKind;
import dev.stormproof.cli.local.Stages;
import dev.stormproof.cli.testing.SecuredScene;
import dev.stormproof.packaging.testing.ClusterScene;
import dev.stormproof.packaging.testing.ClusterScene.Sent;
import dev.stormproof.packaging.testing.ClusterScript;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The long form on a real cluster: a secured broker. */
@Tag(Stages.CLUSTER)
@Tag("full")
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the cluster is started by a bash script")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(900)
class ClusterFullIT {
    private final Path jar = ClusterScene.jar();
    private final long seed = Long.getLong("seed", new SplittableRandom().nextLong());
    private ClusterScene cluster;

    @TempDir
    static Path directory;

    @BeforeAll
    void start() {
        System.out.println("ClusterFullIT: -Dseed=" + seed);
        cluster = ClusterScene.start("it-full", directory, List.of());
    }

    @AfterAll
    void stop() throws IOException {
        if (cluster != null) {
            cluster.close();
        }
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
}
