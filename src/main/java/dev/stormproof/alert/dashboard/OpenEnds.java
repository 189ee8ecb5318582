package dev.stormproof.alert.dashboard;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stormproof.proof.checkpoint.StreamId;
import java.util.List;

/**
 * The streams of a partition that end without a checkpoint.
 *
 * @param streams the number of them without a finding, whose checkpoints may still come in time
 * @param events the number of their events after their last checkpoints
 * @param named the first of all, including overdue ones
 */
public record OpenEnds(long streams, long events, List<Stream> named) {
    static final OpenEnds NONE = new OpenEnds(0, 0, List.of());

    /** The most streams of a partition on a page. */
    private static final int MOST_NAMED = 100;

    public OpenEnds {
        named = named.stream().limit(MOST_NAMED).toList();
    }

    /**
     * One of the streams.
     *
     * @param name the emitter's name for people; empty if none is known
     * @param checkpointOffset the offset of its last checkpoint; -1 if unknown
     * @param events the number of events after that
     * @param overdue true if the deadline of its next checkpoint has passed
     */
    public record Stream(StreamId stream, String name, long checkpointOffset, long events, boolean overdue) {}

    void writeTo(ObjectNode partition) {
        ArrayNode ends = partition.putArray("openEnds");
        named.forEach(end -> ends.addObject()
                .put("emitter", end.stream().emitterHex())
                .put("name", end.name())
                .put("checkpoint", end.checkpointOffset())
                .put("events", end.events())
                .put("overdue", end.overdue()));
    }
}
