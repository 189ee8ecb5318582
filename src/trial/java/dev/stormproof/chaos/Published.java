package dev.stormproof.chaos;

import dev.stormproof.alert.Alert;
import dev.stormproof.alert.LatestRevisions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The findings that were published on one input topic, as alerts or as verdicts, are known by their event ids. */
public final class Published {
    private final String topic;
    private final LatestRevisions<Alert> last = new LatestRevisions<>(Integer.MAX_VALUE);
    private final Set<String> eventIds = new HashSet<>();
    private final List<String> repeated = new ArrayList<>();

    public Published(String topic) {
        this.topic = topic;
    }

    public void add(Alert alert) {
        if (!alert.finding().id().startsWith(topic + "/")) {
            return;
        }
        if (!eventIds.add(alert.finding().revisionId())) {
            repeated.add(alert.finding().revisionId());
        }
        last.put(key(alert), alert.finding().revision(), alert);
    }

    private static String key(Alert alert) {
        String eventId = alert.finding().revisionId();
        return eventId.substring(0, eventId.lastIndexOf('/'));
    }

    /** Of each subject the highest revision. */
    public List<Alert> last() {
        return last.values();
    }

    /** The event ids that were published before, as often as they were. */
    public List<String> repeated() {
        return repeated;
    }
}
