package dev.stormproof.cli.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.cli.testing.Shell;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.emit.CheckpointingProducer;
import dev.stormproof.emit.EmitterConfig;
import dev.stormproof.emit.testing.Clients;
import java.io.File;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What emitters write to a broker, judged by the command. */
@OnKafka
@Timeout(180)
class ConformanceOnKafkaTest {
    private static final String NAME = "java";

    private final EmbeddedKafka kafka;
    private final KeyPair pair;

    ConformanceOnKafkaTest(EmbeddedKafka kafka) throws Exception {
        this.kafka = kafka;
        this.pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    }

    @Test
    void theJavaEmitterPassesEachCase(@TempDir Path directory) throws Exception {
        Path properties = directory.resolve("keys.properties");
        Files.writeString(
                properties,
                "checkpoint.keys=trial:"
                        + Base64.getEncoder().encodeToString(pair.getPublic().getEncoded()) + "\n");
        String topic = SharedKafka.unique("conformance");
        kafka.createTopic(topic, 2, Map.of("max.message.bytes", "200000"));
        contents(topic);
        doubt(topic);
        abort(topic);
        sideBySide(topic);

        Shell.Result all = conformance(topic, "--require-all", "--config", properties.toString(), "--json")
                .ends(ExitCode.VERIFIED);

        List<JsonNode> lines = lines(all);
        assertThat(lines).hasSize(40);
        assertThat(lines.subList(0, 39))
                .allMatch(line -> line.get("outcome").asText().equals("pass"));
        assertThat(lines.get(39).get("conformance").asText()).isEqualTo("conformant");
    }

    @Test
    void thePythonEmitterPassesAllThatAnEmitterHasToShow() throws Exception {
        String topic = SharedKafka.createTopic(kafka, "conformance-python", 2);
        try (KafkaProducer<byte[], byte[]> producer = plain()) {
            for (String line : python(topic)) {
                producer.send(pythonRecord(topic, new ObjectMapper().readTree(line)))
                        .get();
            }
        }

        Shell.Result result = conformance(topic, "--json").ends(ExitCode.VERIFIED);

        // It signs no checkpoint and knows no transactions.
        assertThat(lines(result).subList(0, 39))
                .filteredOn(line -> !line.get("outcome").asText().equals("pass"))
                .extracting(line -> line.get("case").asText())
                .containsExactlyInAnyOrder("checkpoint-key", "abort");
    }

    /** Contents of each kind, a close, and signed checkpoints with leaves; then another start of the same name. */
    private void contents(String topic) throws Exception {
        try (var producer = producer(settings(EmitterConfig.MAX_EVENTS, 7))) {
            send(producer, topic, bytes("key"), bytes("value"));
            send(producer, topic, null, bytes("value"));
            send(producer, topic, bytes(""), bytes("value"));
            send(producer, topic, bytes("key"), null);
            send(producer, topic, bytes("key"), bytes(""));
            send(producer, topic, bytes("key"), new byte[Case.LARGE_BYTES]);
            ProducerRecord<byte[], byte[]> repeated = new ProducerRecord<>(topic, 0, bytes("key"), bytes("value"));
            repeated.headers().add("trace", bytes("1")).add("trace", bytes("2"));
            producer.send(repeated).get();
            for (int i = 0; i < 140; i++) {
                producer.send(new ProducerRecord<>(topic, i % 20 == 0 ? 1 : 0, bytes("key"), bytes("value " + i)))
                        .get();
            }
            producer.flush();
        }
        try (var restarted =
                producer(settings(EmitterConfig.DEADLINE_MS, 8_000L, EmitterConfig.MAX_INTERVAL_MS, 100L))) {
            send(restarted, topic, bytes("key"), bytes("again"));
            long before = restarted.stats().values().iterator().next().checkpointsSent();
            Clients.await(
                    "heartbeats",
                    () -> restarted.stats().values().iterator().next().checkpointsSent() >= before + 2);
        }
    }

    /** A record that the broker refuses ends the stream, whose closing checkpoint calls it uncertain. */
    private void doubt(String topic) throws Exception {
        try (var producer = producer(settings())) {
            send(producer, topic, bytes("key"), bytes("before"));
            Future<RecordMetadata> refused =
                    producer.send(new ProducerRecord<>(topic, 0, bytes("key"), new byte[300_000]));
            assertThatThrownBy(refused::get).hasCauseInstanceOf(RecordTooLargeException.class);
            send(producer, topic, bytes("key"), bytes("after"));
        }
    }

