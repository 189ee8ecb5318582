package dev.stormproof.task.storm.tuple;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.HeaderBytes;
import dev.stormproof.verify.feed.RecordContent;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Serializes a {@link DeliveryBatch} between workers. */
public final class DeliveryBatchSerializer extends Serializer<DeliveryBatch> {
    public DeliveryBatchSerializer() {
        super(false, true);
    }

    @Override
    public void write(Kryo kryo, Output output, DeliveryBatch batch) {
        output.writeString(batch.partition().topic());
        output.writeVarInt(batch.partition().partition(), true);
        output.writeLong(batch.topicId());
        output.writeVarInt(batch.deliveries().size(), true);
        batch.deliveries().forEach(delivery -> write(output, delivery));
    }

    private static void write(Output output, Delivery delivery) {
        DeliveryLink link = delivery.link();
        output.writeVarLong(link.offset(), true);
        output.writeVarLong(link.offset() - link.previous(), true);
        output.writeVarInt(link.leaderEpoch(), false);
        RecordContent content = delivery.content();
        output.writeVarLong(content.timestampMillis(), false);
        writeBytes(output, content.key());
        writeBytes(output, content.value());
        writeBytes(output, content.headers().encoded());
        Hash observed = delivery.observed();
        writeBytes(output, observed == null ? null : observed.toByteArray());
    }

    @Override
    public DeliveryBatch read(Kryo kryo, Input input, Class<? extends DeliveryBatch> type) {
        TopicPartition partition = new TopicPartition(input.readString(), input.readVarInt(true));
        long topicId = input.readLong();
        int count = input.readVarInt(true);
        List<Delivery> deliveries = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            deliveries.add(read(input, partition, topicId));
        }
        return new DeliveryBatch(deliveries);
    }

    private static Delivery read(Input input, TopicPartition partition, long topicId) {
        long offset = input.readVarLong(true);
        DeliveryLink link = new DeliveryLink(offset, offset - input.readVarLong(true), input.readVarInt(false));
        long timestampMillis = input.readVarLong(false);
        byte[] key = readBytes(input);
        byte[] value = readBytes(input);
        HeaderBytes headers = HeaderBytes.ofEncoded(Objects.requireNonNull(readBytes(input)));
        Hash observed = hash(readBytes(input));
        RecordContent content = new RecordContent(key, value, headers, timestampMillis, observed != null);
        return new Delivery(partition, link, topicId, content, observed);
    }

    /** Size + 1 as a variable-length integer, 0 for null, then the bytes. */
    private static void writeBytes(Output output, byte @Nullable [] bytes) {
        if (bytes == null) {
            output.writeVarInt(0, true);
        } else {
            output.writeVarInt(bytes.length + 1, true);
            output.writeBytes(bytes);
        }
    }

    private static byte @Nullable [] readBytes(Input input) {
        int sizeBytesPlusOne = input.readVarInt(true);
        return sizeBytesPlusOne == 0 ? null : input.readBytes(sizeBytesPlusOne - 1);
    }

    private static @Nullable Hash hash(byte @Nullable [] bytes) {
        return bytes == null ? null : Hash.copyOf(bytes);
    }
}
