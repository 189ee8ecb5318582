package dev.stormproof.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.cli.testing.Shell;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.emit.CheckpointingProducer;
import dev.stormproof.emit.EmitterConfig;
import dev.stormproof.emit.testing.Clients;
import dev.stormproof.proof.checkpoint.EventHeader;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.process.VerifyProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What no checkpoint seals is never called verified: the log of an emitter that was killed before it could seal anything. */
@OnKafka
class OpenEndsAuditTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int NEVER = -1;

    private final EmbeddedKafka kafka;

    OpenEndsAuditTest(EmbeddedKafka kafka) {
        this.kafka = kafka;
    }

    /**
     * Errs behind the signer: the event of one number is altered, that of another is acknowledged and dropped; so is everything
     * once it is killed.
     */
    private static final class Erring extends KafkaProducer<byte[], byte[]> {
        private final int altered;
        private final int dropped;
        private int events;
        private volatile boolean killed;

        Erring(Map<String, Object> settings, int altered, int dropped) {
            super(settings);
            this.altered = altered;
            this.dropped = dropped;
        }

        @Override
        public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
            int number = record.headers().lastHeader(EventHeader.NAME) == null ? NEVER : events++;
            if (killed || (number != NEVER && number == dropped)) {
                TopicPartition partition = new TopicPartition(record.topic(), record.partition());
                RecordMetadata metadata = new RecordMetadata(partition, 0, 0, 0, 0, 0);
                callback.onCompletion(metadata, null);
                return CompletableFuture.completedFuture(metadata);
            }
            byte[] value = number != NEVER && number == altered ? "forged".getBytes(UTF_8) : record.value();
            return super.send(
                    new ProducerRecord<>(
                            record.topic(),
                            record.partition(),
                            record.timestamp(),
                            record.key(),
                            value,
                            record.headers()),
                    callback);
        }
    }

    /** Sends ten events to partition 0 by an emitter that is killed, or closed. */
    private void emit(String topic, int altered, int dropped, boolean killed) throws Exception {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", kafka.bootstrapServers());
        settings.put(EmitterConfig.MAX_INTERVAL_MS, Duration.ofMinutes(10).toMillis());
        settings.put(EmitterConfig.DEADLINE_MS, Duration.ofHours(1).toMillis());
        Erring[] inner = new Erring[1];
        CheckpointingProducer<byte[], byte[]> producer = new CheckpointingProducer<>(
                settings, new ByteArraySerializer(), new ByteArraySerializer(), clientSettings -> {
                    inner[0] = new Erring(clientSettings, altered, dropped);
                    return inner[0];
                });
        for (int number = 0; number < 10; number++) {
            producer.send(new ProducerRecord<>(topic, 0, null, ("event " + number).getBytes(UTF_8)))
                    .get();
        }
        inner[0].killed = killed;
        producer.close();
    }

    private Shell.Result audit(String topic, String... more) {
        return Shell.line("audit --bootstrap-server " + kafka.bootstrapServers() + " --topic " + topic, more);
    }

    @Test
    void ofAnEmitterThatWasKilledNothingIsProven(@TempDir Path dir) throws Exception {
        String topic = SharedKafka.createTopic(kafka, "killed", 1);
        emit(topic, NEVER, 6, true);
        Path page = dir.resolve("page.html");

        Shell.Result result = audit(topic, "--html", page.toString()).ends(ExitCode.INCONCLUSIVE);

        assertThat(result.out())
                .contains(": 9 events from offset 1 on, after the checkpoint at offset 0\n")
                .contains("INCONCLUSIVE: 9 events of 1 stream follow the last checkpoint; no event is proven\n")
                .endsWith("None of the 9 events of '" + topic
                        + "' is proven to have arrived once, in order, with key and value unaltered.\n")
                .doesNotContain("VERIFIED");
        assertThat(Files.readString(page))
                .contains("\"verdict\":\"inconclusive\"")
                .contains("\"openEnds\":[{")
                .contains("\"events\":9,\"overdue\":false");
        // Nothing is sealed but the beginning, which holds no event.
        audit(topic, "--up-to-last-checkpoint").ends(ExitCode.INCONCLUSIVE);
    }

    @Test
    void whatContradictsItsOwnHeaderIsReportedWhileItIsOpenAndCountedOnce() throws Exception {
        String topic = SharedKafka.createTopic(kafka, "killed", 1);
        emit(topic, 3, 6, true);

        Shell.Result result = audit(topic).ends(ExitCode.VIOLATED);

        assertThat(result.out())
                .contains("altered  sequence 3  " + topic + "-0@4  signed ")
                .contains(
                        "VIOLATED: 1 anomaly in 1 of 2 intervals; 9 events of 1 stream follow the last checkpoint\n",
                        "1 of 9 events of '" + topic + "' did not arrive");
        List<JsonNode> lines = lines(audit(topic, "--json"));
        assertThat(lines)
                .filteredOn(line -> line.path("finding").asText().equals("violated"))
                .singleElement()
                .satisfies(line -> {
                    assertThat(line.get("revision").asInt()).isEqualTo(1);
                    assertThat(line.get("checkpoint").asInt()).isEqualTo(1);
                    assertThat(line.get("summary").asText()).contains(", not sealed yet");
                });
        // No option excuses it.
        audit(topic, "--up-to-last-checkpoint").ends(ExitCode.VIOLATED);
    }

    /** Live and offline alike, from the verifier's process to whoever closes the alert. */
    @Test
    void whatIsKnownOfAnUnsealedEndIsInTheAlertAndInTheAuditAndAcceptClosesIt(@TempDir Path dir) throws Exception {
        String topic = SharedKafka.createTopic(kafka, "killed", 1);
        String alerts = SharedKafka.createTopic(kafka, "killed-alerts", 1);
        emit(topic, NEVER, NEVER, false);
        emit(topic, NEVER, 6, true);
        Map<String, String> settings = Map.of(
                "bootstrap.servers",
                kafka.bootstrapServers(),
                "group.id",
                topic,
                "input.topics",
                topic,
                "alerts.topic",
                alerts,
                "silence.grace.ms",
                "0",
                "silence.deadline.max.ms",
                "1000");
        VerifyProcess verify = VerifyProcess.open(new StormproofConfig(settings));
        try {
            verify.join();
            Clients.await("the alert", () -> !alertsOf(alerts).isEmpty());
        } finally {
            verify.close();
        }

        JsonNode data = JSON.readTree(alertsOf(alerts).get(0)).get("data");
        assertThat(data.get("summary").asText())
                .startsWith(
                        "inconclusive (unsealed): 9 events, sequences 0 to 9, 1 missing from 6 on, contents as signed, in ")
                .contains(", up to offset ", ": no checkpoint within");
        assertThat(data.get("tail"))
                .hasToString("{\"firstSequence\":0,\"lastSequence\":9,\"missing\":1,\"firstMissing\":6,"
                        + "\"late\":0,\"altered\":0,\"unchecked\":0}");
        Path config = Files.write(
                dir.resolve("verify.properties"),
                settings.entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue())
                        .toList());
        Shell.Result audit = audit(topic, "--config", config.toString(), "--json");
        assertThat(audit.out().lines()).contains(data.toString());
        assertThat(audit.exitCode()).isEqualTo(ExitCode.INCONCLUSIVE);

        Shell.Result accepted = Shell.here(
                "alerts",
                "accept",
                data.get("alertId").asText(),
                "--reason",
                "killed",
                "--by",
                "alice",
                "--bootstrap-server",
                kafka.bootstrapServers(),
                "--alerts-topic",
                alerts);
        assertThat(accepted.exitCode()).as(accepted.toString()).isZero();
        Shell.Result closed = audit(topic, "--config", config.toString(), "--alerts-topic", alerts);
        assertThat(closed.exitCode()).as(closed.toString()).isEqualTo(ExitCode.ACCEPTED);
    }

    private List<String> alertsOf(String topic) {
        return Clients.committed(kafka, new TopicPartition(topic, 0)).stream()
                .map(record -> new String(record.value(), UTF_8))
                .toList();
    }

    private static List<JsonNode> lines(Shell.Result result) throws Exception {
        List<JsonNode> lines = new ArrayList<>();
        for (String line : result.out().lines().toList()) {
            lines.add(JSON.readTree(line));
        }
        return lines;
    }
}
