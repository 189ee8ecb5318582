package dev.stormproof.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.testing.Shell;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.emit.CheckpointingProducer;
import dev.stormproof.emit.EmitterConfig;
import dev.stormproof.local.EmbeddedKafka;
import dev.stormproof.local.OnKafka;
import dev.stormproof.local.SharedKafka;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Some producers sign already, others do not yet, and all write to the same partition. */
@OnKafka
class RollingAdoptionTest {
    private static final int EVENTS = 30;
    private static final int EVERY = 10;

    private final EmbeddedKafka kafka;
    private final String topic;

    @TempDir
    Path directory;

    RollingAdoptionTest(EmbeddedKafka kafka) {
        this.kafka = kafka;
        this.topic = SharedKafka.createTopic(kafka, "adoption", 1);
    }

    /** Two producers that sign and one that does not, in turns. */
    @BeforeEach
    void emit() throws Exception {
        try (Producer<byte[], byte[]> first = signing();
                Producer<byte[], byte[]> second = signing();
                Producer<byte[], byte[]> unsigned = new KafkaProducer<>(
                        Map.of("bootstrap.servers", kafka.bootstrapServers()),
                        new ByteArraySerializer(),
                        new ByteArraySerializer())) {
            for (int i = 0; i < EVENTS; i++) {
                for (Producer<byte[], byte[]> producer : List.of(first, unsigned, second)) {
                    producer.send(new ProducerRecord<>(topic, 0, null, ("event " + i).getBytes(UTF_8)))
                            .get();
                }
            }
        }
    }

    @Test
    void whatIsSignedIsVerifiedAndEachUnsignedEventIsTold() throws IOException {
        Shell.Result result = audit("signature.header=signature");

        assertThat(result.exitCode()).as(result.toString()).isEqualTo(ExitCode.VIOLATED);
        List<String> findings = result.out()
                .lines()
                .filter(line -> line.contains("\"finding\""))
                .toList();
        List<String> strays = findings.stream()
                .filter(line -> line.contains("\"finding\":\"stray\""))
                .toList();
        assertThat(strays).isNotEmpty().allMatch(line -> line.contains("\"kind\":\"unsigned\""));
        assertThat(strays.stream()
                        .flatMap(line -> Pattern.compile("\"count\":(\\d+)")
                                .matcher(line)
                                .results())
                        .mapToInt(count -> Integer.parseInt(count.group(1)))
                        .sum())
                .isEqualTo(EVENTS);
        assertThat(findings)
                .filteredOn(line -> !line.contains("\"finding\":\"stray\""))
                .isNotEmpty()
                .allMatch(line -> line.contains("\"finding\":\"verified\""));
    }

    @Test
    void untilAllSignTheUnsignedOnesCanBeIgnored() throws IOException {
        Shell.Result result = audit("unsigned.events=ignore");

        assertThat(result.exitCode()).as(result.toString()).isEqualTo(ExitCode.VERIFIED);
        assertThat(result.out().lines())
                .hasSizeGreaterThan(2 * EVENTS / EVERY)
                .allMatch(line -> line.contains("\"verified\""));
    }

    private Producer<byte[], byte[]> signing() {
        return new CheckpointingProducer<>(
                Map.of(
                        "bootstrap.servers",
                        kafka.bootstrapServers(),
                        EmitterConfig.MAX_EVENTS,
                        EVERY,
                        EmitterConfig.MAX_INTERVAL_MS,
                        60_000L),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    private Shell.Result audit(String setting) throws IOException {
        Path config = Files.writeString(directory.resolve("audit.properties"), setting);
        return Shell.here(
                "audit",
                "--bootstrap-server",
                kafka.bootstrapServers(),
                "--topic",
                topic,
                "--command-config",
                config.toString(),
                "--json");
    }
}
