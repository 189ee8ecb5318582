package dev.stormproof.verify;

/**
 * The chain of offsets over which the records of one partition come.
 *
 * <p>A match of roots proves something only if no record was missed in between. {@code last} is the last offset that was
 * accepted, {@code epoch} the newest leader epoch; epochs never fall along a log:
 *
 * <pre>
 *   an older leader epoch                        REPLAYED   of a log that was cut off since, or before {@code last} anyway
 *   offset ≤ last, same leader epoch             REPLAYED
 *   offset ≤ last, newer leader epoch            REWRITTEN  the log was cut and grew again; last falls
 *   last &lt; previous, or a START past last + 1    JUMPED     records in between never came
 *   previous ≤ last &lt; offset, newer epoch        ELECTED    an unclean election may have cut the log
 *   previous ≤ last &lt; offset                     CONTINUED
 * </pre>
 *
 * <p>A record without a leader epoch says nothing about elections.
 */
final class OffsetChain {
    /** What a record's link did to the chain. */
    enum Step {
        REPLAYED,
        REWRITTEN,
        JUMPED,
        ELECTED,
        CONTINUED
    }

    private long last;
    private int epoch = Link.NO_EPOCH;
    private long startedAt;
    private long jumpedFrom;
    private long jumpedTo;

    /** A chain whose first link may be at {@code nextOffset}. */
    OffsetChain(long nextOffset) {
        this.last = nextOffset - 1;
        this.startedAt = nextOffset;
    }

    Step accept(Link link) {
        startedAt = link.start() ? link.offset() : startedAt;
        boolean known = link.leaderEpoch() != Link.NO_EPOCH && epoch != Link.NO_EPOCH;
        boolean newer = known && link.leaderEpoch() > epoch;
        if (known && link.leaderEpoch() < epoch) {
            return Step.REPLAYED;
        }
        Step step;
        if (link.offset() <= last) {
            if (!newer) {
                return Step.REPLAYED;
            }
            // A reader that finds the log cut starts again before the cut, and what it starts with may be lost.
            jumpedFrom = startedAt <= link.offset() ? startedAt : 0;
            jumpedTo = link.offset();
            step = Step.REWRITTEN;
        } else if (link.start() ? link.offset() != last + 1 : link.previous() > last) {
            jumpedFrom = last + 1;
            jumpedTo = link.start() ? link.offset() : link.previous() + 1;
            step = Step.JUMPED;
        } else {
            step = newer ? Step.ELECTED : Step.CONTINUED;
        }
        epoch = Math.max(epoch, link.leaderEpoch());
        last = link.offset();
        return step;
    }

    /** Jumps over the offsets before one, without a record. */
    void skipTo(long offset) {
        jumpedFrom = last + 1;
        jumpedTo = offset;
        last = offset - 1;
    }

    /** The offset after the last one that was accepted. */
    long nextOffset() {
        return last + 1;
    }

    /** The first offset that the last jump left out, or that the last rewriting may have. */
    long jumpedFrom() {
        return jumpedFrom;
    }

    /** The offset after the last one of those; both are equal if there are none. */
    long jumpedTo() {
        return jumpedTo;
    }
}
