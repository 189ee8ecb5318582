package dev.stormproof.task.storm.spout;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.task.storm.testing.RecordingCollector;
import dev.stormproof.task.storm.testing.TestContexts;
import dev.stormproof.task.storm.tuple.Delivery;
import dev.stormproof.task.storm.tuple.DeliveryBatch;
import dev.stormproof.verify.feed.DeliveryLink;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.storm.kafka.spout.KafkaSpout;
import org.apache.storm.kafka.spout.KafkaSpoutConfig;
import org.apache.storm.kafka.spout.KafkaSpoutConfig.ProcessingGuarantee;
import org.apache.storm.kafka.spout.SpoutBehindConsumer;
import org.apache.storm.kafka.spout.subscription.ManualPartitioner;
import org.apache.storm.kafka.spout.subscription.NamedTopicFilter;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.utils.Time;
import org.apache.storm.utils.Time.SimulatedTime;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The translation alone, and inside Storm's own KafkaSpout, with Kafka's mock consumer behind it and a clock that stands still. */
class RecordTranslationTest {
    private static final TopicPartition P0 = new TopicPartition("orders", 0);
    private static final TopicPartition P1 = new TopicPartition("orders", 1);
    private static final long LATER_MILLIS = KafkaSpoutConfig.DEFAULT_PARTITION_REFRESH_PERIOD_MS + 1_000;
    private static final int CALLS = 50;

    private final SimulatedTime clock = new SimulatedTime();
    private final LogConsumer consumer = new LogConsumer(P0, P1);
    private final Emitted emitted = new Emitted();
    private final RecordSink outlet = new TupleOutlet();
    private final Assignment assignment = new Assignment(P0);

    @AfterEach
    void startTheClock() {
        clock.close();
    }

