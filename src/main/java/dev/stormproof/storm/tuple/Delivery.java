package dev.stormproof.storm.tuple;

import dev.stormproof.checkpoint.LogRecord;
import dev.stormproof.checkpoint.LogRecordParser;
import dev.stormproof.feed.Link;
import dev.stormproof.merkle.Hash;
import org.apache.kafka.common.TopicPartition;
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
public final class Delivery {
    /** The tuple field that holds a delivery. */
    public static final String FIELD = "delivery";

    /** The fields of every stream of deliveries. */
    public static final Fields FIELDS = new Fields(FIELD);

    private final String topic;
    private final int partition;
    private final long offset;
    private final long timestampMillis;
    private final Custody custody;
    private final byte @Nullable [] key;
    private final byte @Nullable [] value;
    private final HeaderBytes headers;
    private final @Nullable Hash observed;
    private final boolean transformFailed;

    public Delivery(
            String topic,
            int partition,
            long offset,
            long timestampMillis,
            Custody custody,
            byte @Nullable [] key,
            byte @Nullable [] value,
            HeaderBytes headers,
            @Nullable Hash observed,
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
    public static Delivery in(Tuple tuple) {
        return (Delivery) tuple.getValue(0);
    }

    /** The same record with the value that the transform made of it. */
    public Delivery transformed(byte @Nullable [] newValue, Hash newObserved, boolean failed) {
        return new Delivery(
                topic, partition, offset, timestampMillis, custody, key, newValue, headers, newObserved, failed);
    }

    /** The record as the verifier takes it: with the signature of the value that was read from the log. */
    public LogRecord parsed(LogRecordParser parser) {
        return parser.parse(topic, partition, offset, value, headers::last, observed);
    }

    /** How the record hangs on the one before it. */
    public Link link() {
        return new Link(offset, custody.start() ? offset - 1 : custody.previous(), custody.leaderEpoch());
    }

    public TopicPartition topicPartition() {
        return new TopicPartition(topic, partition);
    }

    public String topic() {
        return topic;
    }

    public int partition() {
        return partition;
    }

    public long offset() {
        return offset;
    }

    public long timestampMillis() {
        return timestampMillis;
    }

    public Custody custody() {
        return custody;
    }

    public byte @Nullable [] key() {
        return key;
    }

    public byte @Nullable [] value() {
        return value;
    }

    public HeaderBytes headers() {
        return headers;
    }

    /**
     * The signature of the value that was read from the log, and empty where there is none; null as long as {@link #value}
     * is that value.
     */
    public @Nullable Hash observed() {
        return observed;
    }

    /** True if the user's transform threw, and the value is the one that was read. */
    public boolean transformFailed() {
        return transformFailed;
    }

    @Override
    public String toString() {
        return topic + "-" + partition + "@" + offset + " " + custody;
    }
}
