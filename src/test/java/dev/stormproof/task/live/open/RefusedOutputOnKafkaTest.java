package dev.stormproof.task.live.open;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.verify.judge.Undelivered;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Records and topics that used to stop a task with an output on a real broker: each stops its own partition, and says so. */
@OnKafka
@Timeout(180)
class RefusedOutputOnKafkaTest {
    private static final long HOUR_MILLIS = 3_600_000;

    private final EmbeddedKafka kafka;
    private final Admin admin;
    private final String input;
    private final String output;
    private final String diverted;
    private final String alerts;
    private final Map<String, String> properties;

    RefusedOutputOnKafkaTest(EmbeddedKafka kafka) {
        this.kafka = kafka;
        this.admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
        this.input = SharedKafka.createTopic(kafka, "refused", 2);
        this.output = SharedKafka.createTopic(kafka, "refused-output", 2);
        this.diverted = SharedKafka.createTopic(kafka, "refused-diverted", 1);
        this.alerts = SharedKafka.createTopic(kafka, "refused-alerts", 1);
        this.properties = new HashMap<>(Map.of(
                "bootstrap.servers", kafka.bootstrapServers(),
                "input.topics", input,
                "group.id", SharedKafka.unique("refused-group"),
                "alerts.topic", alerts,
                "output.topic", output,
                "diverted.topic", diverted,
                "transform", DrivenTask.Exclaiming.class.getName()));
    }

    @BeforeEach
    void takeAnyTime() throws Exception {
        set(input, "message.timestamp.after.max.ms", Long.toString(Long.MAX_VALUE));
    }

    @AfterEach
    void close() {
        admin.close();
    }

    @Test
    void aRecordFurtherAheadThanTheOutputTopicTakesHaltsItsPartitionAlone() throws Exception {
        send(input, 0, now(), null, bytes("first"));
        send(input, 0, now() + 3 * HOUR_MILLIS, null, bytes("ahead"));
        send(input, 1, now(), null, bytes("other"));

        try (DrivenTask task = new DrivenTask(properties)) {
            task.driveUntil(() ->
                    !task.told(input, 0).isEmpty() && !task.values(output, 1).isEmpty());
            assertThat(task.values(output, 0)).containsExactly("first!");
            assertThat(task.told(input, 0)).singleElement().satisfies(told -> {
                assertThat(told.kind()).isEqualTo(Undelivered.Kind.HALTED);
                assertThat(told.offset()).isEqualTo(1);
                assertThat(told.detail()).contains("does not take the time of the record");
            });
            send(input, 1, now(), null, bytes("more"));
            task.driveUntil(() -> task.values(output, 1).size() == 2);
        }
    }

    @Test
    void anEventThatIsAsLargeAsTheOutputTopicTakesPassesAndALargerOneIsDiverted() throws Exception {
        properties.put("transform", "identity");
        properties.put("transform.on.error", "divert");
        // A batch of one record has 61 bytes besides, the record up to 23, and the header of the transform 56.
        send(input, 0, now(), null, new byte[1_048_400]);
        send(input, 0, now(), null, new byte[1_048_500]);

        try (DrivenTask task = new DrivenTask(properties)) {
            task.driveUntil(() -> task.read(output, 0).size() == 2);
            assertThat(task.read(output, 0).get(0).value()).hasSize(1_048_400);
            assertThat(task.read(output, 0).get(1).value()).isNull();
            assertThat(task.told(input, 0)).extracting(Undelivered::offset).containsExactly(1L);
        }
    }

    @Test
    void partitionsThatTheOutputTopicHasNotWaitAloneAndGoOnByThemselves() throws Exception {
        send(input, 0, now(), null, bytes("first"));
        try (DrivenTask task = new DrivenTask(properties)) {
            task.driveUntil(() -> task.values(output, 0).size() == 1);
            admin.createPartitions(Map.of(input, NewPartitions.increaseTo(3)))
                    .all()
                    .get();
            send(input, 2, now(), null, bytes("added"));
            long began = System.nanoTime();
            task.driveUntil(() -> !task.told(input, 2).isEmpty());
            send(input, 0, now(), null, bytes("second"));
            task.driveUntil(() -> task.values(output, 0).size() == 2);
            assertThat(System.nanoTime() - began).isLessThan(60_000_000_000L);
            assertThat(task.told(input, 2)).singleElement().satisfies(told -> {
                assertThat(told.kind()).isEqualTo(Undelivered.Kind.WAITING);
                assertThat(told.detail()).contains("has 2 partitions, none with the number 2");
            });

            admin.createPartitions(Map.of(output, NewPartitions.increaseTo(3)))
                    .all()
                    .get();
            task.driveUntil(() -> task.told(input, 2).size() == 2);
            assertThat(task.values(output, 2)).containsExactly("added!");
            assertThat(task.told(input, 2).get(1).kind()).isEqualTo(Undelivered.Kind.WAITED);
        }
    }

