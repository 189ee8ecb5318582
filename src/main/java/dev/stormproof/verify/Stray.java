package dev.stormproof.verify;

import java.io.Serializable;

/**
 * A record that belongs to no stream.
 *
 * @param topic its topic
 * @param partition its partition
 * @param offset its offset
 * @param kind why it belongs nowhere
 * @param detail the same, for a person
 */
public record Stray(String topic, int partition, long offset, Kind kind, String detail)
        implements Finding, Serializable {

    /** Why a record belongs nowhere. */
    public enum Kind {
        /** It carries neither an event header nor a checkpoint. */
        UNSIGNED,
        /** Its event header cannot be read. */
        MALFORMED_EVENT,
        /** It is a checkpoint that cannot be read. */
        MALFORMED_CHECKPOINT,
        /** It is a checkpoint of another topic or partition. */
        MISPLACED_CHECKPOINT,
        /** It is a checkpoint seen before. */
        REPEATED_CHECKPOINT
    }
}
