package dev.stormproof.verify;

import dev.stormproof.checkpoint.Checkpoint;
import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.Format2Checkpoint;

/** Reads an interval's identity from its checkpoint. */
final class SealedIntervals {
    private SealedIntervals() {}

    static SealedInterval of(CheckpointRecord record) {
        Checkpoint checkpoint = record.checkpoint();
        boolean numbered = checkpoint instanceof Format2Checkpoint;
        return new SealedInterval(
                checkpoint.stream(),
                numbered ? ((Format2Checkpoint) checkpoint).number() : record.offset(),
                record.offset(),
                numbered ? ((Format2Checkpoint) checkpoint).firstSequence() : 0,
                checkpoint.eventCount());
    }
}
