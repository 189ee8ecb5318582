package dev.stormproof.consume;

import java.util.Optional;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * The next record of a partition was judged, and is not verified. It is thrown again by every {@code poll} until the partition's
 * position is behind the record, or the partition is paused.
 */
public final class UnverifiedRecordException extends KafkaException {
    private static final long serialVersionUID = 1L;

    private final TopicPartition partition;
    private final long offset;
    private final String alertId;
    private final long endOffset;

    UnverifiedRecordException(TopicPartition partition, long offset, Unverified unverified) {
        super("the record at offset " + offset + " of " + partition + " is not verified: " + unverified.why()
                + "; look into it with 'stormproof audit', and to go on seek to " + (offset + 1) + ", or to "
                + unverified.endOffset() + " behind its interval");
        this.partition = partition;
        this.offset = offset;
        this.alertId = unverified.alertId();
        this.endOffset = unverified.endOffset();
    }

    /** The partition. */
    public TopicPartition topicPartition() {
        return partition;
    }

    /** The offset of the record, which is the partition's position. */
    public long offset() {
        return offset;
    }

    /** The {@code alertId} of the alert that says so; empty if no alert does, because no checkpoint states the record at all. */
    public Optional<String> alertId() {
        return alertId.isEmpty() ? Optional.empty() : Optional.of(alertId);
    }

    /** The offset behind the interval that it belongs to, where verified records of other streams may be skipped too. */
    public long endOffset() {
        return endOffset;
    }
}
