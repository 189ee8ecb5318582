package dev.stormproof.proof.compare;

import dev.stormproof.proof.compare.RecordLog.Entry;
import dev.stormproof.proof.tree.Leaves;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Records of a log that were read and not compared yet. */
final class Stretch {
    private final RecordLog log;
    private final int most;
    private List<Entry> held = new ArrayList<>();
    private int done;

    /** @param most how many records are held at once */
    Stretch(RecordLog log, int most) {
        this.log = log;
        this.most = most;
    }

    /** The first record; null at the log's end. */
    @Nullable
    Entry head() {
        if (done == held.size()) {
            held.clear();
            done = 0;
            Entry next = log.next();
            if (next == null) {
                return null;
            }
            held.add(next);
        }
        return held.get(done);
    }

    void dropHead() {
        done++;
    }

    /** Reads as many as may be held; true if the log ends there. */
    boolean fill() {
        held = new ArrayList<>(held.subList(done, held.size()));
        done = 0;
        while (held.size() < most) {
            Entry next = log.next();
            if (next == null) {
                return true;
            }
            held.add(next);
        }
        return false;
    }

    List<Entry> entries() {
        return held;
    }

    /** Keeps the records from a place on, without some. */
    void keepFrom(int place, Set<Integer> without) {
        List<Entry> kept = new ArrayList<>(most);
        for (int i = place; i < held.size(); i++) {
            if (!without.contains(i)) {
                kept.add(held.get(i));
            }
        }
        held = kept;
    }

    /** The offset at a place; after the last record, where the next would be. */
    long offsetAt(int place) {
        if (place < held.size()) {
            return held.get(place).offset();
        }
        return held.isEmpty() ? log.endOffset() : held.get(held.size() - 1).offset() + 1;
    }

    long readOffset() {
        return offsetAt(held.size());
    }

    Leaves leaves() {
        Leaves.Builder leaves = Leaves.builder();
        held.forEach(entry -> leaves.append(entry.content()));
        return leaves.build();
    }

    /** Reads the next record without holding it; null at the log's end. */
    @Nullable
    Entry beyond() {
        return log.next();
    }

    void moveTo(long offset) {
        held.clear();
        done = 0;
        log.seek(offset);
    }

    /** Goes back to the end of the held records, of which there is at least one. */
    void goBack() {
        log.seek(Objects.requireNonNull(held.get(held.size() - 1)).offset() + 1);
    }
}
