package dev.stormproof.proof.checkpoint;

/** A record that belongs to no stream. */
public record UnattributedRecord(long offset, Kind kind, String detail, long writtenMillis) implements LogRecord {
    /** The reason why a record belongs to no stream. */
    public enum Kind {
        /** It carries neither an event header nor a checkpoint. */
        UNSIGNED,
        /** Its event header cannot be read. */
        MALFORMED_EVENT,
        /** It is a checkpoint that cannot be read. */
        MALFORMED_CHECKPOINT,
        /** Its event header or checkpoint was bytes, and is text: a tool on the way decodes headers. */
        REWRITTEN_HEADERS,
        /** It is a checkpoint whose signature is missing or wrong. */
        UNTRUSTED_CHECKPOINT,
        /** Its version or algorithm is unknown to this verifier. */
        UNSUPPORTED,
        /** It is a checkpoint of another topic or partition. */
        MISPLACED_CHECKPOINT,
        /** It bears a checkpoint, and a key or a value, which no checkpoint has: a reader of events could use it as one. */
        FILLED_CHECKPOINT,
        /** It is a checkpoint that the log already holds at a lower offset. */
        REPEATED_CHECKPOINT,
        /** It is a checkpoint whose successor is at a lower offset. */
        LATE_CHECKPOINT,
        /** It is a checkpoint in place of another one of its number, which is at a lower offset and was continued. */
        FORKED_CHECKPOINT,
        /** It is a checkpoint of an emitter that may not write to the topic; it is also judged as any other. */
        UNLISTED_EMITTER,
        /** It is too large to be read, so that its stream is unknown. */
        OVERSIZED;

        /** True of checkpoints that are reported singly, since each is a statement of its stream. */
        public boolean isOfAStream() {
            return this == REPEATED_CHECKPOINT || this == LATE_CHECKPOINT || this == FORKED_CHECKPOINT;
        }
    }
}
