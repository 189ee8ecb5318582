package dev.stormproof.chaos;

import dev.stormproof.alert.Alert;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The findings that were published on one input topic, as alerts or as verdicts, are known by their event ids. */
final class Published {
    private final String topic;
    private final Map<String, Alert> last = new HashMap<>();
    private final Set<String> eventIds = new HashSet<>();
    private final List<String> repeated = new ArrayList<>();

    Published(String topic) {
        this.topic = topic;
    }

    void add(Alert alert) {
        if (!alert.finding().id().startsWith(topic + "/")) {
            return;
        }
        if (!eventIds.add(alert.finding().revisionId())) {
            repeated.add(alert.finding().revisionId());
        }
        last.merge(
                key(alert),
                alert,
                (old, now) -> now.finding().revision() >= old.finding().revision() ? now : old);
    }

    /** Two checkpoints may bear one number, so that a subject that rests on one is known by its offset, too. */
    private static String key(Alert alert) {
        String eventId = alert.finding().revisionId();
        return eventId.substring(0, eventId.lastIndexOf('/'));
    }

    /** Of each subject the highest revision. */
    List<Alert> last() {
        return List.copyOf(last.values());
    }

    /** The event ids that were published before, as often as they were. */
    List<String> repeated() {
        return repeated;
    }

    int size() {
        return eventIds.size();
    }
}
