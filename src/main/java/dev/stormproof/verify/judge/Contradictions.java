package dev.stormproof.verify.judge;

import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.verify.judge.Anomaly.Kind;
import dev.stormproof.verify.judge.Anomaly.Part;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Names open events whose content contradicts their own headers. Nothing else in an open interval is known to be wrong: missing
 * events may still come, and the order may be as stated later.
 *
 * <pre>
 *   an intact event of the sequence is there too, or its interval is sealed   FOREIGN
 *   none does                                                                   ALTERED, and further ones FOREIGN
 * </pre>
 */
final class Contradictions {
    private Contradictions() {}

    /** The violation by the events after a stream's last checkpoint; empty if none contradicts its header. */
    static Optional<Violated> in(List<Event> open, IntervalId tail) {
        boolean format1 = tail.stream().emitter() == StreamId.NO_EMITTER;
        Set<Long> taken = new HashSet<>();
        open.stream().filter(event -> !event.contradictsItsHeader()).forEach(event -> taken.add(event.sequence()));
        List<Anomaly> anomalies = new ArrayList<>();
        for (int place = 0; place < open.size(); place++) {
            Event event = open.get(place);
            if (event.contradictsItsHeader()) {
                // Events of format 1 have no sequence by which two could be the same.
                boolean alone = format1 || (event.sequence() >= tail.firstSequence() && taken.add(event.sequence()));
                anomalies.add(anomaly(tail.stream(), format1 ? place : event.sequence(), event, alone));
            }
        }
        return anomalies.isEmpty() ? Optional.empty() : Optional.of(Violated.unsealed(tail, anomalies));
    }

    private static Anomaly anomaly(StreamId stream, long sequence, Event event, boolean alone) {
        Hash stated = event.stated();
        return new Anomaly(
                alone ? Kind.ALTERED : Kind.FOREIGN,
                stream,
                sequence,
                sequence + 1,
                event.offset(),
                1,
                stated,
                event.observed(),
                alone && !stated.equals(event.observed()) ? List.of(Part.KEY_OR_VALUE) : List.of(),
                event.content() == Event.Content.ALTERED ? Hop.AFTER_TRANSFORM : Hop.LOG,
                event.writtenMillis(),
                Neighbours.NONE);
    }
}
