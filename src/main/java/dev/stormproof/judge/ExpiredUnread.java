package dev.stormproof.judge;

import java.io.Serializable;

/**
 * A finding on records that expired in the log before they were read.
 *
 * @param partition their partition
 * @param beginOffset the first of their offsets
 * @param endOffset the offset after the last
 */
public record ExpiredUnread(PartitionId partition, long beginOffset, long endOffset) implements Finding, Serializable {
    public ExpiredUnread(String topic, int partition, long beginOffset, long endOffset) {
        this(new PartitionId(topic, partition), beginOffset, endOffset);
    }

    @Override
    public Type type() {
        return Type.EXPIRED_UNREAD;
    }

    @Override
    public String id() {
        return partition.topic() + "/" + partition.partition() + "/@" + beginOffset + "-" + endOffset;
    }

    @Override
    public long anchorOffset() {
        return beginOffset;
    }
}
