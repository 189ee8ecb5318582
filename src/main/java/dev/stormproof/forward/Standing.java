package dev.stormproof.forward;

import com.fasterxml.jackson.databind.JsonNode;
import dev.stormproof.alert.Acceptance;
import dev.stormproof.alert.Alert;
import dev.stormproof.alert.Guidance;
import java.util.Optional;

/**
 * An alert as it stands: its latest revision, and whether somebody accepted that.
 *
 * @param written the record that the last change was read from
 * @param before the revision before this one, if that is known
 */
record Standing(Alert alert, JsonNode written, Optional<Acceptance> acceptance, Optional<Alert> before) {
    /** What is to be done about an alert. */
    enum State {
        /** Somebody has to look. */
        OPEN,
        /** Somebody accepted it; it is as wrong as before. */
        ACCEPTED,
        /** Nothing: it turned out well, or is only told to be known. */
        SETTLED
    }

    State state() {
        if (Guidance.isSettled(alert.finding())) {
            return State.SETTLED;
        }
        return acceptance.isPresent() ? State.ACCEPTED : State.OPEN;
    }
}
