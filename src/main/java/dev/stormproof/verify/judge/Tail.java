package dev.stormproof.verify.judge;

import dev.stormproof.proof.checkpoint.Event;
import java.io.Serializable;
import java.util.List;

/**
 * What is known of the unsealed events after a stream's last checkpoint, counted in the order of the log.
 *
 * @param events how many there are
 * @param firstSequence the lowest sequence among them; {@link #UNKNOWN} without events, and in format 1, which has none
 * @param lastSequence the highest one, likewise
 * @param missing how many sequences had no event when a higher one came; some of these may have come late. {@link #UNKNOWN} in
 *     format 1
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

    /**
     * The tail of some events, in the order of the log.
     *
     * <pre>
     *   sequences   7  8  11  9  9  12     first 7, last 12
     *                       │  └──┴─ 2 late
     *                       └─ passed over: 9 and 10
     * </pre>
     *
     * @param events none of which belongs before the last checkpoint
     * @param next the sequence that the last checkpoint states as next; {@link #UNKNOWN} if no checkpoint is known
     */
    public static Tail of(List<Event> events, long next) {
        if (events.isEmpty()) {
            return EMPTY;
        }
        long altered = events.stream().filter(Event::contradictsItsHeader).count();
        long intact = events.stream().filter(Event::intact).count();
        long unchecked = events.size() - altered - intact;
        long begin = events.get(0).sequence();
        if (begin == Event.NO_SEQUENCE) {
            return new Tail(events.size(), UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, 0, altered, unchecked);
        }
        long lowest = begin;
        long highest = begin;
        long missing = next == UNKNOWN ? 0 : begin - next;
        long firstMissing = next;
        long late = 0;
        for (Event event : events.subList(1, events.size())) {
            long sequence = event.sequence();
            if (sequence > highest) {
                long between = sequence - highest - 1;
                firstMissing = missing == 0 ? highest + 1 : firstMissing;
                missing += between;
                highest = sequence;
            } else {
                late++;
                lowest = Math.min(lowest, sequence);
            }
        }
        firstMissing = missing == 0 || late > 0 ? UNKNOWN : firstMissing;
        return new Tail(events.size(), lowest, highest, missing, firstMissing, late, altered, unchecked);
    }

    /** True for an unsealed interval. */
    public boolean isThere() {
        return events != UNKNOWN;
    }

    /** How many sequences are missing even if all late events were among them. */
    public long leastMissing() {
        return Math.max(0, missing - late);
    }
}
