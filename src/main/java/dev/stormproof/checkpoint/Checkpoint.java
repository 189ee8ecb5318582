package dev.stormproof.checkpoint;

import dev.stormproof.merkle.Hash;
import dev.stormproof.merkle.TreeHash;

/** A statement of upstream about the events of one interval, in either wire format. */
public sealed interface Checkpoint permits Format1Checkpoint, Format2Checkpoint {
    StreamId stream();

    /** How many events the interval has. */
    long eventCount();

    TreeHash treeHash();

    /** The root of the tree over the events' leaves. */
    Hash root();
}
