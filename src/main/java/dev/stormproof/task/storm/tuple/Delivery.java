package dev.stormproof.task.storm.tuple;

import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.LogRecordParser;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.verify.feed.DeliveryLink;
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
    private final RecordContent content;
    private final @Nullable Hash observed;
    /** Null as long as the record is still to be parsed. */
    private @Nullable LogRecord read;

    /**
     * @param topicId distinguishes the topic from others of the same name; 0 if unknown
     * @param observed the signature of the value that was read from the log, if a transform made {@code content}, and empty if there is none;
     *     otherwise null
     */
    public Delivery(
            TopicPartition partition, DeliveryLink link, long topicId, RecordContent content, @Nullable Hash observed) {
        this.partition = partition;
        this.link = link;
        this.topicId = topicId;
        this.content = content;
        this.observed = observed;
    }

    /**
     * This delivery with the content that the transform made.
     *
     * @param parsed what this one is parsed to; the verifier takes it as long as the record stays in its worker
     */
    public Delivery transformed(RecordContent made, LogRecord parsed) {
        Hash signature = parsed instanceof Event event ? event.observed() : Hash.empty();
        Delivery delivery = new Delivery(partition, link, topicId, made, signature);
        delivery.read = parsed;
        return delivery;
    }

    public RecordContent content() {
        return content;
    }

    /** The record as the verifier takes it: with the signature of the value that was read from the log. */
    public LogRecord parsed(LogRecordParser parser) {
        return read != null
                ? read
                : parser.parse(
                        partition.topic(),
                        partition.partition(),
                        link.offset(),
                        content.timestampMillis(),
                        content.key(),
                        content.value(),
                        content.headers(),
                        observed);
    }

    public DeliveryLink link() {
        return link;
    }

    public long topicId() {
        return topicId;
    }

    public TopicPartition partition() {
        return partition;
    }

    public long offset() {
        return link.offset();
    }

    public @Nullable Hash observed() {
        return observed;
    }

    @Override
    public String toString() {
        return partition + "@" + link.offset();
    }
}
