package dev.stormproof.judge;

import java.io.Serializable;

/**
 * Records that the log dropped before they were read: nothing can be said of them.
 *
 * @param partition their partition
 * @param beginOffset the first of their offsets
 * @param endOffset the offset after the last
 */
public record Missed(PartitionId partition, long beginOffset, long endOffset) implements Finding, Serializable {
    public Missed(String topic, int partition, long beginOffset, long endOffset) {
        this(new PartitionId(topic, partition), beginOffset, endOffset);
    }

    @Override
    public Type type() {
        return Type.MISSED;
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
