package dev.stormproof.verify;

import dev.stormproof.verify.AuditTask.OfHole;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The ranges of offsets of which no record came, and which are to be read from the log: piece by piece, from the lowest.
 *
 * <p>Before them all comes a doubt, if there is one: whether, and where, the log was cut before what was read of it.
 *
 * <p>Their number is bounded: beyond the bound the two highest become one, over what lies between them. Reading a record
 * twice does no harm.
 */
final class Holes {
    private final TreeMap<Long, Long> endByBegin = new TreeMap<>();
    private final int most;
    private final int pieceOffsets;
    private @Nullable OfHole asked;
    private @Nullable OfHole doubt;
    private long doubtedFrom;

    Holes(int most, int pieceOffsets) {
        this.most = most;
        this.pieceOffsets = pieceOffsets;
    }

    void add(long begin, long end) {
        if (begin >= end) {
            return;
        }
        long from = begin;
        long to = end;
        Map.Entry<Long, Long> touching = endByBegin.floorEntry(to);
        while (touching != null && touching.getValue() >= from) {
            from = Math.min(from, touching.getKey());
            to = Math.max(to, touching.getValue());
            endByBegin.remove(touching.getKey());
            touching = endByBegin.floorEntry(to);
        }
        endByBegin.put(from, to);
        while (endByBegin.size() > most) {
            long last = endByBegin.pollLastEntry().getValue();
            endByBegin.put(endByBegin.lastKey(), last);
        }
    }

    /** The next piece to read; empty while one is being read. */
    Optional<OfHole> ask() {
        if (asked != null || isEmpty()) {
            return Optional.empty();
        }
        if (doubt != null) {
            asked = doubt;
            return Optional.of(doubt);
        }
        Map.Entry<Long, Long> lowest = endByBegin.firstEntry();
        OfHole piece =
                new OfHole(lowest.getKey(), Math.min(lowest.getValue(), lowest.getKey() + pieceOffsets), Link.NO_EPOCH);
        asked = piece;
        return Optional.of(piece);
    }

    /**
     * The log may have been cut somewhere before an offset, and nobody knows where: asks it. What lies behind the cut is a
     * hole.
     *
     * @param beginOffset before which the cut may lie
     * @param leaderEpoch the newest leader epoch that was read of the log before it was cut
     * @param decidedOffset before which everything was decided
     */
    void doubt(long beginOffset, int leaderEpoch, long decidedOffset) {
        OfHole before = doubt;
        long offset = before == null ? beginOffset : Math.max(beginOffset, before.beginOffset());
        doubt = new OfHole(offset, offset, before == null ? leaderEpoch : before.leaderEpoch());
        doubtedFrom = Math.min(before == null ? Long.MAX_VALUE : doubtedFrom, decidedOffset);
        asked = null;
    }

    /** Before which everything was decided when the doubt arose. */
    long doubtedFrom() {
        return doubtedFrom;
    }

    /** While there is a doubt, the newest leader epoch of which there is none. */
    OptionalInt doubtedEpoch() {
        return doubt == null ? OptionalInt.empty() : OptionalInt.of(doubt.leaderEpoch());
    }

    /** Takes it that a piece was read up to {@code endOffset}; false if that does not count any more. */
    @SuppressWarnings("ReferenceEquality") // An equal piece may have been asked for twice; only the last answer counts.
    boolean answered(OfHole piece, long endOffset) {
        if (piece != asked) {
            return false;
        }
        asked = null;
        if (piece == doubt) {
            doubt = null;
            return true;
        }
        Map.Entry<Long, Long> hole = endByBegin.floorEntry(piece.beginOffset());
        if (hole != null && hole.getValue() > piece.beginOffset()) {
            endByBegin.remove(hole.getKey());
            add(hole.getKey(), piece.beginOffset());
            add(endOffset, hole.getValue());
        }
        return true;
    }

    /** What is being read now will be read again. */
    void forgetAnswers() {
        asked = null;
    }

    boolean isEmpty() {
        return doubt == null && endByBegin.isEmpty();
    }

    int count() {
        return endByBegin.size();
    }

    /** The first offset that was not read; {@link Long#MAX_VALUE} if there is none. */
    long beginOffset() {
        long first = endByBegin.isEmpty() ? Long.MAX_VALUE : endByBegin.firstKey();
        return doubt == null ? first : Math.min(first, doubtedFrom);
    }
}
