package dev.stormproof.verify.judge;

import java.io.Serializable;

/**
 * A tail is what is known of the events behind a stream's last checkpoint, which nothing seals. It is counted from the events that lie
 * there, each time in the order of the log.
 *
 * @param events how many there are
 * @param firstSequence the lowest sequence among them; {@link #UNKNOWN} without events, and in format 1, which has none
 * @param lastSequence the highest one, likewise
 * @param missing how many sequences had no event when one of a higher sequence came; of these, late ones may have come after that.
 *     {@link #UNKNOWN} if events lie there that belong before the checkpoint, and in format 1
 * @param firstMissing the first of them; {@link #UNKNOWN} if there is none, or if that may have come late
 * @param late how many came after one of the same sequence or a higher one: repeated, or out of order
 * @param altered how many have another content than their headers state
 * @param unchecked how many have a content that cannot be compared with their headers
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

    /** The tail of what a checkpoint seals. */
    public static final Tail NONE = new Tail(UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, 0, 0, 0);

    /** A tail without events. */
    public static final Tail EMPTY = new Tail(0, UNKNOWN, UNKNOWN, 0, UNKNOWN, 0, 0, 0);

    /** True of what no checkpoint seals. */
    public boolean isThere() {
        return events != UNKNOWN;
    }

    /** How many of the missing sequences are missing still, though all that came late were among them. */
    public long leastMissing() {
        return Math.max(0, missing - late);
    }
}