    /** What happens to a partition: the offset of a record that is read of it, or a change by name. */
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "the first record,             5,                      4",
        "contiguous,                   5 6 7,                  4 5 6",
        "behind markers,               0 1 3 7,                -1 0 1 3",
        "read again,                   0 1 3 1 3 5,            -1 0 1 0 1 3",
        "behind a reset,               0 1 reset 7 9,          -1 0 6 7",
        "lost and gained again,        0 1 lost gained 7 9,    -1 0 6 7",
        "kept while another is gained, 0 1 joined 3,           -1 0 1",
        "kept while another is lost,   0 joined 1 gained 3,    -1 0 1",
    })
    void eachRecordNamesTheOneBeforeIt(String what, String events, String previous) {
        RecordTranslation translation = new RecordTranslation(new Gained(), outlet);
        translation.open(Map.of(), TestContexts.task(0, 1));
        List<Long> named = new ArrayList<>();
        for (String event : events.split(" ", -1)) {
            switch (event) {
                case "reset" -> translation.reset(P0);
                case "lost" -> translation.onPartitionsReassigned(List.of(P1));
                case "gained" -> translation.onPartitionsReassigned(List.of(P0));
                case "joined" -> translation.onPartitionsReassigned(List.of(P0, P1));
                default -> named.add(previousOf(translation, Long.parseLong(event)));
            }
        }

        assertThat(named).map(String::valueOf).containsExactly(previous.split(" ", -1));
    }

    private long previousOf(RecordTranslation translation, long offset) {
        emitted.clear();
        assertThat(translation.apply(new ConsumerRecord<>(P0.topic(), P0.partition(), offset, null, null)))
                .as("what KafkaSpout is to emit")
                .isNull();
        outlet.polled();
        return emitted.delivery(P0, offset).link().previous();
    }

    @BeforeEach
    void openOutlet() {
        outlet.open(TestContexts.task(0, 1), new SpoutOutputCollector(emitted));
    }

    @Test
    void aDeliveryHoldsEverythingOfItsRecord() {
        Headers headers = new RecordHeaders()
                .add("a", new byte[] {1})
                .add("signature", "first".getBytes(UTF_8))
                .add("signature", "last".getBytes(UTF_8))
                .add("none", null);
        consumer.append(P0, 3, 9, "key".getBytes(UTF_8), "value".getBytes(UTF_8), headers);
        consumer.append(P0, 4, 9, null, null, new RecordHeaders());
        KafkaSpout<byte[], byte[]> spout = spout();

        run(spout);

        Delivery full = emitted.delivery(P0, 3);
        assertThat(full.partition()).isEqualTo(P0);
        assertThat(full.content().timestampMillis()).isEqualTo(1_003);
        assertThat(full.link()).isEqualTo(new DeliveryLink(3, 2, 9));
        assertThat(full.topicId()).isEqualTo(70);
        assertThat(full.content().key()).asString(UTF_8).isEqualTo("key");
        assertThat(full.content().value()).asString(UTF_8).isEqualTo("value");
        assertThat(full.content().headers().last("signature")).asString(UTF_8).isEqualTo("last");
        assertThat(full.content().headers().last("none")).isNull();
        assertThat(full.content().headers().last("missing")).isNull();
        assertThat(headers(full)).containsExactly(headers.toArray());
        Delivery empty = emitted.delivery(P0, 4);
        assertThat(empty.content().key()).isNull();
        assertThat(empty.content().value()).isNull();
        assertThat(headers(empty)).isEmpty();
    }

    /** The next one names it as the one before, so that the verifier finds a gap, and has the log read. */
    @Test
    void aRecordThatIsTooLargeToBeReadIsNotDelivered() {
        RecordTranslation translation = new RecordTranslation(new Gained(), outlet);
        translation.open(Map.of(), TestContexts.task(0, 1));
        previousOf(translation, 6);
        emitted.clear();
        int tooLarge = (64 << 20) + 1;
        translation.apply(new ConsumerRecord<>(
                P0.topic(),
                P0.partition(),
                7,
                1_007,
                TimestampType.CREATE_TIME,
                ConsumerRecord.NULL_SIZE,
                tooLarge,
                null,
                new byte[0],
                new RecordHeaders(),
                Optional.empty()));
        outlet.polled();

        assertThat(emitted.links(P0)).isEmpty();
        assertThat(previousOf(translation, 8)).isEqualTo(7);
    }

    @Test
    void theSpoutTellsOfPartitionsThatAreGainedAndLost() {
        append(P0, 0, 1);
        append(P1, 0);
        KafkaSpout<byte[], byte[]> spout = spout();
        run(spout);
        assignment.set(P0, P1);
        append(P0, 3);
        reassign(spout);
        assertThat(emitted.links(P0))
                .containsExactly(new DeliveryLink(0, -1, 7), new DeliveryLink(1, 0, 7), new DeliveryLink(3, 1, 7));
        assertThat(emitted.links(P1)).containsExactly(new DeliveryLink(0, -1, 7));
        assertThat(emitted.delivery(P1, 0).topicId()).isEqualTo(71);
        assignment.set(P1);
        reassign(spout);
        emitted.clear();
        assignment.set(P0);

        reassign(spout);

        assertThat(emitted.links(P0))
                .containsExactly(new DeliveryLink(0, -1, 7), new DeliveryLink(1, 0, 7), new DeliveryLink(3, 1, 7));
    }

    @Test
    void theSpoutCommitsNothing() {
        append(P0, 0, 1, 2);
        KafkaSpout<byte[], byte[]> spout = spout();
        run(spout);
        Time.advanceTimeSecs(365L * 24 * 3_600);

        run(spout);

        assertThat(consumer.commits()).isEmpty();
    }

    @Test
    void theTranslationIsSerializedWithoutItsState() throws Exception {
        RecordTranslation original = new RecordTranslation(new Gained(), outlet);
        RecordTranslation copy = TestContexts.onWorker(original);
        copy.open(Map.of(), TestContexts.task(0, 1));

        copy.onPartitionsReassigned(List.of(P0));
        assertThat(copy.getFieldsFor("default")).isEqualTo(DeliveryBatch.FIELDS);
    }

    private static List<Header> headers(Delivery delivery) {
        List<Header> headers = new ArrayList<>();
        ByteBuffer in = ByteBuffer.wrap(delivery.content().headers().encoded());
        while (in.hasRemaining()) {
            byte[] name = new byte[in.getInt()];
            in.get(name);
            int valueBytes = in.getInt();
            byte[] value = valueBytes < 0 ? null : new byte[valueBytes];
            if (value != null) {
                in.get(value);
            }
            headers.add(new RecordHeader(new String(name, UTF_8), value));
        }
        return headers;
    }

    private void append(TopicPartition partition, long... offsets) {
        for (long offset : offsets) {
            consumer.append(partition, offset, 7);
        }
    }

    private KafkaSpout<byte[], byte[]> spout() {
        RecordTranslation translation = new RecordTranslation(new Gained(), outlet);
        KafkaSpoutConfig<byte[], byte[]> config = new KafkaSpoutConfig.Builder<byte[], byte[]>(
                        "nowhere:1", new NamedTopicFilter("orders"), assignment)
                .setRecordTranslator(translation)
                .setTupleListener(translation)
                .setGroupId("test")
                .setProcessingGuarantee(ProcessingGuarantee.NO_GUARANTEE)
                .setOffsetCommitPeriodMs(LogSpout.NEVER_MILLIS)
                .build();
        KafkaSpout<byte[], byte[]> spout = SpoutBehindConsumer.of(config, consumer);
        spout.open(Map.of(), TestContexts.task(0, 1), new SpoutOutputCollector(emitted));
        spout.activate();
        return spout;
    }

    private void run(KafkaSpout<byte[], byte[]> spout) {
        for (int call = 0; call < CALLS; call++) {
            spout.nextTuple();
            outlet.polled();
        }
    }

    private void reassign(KafkaSpout<byte[], byte[]> spout) {
        Time.advanceTime(LATER_MILLIS);
        run(spout);
    }

    /** Knows nothing of partitions but a number for each. */
    private static final class Gained implements RecordTranslation.Assignment {
        private static final long serialVersionUID = 1L;

        @Override
        public void gained(Set<TopicPartition> gained) {}

        @Override
        public long topicId(TopicPartition partition) {
            return 70L + partition.partition();
        }
    }

    /** Which partitions the spout gets, as the test says. */
    private static final class Assignment implements ManualPartitioner {
        private static final long serialVersionUID = 1L;

        private final HashSet<TopicPartition> partitions = new HashSet<>();

        Assignment(TopicPartition... partitions) {
            set(partitions);
        }

        void set(TopicPartition... now) {
            partitions.clear();
            partitions.addAll(List.of(now));
        }

        @Override
        public Set<TopicPartition> getPartitionsForThisTask(List<TopicPartition> all, TopologyContext context) {
            return Set.copyOf(partitions);
        }
    }

    /** Everything that the spout emitted since it was last cleared, in order. */
    private static final class Emitted extends RecordingCollector {
        private final List<Delivery> deliveries = new ArrayList<>();

        @Override
        public void take(Delivery delivery, @Nullable Object message) {
            deliveries.add(delivery);
        }

        void clear() {
            deliveries.clear();
        }

        List<DeliveryLink> links(TopicPartition partition) {
            return of(partition).stream().map(Delivery::link).toList();
        }

        Delivery delivery(TopicPartition partition, long offset) {
            return of(partition).stream()
                    .filter(one -> one.offset() == offset)
                    .findFirst()
                    .orElseThrow();
        }

        private List<Delivery> of(TopicPartition partition) {
            return deliveries.stream()
                    .filter(one -> one.partition().equals(partition))
                    .toList();
        }
    }
}
