package dev.stormproof.consume;

import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** One assigned partition: what is held of it, and which state its fetching is in. For the consumer's thread. */
final class ConsumedPartition {
    final TopicPartition id;
    final HeldRecords<ConsumerRecord<byte[], byte[]>> held = new HeldRecords<>();
    /** The leader epoch of the last record that was handed out or passed over. */
    private int lastEpoch = ProgressPoint.NO_EPOCH;
    /** True while it is not fetched, because enough of it is held. */
    boolean full;
    /** True if its first record waits for a checkpoint that was not fetched yet. */
    boolean needsMore;
    /** Since when its first record waits, by a clock that nobody sets; 0 if it does not. */
    long waitingSinceNanos;

    ConsumedPartition(TopicPartition id) {
        this.id = id;
    }

    Optional<Integer> lastEpoch() {
        return lastEpoch == ProgressPoint.NO_EPOCH ? Optional.empty() : Optional.of(lastEpoch);
    }

    void removeFirst() {
        HeldRecords.Held<ConsumerRecord<byte[], byte[]>> first = held.first();
        if (first != null) {
            lastEpoch = first.leaderEpoch;
        }
        held.removeFirst();
        waitingSinceNanos = 0;
    }
}
