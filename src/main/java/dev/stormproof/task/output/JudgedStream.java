package dev.stormproof.task.output;

import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.verify.judge.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The judgements on one emitter's intervals, by the offsets at which they end. Owned by one thread. */
final class JudgedStream {
    /** How many judgements are searched for the one of an event. */
    static final int MOST_PASSED = 100;

    private final TreeMap<Long, Judged> sealed = new TreeMap<>();

    /** The finding on unsealed events; null if there is none. */
    @Nullable
    Verdict unsealed;

    boolean isEmpty() {
        return sealed.isEmpty() && unsealed == null;
    }

    int size() {
        return sealed.size();
    }

    boolean has(long end) {
        return sealed.containsKey(end);
    }

    /** Adds a judgement; consecutive verified ones become one, without intervals that end before {@code heldFrom}. */
    void add(Judged judged, long heldFrom) {
        Judged whole = judged;
        Map.@Nullable Entry<Long, Judged> last =
                sealed.lowerEntry(judged.intervals().lastEnd());
        if (last != null && last.getValue().isContinuedBy(judged)) {
            whole = last.getValue().and(judged, heldFrom);
            sealed.remove(last.getKey());
        }
        @Nullable Judged before = sealed.put(judged.intervals().lastEnd(), whole);
        // After a reading that began within it, only the rest of it is judged again.
        if (before != null && before.against() == null) {
            keep(before.intervals().before(whole.intervals().firstEnd()));
        }
    }

    /**
     * The first judgement after an event that states it; if none does, the first one after it. Empty if there is none, or if too many are
     * between.
     */
    @Nullable
    Judged firstBehind(Event event) {
        @Nullable Judged first = null;
        int passed = 0;
        for (Judged judged : sealed.tailMap(event.offset(), true).values()) {
            if (judged.states(event)) {
                return judged;
            }
            first = first == null ? judged : first;
            if (++passed > MOST_PASSED) {
                break;
            }
        }
        return first;
    }

    /** The rest of verified intervals stays verified after a cut: the progress may have passed their events. */
    void truncated(long offset) {
        NavigableMap<Long, Judged> cut = sealed.tailMap(offset, true);
        List<Judged> gone = new ArrayList<>(cut.values());
        cut.clear();
        for (Judged judged : gone) {
            if (judged.against() == null) {
                keep(judged.intervals().before(offset));
                keep(judged.intervals().cutAt(offset));
            }
        }
    }

    /** If another entry ends at the same offset, the one that reaches further is kept. */
    private void keep(@Nullable Intervals left) {
        if (left == null) {
            return;
        }
        @Nullable Judged there = sealed.get(left.lastEnd());
        if (there == null || there.intervals().nextSequence() < left.nextSequence()) {
            sealed.put(left.lastEnd(), new Judged(null, left));
        }
    }

    void forgetBefore(long offset) {
        sealed.headMap(offset, false).clear();
        if (unsealed != null && unsealed.interval().checkpointOffset() < offset) {
            unsealed = null;
        }
    }
}
