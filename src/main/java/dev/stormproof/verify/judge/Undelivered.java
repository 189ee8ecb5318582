package dev.stormproof.verify.judge;

/**
 * A finding on a record that is not in the output, or not yet.
 *
 * @param offset the record's offset
 * @param detail why it is not in the output, or why the output continues
 * @param writtenMillis when the record was written; -1 if unknown
 */
public record Undelivered(PartitionId partition, long offset, Kind kind, String detail, long writtenMillis)
        implements Finding {
    /** The fate of the record. */
    public enum Kind {
        /** The partition's output has stopped before it until an operator releases it. */
        HALTED,
        /** It is in the topic of diverted events, and a marker is in its place. */
        DIVERTED,
        /** The halted output continues. */
        RESUMED,
        /** The output waits before it because the output topic's partition takes no records; it continues by itself. */
        WAITING,
        /** The waiting output continues. */
        WAITED
    }

    /** True if the output continues without a loss. */
    public boolean isOver() {
        return kind == Kind.RESUMED || kind == Kind.WAITED;
    }

    /** The same for a halt and its end. A wait and its end have another one: both may be at one record. */
    @Override
    public String id() {
        boolean waits = kind == Kind.WAITING || kind == Kind.WAITED;
        return partition.topic() + "/" + partition.partition() + "/@" + offset + (waits ? "/output-topic" : "/output");
    }

    @Override
    public boolean isOpen() {
        return kind == Kind.HALTED || kind == Kind.WAITING;
    }

    @Override
    public long anchorOffset() {
        return offset;
    }
}
