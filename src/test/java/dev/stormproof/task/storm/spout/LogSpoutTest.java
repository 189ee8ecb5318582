package dev.stormproof.task.storm.spout;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.Gauge;
import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.storm.testing.RecordingCollector;
import dev.stormproof.task.storm.testing.TestContexts;
import dev.stormproof.task.storm.tuple.Delivery;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.storm.Config;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.spout.SpoutOutputCollector;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The verifying mode's spout before a real broker. */
@OnKafka
@Timeout(60)
class LogSpoutTest {
    private final EmbeddedKafka kafka;
    private final String topic;
    private final String group = SharedKafka.unique("spout-group");
    private final StormMetricRegistry metrics = new StormMetricRegistry();
    private final Emitted emitted = new Emitted();
    private final List<LogSpout> open = new ArrayList<>();

    LogSpoutTest(EmbeddedKafka kafka) {
        this.kafka = kafka;
        this.topic = SharedKafka.createTopic(kafka, "spout", 3);
    }

    @AfterEach
    void closeSpouts() {
        open.forEach(LogSpout::close);
    }

    @Test
    void theBeginningIsAllThatItEverCommits() throws Exception {
        send(0, 4);
        LogSpout spout = opened();
        await(spout, 4);
        spout.deactivate();
        spout.close();
        open.clear();

        assertThat(committed(0)).isZero();
    }

    /** Whoever sets {@code topology.acker.executors} changes nothing: no tuple has an id that an acker could follow. */
    @Test
    void nothingIsTrackedHoweverManyAckersThereAre() throws Exception {
        send(0, 4);
        LogSpout spout = opened(Map.of(Config.TOPOLOGY_ACKER_EXECUTORS, 2, Config.TOPOLOGY_MAX_SPOUT_PENDING, 1));

        await(spout, 4);

        assertThat(emitted.of(0)).extracting(Delivery::offset).containsExactly(0L, 1L, 2L, 3L);
    }

    @Test
    void progressThatTheLogNoLongerHoldsLeadsToItsBeginning() throws Exception {
        send(0, 10);
        commit(0, 2);
        deleteBefore(0, 6);
        LogSpout spout = opened();

        await(spout, 4);

        assertThat(emitted.of(0)).extracting(Delivery::offset).containsExactly(6L, 7L, 8L, 9L);
    }

    @Test
    void progressBeyondTheEndOfTheLogLeadsToItsBeginning() throws Exception {
        send(0, 3);
        commit(0, 1_000);
        LogSpout spout = opened();

        await(spout, 3);

        assertThat(emitted.of(0)).extracting(Delivery::offset).containsExactly(0L, 1L, 2L);
    }

    @Test
    void noGaugeIsRegisteredThatWouldThrowWhenItIsRead() throws Exception {
        send(0, 1);
        await(opened(), 1);

        assertThat(metrics.getTaskGauges(1).values())
                .allSatisfy(gauge -> assertThat(((Gauge<?>) gauge).getValue()).isNotNull());
    }

    private LogSpout opened() throws Exception {
        return opened(Map.of());
    }

    private LogSpout opened(Map<String, Object> storm) throws Exception {
        StormproofConfig config = new StormproofConfig(
                Map.of("bootstrap.servers", kafka.bootstrapServers(), "input.topics", topic, "group.id", group));
        LogSpout spout = TestContexts.onWorker(LogSpout.of(config, new TupleOutlet()));
        spout.open(storm, TestContexts.task(0, 1, metrics), new SpoutOutputCollector(emitted));
        open.add(spout);
        spout.activate();
        return spout;
    }

    private void await(LogSpout spout, int count) {
        while (emitted.deliveries.size() < count) {
            spout.nextTuple();
        }
        spout.nextTuple();
        assertThat(emitted.deliveries).hasSize(count);
    }

    private void send(int partition, int count) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = SharedKafka.producer(kafka)) {
            for (int i = 0; i < count; i++) {
                producer.send(new ProducerRecord<>(topic, partition, null, new byte[] {1}))
                        .get(30, TimeUnit.SECONDS);
            }
        }
    }

    private void commit(int partition, long offset) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.alterConsumerGroupOffsets(
                            group, Map.of(new TopicPartition(topic, partition), new OffsetAndMetadata(offset)))
                    .all()
                    .get(30, TimeUnit.SECONDS);
        }
    }

    private long committed(int partition) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            Map<TopicPartition, OffsetAndMetadata> offsets = admin.listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata()
                    .get(30, TimeUnit.SECONDS);
            return Objects.requireNonNull(offsets.get(new TopicPartition(topic, partition)))
                    .offset();
        }
    }

    private void deleteBefore(int partition, long offset) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.deleteRecords(Map.of(new TopicPartition(topic, partition), RecordsToDelete.beforeOffset(offset)))
                    .all()
                    .get(30, TimeUnit.SECONDS);
        }
    }

    /** Everything that the spout emitted. */
    private static final class Emitted extends RecordingCollector {
        private final List<Delivery> deliveries = new ArrayList<>();

        @Override
        public void take(Delivery delivery, @Nullable Object message) {
            assertThat(message)
                    .as("a message id, with which ackers would track it")
                    .isNull();
            deliveries.add(delivery);
        }

        /** Those of partition 0 in a topic of another id. */
        List<Delivery> anew(long topicId) {
            return of(0).stream()
                    .filter(delivery -> delivery.topicId() != topicId)
                    .toList();
        }

        List<Delivery> of(int partition) {
            return deliveries.stream()
                    .filter(delivery -> delivery.partition().partition() == partition)
                    .toList();
        }
    }
}
