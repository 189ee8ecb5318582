package dev.stormproof.verify;

import dev.stormproof.verify.AuditTask.OfHole;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The ranges of offsets of which no record came, and which are to be read from the log: piece by piece, from the lowest.
 *
 * <p>Their number is bounded: beyond the bound the two highest become one, over what lies between them. Reading a record
 * twice does no harm.
 */
final class Holes {
    private final TreeMap<Long, Long> endByBegin = new TreeMap<>();
    private final int most;
    private final int pieceOffsets;
    private @Nullable OfHole asked;

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
        if (asked != null || endByBegin.isEmpty()) {
            return Optional.empty();
        }
        Map.Entry<Long, Long> lowest = endByBegin.firstEntry();
        OfHole piece = new OfHole(lowest.getKey(), Math.min(lowest.getValue(), lowest.getKey() + pieceOffsets));
        asked = piece;
        return Optional.of(piece);
    }

    /** Takes it that a piece was read up to {@code endOffset}; false if that does not count any more. */
    @SuppressWarnings("ReferenceEquality") // An equal piece may have been asked for twice; only the last answer counts.
    boolean answered(OfHole piece, long endOffset) {
        if (piece != asked) {
            return false;
        }
        asked = null;
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
        return endByBegin.isEmpty();
    }

    int count() {
        return endByBegin.size();
    }

    /** The first offset that was not read; {@link Long#MAX_VALUE} if there is none. */
    long beginOffset() {
        return endByBegin.isEmpty() ? Long.MAX_VALUE : endByBegin.firstKey();
    }
}
