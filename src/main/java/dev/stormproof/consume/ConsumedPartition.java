package dev.stormproof.consume;

import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * One assigned partition: what is held of it, and which state its fetching is in.
 *
 * <pre>
 *   fetched behind what was fetched before ──► held
 *   fetched before its end ──────────────────► the log was cut there, or is another: what was held from there on is dropped,
 *                                              and what was known of it counts no more
 * </pre>
 *
 * <p>For the consumer's thread.
 */
final class ConsumedPartition {
    /** The end of what was fetched, before anything was. */
    private static final long NOWHERE = -1;

    final TopicPartition id;
    final HeldRecords<ConsumerRecord<byte[], byte[]>> held = new HeldRecords<>(ConsumerRecord::timestamp);
    /** The leader epoch of the last record that was handed out or passed over. */
    private int lastEpoch = ProgressPoint.NO_EPOCH;
    /** The offset behind the last record that was fetched, or passed over by the fetch. */
    private long fetchedEnd = NOWHERE;
    /** What was asked for by this look, or before, may be of an earlier log. */
    private long beganAtLook;
    /** The id of the topic that the name was of when it was first looked at. */
    private long topicId = AlertsReader.NO_ID;
    /** True while it is not fetched, because enough of it is held. */
    boolean full;
    /** True if its first record waits for a checkpoint that was not fetched yet. */
    boolean needsMore;
    /** Since when its first record waits, by a clock that nobody sets; 0 if it does not. */
    long waitingSinceNanos;

    /** @param lastLook the last look at the progress that was begun */
    ConsumedPartition(TopicPartition id, long lastLook) {
        this.id = id;
        this.beganAtLook = lastLook;
    }

    /** Notes where a fetch begins, before what it brought is added. */
    void fetches(long offset, long lastLook) {
        if (offset < fetchedEnd) {
            held.removeFrom(offset);
            lastEpoch = held.first() == null ? ProgressPoint.NO_EPOCH : lastEpoch;
            beganAtLook = lastLook;
            waitingSinceNanos = 0;
        }
    }

    /** Notes where the next fetch goes on. */
    void fetched(long end) {
        fetchedEnd = end;
    }

    long fetchedEnd() {
        return fetchedEnd;
    }

    /** The offset of the next record that is handed out, or looked at for it; empty if nothing was fetched. */
    OptionalLong position() {
        HeldRecords.Run first = held.first();
        long next = first == null ? fetchedEnd : first.offset();
        return next == NOWHERE ? OptionalLong.empty() : OptionalLong.of(next);
    }

    long beganAtLook() {
        return beganAtLook;
    }

    /** True if the name is another topic's than when it was first looked at. */
    boolean isOfAnother(long id) {
        topicId = topicId == AlertsReader.NO_ID ? id : topicId;
        return id != AlertsReader.NO_ID && id != topicId;
    }

    Optional<Integer> lastEpoch() {
        return lastEpoch == ProgressPoint.NO_EPOCH ? Optional.empty() : Optional.of(lastEpoch);
    }

    void removeFirst() {
        passes();
        held.removeFirst();
    }

    /** Takes out the first events, which are handed out. */
    void handOut(int count) {
        passes();
        held.handOut(count);
    }

    private void passes() {
        HeldRecords.Run first = held.first();
        if (first != null) {
            lastEpoch = first.leaderEpoch();
        }
        waitingSinceNanos = 0;
    }
}
