package dev.stormproof.side;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.merkle.Hash;

/** A checkpoint of the side topic, as far as its place depends on it. Belongs to one thread while it is placed. */
final class Statement {
    final long sideOffset;
    final long number;
    final long first;
    final long next;
    final boolean closing;
    /** Tells that the same is read again later. */
    final Hash chainHash;

    /** The offset of the event that it stands before. */
    long place = -1;

    /** Its number among those of the merged log; nothing if it has no place there. */
    int index = -1;

    Statement(CheckpointRecord record) {
        this.sideOffset = record.offset();
        this.number = record.checkpoint().number();
        this.first = record.checkpoint().firstSequence();
        this.next = record.checkpoint().nextSequence();
        this.closing = record.checkpoint().closing();
        this.chainHash = record.chainHash();
    }

    boolean statesEvents() {
        return next > first;
    }
}
