package dev.stormproof.task.live.progress;

import dev.stormproof.verify.feed.DeliveryLink;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The last record that a consumer returned of one topic's partition. For one thread. */
public final class ReadPosition {
    private static final long NOTHING_READ = -1;

    private final long topicId;
    private long last = NOTHING_READ;

    /** @param topicId distinguishes the topic from others of the same name; 0 if unknown */
    public ReadPosition(long topicId) {
        this.topicId = topicId;
    }

    public long topicId() {
        return topicId;
    }

    /** Forgets the last record: the consumer was moved. */
    public void reset() {
        last = NOTHING_READ;
    }

    /** The place of a record that the consumer just returned, perhaps again. */
    public DeliveryLink next(ConsumerRecord<?, ?> record) {
        long offset = record.offset();
        long previous = last != NOTHING_READ && last < offset ? last : offset - 1;
        last = offset;
        return new DeliveryLink(offset, previous, record.leaderEpoch().orElse(DeliveryLink.NO_EPOCH));
    }
}
