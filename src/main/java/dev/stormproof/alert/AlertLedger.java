package dev.stormproof.alert;

import java.util.HashMap;
import java.util.Map;

/**
 * Which alerts of one partition were told, as far back as they might be found again.
 *
 * <p>A verifier that starts anew begins at its committed progress and finds again what it had found behind that point.
 * The ledger, restored from the alerts topic, keeps it from telling the same revision twice. An entry is forgotten when
 * progress passes what it hangs on, so that its size is bounded by the alarms beyond progress.
 */
public final class AlertLedger {
    private final Map<String, Long> anchorByEventId = new HashMap<>();

    /** Notes an alert as told; false if it was already. */
    public boolean tell(Alert alert) {
        return anchorByEventId.putIfAbsent(alert.eventId(), alert.finding().anchorOffset()) == null;
    }

    /** Forgets what nobody can find again who begins at {@code progressOffset}. */
    public void forgetBefore(long progressOffset) {
        anchorByEventId.values().removeIf(anchor -> anchor < progressOffset);
    }

    public int size() {
        return anchorByEventId.size();
    }
}
