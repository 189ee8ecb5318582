package dev.stormproof.emit;

import dev.stormproof.checkpoint.SequenceRange;
import java.util.List;
import java.util.Optional;

/**
 * What of a stream may or may not lie in the log.
 *
 * @param events sequences in order, neither overlapping nor touching
 * @param checkpoint the first checkpoint after which none is known to have arrived; empty if the last one did
 */
record Doubt(List<SequenceRange> events, Optional<Restatement> checkpoint) {
    static final Doubt NONE = new Doubt(List.of(), Optional.empty());

    Doubt {
        events = List.copyOf(events);
    }

    boolean isNone() {
        return events.isEmpty() && checkpoint.isEmpty();
    }
}
