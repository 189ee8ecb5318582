package dev.stormproof.storm.tuple;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import dev.stormproof.merkle.Hash;
import org.jspecify.annotations.Nullable;

/** The serializer of a {@link Delivery}, for the way from worker to worker. */
public final class DeliverySerializer extends Serializer<Delivery> {
    public DeliverySerializer() {
        super(false, true);
    }

    @Override
    public void write(Kryo kryo, Output output, Delivery delivery) {
        Continuity continuity = delivery.continuity();
        output.writeString(delivery.topic());
        output.writeVarInt(delivery.partition(), true);
        output.writeVarLong(delivery.offset(), true);
        output.writeVarLong(delivery.timestampMillis(), false);
        output.writeBoolean(continuity.start());
        output.writeVarLong(delivery.offset() - continuity.previous(), true);
        output.writeVarInt(continuity.leaderEpoch(), false);
        output.writeLong(continuity.incarnation());
        output.writeLong(continuity.topicId());
        writeBytes(output, delivery.key());
        writeBytes(output, delivery.value());
        writeBytes(output, delivery.headers().encoded());
        Hash observed = delivery.observed();
        writeBytes(output, observed == null ? null : observed.toByteArray());
    }

    @Override
    public Delivery read(Kryo kryo, Input input, Class<? extends Delivery> type) {
        String topic = input.readString();
        int partition = input.readVarInt(true);
        long offset = input.readVarLong(true);
        long timestampMillis = input.readVarLong(false);
        boolean start = input.readBoolean();
        Continuity continuity = new Continuity(
                offset - input.readVarLong(true), start, input.readVarInt(false), input.readLong(), input.readLong());
        return new Delivery(
                topic,
                partition,
                offset,
                timestampMillis,
                continuity,
                readBytes(input),
                readBytes(input),
                HeaderBytes.ofEncoded(orEmpty(readBytes(input))),
                hash(readBytes(input)));
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

    private static byte[] orEmpty(byte @Nullable [] bytes) {
        return bytes == null ? new byte[0] : bytes;
    }
}
