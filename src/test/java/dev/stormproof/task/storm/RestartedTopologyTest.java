package dev.stormproof.task.storm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.alert.Alert;
import dev.stormproof.alert.AlertSchema;
import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.LocalRun;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.cli.local.Stages;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.testing.PaperLog;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.Verdict.Verified;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A topology that ends in the middle of an interval, and another that goes on in its place. */
@Tag(Stages.CLUSTER)
@OnKafka
@Timeout(240)
class RestartedTopologyTest {
    private final EmbeddedKafka kafka;
    private final String topic;
    private final String alertsTopic;
    private final String verdictsTopic;
    private final StormproofConfig config;
    private final List<Alert> alerts = new ArrayList<>();
    private final List<Alert> verdicts = new ArrayList<>();

    RestartedTopologyTest(EmbeddedKafka kafka) {
        this.kafka = kafka;
        this.topic = SharedKafka.createTopic(kafka, "restarted", 1);
        this.alertsTopic = SharedKafka.createTopic(kafka, "restarted-alerts", 1);
        this.verdictsTopic = SharedKafka.createTopic(kafka, "restarted-verdicts", 1);
        this.config = new StormproofConfig(Map.of(
                "bootstrap.servers", kafka.bootstrapServers(),
                "input.topics", topic,
                "group.id", SharedKafka.unique("restarted-group"),
                "alerts.topic", alertsTopic,
                "verdicts.topic", verdictsTopic));
    }

    @Test
    void goesOnWhereItEndedAndTellsNoAlertTwice() throws Exception {
        // 40 events in intervals of 10; one is lost in each of intervals 2 and 3, of which 3 is the last that is sealed
        // when the topology ends: its verdict waits for the next checkpoint.
        List<ProducerRecord<byte[], byte[]>> log = PaperLog.of(topic, 1, 40, 10, Map.of());
        log.remove(26);
        log.remove(15);
        List<ProducerRecord<byte[], byte[]>> firstPart = log.subList(0, 36);
        List<ProducerRecord<byte[], byte[]>> secondPart = log.subList(36, log.size());
        try (KafkaConsumer<byte[], byte[]> consumer = newConsumer()) {
            send(firstPart);
            runUntil(consumer, () -> ids(alerts).contains(idOf("2", "r2")));
            int toldBefore = alerts.size();

            send(secondPart);
            runUntil(consumer, () -> finals() >= 6 && ids(alerts).contains(idOf("3", "r2")));

            assertThat(alerts.size()).isGreaterThan(toldBefore);
            assertThat(ids(alerts)).doesNotHaveDuplicates().allMatch(id -> id.contains("/2/r") || id.contains("/3/r"));
            assertThat(verdicts)
                    .filteredOn(alert -> !ids(alerts).contains(nameOf(alert)))
                    .allSatisfy(alert -> assertThat(alert.finding()).isInstanceOf(Verified.class));
        }
    }

    private void runUntil(KafkaConsumer<byte[], byte[]> consumer, BooleanSupplier done) throws Exception {
        runUntil(config, consumer, done);
    }

    private void runUntil(StormproofConfig settings, KafkaConsumer<byte[], byte[]> consumer, BooleanSupplier done)
            throws Exception {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(100);
        LocalRun run = LocalRun.start("restarted", settings);
        try {
            while (!done.getAsBoolean()) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
                    take(record);
                }
                assertThat(System.nanoTime())
                        .as("alerts %s, verdicts %s", ids(alerts), ids(verdicts))
                        .isLessThan(deadlineNanos);
            }
        } finally {
            run.close();
        }
    }

    private void take(ConsumerRecord<byte[], byte[]> record) throws IOException {
        (record.topic().equals(alertsTopic) ? alerts : verdicts).add(AlertSchema.read(record.value()));
    }

    private long finals() {
        return verdicts.stream()
                .filter(alert -> alert.finding().revision() == Finding.FINAL_REVISION)
                .map(alert -> alert.finding().id())
                .distinct()
                .count();
    }

    private String idOf(String number, String revision) {
        return verdicts.stream()
                .map(alert -> alert.finding().id())
                .filter(id -> id.endsWith("/" + number))
                .findFirst()
                .map(id -> id + "/" + revision)
                .orElse("none yet");
    }

    private static String nameOf(Alert alert) {
        return alert.finding().id() + "/r" + alert.finding().revision();
    }

    private static List<String> ids(List<Alert> alerts) {
        return alerts.stream().map(RestartedTopologyTest::nameOf).toList();
    }

    private KafkaConsumer<byte[], byte[]> newConsumer() {
        KafkaConsumer<byte[], byte[]> consumer = SharedKafka.consumer(
                kafka,
                "group.id",
                SharedKafka.unique("reader"),
                "auto.offset.reset",
                "earliest",
                "isolation.level",
                "read_committed");
        consumer.subscribe(Set.of(alertsTopic, verdictsTopic));
        return consumer;
    }

    private void send(List<ProducerRecord<byte[], byte[]>> records) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = SharedKafka.producer(kafka)) {
            for (ProducerRecord<byte[], byte[]> record : records) {
                producer.send(new ProducerRecord<>(topic, 0, null, null, record.value(), record.headers()))
                        .get(30, TimeUnit.SECONDS);
            }
        }
    }
}
