package dev.stormproof.side;

import static dev.stormproof.emit.testing.Clients.await;
import static dev.stormproof.emit.testing.Clients.consumer;
import static dev.stormproof.emit.testing.Clients.producerSettings;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.cli.testing.Shell;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.emit.CheckpointingProducer;
import dev.stormproof.emit.EmitterConfig;
import dev.stormproof.fault.FaultInjector;
import dev.stormproof.fault.FaultKind;
import dev.stormproof.fault.FaultPlan;
import dev.stormproof.local.EmbeddedKafka;
import dev.stormproof.local.OnKafka;
import dev.stormproof.local.SharedKafka;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidPartitionsException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An emitter that writes its checkpoints to a topic of their own, and audits of both topics in a broker. */
@OnKafka
@Timeout(600)
class SideTopicOnKafkaTest {
    private static final int EVENTS = 40;
    private static final int EVERY = 10;

    private final EmbeddedKafka kafka;
    private final String topic = SharedKafka.unique("prices");
    private final String side = topic + "-checkpoints";

    SideTopicOnKafkaTest(EmbeddedKafka kafka) {
        this.kafka = kafka;
    }

    private void create(int partitions, int sidePartitions, Map<String, String> config) {
        kafka.createTopic(topic, partitions, config);
        kafka.createTopic(side, sidePartitions, Map.of("retention.ms", "-1"));
    }

    private CheckpointingProducer<String, String> emitter(FaultPlan plan, Object... more) {
        List<Object> settings = new ArrayList<>(List.of(
                EmitterConfig.CHECKPOINT_TOPIC,
                side,
                EmitterConfig.MAX_EVENTS,
                EVERY,
                EmitterConfig.PROMISE_MS,
                3_600_000L));
        settings.addAll(Arrays.asList(more));
        return new CheckpointingProducer<>(
                producerSettings(kafka, settings.toArray()),
                new StringSerializer(),
                new StringSerializer(),
                inner -> new FaultInjector(new KafkaProducer<>(inner), plan));
    }

    private static FaultPlan none() {
        return FaultPlan.of(Map.of(), Map.of(), EVERY, 1);
    }

    private void emit(CheckpointingProducer<String, String> producer, int partitions) {
        for (int i = 0; i < EVENTS; i++) {
            for (int partition = 0; partition < partitions; partition++) {
                Future<RecordMetadata> unused =
                        producer.send(new ProducerRecord<>(topic, partition, "key " + i % 4, "event " + i));
            }
        }
    }

