package dev.stormproof.task.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.evidence.notary.testing.NotaryScene;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.metrics.WorkerMetrics;
import dev.stormproof.verify.judge.MissedRecords;
import dev.stormproof.verify.judge.PartitionId;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.metadata.authorizer.StandardAuthorizer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Replicas in one JVM before a real broker. */
@OnKafka
@Timeout(180)
class VerifyProcessTest {
    private static final long COVERED_WITHIN_SECONDS = 10;

    private final List<VerifyProcess> open = new ArrayList<>();

    @AfterEach
    void closeReplicas() {
        open.forEach(VerifyProcess::close);
    }

    @Test
    void aReplicaOfOtherSettingsStandsByUntilTheOthersHaveEndedAndSaysSo(EmbeddedKafka kafka) {
        try (ReplicaScene scene = scene(kafka)) {
            String gauge = "stormproof_other_settings{group=\"" + scene.group + "\"} ";
            VerifyProcess first = replica(scene.with("checkpoint.tasks", "2", "metrics.http.port", "0"));
            scene.await("all tasks", () -> first.tasks().equals(List.of(0, 1)));
            assertThat(metrics()).contains(gauge + "0");

            VerifyProcess weaker = replica(scene.with(
                    "checkpoint.tasks", "2", "metrics.http.port", "0", "silence.without.deadline.ms", "3000000"));

            scene.await("the notice", () -> metrics().contains(gauge + "1"));
            assertThat(page("/ready")).contains("as a standby").contains("other settings");
            assertThat(differing(scene)).contains("stand by").contains("other settings");
            assertThat(first.tasks()).containsExactly(0, 1);
            assertThat(weaker.tasks()).isEmpty();

            open.remove(first);
            first.close();
            scene.await("its tasks", () -> weaker.tasks().equals(List.of(0, 1)));
            assertThat(metrics()).contains(gauge + "0");
            assertThat(differing(scene)).isEmpty();
        }
    }

    private static String differing(ReplicaScene scene) {
        return ReplicaSettings.differing(scene.admin, scene.group)
                .toCompletableFuture()
                .join();
    }

    @Test
    void partitionsAndTopicsThatComeAreCoveredSoonAndATopicThatIsCreatedAnewTakesTheOldOnesPlace(EmbeddedKafka kafka)
            throws Exception {
        try (ReplicaScene scene = scene(kafka)) {
            Map<String, String> pattern = scene.with("input.topics.pattern", scene.topic + "(-late)?");
            pattern.remove("input.topics");
            VerifyProcess process = replica(pattern);
            scene.await("the first", () -> process.covered() == ReplicaScene.PARTITIONS);
            String late = scene.topic + "-late";

            long begunNanos = System.nanoTime();
            scene.admin
                    .createPartitions(Map.of(scene.topic, NewPartitions.increaseTo(2 * ReplicaScene.PARTITIONS)))
                    .all()
                    .get();
            kafka.createTopic(late, 1, Map.of());
            scene.await("all", () -> process.covered() == 2 * ReplicaScene.PARTITIONS + 1);
            assertThat(System.nanoTime() - begunNanos).isLessThan(TimeUnit.SECONDS.toNanos(COVERED_WITHIN_SECONDS));
            scene.send(scene.topic, 2 * ReplicaScene.PARTITIONS, 20);
            scene.send(late, 1, 20);
            scene.awaitAllToldOnce();

            scene.admin.deleteTopics(List.of(late)).all().get();
            scene.await("its end", () -> process.covered() == 2 * ReplicaScene.PARTITIONS);
            kafka.createTopic(late, 1, Map.of());
            scene.send(late, 1, 20);
            scene.awaitAllToldOnce();
        }
    }

    @Test
    void recordsThatAnOperatorDeletesAreMissedIfNobodyHadReadThemAndElseNothingIsToldOfThem(EmbeddedKafka kafka)
            throws Exception {
        try (ReplicaScene scene = scene(kafka)) {
            replica(scene.with());
            scene.send(scene.topic, 1, 20);
            scene.awaitAllToldOnce();
            long read = scene.deleteRecords(0);
            scene.send(scene.topic, 1, 20);
            scene.awaitAllToldOnce();
            assertThat(scene.missed).isEmpty();
            open.remove(0).close();

            int intervals = scene.send(scene.topic, 1, 20);
            scene.deleted(2 * intervals);
            scene.send(scene.topic, 1, 20);
            long deleted = scene.deleteRecords(0);
            scene.send(scene.topic, 1, 20);
            replica(scene.with());
            scene.awaitAllToldOnce();

            assertThat(scene.missed)
                    .containsExactly(new MissedRecords(new PartitionId(scene.topic, 0), 2 * read, deleted));
        }
    }

    /** As {@code kafka-consumer-groups.sh --reset-offsets --to-latest} does while nobody verifies. */
    @Test
    void whatAnotherToolMovesTheOffsetPastIsMissedAndToldOnce(EmbeddedKafka kafka) throws Exception {
        try (ReplicaScene scene = scene(kafka)) {
            replica(scene.with());
            scene.send(scene.topic, 1, 20);
            scene.awaitAllToldOnce();
            open.remove(0).close();
            long verified = scene.end(0);
            scene.deleted(scene.send(scene.topic, 1, 20));
            long moved = scene.moveToEnd(0);

            for (int start = 0; start < 2; start++) {
                replica(scene.with());
                scene.send(scene.topic, 1, 20);
                scene.awaitAllToldOnce();
                open.remove(0).close();
            }

            assertThat(scene.missed)
                    .containsExactly(new MissedRecords(
                            new PartitionId(scene.topic, 0), verified, moved, MissedRecords.Cause.SKIPPED));
        }
    }

