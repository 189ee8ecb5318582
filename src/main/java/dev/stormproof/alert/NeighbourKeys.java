package dev.stormproof.alert;

import dev.stormproof.proof.checkpoint.StreamId;

/** The keys of the events beside a gap, in words, for readers with access to them. Alerts themselves have no keys. */
@FunctionalInterface
public interface NeighbourKeys {
    NeighbourKeys NONE = (stream, offset) -> "";

    /** The text about the key of the event at an offset, as a part of one line; may be empty. */
    String at(StreamId stream, long offset);
}