    private void abort(String topic) throws Exception {
        try (var producer = producer(settings("transactional.id", SharedKafka.unique("emitter")))) {
            producer.initTransactions();
            for (String transaction : List.of("first", "aborted", "last")) {
                producer.beginTransaction();
                for (int i = 0; i < 3; i++) {
                    var unused = producer.send(new ProducerRecord<>(topic, 0, bytes("key"), bytes(transaction + i)));
                }
                producer.flush();
                if (transaction.equals("aborted")) {
                    producer.abortTransaction();
                } else {
                    producer.commitTransaction();
                }
            }
        }
    }

    private void sideBySide(String topic) throws Exception {
        try (var one = producer(settings());
                var other = producer(settings(EmitterConfig.EMITTER_NAME, "other"))) {
            for (int i = 0; i < 5; i++) {
                send(one, topic, bytes("one"), bytes("value " + i));
                send(other, topic, bytes("other"), bytes("value " + i));
            }
        }
    }

    private Map<String, Object> settings(Object... more) {
        Map<String, Object> settings = new HashMap<>(Map.of(
                "bootstrap.servers",
                kafka.bootstrapServers(),
                EmitterConfig.EMITTER_NAME,
                NAME,
                EmitterConfig.MAX_INTERVAL_MS,
                60_000L,
                EmitterConfig.DETAIL,
                "leaves",
                EmitterConfig.KEY_ID,
                "trial",
                EmitterConfig.KEY_PRIVATE,
                Base64.getEncoder().encodeToString(pair.getPrivate().getEncoded())));
        for (int i = 0; i < more.length; i += 2) {
            settings.put((String) more[i], more[i + 1]);
        }
        return settings;
    }

    private static CheckpointingProducer<byte[], byte[]> producer(Map<String, Object> settings) {
        return new CheckpointingProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private KafkaProducer<byte[], byte[]> plain() {
        return SharedKafka.producer(kafka);
    }

    private static void send(
            Producer<byte[], byte[]> producer, String topic, byte @Nullable [] key, byte @Nullable [] value)
            throws Exception {
        producer.send(new ProducerRecord<>(topic, 0, key, value)).get();
    }

    private Shell.Result conformance(String topic, String... more) {
        List<String> arguments = new ArrayList<>(
                List.of("dev", "conformance", "--bootstrap-server", kafka.bootstrapServers(), "--topic", topic));
        arguments.addAll(List.of(more));
        return Shell.here(arguments.toArray(String[]::new));
    }

    private static List<JsonNode> lines(Shell.Result result) throws Exception {
        List<JsonNode> lines = new ArrayList<>();
        try (InputStream in = Objects.requireNonNull(
                ConformanceOnKafkaTest.class.getResourceAsStream("/schema/conformance-1.json"))) {
            JsonSchema schema = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                    .getSchema(in);
            for (String line : result.out().lines().toList()) {
                JsonNode node = new ObjectMapper().readTree(line);
                assertThat(schema.validate(node)).as(line).isEmpty();
                lines.add(node);
            }
        }
        return lines;
    }

    private static List<String> python(String topic) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("python3", "src/test/python/conformance_stream.py", topic)
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment()
                .put(
                        "PYTHONPATH",
                        String.join(File.pathSeparator, "examples/python", "src/test/python/shim", "src/test/python"));
        builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
        Process python = builder.start();
        List<String> lines = new String(python.getInputStream().readAllBytes(), UTF_8)
                .lines()
                .toList();
        assertThat(python.waitFor()).isZero();
        return lines;
    }

    private static ProducerRecord<byte[], byte[]> pythonRecord(String topic, JsonNode record) {
        ProducerRecord<byte[], byte[]> made = new ProducerRecord<>(
                topic, record.get("partition").asInt(), fromHex(record.get("key")), fromHex(record.get("value")));
        record.get("headers")
                .forEach(header ->
                        made.headers().add(header.get(0).asText(), Objects.requireNonNull(fromHex(header.get(1)))));
        return made;
    }

    private static byte @Nullable [] fromHex(JsonNode text) {
        return text.isNull() ? null : HexFormat.of().parseHex(text.asText());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }
}
