package dev.stormproof.forward;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stormproof.alert.Acceptance;
import dev.stormproof.alert.Alert;
import dev.stormproof.alert.AlertJson;
import dev.stormproof.cli.testing.Findings;
import dev.stormproof.judge.Anomaly.Kind;
import dev.stormproof.local.EmbeddedKafka;
import dev.stormproof.local.OnKafka;
import dev.stormproof.local.SharedKafka;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The Alertmanager that {@code ALERTMANAGER} names takes what is forwarded: {@code scripts/check-alertmanager}. */
@OnKafka
@Timeout(120)
@Tag("alertmanager")
class RealAlertmanagerTest {
    private final HttpClient http = HttpClient.newHttpClient();

    @TempDir
    private Path dir;

    @Test
    void anAlertFiresUntilItIsAccepted(EmbeddedKafka kafka) throws Exception {
        String topic = SharedKafka.createTopic(kafka, "alerts", 1);
        URI address = URI.create("http://127.0.0.1:" + freePort());
        Process alertmanager = start(address);
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                        Map.of("bootstrap.servers", kafka.bootstrapServers()),
                        new ByteArraySerializer(),
                        new ByteArraySerializer());
                Forwarder forwarder = new Forwarder(
                        Map.of(
                                "bootstrap.servers",
                                kafka.bootstrapServers(),
                                "group.id",
                                SharedKafka.unique("forward")),
                        topic,
                        true,
                        new Alertmanager(
                                Post.to(Alertmanager.api(address), Map.of(), Duration.ofSeconds(5)),
                                System::currentTimeMillis),
                        new Backoff(0, 100, 500),
                        1_000,
                        trouble -> {})) {
            Alert open = Findings.unsealed(0, 4);
            Alert violated = Findings.violated(0, 4, false, Findings.anomaly(Kind.LOST, 0, 417, 418));
            write(producer, topic, AlertJson.write(open));
            forward(forwarder, () -> firing(address, "warning") == 1);
            write(producer, topic, AlertJson.write(violated));
            forward(forwarder, () -> firing(address, "critical") == 1);
            assertThat(firing(address, "warning")).as("the earlier one is over").isZero();
            write(producer, topic, AlertJson.write(Acceptance.of(violated, 1, "alice", "sent again")));
            forward(forwarder, () -> firing(address, "critical") == 0);
        } finally {
            alertmanager.destroy();
            assertThat(alertmanager.waitFor(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static void write(KafkaProducer<byte[], byte[]> producer, String topic, byte[] record) throws Exception {
        producer.send(new ProducerRecord<>(topic, "key".getBytes(UTF_8), record))
                .get();
    }

    private static void forward(Forwarder forwarder, BooleanSupplier until) throws Exception {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
        forwarder.run(() -> until.getAsBoolean() || System.nanoTime() > deadlineNanos);
        assertThat(until.getAsBoolean()).isTrue();
    }

    private Process start(URI address) throws IOException {
        Path config = dir.resolve("alertmanager.yml");
        Files.writeString(config, "route: {receiver: none}\nreceivers: [{name: none}]\n");
        return new ProcessBuilder(
                        System.getenv("ALERTMANAGER"),
                        "--config.file=" + config,
                        "--storage.path=" + dir.resolve("data"),
                        "--cluster.listen-address=",
                        "--web.listen-address=" + address.getAuthority())
                .redirectErrorStream(true)
                .redirectOutput(dir.resolve("log").toFile())
                .start();
    }

    /** How many of our alerts fire there; -1 if it does not answer. */
    private int firing(URI address, String severity) {
        try {
            HttpRequest request = HttpRequest.newBuilder(address.resolve("/api/v2/alerts?active=true"))
                    .build();
            JsonNode alerts = new ObjectMapper()
                    .readTree(http.send(request, HttpResponse.BodyHandlers.ofString())
                            .body());
            int firing = 0;
            for (JsonNode alert : alerts) {
                boolean ours = alert.at("/labels/alertname").asText().equals(Alertmanager.NAME);
                firing += ours && alert.at("/labels/severity").asText().equals(severity) ? 1 : 0;
            }
            return firing;
        } catch (IOException e) { // It has not begun to serve.
            return -1;
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
