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
 * A record on its way through the topology: its place, its continuity and its contents.
 *
 * <pre>
 *   LogSpout ──Delivery──► TransformBolt ──Delivery with value' and observed──► CheckpointBolt
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
    private final Continuity continuity;
    private final byte @Nullable [] key;
    private final byte @Nullable [] value;
    private final HeaderBytes headers;
    private final @Nullable Hash observed;

    public Delivery(
            String topic,
            int partition,
            long offset,
            long timestampMillis,
            Continuity continuity,
            byte @Nullable [] key,
            byte @Nullable [] value,
            HeaderBytes headers,
            @Nullable Hash observed) {
        this.topic = topic;
        this.partition = partition;
        this.offset = offset;
        this.timestampMillis = timestampMillis;
        this.continuity = continuity;
        this.key = key;
        this.value = value;
        this.headers = headers;
        this.observed = observed;
    }

    /** The delivery that a tuple carries. */
    public static Delivery in(Tuple tuple) {
        return (Delivery) tuple.getValue(0);
    }

    /** The same record with the value that the transform made of it. */
    public Delivery transformed(byte @Nullable [] newValue, Hash newObserved) {
        return new Delivery(topic, partition, offset, timestampMillis, continuity, key, newValue, headers, newObserved);
    }

    /** The record as the verifier takes it: with the signature of the value that was read from the log. */
    public LogRecord parsed(LogRecordParser parser) {
        return parser.parse(topic, partition, offset, value, headers::last, observed);
    }

    /** The record's place behind the one before it, as the verifier takes it. */
    public Link link() {
        return new Link(offset, continuity.start() ? offset - 1 : continuity.previous(), continuity.leaderEpoch());
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

    public Continuity continuity() {
        return continuity;
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

    @Override
    public String toString() {
        return topic + "-" + partition + "@" + offset + " " + continuity;
    }
}
