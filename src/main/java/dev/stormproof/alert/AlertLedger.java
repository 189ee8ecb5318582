package dev.stormproof.alert;

import dev.stormproof.judge.Finding;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The published alerts of one partition, as far back as they might be found again.
 *
 * <p>A verifier that starts anew begins at its committed progress and finds again what it had found behind that point.
 * The ledger, restored from the alerts topic, keeps it from publishing the same revision twice. An entry is forgotten when
 * progress passes what it hangs on, so that its size is bounded by the alarms beyond progress. Only that a stream's end is
 * unsealed can be found again later, if more of its events come; and it may turn out well after all. Of these the last
 * {@value #MOST_UNSEALED} are kept, and the places of the last {@value #MOST_UNSEALED_PLACES} are handed on.
 */
public final class AlertLedger {
    /** How many unsealed streams are remembered. */
    static final int MOST_UNSEALED = 10_000;

    /** How many of them are written into the progress note. */
    static final int MOST_UNSEALED_PLACES = 32;

    private final Map<String, Told> byEventId = new HashMap<>();
    private final LinkedHashMap<String, Told> unsealed = new LinkedHashMap<>();

    /**
     * Where an alert stands.
     *
     * @param partition of the alerts topic
     * @param offset in that partition
     */
    public record Place(int partition, long offset) {}

    private static final class Told {
        private final long anchor;
        private @Nullable Place place;

        Told(long anchor) {
            this.anchor = anchor;
        }
    }

    /** Notes an alert as published; false if it was already. */
    public boolean tell(Alert alert) {
        if (alert.finding().revision() == Finding.UNSEALED_REVISION) {
            return tellUnsealed(alert);
        }
        Finding finding = alert.finding();
        boolean first = byEventId.putIfAbsent(finding.revisionId(), new Told(finding.anchorOffset())) == null;
        if (first && alert.finding().revision() == Finding.FINAL_REVISION) {
            settle(alert.finding().revisionId(Finding.UNSEALED_REVISION));
        }
        return first;
    }

    /** Notes a proof that settles an alarm; false if there was no alarm, or the proof was noted before. */
    public boolean resolve(Alert alert) {
        boolean alarming = unsealed.containsKey(alert.finding().revisionId(Finding.UNSEALED_REVISION))
                || byEventId.containsKey(alert.finding().revisionId(Finding.PROVISIONAL_REVISION));
        return alarming && tell(alert);
    }

    /** Notes where an alert was written. */
    public void written(Alert alert, Place place) {
        Told told = alert.finding().revision() == Finding.UNSEALED_REVISION
                ? unsealed.get(alert.finding().revisionId())
                : byEventId.get(alert.finding().revisionId());
        if (told != null) {
            told.place = place;
        }
    }

    /** The places of the alerts that a successor reads if it begins at {@code progressOffset}. */
    public List<Place> places(long progressOffset) {
        List<Place> places = new ArrayList<>();
        for (Told told : byEventId.values()) {
            if (told.anchor >= progressOffset && told.place != null) {
                places.add(told.place);
            }
        }
        unsealed.values().stream()
                .skip(Math.max(0, unsealed.size() - MOST_UNSEALED_PLACES))
                .flatMap(told -> Stream.ofNullable(told.place))
                .forEach(places::add);
        return places;
    }

    /** Drops the place of an unsealed alert: a final revision was published, so the progress note need not name it. */
    private void settle(String eventId) {
        Told told = unsealed.get(eventId);
        if (told != null) {
            told.place = null;
        }
    }

    private boolean tellUnsealed(Alert alert) {
        boolean first = unsealed.putIfAbsent(
                        alert.finding().revisionId(), new Told(alert.finding().anchorOffset()))
                == null;
        if (unsealed.size() > MOST_UNSEALED) {
            unsealed.remove(unsealed.keySet().iterator().next());
        }
        return first;
    }

    /** Forgets the alerts that a reader that begins at {@code progressOffset} does not find again. */
    public void forgetBefore(long progressOffset) {
        byEventId.values().removeIf(told -> told.anchor < progressOffset);
    }

    /** How many alerts are remembered that progress has not passed. */
    public int size() {
        return byEventId.size();
    }
}
