package dev.stormproof.task.live.open;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.alert.Alert;
import dev.stormproof.alert.AlertJson;
import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.heads.PaperHeads;
import dev.stormproof.task.live.progress.TopicIds;
import dev.stormproof.task.live.run.AlertsTopic;
import dev.stormproof.task.live.run.FindingsOutbox;
import dev.stormproof.task.live.run.ProducerLimits;
import dev.stormproof.task.live.run.PublishedAlerts;
import dev.stormproof.task.live.run.RecordLimits;
import dev.stormproof.task.live.run.TaskTransaction;
import dev.stormproof.testing.Intervals;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An alerts topic whose {@code max.message.bytes} is less than an alert of 1,000 anomalies has. */
@OnKafka
@Timeout(120)
class SmallAlertsTopicTest {
    private static final StreamId STREAM = new StreamId("orders", 1, 7);

    private final EmbeddedKafka kafka;
    private final String topic = SharedKafka.unique("small-alerts");
    private final StormproofConfig config;

    SmallAlertsTopicTest(EmbeddedKafka kafka) {
        this.kafka = kafka;
        kafka.createTopic(topic, 1, Map.of("max.message.bytes", "20000"));
        config = new StormproofConfig(Map.of(
                "bootstrap.servers",
                kafka.bootstrapServers(),
                "input.topics",
                "orders",
                "group.id",
                "g",
                "alerts.topic",
                topic,
                "verdicts.topic",
                "none"));
    }

    @Test
    void alertsAreCutToWhatTheTopicTakesAlsoWhenItTakesLessAtOnce() throws Exception {
        try (FindingsOutbox outbox = outbox()) {
            outbox.add(violated(1), TopicIds.UNKNOWN);
            assertThat(outbox.flush(Map.of(), Map.of(), 1)).isTrue();

            takeAtMost(5_000);
            outbox.add(violated(2), TopicIds.UNKNOWN);
            int flushes = 1;
            while (!outbox.flush(Map.of(), Map.of(), 1)) {
                flushes++;
            }
            assertThat(flushes).isEqualTo(2);
        }

        List<Violated> read = new ArrayList<>();
        AlertsTopic.read(
                config,
                Optional.empty(),
                partition -> true,
                (alert, place) -> read.add((Violated) alert.finding()),
                System::nanoTime);
        assertThat(read).extracting(alert -> alert.interval().number()).containsExactly(1L, 2L);
        assertThat(read).extracting(Violated::anomalyCount).containsOnly(1_000L);
        assertThat(AlertJson.write(new Alert("/stormproof/g", 1, read.get(0)))).hasSizeBetween(18_000, 20_000);
        assertThat(AlertJson.write(new Alert("/stormproof/g", 1, read.get(1)))).hasSizeBetween(3_500, 5_000);
    }

    private static Violated violated(long number) {
        Hash signature = Hash.copyOf(new byte[255]);
        List<Anomaly> anomalies = LongStream.range(0, Violated.MAX_NAMED)
                .mapToObj(event ->
                        new Anomaly(Anomaly.Kind.ALTERED, STREAM, event, event + 1, event, 1, signature, signature))
                .toList();
        return new Violated(
                Intervals.interval(STREAM, number, 90 + number, 0, 1_000), true, anomalies.size(), anomalies);
    }

    private FindingsOutbox outbox() {
        Map<String, Object> properties = config.kafkaProducer();
        properties.put("transactional.id", SharedKafka.unique("small-alerts"));
        KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
        producer.initTransactions();
        return new FindingsOutbox(
                new TaskTransaction(producer, new MockConsumer<byte[], byte[]>("none").groupMetadata(), () -> 0),
                config,
                note -> "",
                RecordLimits.of(config, ProducerLimits.of(config, 0)),
                new PublishedAlerts("g"),
                new PaperHeads(List::of),
                () -> 1,
                "0of1");
    }

    private void takeAtMost(int sizeBytes) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            AlterConfigOp smaller = new AlterConfigOp(
                    new ConfigEntry("max.message.bytes", Integer.toString(sizeBytes)), AlterConfigOp.OpType.SET);
            admin.incrementalAlterConfigs(
                            Map.of(new ConfigResource(ConfigResource.Type.TOPIC, topic), List.of(smaller)))
                    .all()
                    .get();
        }
    }
}
