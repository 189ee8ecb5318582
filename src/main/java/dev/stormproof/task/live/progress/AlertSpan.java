package dev.stormproof.task.live.progress;

import dev.stormproof.alert.AlertLedger.Place;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * A range of the alerts topic, which a task reads when it starts.
 *
 * @param partition of the alerts topic
 */
public record AlertSpan(int partition, long beginOffset, long endOffset) {
    private static final long FIRST_GAP = 500;

    /** Spans that cover some places: at most {@code most}, each as narrow as that allows. */
    public static List<AlertSpan> over(Collection<Place> places, int most) {
        return joined(
                places.stream()
                        .map(place -> new AlertSpan(place.partition(), place.offset(), place.offset() + 1))
                        .toList(),
                most);
    }

    /** Joins spans until at most {@code most} are left, or one for each partition. */
    static List<AlertSpan> joined(Collection<AlertSpan> spans, int most) {
        List<AlertSpan> sorted = new ArrayList<>(spans);
        sorted.sort(Comparator.comparingInt(AlertSpan::partition).thenComparingLong(AlertSpan::beginOffset));
        List<AlertSpan> joined = join(sorted, FIRST_GAP);
        for (long gap = FIRST_GAP; joined.size() > most && gap < Long.MAX_VALUE / 2; gap *= 2) {
            joined = join(joined, gap);
        }
        return joined;
    }

    private static List<AlertSpan> join(List<AlertSpan> sorted, long gap) {
        List<AlertSpan> joined = new ArrayList<>();
        for (AlertSpan span : sorted) {
            int last = joined.size() - 1;
            if (last >= 0
                    && joined.get(last).partition == span.partition
                    && span.beginOffset - joined.get(last).endOffset <= gap) {
                AlertSpan before = joined.get(last);
                joined.set(
                        last,
                        new AlertSpan(span.partition, before.beginOffset, Math.max(before.endOffset, span.endOffset)));
            } else {
                joined.add(span);
            }
        }
        return joined;
    }
}
