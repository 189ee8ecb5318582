package dev.stormproof.storm;

import dev.stormproof.merkle.Hash;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.jspecify.annotations.Nullable;

/**
 * A record on its way through the topology: where it lies, how it came, and what it holds.
 *
 * <pre>
 *   CustodySpout ──Delivery──► TransformBolt ──Delivery with value' and observed──► CheckpointBolt
 * </pre>
 *
 * <p>The only field of every tuple. Bolts in one worker share it, so it is immutable by agreement: arrays that go in or
 * come out are not copied and must not be changed.
 */
final class Delivery {
    /** The tuple field that holds a delivery. */
    static final String FIELD = "delivery";

    /** The fields of every stream of deliveries. */
    static final Fields FIELDS = new Fields(FIELD);

    private final String topic;
    private final int partition;
    private final long offset;
    private final long timestampMillis;
    private final Custody custody;
    private final byte @Nullable [] key;
    private final byte @Nullable [] value;
    private final HeaderBytes headers;
    private final Hash observed;
    private final boolean transformFailed;

    Delivery(
            String topic,
            int partition,
            long offset,
            long timestampMillis,
            Custody custody,
            byte @Nullable [] key,
            byte @Nullable [] value,
            HeaderBytes headers,
            Hash observed,
            boolean transformFailed) {
        this.topic = topic;
        this.partition = partition;
        this.offset = offset;
        this.timestampMillis = timestampMillis;
        this.custody = custody;
        this.key = key;
        this.value = value;
        this.headers = headers;
        this.observed = observed;
        this.transformFailed = transformFailed;
    }

    /** The delivery that a tuple carries. */
    static Delivery in(Tuple tuple) {
        return (Delivery) tuple.getValue(0);
    }

    /** The same record with the value that the transform made of it. */
    Delivery transformed(byte @Nullable [] newValue, Hash newObserved, boolean failed) {
        return new Delivery(
                topic, partition, offset, timestampMillis, custody, key, newValue, headers, newObserved, failed);
    }

    String topic() {
        return topic;
    }

    int partition() {
        return partition;
    }

    long offset() {
        return offset;
    }

    long timestampMillis() {
        return timestampMillis;
    }

    Custody custody() {
        return custody;
    }

    byte @Nullable [] key() {
        return key;
    }

    byte @Nullable [] value() {
        return value;
    }

    HeaderBytes headers() {
        return headers;
    }

    /** The signature of the value that was read from the log; empty before the transform and where there is none. */
    Hash observed() {
        return observed;
    }

    /** True if the user's transform threw, and the value is the one that was read. */
    boolean transformFailed() {
        return transformFailed;
    }

    @Override
    public String toString() {
        return topic + "-" + partition + "@" + offset + " " + custody;
    }
}