    @Test
    void aProcessThatMayNotWriteAlertsIsNotReadyAndItsLagGrows(@TempDir Path dir) throws Exception {
        Map<String, String> withRights = Map.of(
                "authorizer.class.name", StandardAuthorizer.class.getName(), "allow.everyone.if.no.acl.found", "true");
        try (EmbeddedKafka kafka = EmbeddedKafka.start(0, dir, withRights);
                ReplicaScene scene = scene(kafka)) {
            VerifyProcess process = replica(scene.with());
            scene.send(scene.topic, 1, 20);
            scene.awaitAllToldOnce();
            AclBindingFilter denied = scene.forbidAlerts();
            scene.sendLossy(20);
            scene.await("the notice", () -> process.unready().orElse("").contains("cannot be written"));
            assertThat(process.failure()).isEmpty();

            scene.send(scene.topic, 1, 20);

            scene.await("the lag", () -> WorkerMetrics.ofThisProcess().status().lagRecords() >= 20);
            scene.admin.deleteAcls(List.of(denied)).all().get();
            scene.awaitAllToldOnce();
            scene.await("its return", () -> process.unready().isEmpty());
            process.close();
            open.clear();
        }
    }

    @Test
    void aBatchThatCannotBeReadHoldsUpItsOwnPartition(@TempDir Path dir) throws Exception {
        EmbeddedKafka kafka = EmbeddedKafka.start(0, dir);
        int port = Integer.parseInt(
                kafka.bootstrapServers().substring(kafka.bootstrapServers().indexOf(':') + 1));
        try (ReplicaScene scene = scene(kafka)) {
            int intervals = scene.send(scene.topic, ReplicaScene.PARTITIONS, 20);
            kafka.close();
            spoil(dir, scene.topic + "-0");
            kafka = EmbeddedKafka.start(port, dir);
            VerifyProcess process = replica(scene.with("metrics.http.port", "0"));

            int readable = intervals / ReplicaScene.PARTITIONS * (ReplicaScene.PARTITIONS - 1);
            scene.await("the others", () -> scene.verified() >= readable);
            scene.await("the count of those that fail", () -> metrics().contains("state=\"failing\"} 1"));

            assertThat(scene.verified()).isEqualTo(readable);
            assertThat(process.unready()).isEmpty();
            process.close();
            open.clear();
        } finally {
            kafka.close();
        }
    }

    @Test
    void aProcessThatOnlyNotarizesMissesNoTaskAndSaysWhatItDoes(EmbeddedKafka kafka, @TempDir Path dir)
            throws Exception {
        NotaryScene scene = new NotaryScene(kafka, dir, 1);
        VerifyProcess process = replica(scene.with("metrics.http.port", "0"));
        scene.send(0, 0, 1);

        NotaryScene.await(() -> !scene.notes().isEmpty());

        assertThat(metrics())
                .contains("stormproof_expected_tasks{group=\"" + scene.topic + "-group\"} 0")
                .contains("stormproof_tasks{group=\"" + scene.topic + "-group\"} 0");
        NotaryScene.await(() -> process.unready().isEmpty());
        assertThat(page("/ready")).isEqualTo("stormproof: ready: notarizes, as tasks [0] of 1\n");
    }

    private static String metrics() {
        return page("/metrics");
    }

    private static String page(String path) {
        InetSocketAddress served = WorkerMetrics.ofThisProcess().served().orElseThrow();
        try (InputStream page = URI.create("http://127.0.0.1:" + served.getPort() + path)
                .toURL()
                .openStream()) {
            return new String(page.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Flips a bit of the first batch of a partition, whose checksum is wrong then. */
    private static void spoil(Path dir, String partition) throws Exception {
        List<Path> segments;
        try (Stream<Path> files = Files.walk(dir)) {
            segments = files.filter(
                            file -> Objects.requireNonNull(file.getParent()).endsWith(partition)
                                    && file.toString().endsWith(".log"))
                    .toList();
        }
        assertThat(segments).hasSize(1);
        byte[] bytes = Files.readAllBytes(segments.get(0));
        bytes[DefaultRecordBatch.RECORD_BATCH_OVERHEAD + 20] ^= 1;
        Files.write(segments.get(0), bytes);
    }

    private ReplicaScene scene(EmbeddedKafka kafka) {
        ReplicaScene scene = new ReplicaScene(kafka.bootstrapServers());
        kafka.createTopic(scene.topic, ReplicaScene.PARTITIONS, Map.of());
        kafka.createTopic(scene.topic + "-alerts", 1, Map.of());
        kafka.createTopic(scene.topic + "-verdicts", 1, Map.of());
        scene.read();
        return scene;
    }

    private VerifyProcess replica(Map<String, String> properties) {
        VerifyProcess process = VerifyProcess.open(new StormproofConfig(properties));
        open.add(process);
        process.join();
        return process;
    }
}
