package dev.stormproof.proof.checkpoint;

/** A record that belongs to no stream. */
public record UnattributedRecord(long offset, Kind kind, String detail, long writtenMillis) implements LogRecord {
    /** A record of an unknown time. */
    public UnattributedRecord(long offset, Kind kind, String detail) {
        this(offset, kind, detail, NO_TIME);
    }

    /** The reason why a record belongs to no stream. */
    public enum Kind {
        /** It carries neither an event header nor a checkpoint. */
        UNSIGNED,
        /** Its event header cannot be read. */
        MALFORMED_EVENT,
        /** It is a checkpoint that cannot be read. */
        MALFORMED_CHECKPOINT,
        /** It is a checkpoint whose signature is missing or wrong. */
        UNTRUSTED_CHECKPOINT,
        /** It is of a version or algorithm that this verifier does not know. */
        UNSUPPORTED,
        /** It is a checkpoint of another topic or partition. */
        MISPLACED_CHECKPOINT,
        /** It is a checkpoint that the log already holds further up. */
        REPEATED_CHECKPOINT,
        /** It is a checkpoint whose successor lies in the log further up. */
        LATE_CHECKPOINT,
        /** It is a checkpoint of a number of which the log holds another one further up, which its stream continued. */
        FORKED_CHECKPOINT,
        /** It is a checkpoint of an emitter that may not write to the topic, which is judged as any other besides. */
        UNLISTED_EMITTER,
        /** It is too large to be read, so that its stream is unknown. */
        OVERSIZED
    }
}
