package dev.stormproof.log.audit;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.tree.Leaves;

/** Estimates of the memory that records take while they are kept, in bytes. */
final class RecordSizes {
    /** A record with two signatures, and their objects. */
    static final int RECORD_BYTES = 256;

    private RecordSizes() {}

    /** An uncertain range and its object. */
    private static final int RANGE_BYTES = 48;

    static long of(LogRecord record) {
        return RECORD_BYTES + ofLeaves(record) + ofUncertain(record);
    }

    private static long ofUncertain(LogRecord record) {
        return record instanceof CheckpointRecord checkpoint
                ? (long) RANGE_BYTES * checkpoint.checkpoint().uncertain().size()
                : 0;
    }

    /** The size of a checkpoint's leaves; 0 for any other record. */
    static long ofLeaves(LogRecord record) {
        return record instanceof CheckpointRecord checkpoint
                ? checkpoint.checkpoint().leaves().orElse(Leaves.empty()).packedSizeBytes()
                : 0;
    }
}
