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
 * Which alerts of one partition were told, as far back as they might be found again.
 *
 * <p>A verifier that starts anew begins at its committed progress and finds again what it had found behind that point.
 * The ledger, restored from the alerts topic, keeps it from telling the same revision twice. An entry is forgotten when
 * progress passes what it hangs on, so that its size is bounded by the alarms beyond progress. Only that a stream's end is
 * unsealed can be found again later, if more of its events come; and it may turn out well after all. Of these the last
 * {@value #MOST_UNSEALED} are kept, and the places of the last {@value #MOST_UNSEALED_PLACES} are handed on.
 */
public final class AlertLedger {
    /** How many unsealed streams are remembered. */
    static final int MOST_UNSEALED = 10_000;

    /** Of how many of them a successor hears. */
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

    /** Notes an alert as told; false if it was already. */
    public boolean tell(Alert alert) {
        if (alert.finding().revision() == Finding.UNSEALED_REVISION) {
            return tellUnsealed(alert);
        }
        boolean first = byEventId.putIfAbsent(
                        alert.finding().revisionId(), new Told(alert.finding().anchorOffset()))
                == null;
        if (first && alert.finding().revision() == Finding.FINAL_REVISION) {
            settle(alert.finding().revisionId(Finding.UNSEALED_REVISION));
        }
        return first;
    }

    /** Notes that a matter that was alarming turned out well, as told; false if it never was alarming, or was told. */
    public boolean resolve(Alert alert) {
        boolean alarming = unsealed.containsKey(alert.finding().revisionId(Finding.UNSEALED_REVISION))
                || byEventId.containsKey(alert.finding().revisionId(Finding.PROVISIONAL_REVISION));
        return alarming && tell(alert);
    }

    /** Notes where an alert that was told was written. */
    public void written(Alert alert, Place place) {
        Told told = alert.finding().revision() == Finding.UNSEALED_REVISION
                ? unsealed.get(alert.finding().revisionId())
                : byEventId.get(alert.finding().revisionId());
        if (told != null) {
            told.place = place;
        }
    }

    /** Where the alerts stand that a successor has to know of if it begins at {@code progressOffset}. */
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

    /** The last word was spoken: no successor has to hear of what was told before. */
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

    /** Forgets what nobody can find again who begins at {@code progressOffset}. */
    public void forgetBefore(long progressOffset) {
        byEventId.values().removeIf(told -> told.anchor < progressOffset);
    }

    /** How many alerts are remembered that progress has not passed. */
    public int size() {
        return byEventId.size();
    }
}
