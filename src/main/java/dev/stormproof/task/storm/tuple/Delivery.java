package dev.stormproof.task.storm.tuple;

import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.LogRecordParser;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.HeaderBytes;
import dev.stormproof.verify.feed.RecordContent;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * A record on its way through the topology: its place and its contents.
 *
 * <pre>
 *   LogSpout ──as read──► TransformBolt ──transformed, with observed──► CheckpointBolt
 * </pre>
 *
 * <p>Tuples carry it in a {@link DeliveryBatch}. Bolts in one worker share it, so it is immutable by agreement: arrays that go
 * in or come out are not copied and must not be changed.
 */
public final class Delivery {
    private final TopicPartition partition;
    private final DeliveryLink link;
    private final long topicId;
    private final long timestampMillis;
    private final byte @Nullable [] key;
    private final byte @Nullable [] value;
    private final HeaderBytes headers;
    private final @Nullable Hash observed;
    /** What was read of it; null if that is still to be parsed. */
    private @Nullable LogRecord read;

    public Delivery(
            TopicPartition partition,
            DeliveryLink link,
            long topicId,
            long timestampMillis,
            byte @Nullable [] key,
            byte @Nullable [] value,
            HeaderBytes headers,
            @Nullable Hash observed) {
        this.partition = partition;
        this.link = link;
        this.topicId = topicId;
        this.timestampMillis = timestampMillis;
        this.key = key;
        this.value = value;
        this.headers = headers;
        this.observed = observed;
    }

    /**
     * The same record as the transform made it.
     *
     * @param parsed what this one is parsed to; the verifier takes it as long as the record stays in its worker
     */
    public Delivery transformed(
            byte @Nullable [] newKey, byte @Nullable [] newValue, HeaderBytes newHeaders, LogRecord parsed) {
        Hash signature = parsed instanceof Event event ? event.observed() : Hash.empty();
        Delivery made =
                new Delivery(partition, link, topicId, timestampMillis, newKey, newValue, newHeaders, signature);
        made.read = parsed;
        return made;
    }

    /** The record's content, for the output topic. */
    public RecordContent content() {
        return new RecordContent(key, value, headers, timestampMillis, observed != null);
    }

    /** The record as the verifier takes it: with the signature of the value that was read from the log. */
    public LogRecord parsed(LogRecordParser parser) {
        return read != null
                ? read
                : parser.parse(
                        partition.topic(),
                        partition.partition(),
                        link.offset(),
                        timestampMillis,
                        key,
                        value,
                        headers,
                        observed);
    }

    /** The record's place in its partition. */
    public DeliveryLink link() {
        return link;
    }

    /** The number that tells the topic from others that bore its name; 0 if unknown. */
    public long topicId() {
        return topicId;
    }

    public TopicPartition partition() {
        return partition;
    }

    public long offset() {
        return link.offset();
    }

    public long timestampMillis() {
        return timestampMillis;
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

    /** About what it takes in memory: its arrays. */
    int sizeBytes() {
        return (key == null ? 0 : key.length) + (value == null ? 0 : value.length) + headers.encoded().length;
    }

    @Override
    public String toString() {
        return partition + "@" + link.offset();
    }
}
