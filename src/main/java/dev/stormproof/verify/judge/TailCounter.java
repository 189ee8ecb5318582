package dev.stormproof.verify.judge;

import dev.stormproof.proof.checkpoint.Event;

/**
 * The counter of the events of a stream from some place on: a few numbers, however many come.
 *
 * <pre>
 *   sequences   7  8  11  9  9  12     begin 7, lowest 7, highest 12
 *                       │  └──┴─ 2 late
 *                       └─ passed over: 9 and 10
 * </pre>
 *
 * <p>Owned by one thread.
 */
public final class TailCounter {
    private long events;
    private long begin;
    private long lowest;
    private long highest;
    private long passedOver;
    private long firstPassedOver;
    private long late;
    private long altered;
    private long unchecked;

    /** Adds the next event, in the order of the log. */
    public void add(Event event) {
        events++;
        if (event.contradictsItsHeader()) {
            altered++;
        } else if (!event.intact()) {
            unchecked++;
        }
        long sequence = event.sequence();
        if (events == 1) {
            begin = sequence;
            lowest = sequence;
            highest = sequence;
        } else if (sequence > highest) {
            long between = sequence - highest - 1;
            firstPassedOver = between > 0 && passedOver == 0 ? highest + 1 : firstPassedOver;
            passedOver += between;
            highest = sequence;
        } else {
            late++;
            lowest = Math.min(lowest, sequence);
        }
    }

    /**
     * The tail of the events so far.
     *
     * @param next the sequence that the last checkpoint states as next; {@link Tail#UNKNOWN} if no checkpoint is known
     */
    public Tail tail(long next) {
        if (events == 0) {
            return Tail.EMPTY;
        }
        if (highest == Event.NO_SEQUENCE) {
            return new Tail(events, Tail.UNKNOWN, Tail.UNKNOWN, Tail.UNKNOWN, Tail.UNKNOWN, 0, altered, unchecked);
        }
        long before = next == Tail.UNKNOWN ? 0 : begin - next;
        long missing = next != Tail.UNKNOWN && lowest < next ? Tail.UNKNOWN : before + passedOver;
        long firstMissing = before > 0 ? next : firstPassedOver;
        return new Tail(
                events,
                lowest,
                highest,
                missing,
                missing > 0 && late == 0 ? firstMissing : Tail.UNKNOWN,
                late,
                altered,
                unchecked);
    }
}
