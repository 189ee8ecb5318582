package dev.stormproof.task.live.open;

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
import dev.stormproof.emit.testing.Clients;
import dev.stormproof.proof.checkpoint.LogRecordParser;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.run.RecordParsers;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.EnumNames;
import dev.stormproof.verify.judge.Finding;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

/** A task finds what is broken in a copy of a log; on which hop, the audit command of its alert names. */
@OnKafka
class OriginOnKafkaTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final EmbeddedKafka kafka;
    private final String origin;
    private final String copy;
    private final String alerts;

    OriginOnKafkaTest(EmbeddedKafka kafka) {
        this.kafka = kafka;
        this.origin = SharedKafka.createTopic(kafka, "origin", 1);
        this.copy = SharedKafka.createTopic(kafka, "copy", 1);
        this.alerts = SharedKafka.createTopic(kafka, "alerts", 1);
    }

    @Test
    void anAlertNamesNoHopAndItsAuditCommandDoes() throws Exception {
        writeOriginWithEvent3Twice();
        copyWithoutEvent20();

        List<JsonNode> told = verify();
        assertThat(hops(told)).containsOnly("DUPLICATED 3 log", "LOST 20 log");

        List<JsonNode> audited = new ArrayList<>();
        for (JsonNode alert : told) {
            audited.addAll(audit(alert.path("audit").asText()));
        }
        assertThat(hops(audited)).containsOnly("DUPLICATED 3 before-origin", "LOST 20 between-logs");
    }

    /** The findings of a command that an alert gives. */
    private List<JsonNode> audit(String command) throws IOException {
        List<String> words = new ArrayList<>(List.of(command.split(" ", -1)));
        assertThat(words.remove(0)).isEqualTo("stormproof");
        words.add("--json");
        Shell.Result result = Shell.here(words.toArray(String[]::new)).ends(ExitCode.VIOLATED);
        List<JsonNode> findings = new ArrayList<>();
        for (String line : result.out().lines().toList()) {
            findings.add(JSON.readTree(line));
        }
        return findings;
    }

    private static List<String> hops(List<JsonNode> findings) {
        List<String> hops = new ArrayList<>();
        for (JsonNode finding : findings) {
            for (JsonNode anomaly : finding.path("anomalies")) {
                hops.add(EnumNames.constant(
                                Anomaly.Kind.class, anomaly.path("kind").asText())
                        + " " + anomaly.path("begin").asLong() + " "
                        + anomaly.path("hop").asText("log"));
            }
        }
        return hops;
    }

    private void writeOriginWithEvent3Twice() throws Exception {
        try (CheckpointingProducer<String, String> emitter = new CheckpointingProducer<>(
                Clients.producerSettings(kafka), new StringSerializer(), new StringSerializer())) {
            send(emitter, 0, 15);
            // Checkpoint 0 comes first.
            append(
                    origin,
                    Clients.committed(kafka, new TopicPartition(origin, 0)).get(4));
            send(emitter, 15, 30);
        }
    }

    private void send(CheckpointingProducer<String, String> emitter, int from, int to) {
        for (int i = from; i < to; i++) {
            Clients.send(emitter, origin, 0, "event " + i);
        }
        emitter.flush();
    }

    private void copyWithoutEvent20() throws Exception {
        for (ConsumerRecord<byte[], byte[]> record : Clients.committed(kafka, new TopicPartition(origin, 0))) {
            if (record.value() == null || !new String(record.value(), UTF_8).equals("event 20")) {
                append(copy, record);
            }
        }
    }

    private void append(String topic, ConsumerRecord<byte[], byte[]> record) throws Exception {
        try (KafkaProducer<byte[], byte[]> writer = SharedKafka.producer(kafka)) {
            writer.send(new ProducerRecord<>(topic, 0, record.key(), record.value(), record.headers()))
                    .get();
        }
    }

    /** Delivers the copy to a task, and returns its final alerts, which name two anomalies. */
    private List<JsonNode> verify() {
        StormproofConfig config = new StormproofConfig(Map.of(
                "bootstrap.servers",
                kafka.bootstrapServers(),
                "input.topics",
                copy,
                "group.id",
                SharedKafka.unique("group"),
                "alerts.topic",
                alerts,
                "origins",
                copy + ":" + origin,
                "origin.bootstrap.servers",
                kafka.bootstrapServers()));
        LogRecordParser parser = RecordParsers.newParser(config);
        List<Throwable> errors = new ArrayList<>();
        try (DurableVerification task = new DurableVerification(
                config, new DurableVerification.Task("t-1", 0, 0, partition -> true), type -> {}, errors::add)) {
            for (ConsumerRecord<byte[], byte[]> record : Clients.committed(kafka, new TopicPartition(copy, 0))) {
                deliver(task, parser, record);
            }
            Clients.await("both anomalies", () -> {
                task.tick();
                return hops(finalViolations()).size() >= 2;
            });
            assertThat(errors).isEmpty();
            return finalViolations();
        }
    }

    private void deliver(DurableVerification task, LogRecordParser parser, ConsumerRecord<byte[], byte[]> record) {
        DeliveryLink link = new DeliveryLink(
                record.offset(), record.offset() - 1, record.leaderEpoch().orElse(DeliveryLink.NO_EPOCH));
        task.take(new TopicPartition(copy, 0), 0, link, record, parser);
    }

    private List<JsonNode> finalViolations() {
        List<JsonNode> found = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> alert : Clients.committed(kafka, new TopicPartition(alerts, 0))) {
            try {
                JsonNode data = JSON.readTree(alert.value()).path("data");
                if (data.path("revision").asInt() == Finding.FINAL_REVISION
                        && data.path("finding").asText().equals("violated")) {
                    found.add(data);
                }
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
        return found;
    }
}
