package dev.stormproof.alert;

import dev.stormproof.proof.checkpoint.StreamId;

/** The keys of the events beside a gap, in words, for whoever was allowed to see them. Alerts themselves hold no keys. */
@FunctionalInterface
public interface NeighbourKeys {
    NeighbourKeys NONE = (stream, offset) -> "";

    /** What is said of the key of the event at an offset, as a part of one line; empty if nothing is. */
    String at(StreamId stream, long offset);
}
