package dev.stormproof.alert;

import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.StrayRecord;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The published alerts of one partition, as far as they might be found again.
 *
 * <p>A restarted verifier begins at its committed progress and finds everything after that again. The ledger, restored from the alerts topic,
 * keeps it from publishing the same revision twice. An entry is forgotten when the progress passes its anchor, so the alarms after the progress
 * bound the ledger's size. Only an open one can be found again later, if more events of an unsealed end come, and it may be settled.
 * The last {@value #MOST_OPEN} of these are kept, and the places of all of them are passed on.
 */
public final class AlertLedger {
    /** The most remembered open alerts. */
    static final int MOST_OPEN = 10_000;

    private final Map<String, Published> byEventId = new HashMap<>();
    private final LinkedHashMap<String, Published> open = new LinkedHashMap<>();
    /** The groups of unattributed records by their first offsets. */
    private final Map<UnattributedRecord.Kind, TreeMap<Long, Strays>> groups =
            new EnumMap<>(UnattributedRecord.Kind.class);

    /**
     * The place of an alert.
     *
     * @param partition of the alerts topic
     */
    public record Place(int partition, long offset) {}

    private static final class Strays {
        private final StrayRecord records;
        private boolean counted;

        Strays(StrayRecord records) {
            this.records = records;
        }
    }

    private static final class Published {
        private final Finding.Type type;
        private final long anchor;
        private boolean counted;
        private @Nullable Place place;

        Published(Finding finding) {
            this.type = finding.type();
            this.anchor = finding.anchorOffset();
        }
    }

    /**
     * Adds a published finding; false if it is known. A reader that begins within a group of unattributed records finds its rest, and a fast one
     * finds several groups as one.
     */
    public boolean publish(Finding finding) {
        if (finding instanceof StrayRecord records) {
            if (isKnown(records)) {
                return false;
            }
            groups.computeIfAbsent(records.kind(), kind -> new TreeMap<>()).put(records.offset(), new Strays(records));
        }
        boolean first = alerts(finding).putIfAbsent(finding.revisionId(), new Published(finding)) == null;
        if (first && !finding.isOpen()) {
            // The metadata of progress need not name the open one any more.
            place(open.get(finding.revisionId(Finding.OPEN_REVISION)), null);
        }
        if (open.size() > MOST_OPEN) {
            open.remove(open.keySet().iterator().next());
        }
        return first;
    }

    /** Counts a published finding for this consumer group; false if it was counted before. Another group may have published it. */
    public boolean count(Finding finding) {
        if (finding instanceof StrayRecord records) {
            Collection<Strays> known = groupsOn(records);
            boolean counted = !known.isEmpty() && known.stream().allMatch(group -> group.counted);
            known.forEach(group -> group.counted = true);
            return !counted;
        }
        Published known = alerts(finding).get(finding.revisionId());
        boolean counted = known != null && known.counted;
        if (known != null) {
            known.counted = true;
        }
        return !counted;
    }

    private Collection<Strays> groupsOn(StrayRecord records) {
        TreeMap<Long, Strays> all = groups.getOrDefault(records.kind(), new TreeMap<>());
        return all.headMap(records.lastOffset(), true).values().stream()
                .filter(group -> group.records.lastOffset() >= records.offset())
                .toList();
    }

    /** True if published groups hold the first and the last of some records, and at least as many. */
    private boolean isKnown(StrayRecord records) {
        long count = 0;
        boolean first = false;
        boolean last = false;
        for (Strays group : groupsOn(records)) {
            count += group.records.count();
            first |= group.records.offset() <= records.offset();
            last |= group.records.lastOffset() >= records.lastOffset();
        }
        return first && last && count >= records.count();
    }

    /** Removes a finding that was not published after all. */
    public void retract(Finding finding) {
        alerts(finding).remove(finding.revisionId());
    }

    /** Adds a proof that settles an alarm; false if there was no alarm, or the proof is known. */
    public boolean resolve(Finding proof) {
        return openBefore(proof).isPresent() && publish(proof);
    }

    /** True if an open finding on the same subject was counted, and had the same type. */
    public boolean confirms(Finding finding) {
        return openBefore(finding)
                .filter(published -> published.counted && published.type == finding.type())
                .isPresent();
    }

    /** The place of the published open finding on the same subject, if it is known. */
    public Optional<Place> earlierPlace(Finding finding) {
        return openBefore(finding).map(published -> published.place);
    }

    private Optional<Published> openBefore(Finding finding) {
        return finding.isOpen()
                ? Optional.empty()
                : Optional.ofNullable(open.get(finding.revisionId(Finding.OPEN_REVISION)));
    }

    /** Sets the place of a written alert. */
    public void written(Finding finding, Place place) {
        place(alerts(finding).get(finding.revisionId()), place);
    }

    /** The places of the alerts that a successor must read if it begins at {@code progressOffset}. */
    public List<Place> places(long progressOffset) {
        return Stream.concat(
                        byEventId.values().stream().filter(alert -> alert.anchor >= progressOffset),
                        open.values().stream())
                .flatMap(alert -> Stream.ofNullable(alert.place))
                .toList();
    }

    /** Forgets the alerts that a reader that begins at {@code progressOffset} does not find again. */
    public void forgetBefore(long progressOffset) {
        byEventId.values().removeIf(alert -> alert.anchor < progressOffset);
        groups.values().forEach(known -> known.values().removeIf(group -> group.records.lastOffset() < progressOffset));
    }

    /** The number of alerts that the progress has not passed. */
    public int size() {
        return byEventId.size();
    }

    private Map<String, Published> alerts(Finding finding) {
        return finding.isOpen() ? open : byEventId;
    }

    private static void place(@Nullable Published alert, @Nullable Place place) {
        if (alert != null) {
            alert.place = place;
        }
    }
}
