package dev.stormproof.log;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.LogRecord;
import dev.stormproof.merkle.Leaves;

/** The memory that records take while they are kept, in bytes, by estimate. */
final class RecordSizes {
    /** A record with two signatures, and their objects. */
    static final int RECORD_BYTES = 256;

    private RecordSizes() {}

    /** The whole record. */
    static long of(LogRecord record) {
        return RECORD_BYTES + ofLeaves(record);
    }

    /** The leaves of a checkpoint; 0 of any other record. */
    static long ofLeaves(LogRecord record) {
        return record instanceof CheckpointRecord checkpoint
                ? checkpoint.checkpoint().leaves().orElse(Leaves.empty()).packedSizeBytes()
                : 0;
    }
}
