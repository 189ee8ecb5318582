package dev.stormproof.verify.judge;

import java.io.Serializable;

/**
 * What is known of the unsealed events after a stream's last checkpoint, counted in the order of the log.
 *
 * @param events how many there are
 * @param firstSequence the lowest sequence among them; {@link #UNKNOWN} without events, and in format 1, which has none
 * @param lastSequence the highest one, likewise
 * @param missing how many sequences had no event when a higher one came; some of these may have come late. {@link #UNKNOWN} if
 *     events there belong before the checkpoint, and in format 1
 * @param firstMissing the first missing sequence; {@link #UNKNOWN} if there is none, or if it may have come late
 * @param late how many came after an event of the same or a higher sequence: repeated, or out of order
 * @param altered how many differ from their own headers
 * @param unchecked how many cannot be compared with their headers
 */
public record Tail(
        long events,
        long firstSequence,
        long lastSequence,
        long missing,
        long firstMissing,
        long late,
        long altered,
        long unchecked)
        implements Serializable {
    public static final long UNKNOWN = -1;

    /** The tail of a sealed interval. */
    public static final Tail NONE = new Tail(UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, 0, 0, 0);

    public static final Tail EMPTY = new Tail(0, UNKNOWN, UNKNOWN, 0, UNKNOWN, 0, 0, 0);

    /** True for an unsealed interval. */
    public boolean isThere() {
        return events != UNKNOWN;
    }

    /** How many sequences are missing even if all late events were among them. */
    public long leastMissing() {
        return Math.max(0, missing - late);
    }
}
