package dev.stormproof.task.live.open;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.alert.AlertSchema;
import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.emit.CheckpointingProducer;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.LogRecordParser;
import dev.stormproof.proof.checkpoint.TransformedHeader;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.run.RecordParsers;
import dev.stormproof.task.transform.EventTransform;
import dev.stormproof.task.transform.InputEvent;
import dev.stormproof.task.transform.Transformed;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.HeaderBytes;
import dev.stormproof.verify.judge.Undelivered;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The output of tasks on a real broker: transform(log), once and in order, whatever happens to the tasks. */
@OnKafka
@Timeout(180)
class OutputOnKafkaTest {
    private static final int PARTITIONS = 2;
    private final long seed = Long.getLong("seed", new Random().nextLong());
    private final Random random = new Random(seed);
    private final EmbeddedKafka kafka;
    private final String group = SharedKafka.unique("group");
    private final String input;
    private final String output;
    private final String diverted;
    private final String alerts;
    private final Deque<Task> open = new ArrayDeque<>();
    /** One for each partition, since another assignment waits for metadata. */
    private final Map<TopicPartition, KafkaConsumer<byte[], byte[]>> readers = new HashMap<>();

    OutputOnKafkaTest(EmbeddedKafka kafka) {
        System.out.println("OutputOnKafkaTest: -Dseed=" + seed);
        this.kafka = kafka;
        this.input = SharedKafka.createTopic(kafka, "input", PARTITIONS);
        this.output = SharedKafka.createTopic(kafka, "output", PARTITIONS);
        this.diverted = SharedKafka.createTopic(kafka, "diverted", 1);
        this.alerts = SharedKafka.createTopic(kafka, "alerts", 1);
    }

    /** Doubles every value and adds a header. */
    public static final class Doubling implements EventTransform {
        @Override
        public Transformed apply(InputEvent event) {
            String text = new String(Objects.requireNonNull(event.value()), UTF_8);
            return Transformed.of((text + text).getBytes(UTF_8))
                    .withHeader("length", new byte[] {(byte) text.length()});
        }
    }

