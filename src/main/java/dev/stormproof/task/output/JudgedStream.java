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
    /** How many judgements are looked through for the one that is wanted. */
    static final int MOST_PASSED = 100;

    private final TreeMap<Long, Judged> sealed = new TreeMap<>();

    /** The finding on what nobody sealed; null if there is none. */
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

    /** Adds a judgement; of verified ones that follow on it makes one, without what ends before an offset. */
    void add(Judged judged, long heldFrom) {
        Judged whole = judged;
        Map.@Nullable Entry<Long, Judged> last =
                sealed.lowerEntry(judged.intervals().lastEnd());
        if (last != null && last.getValue().isContinuedBy(judged)) {
            whole = last.getValue().and(judged, heldFrom);
            sealed.remove(last.getKey());
        }
        @Nullable Judged before = sealed.put(judged.intervals().lastEnd(), whole);
        // Read again from a place in its middle on, it is judged again from there on alone.
        if (before != null && before.against() == null) {
            keep(before.intervals().before(whole.intervals().firstEnd()));
        }
    }

    /**
     * The first judgement behind an event that states it; if none does, the first one behind it. Empty if there is none, or if too many lie
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

    /** What a cut left of verified intervals stays what it was: the progress may have passed events of these. */
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

    /** Another one may end there, and what reaches further stays. */
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
