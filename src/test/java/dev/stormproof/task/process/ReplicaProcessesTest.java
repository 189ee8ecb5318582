package dev.stormproof.task.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.Stages;
import dev.stormproof.cli.testing.Shell;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Replicas as processes: one is killed, one is told to end. */
@Tag(Stages.CLUSTER)
@OnKafka
@Timeout(180)
class ReplicaProcessesTest {
    /** What SIGTERM is said with by the code that a process ends with. */
    private static final int TERMINATED = 143;

    @TempDir
    private Path dir;

    private final HttpClient http = HttpClient.newHttpClient();

    private record Running(Shell.Running running, int port) {}

    @Test
    void theOtherTakesOverFromOneThatIsKilledAndFromOneThatIsToldToEnd(EmbeddedKafka kafka) throws Exception {
        List<Running> replicas = new ArrayList<>();
        try (ReplicaScene scene = new ReplicaScene(kafka.bootstrapServers())) {
            kafka.createTopic(scene.topic, ReplicaScene.PARTITIONS, Map.of());
            kafka.createTopic(scene.topic + "-alerts", 1, Map.of());
            kafka.createTopic(scene.topic + "-verdicts", 1, Map.of());
            scene.read();
            replicas.add(start(scene));
            replicas.add(start(scene));
            scene.await("both", () -> replicas.stream().allMatch(one -> says(one, "stormproof: ready")));
            scene.send(scene.topic, ReplicaScene.PARTITIONS, 40);
            scene.sendLossy(40);
            scene.awaitAllToldOnce();

            scene.send(scene.topic, ReplicaScene.PARTITIONS, 40);
            verifying(replicas).running().process().destroyForcibly();
            scene.sendLossy(40);
            scene.awaitAllToldOnce();

            replicas.removeIf(one -> !one.running().process().isAlive());
            replicas.add(start(scene));
            scene.await("a standby", () -> replicas.stream().anyMatch(one -> says(one, "standby")));
            Running ending = verifying(replicas);
            scene.send(scene.topic, ReplicaScene.PARTITIONS, 40);
            long begunNanos = System.nanoTime();
            ending.running().process().destroy();
            replicas.remove(ending);
            scene.await("its successor", () -> says(replicas.get(0), "ready: verifies"));
            // Half of what it takes if nobody is told, on a machine that is busy; docs/PERFORMANCE.md has the seconds.
            assertThat(System.nanoTime() - begunNanos)
                    .isLessThan(TimeUnit.MILLISECONDS.toNanos(Replica.SESSION_MILLIS));
            assertThat(ending.running().process().waitFor()).isEqualTo(TERMINATED);
            scene.sendLossy(40);
            scene.awaitAllToldOnce();
            assertThat(says(replicas.get(0), "3 of the 3 partitions")).isTrue();
            ending.running().close();
        } finally {
            for (Running replica : replicas) {
                replica.running().close();
            }
        }
    }

    @Test
    void itWaitsForAKafkaThatIsNotThereYetAndSaysSo() throws Exception {
        try (ReplicaScene scene = new ReplicaScene("127.0.0.1:" + freePort())) {
            Running waiting = start(scene);
            try (Shell.Running running = waiting.running()) {
                running.awaitErr("does not answer; waiting for it");
                assertThat(says(waiting, "not ready: Kafka has not answered")).isTrue();
                running.process().destroy();
                assertThat(running.process().waitFor()).isEqualTo(TERMINATED);
            }
        }
    }

    /** Every replica would end of it, at each start. */
    @Test
    void aRecordThatUnpacksToMoreThanTheHeapIsToldAndWhatFollowsIsVerified(EmbeddedKafka kafka) throws Exception {
        try (ReplicaScene scene = new ReplicaScene(kafka.bootstrapServers())) {
            kafka.createTopic(scene.topic, ReplicaScene.PARTITIONS, Map.of());
            kafka.createTopic(scene.topic + "-alerts", 1, Map.of());
            kafka.createTopic(scene.topic + "-verdicts", 1, Map.of());
            scene.read();
            int before = scene.send(scene.topic, ReplicaScene.PARTITIONS, 40);
            scene.sendZeros(200 << 20);
            int after = scene.send(scene.topic, ReplicaScene.PARTITIONS, 40);
            Running small = start("-Xmx192m", port -> scene.with("metrics.http.port", String.valueOf(port)));
            try (Shell.Running running = small.running()) {
                scene.await("what follows", () -> scene.verified() == before + after && scene.hasTold("oversized"));
                assertThat(running.process().isAlive()).isTrue();
                int later = scene.send(scene.topic, ReplicaScene.PARTITIONS, 40);
                scene.await("what comes later", () -> scene.verified() == before + after + later);
            }
        }
    }

    private Running verifying(List<Running> replicas) {
        return replicas.stream()
                .filter(one -> says(one, "ready: verifies"))
                .findFirst()
                .orElseThrow();
    }

    private Running start(ReplicaScene scene) throws IOException {
        return start(port -> scene.with("metrics.http.port", String.valueOf(port)));
    }

    private Running start(IntFunction<Map<String, String>> settings) throws IOException {
        return start("-Xmx1g", settings);
    }

    private Running start(String heap, IntFunction<Map<String, String>> settings) throws IOException {
        int port = freePort();
        Path config = dir.resolve(port + ".properties");
        Files.write(
                config,
                settings.apply(port).entrySet().stream()
                        .map(setting -> setting.getKey() + "=" + setting.getValue())
                        .toList());
        return new Running(Shell.startWith(heap, "watch", "--config", config.toString()), port);
    }

    private boolean says(Running replica, String words) {
        return ready(replica).contains(words);
    }

    /** What it says of whether it is ready; nothing as long as it does not serve. */
    private String ready(Running replica) {
        try {
            HttpRequest ready = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + replica.port() + "/ready"))
                    .build();
            return http.send(ready, HttpResponse.BodyHandlers.ofString()).body();
        } catch (IOException e) { // It has not begun to serve, or has ended.
            return "";
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
