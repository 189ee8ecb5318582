package dev.stormproof.live;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.stormproof.alert.AlertJson;
import dev.stormproof.checkpoint.LogRecordParser;
import dev.stormproof.config.StormproofConfig;
import dev.stormproof.emit.CheckpointingProducer;
import dev.stormproof.emit.testing.Clients;
import dev.stormproof.feed.HeaderBytes;
import dev.stormproof.feed.Link;
import dev.stormproof.judge.Anomaly;
import dev.stormproof.judge.Hop;
import dev.stormproof.judge.Verdict.Violated;
import dev.stormproof.local.EmbeddedKafka;
import dev.stormproof.local.OnKafka;
import dev.stormproof.local.SharedKafka;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

/** The task of a topology says on which hop a copy of a log was broken, as an audit does, if it may read the origin. */
@OnKafka
class OriginOnKafkaTest {
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
    void eachAnomalyOfACopyIsOnItsHop() throws Exception {
        writeOriginWithEvent3Twice();
        copyWithoutEvent20();

        List<Anomaly> found = verify();

        assertThat(found)
                .extracting(Anomaly::kind, Anomaly::begin, Anomaly::hop)
                .containsExactlyInAnyOrder(
                        tuple(Anomaly.Kind.DUPLICATED, 3L, Hop.BEFORE_ORIGIN),
                        tuple(Anomaly.Kind.LOST, 20L, Hop.BETWEEN_LOGS));
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
        try (KafkaProducer<byte[], byte[]> writer = new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            writer.send(new ProducerRecord<>(topic, 0, record.key(), record.value(), record.headers()))
                    .get();
        }
    }

    /** Delivers the copy to a task, and returns the anomalies of its final alerts. */
    private List<Anomaly> verify() {
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
            List<Anomaly> found = new ArrayList<>();
            Clients.await("both anomalies", () -> {
                task.tick();
                found.clear();
                finalViolations().forEach(violated -> found.addAll(violated.anomalies()));
                return found.size() >= 2;
            });
            assertThat(errors).isEmpty();
            return found;
        }
    }

    private void deliver(DurableVerification task, LogRecordParser parser, ConsumerRecord<byte[], byte[]> record) {
        HeaderBytes headers = HeaderBytes.of(record.headers(), Header::key, Header::value);
        task.take(
                new TopicPartition(copy, 0),
                0,
                new Link(
                        record.offset(),
                        record.offset() - 1,
                        record.leaderEpoch().orElse(Link.NO_EPOCH)),
                parser.parse(copy, 0, record.offset(), record.timestamp(), record.key(), record.value(), headers),
                null);
    }

    private List<Violated> finalViolations() {
        List<Violated> found = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> alert : Clients.committed(kafka, new TopicPartition(alerts, 0))) {
            try {
                if (AlertJson.read(alert.value()).finding() instanceof Violated violated && !violated.provisional()) {
                    found.add(violated);
                }
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
        return found;
    }
}
