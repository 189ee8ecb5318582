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
import org.apache.storm.spout.SpoutOutputCollector;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of the records that a spout reads. */
class RecordTranslationTest {
    private static final TopicPartition P0 = new TopicPartition("orders", 0);
    private static final TopicPartition P1 = new TopicPartition("orders", 1);
    private final Emitted emitted = new Emitted();
    private final RecordSink outlet = new TupleOutlet();

    @BeforeEach
    void openOutlet() {
        outlet.open(TestContexts.task(0, 1), new SpoutOutputCollector(emitted));
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

    @Test
    void aDeliveryHoldsEverythingOfItsRecord() {
        Headers headers = new RecordHeaders()
                .add("a", new byte[] {1})
                .add("signature", "first".getBytes(UTF_8))
                .add("signature", "last".getBytes(UTF_8))
                .add("none", null);
        RecordTranslation translation = new RecordTranslation(new Gained(), outlet);
        translation.open(Map.of(), TestContexts.task(0, 1));
        translation.onPartitionsReassigned(List.of(P0));
        translation.apply(record(3, "key".getBytes(UTF_8), "value".getBytes(UTF_8), 5, headers));
        translation.apply(record(4, null, null, ConsumerRecord.NULL_SIZE, new RecordHeaders()));
        outlet.polled();

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
        translation.apply(record(7, null, new byte[0], tooLarge, new RecordHeaders()));
        outlet.polled();

        assertThat(emitted.deliveries).isEmpty();
        assertThat(previousOf(translation, 8)).isEqualTo(7);
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

    private static ConsumerRecord<byte[], byte[]> record(
            long offset, byte @Nullable [] key, byte @Nullable [] value, int valueBytes, Headers headers) {
        return new ConsumerRecord<>(
                P0.topic(),
                P0.partition(),
                offset,
                1_000 + offset,
                TimestampType.CREATE_TIME,
                ConsumerRecord.NULL_SIZE,
                valueBytes,
                key,
                value,
                headers,
                Optional.of(9));
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
