package dev.stormproof.task.live.open;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.emit.CheckpointingProducer;
import dev.stormproof.emit.testing.Clients;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.open.DurableVerification.Clocks;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.judge.Finding;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A worker whose wall clock is stepped. */
@OnKafka
@Timeout(120)
class SteppedClocksOnKafkaTest {
    private static final long DAY_MILLIS = 86_400_000;

    private final EmbeddedKafka kafka;
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicLong wallMillis = new AtomicLong(1_700_000_000_000L);
    private final Map<Finding.Type, Integer> counts = new EnumMap<>(Finding.Type.class);

    SteppedClocksOnKafkaTest(EmbeddedKafka kafka) {
        this.kafka = kafka;
    }

    @Test
    void aStepNeitherMakesAHealthyStreamUnsealedNorHidesADeadOne() throws Exception {
        String topic = SharedKafka.createTopic(kafka, "stepped", 1);
        TopicPartition partition = new TopicPartition(topic, 0);
        StormproofConfig config = new StormproofConfig(Map.of(
                "bootstrap.servers", kafka.bootstrapServers(),
                "group.id", SharedKafka.unique("stepped"),
                "input.topics", topic,
                "alerts.topic", SharedKafka.createTopic(kafka, "alerts", 1)));
        try (KafkaProducer<byte[], byte[]> plain = SharedKafka.producer(kafka)) {
            plain.send(new ProducerRecord<>(topic, 0, null, "unsigned".getBytes(UTF_8)))
                    .get();
        }
        try (CheckpointingProducer<String, String> dead = Clients.producer(kafka);
                DurableVerification verification = new DurableVerification(
                        config,
                        new DurableVerification.Task("t", 1, 0, partition::equals),
                        type -> counts.merge(type, 1, Integer::sum),
                        trouble -> {},
                        new Clocks(nanos::get, wallMillis::get))) {
            Clients.send(dead, topic, 0, "an event");
            dead.flush();
            verification.take(
                    partition,
                    0,
                    new DeliveryLink(0, -1, 0),
                    new UnattributedRecord(0, UnattributedRecord.Kind.UNSIGNED, "", LogRecord.NO_TIME),
                    null);
            pass(verification, 31_000);
            await(verification, Finding.Type.VERIFIED);

            wallMillis.addAndGet(100_000);
            pass(verification, 1_000);
            wallMillis.addAndGet(-DAY_MILLIS);
            pass(verification, 50_000);
            assertThat(counts).doesNotContainKey(Finding.Type.INCONCLUSIVE);

            pass(verification, 100_000);
            await(verification, Finding.Type.INCONCLUSIVE);
        }
    }

    /** Lets time pass, and the verification read what it wants to read then. */
    private void pass(DurableVerification verification, long millis) {
        verification.tick();
        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
        for (int tick = 0; tick < 3; tick++) {
            verification.tick();
            Clients.await("its reading", () -> {
                verification.poll();
                return Objects.requireNonNull(verification.gauges().get("audit-jobs"))
                                .get()
                                .intValue()
                        == 0;
            });
        }
    }

    private void await(DurableVerification verification, Finding.Type type) {
        Clients.await(type.toString(), () -> {
            verification.tick();
            return counts.containsKey(type);
        });
    }
}
