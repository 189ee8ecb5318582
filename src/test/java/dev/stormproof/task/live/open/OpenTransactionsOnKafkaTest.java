package dev.stormproof.task.live.open;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.cli.testing.Shell;
import dev.stormproof.emit.CheckpointingProducer;
import dev.stormproof.emit.testing.Clients;
import dev.stormproof.log.audit.LogReadPool;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.progress.Progress;
import dev.stormproof.task.live.progress.TopicIds;
import dev.stormproof.task.live.run.TaskAudits;
import dev.stormproof.task.live.run.TaskVerification;
import dev.stormproof.task.metrics.WorkerMetrics;
import dev.stormproof.verify.fold.InactivityTimeouts;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.Verdict.Verified;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Transactions of another producer, which keep what a healthy one writes from being read. */
@OnKafka
@Timeout(120)
class OpenTransactionsOnKafkaTest {
    private static final long DEADLINE_MILLIS = 1_000;
    private static final InactivityTimeouts TIMEOUTS = new InactivityTimeouts(100, 1_000, 3_600_000);

    private final EmbeddedKafka kafka;
    private final List<Finding> findings = new ArrayList<>();

    OpenTransactionsOnKafkaTest(EmbeddedKafka kafka) {
        this.kafka = kafka;
    }

    @Test
    void aHealthyStreamIsNotUnsealedBehindAnothersTransaction() throws Exception {
        String topic = SharedKafka.createTopic(kafka, "transaction", 1);
        TopicPartition partition = new TopicPartition(topic, 0);
        StormproofConfig config = new StormproofConfig(
                Map.of("bootstrap.servers", kafka.bootstrapServers(), "group.id", "g", "input.topics", topic));
        try (LogReadPool pool = new LogReadPool("transaction", 1, 4, () -> DurableVerification.newLogReader(config));
                CheckpointingProducer<String, String> healthy =
                        Clients.producer(kafka, "stormproof.checkpoint.deadline.ms", DEADLINE_MILLIS);
                KafkaProducer<byte[], byte[]> other = transactional(topic)) {
            TaskVerification verification = new TaskVerification(
                    Map.of(partition, Progress.at(0, TopicIds.UNKNOWN)),
                    any -> Optional.of(Progress.at(0, TopicIds.UNKNOWN)),
                    new TaskAudits(pool, trouble -> {}),
                    TIMEOUTS,
                    TaskVerification.Outputs.NONE,
                    (finding, topicId) -> findings.add(finding),
                    WorkerMetrics.ofThisProcess().task(Optional.empty(), "test"));
            Clients.send(healthy, topic, 0, "an event");
            healthy.flush();
            await(verification, "its first checkpoint", () -> !findings.isEmpty());
            other.beginTransaction();
            other.send(new ProducerRecord<>(topic, 0, null, "another".getBytes(UTF_8)))
                    .get();
            await(
                    verification,
                    "the transaction",
                    () -> verification.numbers().heldBackSeconds() >= 4 * DEADLINE_MILLIS / 1_000);

            Shell.Result audit = Shell.here("audit", "--bootstrap-server", kafka.bootstrapServers(), "--topic", topic);

            assertThat(audit.err()).contains(partition + " is read up to ", "a producer's transaction is open there");
            assertThat(audit.out()).doesNotContain("unsealed");
            assertThat(findings).allSatisfy(finding -> assertThat(finding).isInstanceOf(Verified.class));
            int before = findings.size();
            other.abortTransaction();
            await(verification, "the rest", () -> findings.size() > before);
            assertThat(findings).allSatisfy(finding -> assertThat(finding).isInstanceOf(Verified.class));
            await(verification, "its end", () -> verification.numbers().heldBackSeconds() == 0);
        }
    }

    private static void await(TaskVerification verification, String what, BooleanSupplier condition) {
        Clients.await(what, () -> {
            verification.tick(TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
            return condition.getAsBoolean();
        });
    }

    private KafkaProducer<byte[], byte[]> transactional(String id) {
        KafkaProducer<byte[], byte[]> producer = SharedKafka.producer(kafka, "transactional.id", id);
        producer.initTransactions();
        return producer;
    }
}
