package dev.stormproof.log.audit;

import dev.stormproof.proof.checkpoint.Checkpoint;
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
        if (!(record instanceof CheckpointRecord of)) {
            return RECORD_BYTES;
        }
        Checkpoint checkpoint = of.checkpoint();
        return RECORD_BYTES
                + checkpoint.leaves().orElse(Leaves.empty()).packedSizeBytes()
                + (long) RANGE_BYTES * checkpoint.uncertain().size();
    }
}