    @AfterEach
    void close() {
        open.forEach(Task::close);
        readers.values().forEach(KafkaConsumer::close);
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "verified"})
    void theOutputIsTheTransformedLogThoughDeliveriesAreLostAndTasksDie(String hold) {
        Map<String, String> settings = Map.of("output.hold", hold);
        Task task = new Task(1, 0, settings);
        for (int round = 0; round < 6; round++) {
            send(100 + random.nextInt(200));
            task.deliver(random.nextInt(300), 0.05);
            if (random.nextBoolean()) {
                task.tick();
            }
            task.deliver(random.nextInt(300), 0.05);
            // Killed: its transaction stays open until the next one ends it.
            task = new Task(1, 0, settings);
        }
        deliverUntil(task, () -> outputEnds().equals(inputEnds()));

        assertOutputIsTheTransformedInput();
        assertThat(undelivered()).isEmpty();
    }

    @Test
    void aTaskThatWasStoppedForAWhileWritesNothingMoreThoughTheNextTopologyHasOtherTasks() {
        Task stopped = started(1);
        send(200);
        stopped.deliver(150, 0);
        List<Task> next = List.of(started(2, 0), started(2, 1));
        next.forEach(task -> task.deliver(10, 0));

        assertThatThrownBy(() -> {
                    stopped.deliver(1_000, 0);
                    deliverUntil(stopped, () -> sum(outputEnds()) >= sum(inputEnds()));
                })
                .satisfiesAnyOf(
                        failure -> assertThat(failure).isInstanceOf(ProducerFencedException.class),
                        failure -> assertThat(failure).isInstanceOf(InvalidProducerEpochException.class),
                        failure -> assertThat(failure).hasCauseInstanceOf(ProducerFencedException.class),
                        failure -> assertThat(failure).hasCauseInstanceOf(InvalidProducerEpochException.class));
        deliverUntil(next.get(0), next.get(1), () -> outputEnds().equals(inputEnds()));

        assertOutputIsTheTransformedInput();
    }

    private void assertOutputIsTheTransformedInput() {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            List<ConsumerRecord<byte[], byte[]>> in = read(input, partition);
            List<ConsumerRecord<byte[], byte[]>> out = outputOf(partition);
            assertThat(out).hasSameSizeAs(in);
            for (int i = 0; i < in.size(); i++) {
                assertThat(text(out.get(i))).isEqualTo(transformedText(in.get(i)));
            }
        }
    }

    private static String transformedText(ConsumerRecord<byte[], byte[]> in) {
        if (in.headers().lastHeader(Format2Checkpoint.HEADER) != null) {
            return text(in);
        }
        String value = new String(in.value(), UTF_8);
        return text(in).replace(" " + value + " ", " " + value + value + " ") + " length=" + (char) value.length() + " "
                + TransformedHeader.NAME;
    }

    /** Everything of a record but the transform's signature, in one line. */
    private static String text(ConsumerRecord<byte[], byte[]> record) {
        StringBuilder text = new StringBuilder();
        text.append(record.timestamp())
                .append(' ')
                .append(record.key() == null ? "-" : new String(record.key(), UTF_8))
                .append(' ')
                .append(record.value() == null ? "-" : new String(record.value(), UTF_8))
                .append(' ');
        for (Header header : record.headers()) {
            boolean ours = header.key().equals(TransformedHeader.NAME);
            boolean length = header.key().equals("length");
            text.append(text.charAt(text.length() - 1) == ' ' ? "" : " ").append(header.key());
            if (length) {
                text.append('=').append((char) header.value()[0]);
            } else if (!ours) {
                text.append('=')
                        .append(HeaderBytes.NONE
                                .plus(header.key(), header.value())
                                .encoded()
                                .length);
            }
        }
        return text.toString();
    }

    /** Sends events to both partitions. */
    private void send(int events) {
        Map<String, Object> settings = Map.of(
                "bootstrap.servers",
                kafka.bootstrapServers(),
                "stormproof.checkpoint.max.events",
                25,
                "stormproof.checkpoint.max.interval.ms",
                600_000L);
        try (CheckpointingProducer<byte[], byte[]> producer =
                new CheckpointingProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int event = 0; event < events; event++) {
                var unused = producer.send(new ProducerRecord<>(
                        input,
                        event % PARTITIONS,
                        ("key-" + event).getBytes(UTF_8),
                        ("event-" + event).getBytes(UTF_8)));
            }
        }
    }

    private static long sum(List<Long> ends) {
        return ends.stream().mapToLong(Long::longValue).sum();
    }

    private List<Long> inputEnds() {
        return ends(input);
    }

    private List<Long> outputEnds() {
        List<Long> counts = new ArrayList<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            counts.add((long) outputOf(partition).size());
        }
        return counts;
    }

    private List<Long> ends(String topic) {
        List<Long> counts = new ArrayList<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            counts.add((long) read(topic, partition).size());
        }
        return counts;
    }

    private List<ConsumerRecord<byte[], byte[]>> outputOf(int partition) {
        return read(output, partition);
    }

    private List<Undelivered> undelivered() {
        List<Undelivered> found = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> alert : read(alerts, 0)) {
            try {
                if (AlertSchema.read(alert.value()).finding() instanceof Undelivered undelivered) {
                    found.add(undelivered);
                }
            } catch (java.io.IOException e) {
                throw new AssertionError(e);
            }
        }
        return found;
    }

    private List<ConsumerRecord<byte[], byte[]>> read(String topic, int partition) {
        TopicPartition one = new TopicPartition(topic, partition);
        List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
        KafkaConsumer<byte[], byte[]> reader = readers.computeIfAbsent(one, first -> {
            KafkaConsumer<byte[], byte[]> assigned = consumer();
            assigned.assign(Set.of(first));
            return assigned;
        });
        reader.seekToBeginning(Set.of(one));
        long end = Objects.requireNonNull(reader.endOffsets(Set.of(one)).get(one));
        while (reader.position(one) < end) {
            reader.poll(Duration.ofMillis(100)).forEach(all::add);
        }
        return all;
    }

    private long committed(int partition) {
        TopicPartition one = new TopicPartition(input, partition);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            OffsetAndMetadata offset = admin.listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata()
                    .get()
                    .get(one);
            return offset == null ? -1 : offset.offset();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private KafkaConsumer<byte[], byte[]> consumer() {
        return SharedKafka.consumer(kafka, "isolation.level", "read_committed");
    }

    private Task started(int tasks) {
        return started(tasks, 0);
    }

    private Task started(int tasks, int index) {
        return new Task(tasks, index, Map.of());
    }

    private static void deliverUntil(Task task, BooleanSupplier done) {
        deliverUntil(task, task, done);
    }

    private static void deliverUntil(Task one, Task other, BooleanSupplier done) {
        do {
            for (Task task : Set.of(one).contains(other) ? List.of(one) : List.of(one, other)) {
                task.deliver(1_000, 0);
                task.tick();
            }
        } while (!done.getAsBoolean());
    }

    /** A task, and the spout before it. */
    private final class Task implements AutoCloseable {
        private final List<Throwable> errors = new ArrayList<>();
        private final DurableVerification verification;
        private final KafkaConsumer<byte[], byte[]> spout = consumer();
        private final LogRecordParser parser;
        private final Map<TopicPartition, Long> last = new HashMap<>();
        private final Deque<ConsumerRecord<byte[], byte[]>> polled = new ArrayDeque<>();

        Task(int tasks, int index, Map<String, String> more) {
            Map<String, String> properties = new HashMap<>(Map.of(
                    "bootstrap.servers", kafka.bootstrapServers(),
                    "input.topics", input,
                    "group.id", group,
                    "alerts.topic", alerts,
                    "output.topic", output,
                    "diverted.topic", diverted,
                    "transform", Doubling.class.getName(),
                    "transform.retries", "1",
                    "checkpoint.tasks", Integer.toString(tasks)));
            properties.putAll(more);
            StormproofConfig config = new StormproofConfig(properties);
            parser = RecordParsers.newParser(config);
            verification = new DurableVerification(
                    config,
                    new DurableVerification.Task(
                            "t-" + tasks, index, index, partition -> partition.partition() % tasks == index),
                    type -> {},
                    errors::add);
            List<TopicPartition> mine = new ArrayList<>();
            for (int partition = 0; partition < PARTITIONS; partition++) {
                if (partition % tasks == index) {
                    mine.add(new TopicPartition(input, partition));
                }
            }
            spout.assign(mine);
            mine.forEach(partition -> spout.seek(partition, Math.max(0, committed(partition.partition()))));
            open.add(this);
        }

        /** Delivers so many records at most, and loses some. */
        void deliver(int most, double lost) {
            for (int i = 0; i < most; i++) {
                if (polled.isEmpty()) {
                    spout.poll(Duration.ofMillis(50)).forEach(polled::add);
                }
                ConsumerRecord<byte[], byte[]> record = polled.poll();
                if (record == null) {
                    return;
                }
                take(record, random.nextDouble() < lost);
            }
        }

        private void take(ConsumerRecord<byte[], byte[]> record, boolean lost) {
            TopicPartition partition = new TopicPartition(record.topic(), record.partition());
            @Nullable Long before = last.put(partition, record.offset());
            if (lost) {
                return;
            }
            DeliveryLink link = new DeliveryLink(
                    record.offset(),
                    before == null ? record.offset() - 1 : before,
                    record.leaderEpoch().orElse(DeliveryLink.NO_EPOCH));
            verification.take(partition, 0, link, record, parser);
        }

        void tick() {
            verification.tick();
        }

        @Override
        public void close() {
            spout.close();
            verification.close();
        }
    }
}
