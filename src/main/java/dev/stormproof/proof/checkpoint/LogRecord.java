package dev.stormproof.proof.checkpoint;

/** A record of a partition as the verifier sees it: an event, a checkpoint, one that belongs to no stream, or one that was not read. */
public sealed interface LogRecord permits Event, CheckpointRecord, UnattributedRecord, OversizedRecords {
    /** The time of a record of which none is known. */
    long NO_TIME = -1;

    /** Its offset in the partition. */
    long offset();

    /**
     * When it was written, in milliseconds since 1970, by the producer's clock or the broker's, as the topic is configured;
     * {@value #NO_TIME} if unknown.
     */
    long writtenMillis();
}
