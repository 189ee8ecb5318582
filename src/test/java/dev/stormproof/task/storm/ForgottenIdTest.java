package dev.stormproof.task.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.emit.testing.Clients;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.testing.PaperLog;
import dev.stormproof.task.storm.testing.TestContexts;
import dev.stormproof.task.storm.tuple.Delivery;
import dev.stormproof.task.storm.tuple.DeliveryBatch;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.HeaderBytes;
import dev.stormproof.verify.feed.RecordContent;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;
import org.apache.kafka.common.header.Header;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A task whose broker forgets transactional ids after six seconds without a commit, instead of a week. */
@Tag("broker")
@Timeout(120)
class ForgottenIdTest {
    private static final int EVENTS = 40;
    private static final int EVERY = 10;

    @SuppressWarnings("NullAway.Init") // Begun before the first test.
    private static EmbeddedKafka kafka;

    @SuppressWarnings("NullAway.Init")
    private static Admin admin;

    private final String topic = SharedKafka.createTopic(kafka, "forgotten", 1);
    private final String output = SharedKafka.createTopic(kafka, "forgotten-output", 1);
    private final String group = SharedKafka.unique("forgotten-group");
    private final TopicPartition partition = new TopicPartition(topic, 0);
    private final StormMetricRegistry metrics = new StormMetricRegistry();
    private final Map<String, String> properties = new HashMap<>();
    private final VerifyingTask task;

    @BeforeAll
    static void start() throws IOException {
        kafka = EmbeddedKafka.start(
                0,
                null,
                Map.of(
                        "transactional.id.expiration.ms", "6000",
                        "transaction.remove.expired.transaction.cleanup.interval.ms", "200"));
        admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
    }

    @AfterAll
    static void stop() {
        admin.close();
        kafka.close();
    }

    ForgottenIdTest() {
        properties.put("bootstrap.servers", kafka.bootstrapServers());
        properties.put("input.topics", topic);
        properties.put("group.id", group);
        properties.put("alerts.topic", SharedKafka.createTopic(kafka, "forgotten-alerts", 1));
        properties.put("output.topic", output);
        properties.put("transform", "log-json");
        task = new VerifyingTask(new StormproofConfig(properties));
    }

    @BeforeEach
    void open() {
        task.open(TestContexts.task(0, 1, metrics), error -> {});
    }

    @AfterEach
    void close() {
        task.close();
    }

    @Test
    void theTaskGoesOnFromItsProgressAndWritesEverythingOnce() throws Exception {
        List<ProducerRecord<byte[], byte[]>> log = send();
        deliver(log, 0, log.size() / 2);
        awaitProgress(1);
        awaitForgotten();

        deliver(log, log.size() / 2, log.size());
        awaitProgress(log.size());

        assertThat(written(log.size())).isEqualTo(log.size());
        assertThat(findings("violated") + findings("inconclusive")).isZero();
        assertThat(findings("verified")).isPositive();
    }

    /** Of the records that the one before was given, none comes again. */
    @Test
    void itReadsWhatWasDeliveredBeforeAndNeedsNoFurtherRecord() throws Exception {
        List<ProducerRecord<byte[], byte[]>> log = send();
        awaitForgotten();

        deliver(log, 0, log.size());
        awaitProgress(log.size());

        assertThat(written(log.size())).isEqualTo(log.size());
    }

    @Test
    void aTaskWhoseIdAnotherHasTakenMeanwhileEnds() throws Exception {
        List<ProducerRecord<byte[], byte[]>> log = send();
        awaitForgotten();
        try (KafkaProducer<byte[], byte[]> other = SharedKafka.producer(kafka, "transactional.id", id())) {
            other.initTransactions();

            assertThatThrownBy(() -> {
                        deliver(log, 0, log.size());
                        awaitProgress(log.size());
                    })
                    .isInstanceOf(KafkaException.class);
        }
    }

    private String id() {
        return "stormproof-" + group + "-0of1";
    }

    private List<ProducerRecord<byte[], byte[]>> send() {
        List<ProducerRecord<byte[], byte[]>> log = PaperLog.of(topic, 1, EVENTS, EVERY, Map.of());
        SharedKafka.send(kafka, log);
        return log;
    }

    private void deliver(List<ProducerRecord<byte[], byte[]>> log, int begin, int end) {
        for (int offset = begin; offset < end; offset++) {
            ProducerRecord<byte[], byte[]> record = log.get(offset);
            HeaderBytes headers = HeaderBytes.of(record.headers(), Header::key, Header::value);
            DeliveryBatch one = TestContexts.batch(new Delivery(
                    partition,
                    new DeliveryLink(offset, offset - 1, 0),
                    0,
                    new RecordContent(record.key(), record.value(), headers, System.currentTimeMillis(), false),
                    null));
            task.take(one);
        }
    }

    private void awaitForgotten() {
        Clients.await("a forgotten id", this::isForgotten);
    }

    private boolean isForgotten() {
        try {
            admin.describeTransactions(Set.of(id())).description(id()).get();
            return false;
        } catch (ExecutionException e) {
            assertThat(e).hasCauseInstanceOf(TransactionalIdNotFoundException.class);
            return true;
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    private void awaitProgress(long end) throws Exception {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (true) {
            assertThat(System.nanoTime())
                    .as("the progress does not come to %d", end)
                    .isLessThan(deadlineNanos);
            task.flush();
            OffsetAndMetadata progress = admin.listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata()
                    .get(30, TimeUnit.SECONDS)
                    .get(partition);
            if (progress != null && progress.offset() >= end) {
                return;
            }
        }
    }

    /** How many records a reader of committed ones finds in the output, which shows a commit a moment after the progress does. */
    private long written(long wanted) {
        Clients.await(wanted + " records", () -> written() >= wanted);
        return written();
    }

    private long written() {
        return Clients.committed(kafka, new TopicPartition(output, 0)).size();
    }

    private long findings(String type) {
        return metrics.getTaskCounters(1).entrySet().stream()
                .filter(counter -> counter.getKey().contains("findings-" + type))
                .mapToLong(counter -> counter.getValue().getCount())
                .sum();
    }
}
