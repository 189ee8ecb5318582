package dev.stormproof.task.live.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.alert.AlertSchema;
import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.emit.testing.Clients;
import dev.stormproof.proof.checkpoint.LogRecordParser;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.progress.GroupProgress;
import dev.stormproof.task.live.progress.TopicIds;
import dev.stormproof.task.live.run.ProducerFailure;
import dev.stormproof.task.live.run.RecordParsers;
import dev.stormproof.task.live.testing.PaperLog;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.MissedRecords;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One of two input topics is deleted before the progress in it is committed. */
@OnKafka
@Timeout(120)
class DeletedInputOnKafkaTest {
    private static final int EVENTS = 12;
    private static final int EVERY = 5;
    /** The last interval is open: neither its events nor a checkpoint behind them. */
    private static final int JUDGED = 2 * EVERY + 3;

    private final EmbeddedKafka kafka;
    private final TopicPartition gone;
    private final TopicPartition kept;
    private final TopicPartition alerts;
    private final StormproofConfig config;
    private final LogRecordParser parser;

    DeletedInputOnKafkaTest(EmbeddedKafka kafka) {
        this.kafka = kafka;
        this.gone = new TopicPartition(SharedKafka.createTopic(kafka, "gone", 1), 0);
        this.kept = new TopicPartition(SharedKafka.createTopic(kafka, "kept", 1), 0);
        this.alerts = new TopicPartition(SharedKafka.createTopic(kafka, "alerts", 1), 0);
        this.config = new StormproofConfig(Map.of(
                "bootstrap.servers", kafka.bootstrapServers(),
                "group.id", SharedKafka.unique("deleted"),
                "input.topics", gone.topic() + "," + kept.topic(),
                "alerts.topic", alerts.topic()));
        this.parser = RecordParsers.newParser(config);
    }

    @Test
    void whatWasNotDecidedThereIsMissedAndTheOtherTopicIsVerifiedOn() throws Exception {
        List<ConsumerRecord<byte[], byte[]>> goneLog = sent(gone);
        List<ConsumerRecord<byte[], byte[]>> keptLog = sent(kept);
        try (DurableVerification task = begin()) {
            take(task, goneLog);
            take(task, keptLog);
            delete(gone);

            assertThatCode(() -> driveUntil("what was missed is told", task, () -> !told().isEmpty()))
                    .doesNotThrowAnyException();

            assertThat(told()).singleElement().isInstanceOfSatisfying(MissedRecords.class, missed -> {
                assertThat(missed.partition().topic()).isEqualTo(gone.topic());
                assertThat(missed.beginOffset()).isEqualTo(JUDGED);
                assertThat(missed.endOffset()).isEqualTo(goneLog.size());
            });
            assertThat(committed(kept)).isEqualTo(JUDGED);
        }
    }

    @Test
    void aTaskThatAnotherHasFollowedWritesNothingMore() throws Exception {
        List<ConsumerRecord<byte[], byte[]>> goneLog = sent(gone);
        sent(kept);
        try (DurableVerification task = begin();
                DurableVerification next = begin(() -> {
                    take(task, goneLog.subList(0, EVERY));
                    driveUntil("it is begun", task, () -> committed(gone) > 0);
                    take(task, goneLog.subList(EVERY, goneLog.size()));
                })) {
            next.readOn();
            driveUntil("the next one is ahead", next, () -> committed(kept) == JUDGED);
            delete(gone);

            assertThatThrownBy(() -> driveUntil("what was missed is told", task, () -> !told().isEmpty()))
                    .matches(ProducerFailure::isFenced);
        }
    }

    private DurableVerification begin(Runnable before) {
        before.run();
        return begin();
    }

    private DurableVerification begin() {
        return new DurableVerification(
                config, new DurableVerification.Task("t", 0, 0, partition -> true), type -> {}, trouble -> {
                    throw new AssertionError(trouble);
                });
    }

    private void take(DurableVerification task, List<ConsumerRecord<byte[], byte[]>> log) {
        Map<String, Long> ids;
        try (TopicIds asked = new TopicIds(config.kafkaAdmin())) {
            ids = asked.of(Set.of(gone.topic(), kept.topic()));
        }
        for (ConsumerRecord<byte[], byte[]> record : log) {
            task.take(
                    new TopicPartition(record.topic(), record.partition()),
                    Objects.requireNonNull(ids.get(record.topic())),
                    new DeliveryLink(record.offset(), record.offset() - 1, 0),
                    record,
                    parser);
        }
    }

    private static void driveUntil(String what, DurableVerification task, BooleanSupplier done) {
        Clients.await(what, () -> {
            task.poll();
            task.tick();
            return done.getAsBoolean();
        });
    }

    private void delete(TopicPartition partition) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.deleteTopics(Set.of(partition.topic())).all().get();
        }
    }

    private long committed(TopicPartition partition) {
        return GroupProgress.read(config, partition::equals).of(partition).offset();
    }

    private List<Finding> told() {
        List<Finding> told = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : Clients.committed(kafka, alerts)) {
            try {
                told.add(AlertSchema.read(record.value()).finding());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return told;
    }

    private List<ConsumerRecord<byte[], byte[]>> sent(TopicPartition partition) throws Exception {
        List<ProducerRecord<byte[], byte[]>> log = PaperLog.of(partition.topic(), 1, EVENTS, EVERY, Map.of());
        log.remove(log.size() - 1);
        SharedKafka.send(kafka, log);
        return Clients.committed(kafka, partition);
    }
}
