package dev.stormproof.emit;

import static dev.stormproof.emit.testing.Clients.await;
import static dev.stormproof.emit.testing.Clients.checkpoints;
import static dev.stormproof.emit.testing.Clients.producer;
import static dev.stormproof.emit.testing.Clients.send;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.emit.testing.Clients;
import dev.stormproof.emit.testing.LoggedPartition;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** One topic of two is deleted while a producer writes to both. */
@OnKafka
class DeletedTopicOnKafkaTest {
    private static final long DEADLINE_MILLIS = 1_000;

    /** How long a send to the deleted topic stands: far longer than any pause of a machine under load. */
    private static final int BLOCK_MILLIS = 20_000;

    private static CheckpointingProducer<String, String> writer(EmbeddedKafka kafka, Object... more) {
        Object[] settings = {
            EmitterConfig.DEADLINE_MS,
            DEADLINE_MILLIS,
            "max.block.ms",
            BLOCK_MILLIS,
            "metadata.max.age.ms",
            300,
            "delivery.timeout.ms",
            2_000,
            "request.timeout.ms",
            1_000,
            "linger.ms",
            0
        };
        List<Object> all = new ArrayList<>(List.of(settings));
        all.addAll(List.of(more));
        return producer(kafka, all.toArray());
    }

    private static void delete(EmbeddedKafka kafka, String topic) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.deleteTopics(List.of(topic)).all().get(Clients.PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
    }

    /** Waits for {@code count} more checkpoints of the topic, or for one that comes so late that more need not be waited for. */
    private static void awaitMore(CheckpointingProducer<?, ?> producer, String topic, int count) {
        long wanted = checkpoints(producer, topic, 0) + count;
        AtomicLong seen = new AtomicLong(wanted - count);
        AtomicLong sinceNanos = new AtomicLong(System.nanoTime());
        await("heartbeats", () -> {
            long now = checkpoints(producer, topic, 0);
            if (now == seen.getAndSet(now)) {
                return false;
            }
            long pauseNanos = -sinceNanos.get() + sinceNanos.updateAndGet(before -> System.nanoTime());
            return now >= wanted || pauseNanos > TimeUnit.MILLISECONDS.toNanos(BLOCK_MILLIS / 2);
        });
    }

    private static void assertDeadlinesMet(EmbeddedKafka kafka, String topic) throws Exception {
        List<Long> times = LoggedPartition.read(kafka, topic, 0).stream().checkpoints.stream()
                .map(Format2Checkpoint::createdAtMillis)
                .toList();
        for (int i = 1; i < times.size(); i++) {
            assertThat(times.get(i) - times.get(i - 1))
                    .as("pause before number " + i)
                    .isLessThan(BLOCK_MILLIS / 2);
        }
    }

    @Test
    void theOtherTopicsHeartbeatsGoOn(EmbeddedKafka kafka) throws Exception {
        String deleted = SharedKafka.createTopic(kafka, "deleted", 1);
        String healthy = SharedKafka.createTopic(kafka, "healthy", 1);
        CheckpointingProducer<String, String> producer = writer(kafka);
        send(producer, deleted, 0, "a");
        send(producer, healthy, 0, "b");
        producer.flush();
        delete(kafka, deleted);
        awaitMore(producer, healthy, 20);
        producer.close(Duration.ZERO);
        assertDeadlinesMet(kafka, healthy);
    }

    private static String firstIn(List<String> topics) {
        Map<TopicPartition, String> table = new ConcurrentHashMap<>();
        topics.forEach(topic -> table.put(new TopicPartition(topic, 0), topic));
        return table.values().iterator().next();
    }

    /** A send to the deleted topic stands twice as long as closing may take. */
    @Test
    void theOtherTopicsAreClosedAtOnce(EmbeddedKafka kafka) throws Exception {
        List<String> healthy = new ArrayList<>();
        CheckpointingProducer<String, String> producer = writer(kafka);
        for (int topic = 0; topic < 7; topic++) {
            healthy.add(SharedKafka.createTopic(kafka, "closed", 1));
            send(producer, healthy.get(topic), 0, "b");
        }
        producer.flush();
        // The one that a producer which closes one topic after the other comes to first.
        String deleted = firstIn(healthy);
        healthy.remove(deleted);
        delete(kafka, deleted);
        awaitMore(producer, healthy.get(0), 6);
        producer.close(Duration.ofMillis(BLOCK_MILLIS / 2));
        for (String topic : healthy) {
            assertThat(LoggedPartition.read(kafka, topic, 0).stream().last().closing())
                    .as(topic)
                    .isTrue();
        }
    }

    @Test
    void theOtherTopicsHeartbeatsGoOnInOwnTransactions(EmbeddedKafka kafka) throws Exception {
        String deleted = SharedKafka.createTopic(kafka, "deleted", 1);
        String healthy = SharedKafka.createTopic(kafka, "healthy", 1);
        CheckpointingProducer<String, String> producer =
                writer(kafka, "transactional.id", SharedKafka.unique("emitter"), "transaction.timeout.ms", 2_000);
        producer.initTransactions();
        producer.beginTransaction();
        send(producer, deleted, 0, "a");
        send(producer, healthy, 0, "b");
        producer.commitTransaction();
        delete(kafka, deleted);
        awaitMore(producer, healthy, 20);
        producer.close(Duration.ZERO);
        assertDeadlinesMet(kafka, healthy);
    }
}
