package dev.stormproof.checkpoint;

/** A record of a partition as the verifier sees it: an event, a checkpoint, or one that belongs to no stream. */
public sealed interface LogRecord permits Event, CheckpointRecord, UnattributedRecord {
    /** Its offset in the partition. */
    long offset();
}
