package dev.stormproof.task.live.open;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.emit.testing.Clients;
import dev.stormproof.proof.checkpoint.LogRecordParser;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.progress.TopicIds;
import dev.stormproof.task.live.run.RecordParsers;
import dev.stormproof.task.live.testing.PaperLog;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.judge.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A partition that a task sees only once it runs, and of which a task before it told something beyond the progress. */
@OnKafka
@Timeout(120)
class LatePartitionsOnKafkaTest {
    private final EmbeddedKafka kafka;
    private final TopicPartition input;
    private final TopicPartition alerts;
    private final StormproofConfig config;
    private final List<Finding.Type> found = new ArrayList<>();
    private volatile boolean seen = true;

    LatePartitionsOnKafkaTest(EmbeddedKafka kafka) {
        this.kafka = kafka;
        this.input = new TopicPartition(SharedKafka.createTopic(kafka, "late", 1), 0);
        this.alerts = new TopicPartition(SharedKafka.createTopic(kafka, "alerts", 1), 0);
        this.config = new StormproofConfig(Map.of(
                "bootstrap.servers", kafka.bootstrapServers(),
                "group.id", SharedKafka.unique("late"),
                "input.topics", input.topic(),
                "alerts.topic", alerts.topic()));
    }

    /** The first emitter's last interval is open, which holds the progress; the second one loses an event. */
    @BeforeEach
    void tellOfALossBeyondTheProgress() throws Exception {
        List<ProducerRecord<byte[], byte[]>> log = PaperLog.of(input.topic(), 1, 3, 5, Map.of());
        log.remove(log.size() - 1);
        List<ProducerRecord<byte[], byte[]>> second = PaperLog.of(input.topic(), 1, 10, 5, Map.of());
        second.remove(3);
        log.addAll(second);
        SharedKafka.send(kafka, log);
        try (DurableVerification before = begin()) {
            before.readOn();
            driveUntilTheLossIsFound(before);
        }
        assertThat(Clients.committed(kafka, alerts)).hasSize(1);
        found.clear();
    }

    @Test
    void whatWasToldBeyondItsProgressIsNotToldAgain() {
        seen = false;
        try (DurableVerification verification = begin()) {
            verification.readOn();
            seen = true;
            driveUntilTheLossIsFound(verification);
        }

        assertThat(Clients.committed(kafka, alerts)).hasSize(1);
    }

    @Test
    void whatWasToldIsNotToldAgainOfOneThatIsDeliveredBeforeItIsSeen() {
        LogRecordParser parser = RecordParsers.newParser(config);
        seen = false;
        try (DurableVerification verification = begin()) {
            for (ConsumerRecord<byte[], byte[]> record : Clients.committed(kafka, input)) {
                DeliveryLink link = new DeliveryLink(
                        record.offset(),
                        record.offset() - 1,
                        record.leaderEpoch().orElse(DeliveryLink.NO_EPOCH));
                verification.take(input, TopicIds.UNKNOWN, link, record, parser);
            }
            seen = true;
            driveUntilTheLossIsFound(verification);
        }

        assertThat(Clients.committed(kafka, alerts)).hasSize(1);
    }

    private DurableVerification begin() {
        return new DurableVerification(
                config, new DurableVerification.Task("t", 0, 0, partition -> seen), found::add, trouble -> {
                    throw new AssertionError(trouble);
                });
    }

    private void driveUntilTheLossIsFound(DurableVerification verification) {
        Clients.await("the loss", () -> {
            verification.poll();
            verification.tick();
            return found.contains(Finding.Type.VIOLATED);
        });
        verification.tick();
    }
}
