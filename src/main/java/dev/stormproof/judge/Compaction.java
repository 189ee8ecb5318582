package dev.stormproof.judge;

import dev.stormproof.judge.Anomaly.Kind;
import dev.stormproof.judge.Verdict.Inconclusive;
import dev.stormproof.judge.Verdict.Inconclusive.Reason;
import dev.stormproof.judge.Verdict.Violated;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * What compaction may have taken from a log is not lost. What it left is judged as in any other log.
 *
 * <pre>
 *   offsets   ───0───·───2───·───·───5───6───7───8──►      ·  nothing lies there any more
 *                                    └ cleanedEnd: from here on everything that was written is there
 * </pre>
 *
 * <p>A missing event was written behind the event before it. If that lies at {@code cleanedEnd} or behind it, compaction took nothing
 * there.
 */
final class Compaction {
    private Compaction() {}

    /** The same finding without what compaction may have taken; inconclusive if nothing else is left of a violation. */
    static Finding excused(Finding found, Evidence evidence) {
        if (evidence.cleanedEnd() == 0 || !(found instanceof Violated violated)) {
            return found;
        }
        NavigableMap<Long, Long> places = places(evidence);
        List<Anomaly> left = violated.anomalies().stream()
                .filter(anomaly -> anomaly.kind() != Kind.LOST || wasNeverThere(anomaly, places, evidence.cleanedEnd()))
                .toList();
        if (left.size() == violated.anomalies().size()) {
            return violated;
        }
        // Without leaves nobody can say whether what is left is as stated.
        List<Anomaly> sure = left.stream()
                .filter(anomaly -> anomaly.kind() != Kind.UNLOCATED)
                .toList();
        return sure.isEmpty()
                ? new Inconclusive(
                        violated.interval(),
                        Reason.EXPIRED,
                        "events that it states are missing, and compaction of the topic may have taken them")
                : Violated.of(violated.interval(), sure, violated.provisional(), violated.minimal());
    }

    /** Where each sequence lies. */
    private static NavigableMap<Long, Long> places(Evidence evidence) {
        NavigableMap<Long, Long> places = new TreeMap<>();
        // Of copies the first counts: a later one says nothing of where the original lay.
        evidence.events().forEach(event -> places.merge(event.sequence(), event.offset(), Math::min));
        return places;
    }

    private static boolean wasNeverThere(Anomaly lost, NavigableMap<Long, Long> places, long cleanedEnd) {
        Map.Entry<Long, Long> before = places.lowerEntry(lost.begin());
        return before != null && before.getValue() >= cleanedEnd;
    }
}
