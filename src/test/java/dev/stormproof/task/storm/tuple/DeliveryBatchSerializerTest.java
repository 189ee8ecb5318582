package dev.stormproof.task.storm.tuple;

import static org.assertj.core.api.Assertions.assertThat;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.storm.VerificationTopology;
import dev.stormproof.task.storm.testing.TestContexts;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.HeaderBytes;
import dev.stormproof.verify.feed.RecordContent;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.storm.serialization.KryoValuesDeserializer;
import org.apache.storm.serialization.KryoValuesSerializer;
import org.apache.storm.serialization.SerializationFactory;
import org.apache.storm.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DeliveryBatchSerializerTest {
    private static final DeliveryLink FIRST = new DeliveryLink(0, -1, DeliveryLink.NO_EPOCH);
    private static final DeliveryLink LATER = new DeliveryLink(5_000_000_000L, 4_999_999_997L, 12);

    private static final LogRecord UNSIGNED =
            new UnattributedRecord(0, UnattributedRecord.Kind.UNSIGNED, "unsigned", LogRecord.NO_TIME);

    private final Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());

    DeliveryBatchSerializerTest() {
        conf.putAll(VerificationTopology.stormConfig(
                new StormproofConfig(Map.of("bootstrap.servers", "b:1", "input.topics", "orders", "group.id", "g"))));
    }

    @Test
    void everythingArrives() {
        RecordHeaders headers = new RecordHeaders();
        headers.add("sp-e", new byte[] {1, 2}).add("empty", new byte[0]).add("null", null);
        Delivery sent = new Delivery(
                new TopicPartition("orders", 31),
                LATER,
                Long.MIN_VALUE,
                new RecordContent(
                        new byte[] {5},
                        new byte[100_000],
                        HeaderBytes.of(headers, Header::key, Header::value),
                        -1,
                        true),
                Hash.copyOf(new byte[32]));

        assertSame(sent);
    }

    @Test
    void nullAndEmptyStayApart() {
        assertSame(delivery(FIRST, null, null));
        assertSame(delivery(FIRST, new byte[0], new byte[0]));
        assertSame(delivery(FIRST, null, new byte[0]));
        assertSame(delivery(FIRST, null, new byte[0]).transformed(made(null), UNSIGNED));
    }

    @Test
    void theDeliveriesOfABatchArriveInTheirOrder() {
        assertSame(
                delivery(FIRST, null, new byte[] {1}),
                delivery(new DeliveryLink(7, 0, 3), new byte[] {2}, null),
                delivery(LATER, null, null).transformed(made(new byte[3]), UNSIGNED));
    }

    @Test
    void stormsOwnSerializersCarryABatchWithJavaSerializationOff() {
        DeliveryBatch sent = TestContexts.batch(delivery(LATER, new byte[] {1}, new byte[] {2}));

        byte[] bytes = new KryoValuesSerializer(conf).serializeObject(sent);
        DeliveryBatch received = (DeliveryBatch) new KryoValuesDeserializer(conf).deserializeObject(bytes);

        assertEqual(received, sent);
        assertThat(SerializationFactory.getKryo(conf).isRegistrationRequired()).isTrue();
    }

    @Test
    void aSmallEventCostsFewBytesBesideItself() {
        Delivery event = delivery(LATER, null, new byte[100]);
        DeliveryBatch sent = TestContexts.batch(event, event, event, event);
        Output output = new Output(64, -1);

        SerializationFactory.getKryo(conf).writeObject(output, sent);

        assertThat(output.position()).isLessThan(4 * (100 + 25));
    }

    private static RecordContent made(byte @Nullable [] value) {
        return new RecordContent(null, value, HeaderBytes.NONE, 1_700_000_000_000L, true);
    }

    private void assertSame(Delivery... deliveries) {
        DeliveryBatch sent = TestContexts.batch(deliveries);
        Kryo kryo = SerializationFactory.getKryo(conf);
        Output output = new Output(64, -1);
        kryo.writeObject(output, sent);

        DeliveryBatch received = kryo.readObject(new Input(output.toBytes()), DeliveryBatch.class);

        assertEqual(received, sent);
    }

    private static void assertEqual(DeliveryBatch received, DeliveryBatch sent) {
        // What was parsed stays in its worker.
        assertThat(received)
                .usingRecursiveComparison()
                .ignoringFields("deliveries.read")
                .isEqualTo(sent);
    }

    private static Delivery delivery(DeliveryLink link, byte @Nullable [] key, byte @Nullable [] value) {
        return new Delivery(
                new TopicPartition("orders", 0),
                link,
                -7,
                new RecordContent(key, value, HeaderBytes.NONE, 1_700_000_000_000L, false),
                null);
    }
}
