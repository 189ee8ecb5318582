package dev.stormproof.forward;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.stormproof.alert.Acceptance;
import java.util.Optional;

/**
 * A change of an alert, on its way to a receiver.
 *
 * @param alert as it is now
 * @param acceptance somebody's, of this revision
 * @param written the record that says so, whole; missing if the alert is only told again
 * @param before the revision before this one, if that is known
 */
record Change(Told alert, Optional<Acceptance> acceptance, JsonNode written, Optional<Told> before) {
    /** No change: an open alert that is told again. */
    static Change again(Standing open) {
        return new Change(open.alert(), Optional.empty(), MissingNode.getInstance(), Optional.empty());
    }

    Standing standing() {
        return new Standing(alert, acceptance.isPresent());
    }
}
