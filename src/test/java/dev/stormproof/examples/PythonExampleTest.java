package dev.stormproof.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.cli.testing.Shell;
import java.io.File;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

/** The streams of examples/python, written into a broker and audited. */
@OnKafka
class PythonExampleTest {
    @Test
    void whatThePythonEmitterStatesIsVerified(EmbeddedKafka kafka) throws Exception {
        String topic = SharedKafka.createTopic(kafka, "python", 3);
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                new StringSerializer(),
                new StringSerializer())) {
            for (String line : python("src/test/python/example_stream.py", topic, "40")) {
                producer.send(record(topic, new ObjectMapper().readTree(line))).get();
            }
        }

        Shell.Result audit =
                Shell.here("audit", "--bootstrap-server", kafka.bootstrapServers(), "--topic", topic, "--json");

        // One event may or may not have arrived, says the second partition's closing checkpoint.
        assertThat(audit.exitCode()).as(audit.toString()).isEqualTo(2);
        // Number 0 and two of sixteen events, of each partition; the closing ones of the first and the third.
        assertThat(findings(audit, "verified")).hasSize(11);
        assertThat(findings(audit, "inconclusive")).singleElement().asString().contains("uncertain");
        assertThat(audit.out().lines().filter(line -> line.contains("\"finding\"")))
                .hasSize(12);
    }

    private static List<String> findings(Shell.Result audit, String type) {
        return audit.out()
                .lines()
                .filter(line -> line.contains("\"finding\":\"" + type + "\""))
                .toList();
    }

    private static List<String> python(String... arguments) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("python3").redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.command().addAll(List.of(arguments));
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

    private static ProducerRecord<String, String> record(String topic, JsonNode record) {
        return new ProducerRecord<>(
                topic,
                record.get("partition").asInt(),
                record.get("key").textValue(),
                record.get("value").textValue(),
                List.of(new RecordHeader(
                        record.get("header").asText(),
                        HexFormat.of().parseHex(record.get("bytes").asText()))));
    }
}
