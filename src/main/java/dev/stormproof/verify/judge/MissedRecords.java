package dev.stormproof.verify.judge;

import java.io.Serializable;

/**
 * A finding on offsets that were never verified.
 *
 * @param endOffset where verification goes on
 * @param cause why they were not
 */
public record MissedRecords(PartitionId partition, long beginOffset, long endOffset, Cause cause)
        implements Finding, Serializable {
    /** Why records were not verified. */
    public enum Cause {
        /** The log dropped them before they were read. */
        EXPIRED,
        /** The progress was moved past them, and not by a verifier. */
        SKIPPED
    }

    /** Records that the log dropped before they were read. */
    public MissedRecords(PartitionId partition, long beginOffset, long endOffset) {
        this(partition, beginOffset, endOffset, Cause.EXPIRED);
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
