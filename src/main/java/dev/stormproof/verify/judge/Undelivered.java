package dev.stormproof.verify.judge;

/**
 * A finding on a record that the output has not, or not yet.
 *
 * @param offset where the record lies
 * @param detail why it is not in the output, or why the output goes on
 * @param writtenMillis when the record was written; -1 if unknown
 */
public record Undelivered(PartitionId partition, long offset, Kind kind, String detail, long writtenMillis)
        implements Finding {
    /** The fate of the record. */
    public enum Kind {
        /** The partition's output stands before it until somebody releases it. */
        HALTED,
        /** It lies in the topic of diverted events, and a marker in its place. */
        DIVERTED,
        /** The output goes on that was halted before it. */
        RESUMED,
        /** The output stands before it because its partition of the output topic takes nothing, and goes on by itself. */
        WAITING,
        /** The output goes on that waited before it. */
        WAITED
    }

    /** True if the output goes on, and lacks nothing. */
    public boolean isOver() {
        return kind == Kind.RESUMED || kind == Kind.WAITED;
    }

    /** The same for a halt and its end; another for a wait and its end, for both may be at one record. */
    @Override
    public String id() {
        boolean waits = kind == Kind.WAITING || kind == Kind.WAITED;
        return partition.topic() + "/" + partition.partition() + "/@" + offset + (waits ? "/output-topic" : "/output");
    }

    /** Neither a halt nor a wait is the end of it. */
    @Override
    public int revision() {
        return kind == Kind.HALTED || kind == Kind.WAITING ? PROVISIONAL_REVISION : FINAL_REVISION;
    }

    @Override
    public long anchorOffset() {
        return offset;
    }
}
