package dev.stormproof.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.cli.local.Stages;
import dev.stormproof.cli.testing.Shell;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The command lines of the containers, as processes: with other addresses and names of topics, and nothing else. */
@Tag(Stages.CLUSTER)
@OnKafka
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the check of its health is a line of bash")
class ContainersOnKafkaTest {
    private static final long PATIENCE_SECONDS = 90;

    @TempDir
    private Path dir;

    @Test
    void theDeploymentsReplicaBecomesReadyByTheCheckOfCompose(EmbeddedKafka kafka) throws Exception {
        String topic = SharedKafka.createTopic(kafka, "contained", 2);
        kafka.createTopic(topic + "-alerts", 1, Map.of());
        kafka.createTopic(topic + "-canary", 1, Map.of());
        int port = freePort();
        Map<String, String> settings = new HashMap<>(ContainersTest.configMap());
        settings.put("bootstrap.servers", kafka.bootstrapServers());
        settings.put("group.id", topic);
        settings.put("input.topics", topic);
        settings.put("alerts.topic", topic + "-alerts");
        settings.put("canary.topic", topic + "-canary");
        settings.put("metrics.http.port", String.valueOf(port));
        Path config = dir.resolve("verify.properties");
        Files.write(
                config,
                settings.entrySet().stream()
                        .map(one -> one.getKey() + "=" + one.getValue())
                        .toList());
        List<String> line = new ArrayList<>(ContainersTest.texts(
                ContainersTest.manifest("Deployment").at("/spec/template/spec/containers/0/args")));
        line.replaceAll(word -> word.endsWith("verify.properties") ? config.toString() : word);
        List<String> check =
                new ArrayList<>(ContainersTest.texts(ContainersTest.services().at("/verify/healthcheck/test")));
        assertThat(check.remove(0)).isEqualTo("CMD");
        check.replaceAll(word -> word.replace("/9404", "/" + port));

        try (Shell.Running verify = Shell.start(line.toArray(String[]::new))) {
            assertThat(succeeds(check)).as("it is not there yet").isFalse();
            long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
            while (!succeeds(check)) {
                assertThat(verify.process().isAlive()).isTrue();
                assertThat(System.nanoTime()).isLessThan(deadlineNanos);
            }
        }
    }

    @Test
    void theDashboardOfComposeServes(EmbeddedKafka kafka) throws Exception {
        String topic = SharedKafka.unique("contained");
        kafka.createTopic(topic + "-alerts", 1, Map.of());
        List<String> line =
                new ArrayList<>(ContainersTest.texts(ContainersTest.services().at("/dashboard/command")));
        line.replaceAll(word -> switch (word) {
            case "kafka:19092" -> kafka.bootstrapServers();
            case "0.0.0.0:8090" -> "0.0.0.0:0";
            default -> word;
        });
        line.addAll(List.of("--alerts-topic", topic + "-alerts"));

        try (Shell.Running dashboard = Shell.start(line.toArray(String[]::new))) {
            assertThat(dashboard.awaitOut("Ctrl-C ends it")).contains("the dashboard is at http://", "token=");
        }
    }

    private static boolean succeeds(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return Objects.requireNonNull(process).waitFor() == 0;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
