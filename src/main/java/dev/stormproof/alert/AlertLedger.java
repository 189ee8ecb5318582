package dev.stormproof.alert;

import dev.stormproof.verify.Finding;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Which alerts of one partition were told, as far back as they might be found again.
 *
 * <p>A verifier that starts anew begins at its committed progress and finds again what it had found behind that point.
 * The ledger, restored from the alerts topic, keeps it from telling the same revision twice. An entry is forgotten when
 * progress passes what it hangs on, so that its size is bounded by the alarms beyond progress. Only that a stream's end is
 * unsealed can be found again later, if more of its events come; of these the last {@value #MOST_UNSEALED} are kept.
 */
public final class AlertLedger {
    /** How many unsealed streams are remembered. */
    static final int MOST_UNSEALED = 10_000;

    private final Map<String, Long> anchorByEventId = new HashMap<>();
    private final Set<String> unsealed = new LinkedHashSet<>();

    /** Notes an alert as told; false if it was already. */
    public boolean tell(Alert alert) {
        if (alert.revision() == Finding.UNSEALED_REVISION) {
            return tellUnsealed(alert.eventId());
        }
        return anchorByEventId.putIfAbsent(alert.eventId(), alert.finding().anchorOffset()) == null;
    }

    private boolean tellUnsealed(String eventId) {
        boolean first = unsealed.add(eventId);
        if (unsealed.size() > MOST_UNSEALED) {
            unsealed.remove(unsealed.iterator().next());
        }
        return first;
    }

    /** Forgets what nobody can find again who begins at {@code progressOffset}. */
    public void forgetBefore(long progressOffset) {
        anchorByEventId.values().removeIf(anchor -> anchor < progressOffset);
    }

    /** How many alerts are remembered that progress has not passed. */
    public int size() {
        return anchorByEventId.size();
    }
}