    @Test
    void aDeletedOutputTopicKeepsTheOutputOfNoOtherTopicWaiting() throws Exception {
        String other = SharedKafka.createTopic(kafka, "refused-other", 1);
        kafka.createTopic(input + "-made", 2, Map.of());
        kafka.createTopic(other + "-made", 1, Map.of());
        properties.put("input.topics", input + "," + other);
        properties.put("output.topic", "*-made");
        properties.put("producer.request.timeout.ms", "4000");
        properties.put("producer.delivery.timeout.ms", "5000");
        send(input, 0, now(), null, bytes("first"));
        send(other, 0, now(), null, bytes("first"));
        try (DrivenTask task = new DrivenTask(properties)) {
            task.driveUntil(() -> task.values(input + "-made", 0).size() == 1
                    && task.values(other + "-made", 0).size() == 1);

            admin.deleteTopics(Set.of(input + "-made")).all().get();
            send(input, 0, now(), null, bytes("second"));
            send(other, 0, now(), null, bytes("second"));
            long began = System.nanoTime();
            task.driveUntil(() -> task.values(other + "-made", 0).size() == 2
                    && !task.told(input, 0).isEmpty());
            System.out.printf("after a deletion others went on in %,d ms%n", (System.nanoTime() - began) / 1_000_000);
            assertThat(task.told(input, 0))
                    .singleElement()
                    .satisfies(told -> assertThat(told.kind()).isEqualTo(Undelivered.Kind.WAITING));

            kafka.createTopic(input + "-made", 2, Map.of());
            task.driveUntil(() -> task.told(input, 0).size() == 2
                    && !task.values(input + "-made", 0).isEmpty());
            assertThat(task.values(input + "-made", 0)).containsExactly("second!");
            assertThat(task.told(input, 0).get(1).kind()).isEqualTo(Undelivered.Kind.WAITED);
        }
    }

    @Test
    void anOutputTopicThatIsCompactedWaitsAndSettingsThatTheStartRefusesAreSaid() throws Exception {
        send(input, 0, now(), null, bytes("first"));
        try (DrivenTask task = new DrivenTask(properties)) {
            task.driveUntil(() -> task.values(output, 0).size() == 1);
            set(output, "cleanup.policy", "compact");
            set(output, "max.message.bytes", "500000");
            set(input, "cleanup.policy", "compact");
            task.driveUntil(() -> task.errors.size() >= 2);
            assertThat(task.errors)
                    .extracting(Throwable::getMessage)
                    .anySatisfy(message -> assertThat(message).contains("input topic " + input + " is compacted"))
                    .anySatisfy(message -> assertThat(message).contains("takes records of 500000 bytes"));
            send(input, 0, now(), bytes("key"), bytes("second"));
            task.driveUntil(() -> !task.told(input, 0).isEmpty());
            assertThat(task.told(input, 0).get(0).detail()).contains("is compacted");

            set(output, "cleanup.policy", "delete");
            task.driveUntil(() -> task.values(output, 0).size() == 2);
        }
    }

    /** Sends a record, as often as it takes: the broker may not know yet that the topic is there, or takes any time. */
    private void send(String topic, int partition, long time, byte @Nullable [] key, byte[] value) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = SharedKafka.producer(kafka, "max.request.size", 2 << 20)) {
            while (true) {
                try {
                    producer.send(new ProducerRecord<>(topic, partition, time, key, value))
                            .get();
                    return;
                } catch (ExecutionException e) {
                    assertThat(e).hasCauseInstanceOf(InvalidTimestampException.class);
                }
            }
        }
    }

    private void set(String topic, String name, String value) throws Exception {
        admin.incrementalAlterConfigs(Map.of(
                        new ConfigResource(ConfigResource.Type.TOPIC, topic),
                        List.of(new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET))))
                .all()
                .get();
    }

    private static long now() {
        return System.currentTimeMillis();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }
}
