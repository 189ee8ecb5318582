package dev.stormproof.emit;

import static dev.stormproof.emit.testing.Clients.producer;
import static dev.stormproof.emit.testing.Clients.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.cli.testing.Shell;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.emit.testing.Clients;
import dev.stormproof.emit.testing.LoggedPartition;
import dev.stormproof.proof.checkpoint.SequenceRange;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Failures that a real broker and a real producer make. */
@OnKafka
class FailureOnKafkaTest {
    @Test
    void whatTheBrokerRefusesLeavesAllOthersProven(EmbeddedKafka kafka) throws Exception {
        String small = SharedKafka.unique("small");
        kafka.createTopic(small, 1, Map.of("max.message.bytes", "20000"));
        provenWithout(kafka, new ProducerRecord<>(small, 0, "key", "x".repeat(30_000)));
        int arrived = sentWith(
                kafka, new ProducerRecord<>(small, 0, "key", "x".repeat(30_000)), EmitterConfig.MAX_EVENTS, 10);
        assertThat(arrived).isEqualTo(100);
        // Checkpoints over the refused event may be under way.
        assertThat(audit(kafka, small).exitCode()).isNotEqualTo(ExitCode.VIOLATED);
        String recent = SharedKafka.unique("recent");
        kafka.createTopic(recent, 1, Map.of("message.timestamp.before.max.ms", "3600000"));
        provenWithout(kafka, new ProducerRecord<>(recent, 0, 1L, "key", "old"));
    }

    private static void provenWithout(EmbeddedKafka kafka, ProducerRecord<String, String> refused) {
        int arrived = sentWith(kafka, refused, "linger.ms", 100);
        assertThat(arrived).isBetween(41, 100);
        assertThat(audit(kafka, refused.topic()).ends(ExitCode.VERIFIED).out())
                .contains("VERIFIED: " + arrived + " events arrived once");
    }

    private static Shell.Result audit(EmbeddedKafka kafka, String topic) {
        return Shell.here(Shell.words("audit --bootstrap-server " + kafka.bootstrapServers() + " --topic " + topic));
    }

    /** Sends 100 records with a refused one among them, in batches with it and with checkpoints; returns how many arrive. */
    private static int sentWith(EmbeddedKafka kafka, ProducerRecord<String, String> refused, Object... settings) {
        AtomicInteger arrived = new AtomicInteger();
        try (var producer = producer(kafka, settings)) {
            for (int i = 0; i < 101; i++) {
                var event = i == 50 ? refused : new ProducerRecord<>(refused.topic(), 0, "key", "event " + i);
                Future<RecordMetadata> unused =
                        producer.send(event, (at, failure) -> arrived.addAndGet(failure == null ? 1 : 0));
                if (i == 40) {
                    producer.flush();
                }
            }
        }
        return arrived.get();
    }

    @Test
    void aCompactedTopicIsRefusedAtTheFirstSend(EmbeddedKafka kafka) throws Exception {
        String topic = SharedKafka.unique("compacted");
        kafka.createTopic(topic, 1, Map.of("cleanup.policy", "compact,delete"));
        for (boolean clusterTells : new boolean[] {true, false}) {
            try (var producer = producerOf(kafka, clusterTells)) {
                for (int i = 0; i < 3; i++) {
                    Future<RecordMetadata> refused = producer.send(new ProducerRecord<>(topic, 0, "key", "event"));
                    assertThatThrownBy(refused::get)
                            .hasCauseInstanceOf(InvalidConfigurationException.class)
                            .hasMessageContaining("topic " + topic + " is compacted: brokers take no checkpoint there");
                }
            }
        }
        assertThat(LoggedPartition.read(kafka, topic, 0).texts()).isEmpty();
    }

    private static CheckpointingProducer<String, String> producerOf(EmbeddedKafka kafka, boolean clusterTells) {
        return new CheckpointingProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                new StringSerializer(),
                new StringSerializer(),
                KafkaProducer::new,
                clusterTells ? TopicLimits::ofCluster : (inner, settings) -> name -> Map.of(),
                System::currentTimeMillis,
                BackgroundThreads.start());
    }

    @Test
    void onATopicOfSmallMessagesEveryEventIsStated(EmbeddedKafka kafka) throws Exception {
        for (boolean clusterTells : new boolean[] {true, false}) {
            String topic = SharedKafka.unique("small");
            kafka.createTopic(topic, 1, Map.of("max.message.bytes", "20000"));
            try (var producer = producerOf(kafka, clusterTells)) {
                for (int i = 0; i < 5_000; i++) {
                    send(producer, topic, 0, "event " + i);
                }
                producer.flush();
            }
            LoggedPartition log = LoggedPartition.read(kafka, topic, 0).assertProven();
            assertThat(log.texts()).hasSize(5_000);
            assertThat(log.stream().checkpoints)
                    .allMatch(checkpoint -> checkpoint.uncertain().isEmpty());
            assertThat(log.stream().last().nextSequence()).isEqualTo(5_000);
        }
    }

    /** An emitter of intervals of 4 that gives records up early. The topic stays known, so that they are accepted first. */
    private static CheckpointingProducer<String, String> withShortTimeouts(EmbeddedKafka kafka) {
        return producer(
                kafka,
                EmitterConfig.MAX_EVENTS,
                4,
                "metadata.recovery.strategy",
                "none",
                "delivery.timeout.ms",
                2_000,
                "request.timeout.ms",
                1_000,
                "linger.ms",
                0,
                "reconnect.backoff.max.ms",
                200);
    }

    @Test
    void afterTheBrokerWasAwayTheOldStreamIsClosedAndANewOneProven(@TempDir Path dir) throws Exception {
        EmbeddedKafka kafka = EmbeddedKafka.start(0, dir);
        try {
            kafka.createTopic("t", 1, Map.of());
            int port = kafka.port();
            try (var producer = withShortTimeouts(kafka)) {
                for (int i = 0; i < 6; i++) {
                    send(producer, "t", 0, "before " + i);
                }
                producer.flush();
                kafka.close();
                List<Future<RecordMetadata>> lost = new ArrayList<>();
                for (int i = 0; i < 6; i++) {
                    lost.add(producer.send(new ProducerRecord<>("t", 0, null, "lost " + i)));
                }
                for (Future<RecordMetadata> one : lost) {
                    assertThatThrownBy(() -> one.get(Clients.PATIENCE_SECONDS, TimeUnit.SECONDS))
                            .isInstanceOf(ExecutionException.class)
                            .hasCauseInstanceOf(TimeoutException.class);
                }
                kafka = EmbeddedKafka.start(port, dir);
                for (int i = 0; i < 6; i++) {
                    producer.send(new ProducerRecord<>("t", 0, null, "after " + i))
                            .get(Clients.PATIENCE_SECONDS, TimeUnit.SECONDS);
                }
            }
            LoggedPartition log = LoggedPartition.read(kafka, "t", 0).assertProven();
            assertThat(log.texts()).hasSize(12).noneMatch(text -> text.startsWith("lost"));
            LoggedPartition.Stream first = log.streams.values().iterator().next();
            // Number 1 covers 0 to 3; number 2, over 4 to 7, was lost, and the closing one stands in its place.
            assertThat(first.last().number()).isEqualTo(2);
            assertThat(first.last().uncertain()).containsExactly(new SequenceRange(4, 12));
        } finally {
            kafka.close();
        }
    }
}
