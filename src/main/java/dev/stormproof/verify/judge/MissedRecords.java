package dev.stormproof.verify.judge;

import java.io.Serializable;

/** A finding on the records of [beginOffset, endOffset), which expired in the log before they were read. */
public record MissedRecords(PartitionId partition, long beginOffset, long endOffset) implements Finding, Serializable {
    public MissedRecords(String topic, int partition, long beginOffset, long endOffset) {
        this(new PartitionId(topic, partition), beginOffset, endOffset);
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
