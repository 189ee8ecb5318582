package dev.stormproof.verify;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

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
 *   a START whose reader found the log cut       REWRITTEN  the same, and retention has passed the cut
 *     at or before last, newer leader epoch
 *   last &lt; previous, or a START past last + 1    JUMPED     records in between never came
 *   previous ≤ last &lt; offset, newer epoch        ELECTED    an unclean election may have cut the log
 *   previous ≤ last &lt; offset                     CONTINUED
 * </pre>
 *
 * <p>With a newer leader epoch comes doubt how much of the log was cut, unless the reader is known to have read the record
 * before: then it would have found out. The log knows where an epoch ends (KIP-320).
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

    /** How many incarnations of readers are remembered. */
    private static final int MOST_READERS = 4;

    /** How many changes of leader are remembered. */
    private static final int MOST_EPOCHS = 64;

    private final TreeMap<Long, Integer> epochByFirstOffset = new TreeMap<>();
    private long last;
    private int epoch;
    private final LinkedHashMap<Long, Long> readUpTo = new LinkedHashMap<>();
    private long jumpedFrom;
    private long jumpedTo;

    /**
     * A chain whose first link may be at {@code nextOffset}.
     *
     * @param epoch the leader epoch of the record before that; -1 if unknown
     */
    OffsetChain(long nextOffset, int epoch) {
        this.last = nextOffset - 1;
        this.epoch = epoch;
        remember(last, epoch);
    }

    /**
     * True if a link shows a newer leader epoch than any before, and nobody but the log can tell where that begins: the
     * record before did not come from the same reader.
     */
    boolean raisesDoubt(Link link) {
        boolean newer = epoch != Link.NO_EPOCH && link.leaderEpoch() > epoch;
        Long seen = readUpTo.get(link.incarnation());
        return newer && (seen == null || seen != link.previous());
    }

    /** The newest leader epoch so far; -1 if none is known. */
    int epoch() {
        return epoch;
    }

    Step accept(Link link) {
        Step step = follow(link);
        readUpTo.merge(link.incarnation(), link.offset(), Math::max);
        if (readUpTo.size() > MOST_READERS) {
            readUpTo.remove(readUpTo.keySet().iterator().next());
        }
        return step;
    }

    private Step follow(Link link) {
        boolean known = link.leaderEpoch() != Link.NO_EPOCH && epoch != Link.NO_EPOCH;
        boolean newer = known && link.leaderEpoch() > epoch;
        if (known && link.leaderEpoch() < epoch) {
            return Step.REPLAYED;
        }
        if (link.offset() <= last && !newer) {
            return Step.REPLAYED;
        }
        Step step;
        // A reader starts anew where it finds the log cut, or before; retention may have passed that.
        long cut = link.start() ? link.previous() + 1 : link.offset();
        if (newer && cut <= last) {
            jumpedFrom = cut;
            jumpedTo = link.offset();
            step = Step.REWRITTEN;
        } else if (link.start() ? link.offset() != last + 1 : link.previous() > last) {
            jumpedFrom = last + 1;
            jumpedTo = link.start() ? link.offset() : link.previous() + 1;
            step = Step.JUMPED;
        } else {
            step = newer ? Step.ELECTED : Step.CONTINUED;
        }
        if (link.leaderEpoch() > epoch) {
            epoch = link.leaderEpoch();
            remember(step == Step.REWRITTEN ? jumpedFrom : link.offset(), epoch);
        }
        last = link.offset();
        return step;
    }

    /**
     * The leader epoch of the last record before an offset; if that is unknown the first one that is known, which is not
     * less; -1 if none is.
     */
    int epochBefore(long offset) {
        Map.Entry<Long, Integer> entry = epochByFirstOffset.lowerEntry(offset);
        if (entry == null || entry.getValue() == Link.NO_EPOCH) {
            entry = epochByFirstOffset.ceilingEntry(offset);
        }
        return entry == null ? Link.NO_EPOCH : entry.getValue();
    }

    private void remember(long offset, int newEpoch) {
        epochByFirstOffset.tailMap(offset).clear();
        epochByFirstOffset.put(offset, newEpoch);
        if (epochByFirstOffset.size() > MOST_EPOCHS) {
            epochByFirstOffset.pollFirstEntry();
        }
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

    /** The first offset that the last jump or rewriting left out. */
    long jumpedFrom() {
        return jumpedFrom;
    }

    /** The offset after the last one of those; both are equal if there are none. */
    long jumpedTo() {
        return jumpedTo;
    }
}
