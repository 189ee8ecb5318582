package dev.stormproof.log.origin;

import dev.stormproof.log.origin.OriginEvidence.Judged;
import dev.stormproof.proof.align.IncreasingChain;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.verify.judge.Evidence;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The events of a log that were moved on their way from the origin's log: a smallest set of those that both hold, without which
 * the order is the same.
 *
 * <pre>
 *   origin   3 4 1 2      out of order there: 3 and 4
 *   here     3 4 1        out of order here: 1, the smaller set; moved between: none
 * </pre>
 */
final class MovedBetween {
    private final Set<Long> kept = new HashSet<>();

    MovedBetween(OriginEvidence origin, Evidence here) {
        TreeMap<Long, Event> there = new TreeMap<>();
        for (Judged judged : origin.intervals()) {
            judged.events().forEach(event -> there.put(event.offset(), event));
        }
        Map<Long, Deque<Integer>> places = new HashMap<>();
        int place = 0;
        for (Event event : there.values()) {
            places.computeIfAbsent(event.sequence(), sequence -> new ArrayDeque<>())
                    .add(place++);
        }
        List<Event> events = here.events();
        IncreasingChain chain = new IncreasingChain(there.size());
        for (int i = 0; i < events.size(); i++) {
            // The first of several copies is taken for the first one there.
            Integer at = places.getOrDefault(events.get(i).sequence(), new ArrayDeque<>())
                    .poll();
            if (at != null) {
                chain.offer(i, at);
            }
        }
        chain.visitFromEnd((i, at) -> kept.add(events.get(i).offset()));
    }

    /** True if the event at an offset of this log was moved, or is not in the origin's. */
    boolean isMoved(long offset) {
        return !kept.contains(offset);
    }
}