    private Shell.Result audit(String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "audit", "--bootstrap-server", kafka.bootstrapServers(), "--topic", topic, "--checkpoint-topic", side));
        arguments.addAll(Arrays.asList(more));
        return Shell.here(arguments.toArray(String[]::new));
    }

    private List<ConsumerRecord<String, String>> read(String of, int partition) {
        List<ConsumerRecord<String, String>> found = new ArrayList<>();
        TopicPartition at = new TopicPartition(of, partition);
        try (var consumer = consumer(kafka, SharedKafka.unique("group"))) {
            consumer.assign(List.of(at));
            consumer.seekToBeginning(List.of(at));
            long end = Objects.requireNonNull(consumer.endOffsets(List.of(at)).get(at));
            while (consumer.position(at) < end) {
                consumer.poll(Duration.ofMillis(100)).forEach(found::add);
            }
        }
        return found;
    }

    private void delete(String of, long before) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.deleteRecords(Map.of(new TopicPartition(of, 0), RecordsToDelete.beforeOffset(before)))
                    .all()
                    .get();
        }
    }

    @Test
    void theTopicOfEventsHoldsEventsAloneAndBothTogetherAreVerified() {
        create(2, 3, Map.of("cleanup.policy", "compact"));
        try (var producer = emitter(none())) {
            emit(producer, 2);
        }

        assertThat(read(topic, 0)).hasSize(EVENTS).allMatch(record -> record.value() != null && record.key() != null);
        assertThat(read(side, 0)).hasSize(6).allMatch(record -> record.value() == null);
        Shell.Result result = audit();
        assertThat(result.exitCode()).as(result.toString()).isEqualTo(ExitCode.VERIFIED);
        assertThat(result.out().lines().map(line -> line.strip().replaceAll(" {2,}", " | ")))
                .contains("0 | 0 to 39 | 40 | 6 | 6 | 0 | 0 | 0", "1 | 0 to 39 | 40 | 6 | 6 | 0 | 0 | 0")
                .contains("VERIFIED: 80 events arrived once, in order and unaltered");
    }

    @Test
    void checkpointsAreInTheTransactionOfTheirEvents() {
        create(1, 1, Map.of());
        try (var producer = emitter(none(), "transactional.id", SharedKafka.unique("tx"))) {
            producer.initTransactions();
            producer.beginTransaction();
            emit(producer, 1);
            producer.abortTransaction();
            producer.beginTransaction();
            emit(producer, 1);
            producer.commitTransaction();
        }
        Shell.Result result = audit();
        assertThat(result.exitCode()).as(result.toString()).isEqualTo(ExitCode.VERIFIED);
        assertThat(result.out()).contains("VERIFIED: 40 events");
    }

    @Test
    void whatIsLostRepeatedOrMovedInTheTopicOfEventsIsNamed() {
        create(1, 1, Map.of());
        FaultPlan plan = FaultPlan.of(
                Map.of(new TopicPartition(topic, 0), EVENTS),
                Map.of(FaultKind.LOSE, 2, FaultKind.DUPLICATE, 1, FaultKind.SWAP, 1),
                EVERY,
                Long.getLong("seed", 7));
        try (var producer = emitter(plan)) {
            emit(producer, 1);
        }
        Shell.Result result = audit("--json");
        assertThat(result.exitCode()).as(result.toString()).isEqualTo(ExitCode.VIOLATED);
        assertThat(result.out())
                .contains("\"kind\":\"lost\"", "\"kind\":\"duplicated\"", "\"kind\":\"reordered\"")
                .contains("\"topic\":\"" + topic + "\"");
    }

    @Test
    void othersRecordsInTheSideTopicAreToldThere() {
        create(1, 1, Map.of());
        try (var producer = emitter(none())) {
            emit(producer, 1);
        }
        try (KafkaProducer<byte[], byte[]> stranger = new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            Future<RecordMetadata> unused = stranger.send(new ProducerRecord<>(side, 0, null, "hello".getBytes(UTF_8)));
        }
        Shell.Result result = audit();
        assertThat(result.exitCode()).as(result.toString()).isEqualTo(ExitCode.VIOLATED);
        assertThat(result.out()).contains(side + "-0@6");
        assertThat(audit("--unsigned", "ignore").exitCode()).isEqualTo(ExitCode.VERIFIED);
    }

    @Test
    void whatExpiredInEitherTopicIsNotVerifiedAndNotViolated() throws Exception {
        create(1, 1, Map.of());
        try (var producer = emitter(none())) {
            emit(producer, 1);
        }
        delete(side, 2);
        Shell.Result without = audit();
        assertThat(without.exitCode()).as(without.toString()).isEqualTo(ExitCode.VERIFIED);
        assertThat(without.out()).contains("VERIFIED: 30 events", "begins at 10; what lay before it was not judged");

        delete(topic, 15);
        Shell.Result both = audit();
        assertThat(both.exitCode()).as(both.toString()).isEqualTo(ExitCode.INCONCLUSIVE);
        assertThat(both.out()).contains("20 events are proven");
    }

    @Test
    void whatCompactionTookIsInconclusive() throws Exception {
        create(1, 1, Map.of("cleanup.policy", "compact", "segment.ms", "60000", "min.cleanable.dirty.ratio", "0.0"));
        long anHourAgo = System.currentTimeMillis() - 3_600_000;
        try (var producer = emitter(none())) {
            for (int i = 0; i < EVENTS; i++) {
                long millis = i < EVENTS / 2 ? anHourAgo : System.currentTimeMillis();
                Future<RecordMetadata> sent =
                        producer.send(new ProducerRecord<>(topic, 0, millis, "key " + i % 4, "event " + i));
                var unused = sent.get();
            }
        }
        await("compaction", () -> read(topic, 0).size() < EVENTS);

        Shell.Result result = audit();
        assertThat(result.exitCode()).as(result.toString()).isEqualTo(ExitCode.INCONCLUSIVE);
        assertThat(result.out()).contains("compaction of the topic may have taken them", "20 events are proven");
    }

    @Test
    void aSideTopicWithFewerPartitionsIsRefusedByBoth() {
        create(2, 1, Map.of());
        try (var producer = emitter(none())) {
            assertThatThrownBy(() -> producer.send(new ProducerRecord<>(topic, 1, "key", "event"))
                            .get())
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOf(InvalidPartitionsException.class)
                    .hasMessageContaining("topic " + side + " has 1 partitions")
                    .hasMessageContaining("it needs as many as " + topic);
            assertThatThrownBy(() -> producer.send(new ProducerRecord<>(side, 0, "key", "event")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("takes checkpoints");
        }
        Shell.Result result = audit();
        assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err()).contains("--checkpoint-topic " + side + " has 1 partitions, and " + topic + " has 2");
    }

    @Test
    void whatCannotBeJudgedIsRefused() {
        create(1, 1, Map.of("cleanup.policy", "compact"));
        for (List<String> option : List.of(
                List.of("--from", "3"),
                List.of("--since", "2026-01-31T08:00:00Z"),
                List.of("--complete-from", "0"),
                List.of("--mirror-of", "other"))) {
            Shell.Result result = audit(option.toArray(String[]::new));
            assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
            assertThat(result.err()).contains(option.get(0) + " does not go with --checkpoint-topic");
        }
        Shell.Result alone = Shell.here("audit", "--bootstrap-server", kafka.bootstrapServers(), "--topic", topic);
        assertThat(alone.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(alone.err()).contains("topic " + topic + " is compacted", "--checkpoint-topic");
        Shell.Result same = Shell.here(
                "audit", "--bootstrap-server", kafka.bootstrapServers(), "--topic", side, "--checkpoint-topic", topic);
        assertThat(same.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(same.err()).contains(topic + " is compacted, and checkpoints have no keys");
    }
}
