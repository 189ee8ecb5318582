package dev.stormproof.judge;

/**
 * A finding on an event that the transform failed on, and so on the output that stands before it, or goes on.
 *
 * @param offset where the event lies
 * @param detail why the transform failed, or why the output goes on
 * @param writtenMillis when the event was written; -1 if unknown
 */
public record Undelivered(PartitionId partition, long offset, Kind kind, String detail, long writtenMillis)
        implements Finding {
    /** The fate of the event. */
    public enum Kind {
        /** The partition's output stands before it. */
        HALTED,
        /** It lies in the topic of diverted events, and a marker in its place. */
        DIVERTED,
        /** The output goes on that stood before it. */
        RESUMED
    }

    @Override
    public String id() {
        return partition.topic() + "/" + partition.partition() + "/@" + offset + "/output";
    }

    /** A halt is not the end of it. */
    @Override
    public int revision() {
        return kind == Kind.HALTED ? PROVISIONAL_REVISION : FINAL_REVISION;
    }

    @Override
    public long anchorOffset() {
        return offset;
    }
}
