package dev.stormproof.proof.checkpoint;

/** A record of a partition as the verifier sees it: an event, a checkpoint, one of no stream, or some that were not read. */
public sealed interface LogRecord permits Event, CheckpointRecord, UnattributedRecord, OversizedRecords {
    /** An unknown time. */
    long NO_TIME = -1;

    long offset();

    /**
     * When it was written, in milliseconds since 1970, by the producer's clock or the broker's, as the topic is configured;
     * {@value #NO_TIME} if unknown.
     */
    long writtenMillis();
}
