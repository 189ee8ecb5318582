package dev.stormproof.underfire;

import dev.stormproof.alert.Alert;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What was told of one input topic, on the topic of alerts or of verdicts: each telling by its event id. */
final class Told {
    private final String topic;
    private final Map<String, Alert> last = new HashMap<>();
    private final Set<String> eventIds = new HashSet<>();
    private final List<String> again = new ArrayList<>();

    Told(String topic) {
        this.topic = topic;
    }

    void add(Alert alert) {
        if (!alert.finding().id().startsWith(topic + "/")) {
            return;
        }
        if (!eventIds.add(alert.finding().revisionId())) {
            again.add(alert.finding().revisionId());
        }
        last.merge(
                key(alert),
                alert,
                (old, now) -> now.finding().revision() >= old.finding().revision() ? now : old);
    }

    /** Two checkpoints may bear one number, so that a matter that rests on one is known by its offset, too. */
    private static String key(Alert alert) {
        String eventId = alert.finding().revisionId();
        return eventId.substring(0, eventId.lastIndexOf('/'));
    }

    /** Of each matter the highest revision. */
    List<Alert> last() {
        return List.copyOf(last.values());
    }

    /** The event ids that were told before, as often as they were. */
    List<String> again() {
        return again;
    }

    int size() {
        return eventIds.size();
    }
}
