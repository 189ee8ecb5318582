package dev.stormproof.evidence;

import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.Leaves;
import java.util.BitSet;
import java.util.Optional;

/** The leaves of one interval, collected by sequence until they are complete. */
public final class IntervalLeaves {
    /** The largest interval for which paths are made: 128 MiB of leaves. */
    public static final int MOST_EVENTS = 1 << 22;

    private final Format2Checkpoint checkpoint;
    private final byte[] leaves;
    private final BitSet known;

    /** @throws IllegalArgumentException if the interval has more than {@link #MOST_EVENTS} events */
    public IntervalLeaves(Format2Checkpoint checkpoint) {
        if (checkpoint.eventCount() > MOST_EVENTS) {
            throw new IllegalArgumentException(
                    "an interval of " + checkpoint.eventCount() + " events, more than " + MOST_EVENTS);
        }
        int count = (int) checkpoint.eventCount();
        this.checkpoint = checkpoint;
        this.leaves = new byte[count * AuditPath.HASH_BYTES];
        this.known = new BitSet(count);
    }

    /** Takes the leaves that the checkpoint itself states, if their root is the checkpoint's. */
    public void putStated() {
        if (!checkpoint.leavesMatchRoot()) {
            return;
        }
        Leaves stated = checkpoint.leaves().orElseThrow();
        for (int i = 0; i < stated.count(); i++) {
            put(i, sequenceOf(checkpoint, i), stated.signature(i));
        }
    }

    /** Takes an event's signature, if it belongs to the interval and is the first of its sequence. */
    public void put(long sequence, Hash signature) {
        indexOf(checkpoint, sequence).ifPresent(index -> put((int) (long) index, sequence, signature));
    }

    private void put(int index, long sequence, Hash signature) {
        if (!known.get(index)) {
            known.set(index);
            System.arraycopy(
                    AuditPath.leaf(sequence, signature), 0, leaves, index * AuditPath.HASH_BYTES, AuditPath.HASH_BYTES);
        }
    }

    /** True if there is a leaf for each event. */
    public boolean isWhole() {
        return known.cardinality() == checkpoint.eventCount();
    }

    /** The path of an event; empty if leaves are missing, or their root is not the checkpoint's. */
    public Optional<AuditPath> pathOf(long sequence, Hash signature) {
        Optional<Long> index = indexOf(checkpoint, sequence);
        if (!isWhole() || index.isEmpty()) {
            return Optional.empty();
        }
        AuditPath path = AuditPath.of(leaves, (int) (long) index.get());
        return Optional.of(path)
                .filter(found -> found.root(AuditPath.leaf(sequence, signature), index.get(), checkpoint.eventCount())
                        .filter(checkpoint.root()::equals)
                        .isPresent());
    }

    /** The index of an event's leaf in a checkpoint's tree; empty if the event is outside of the interval, or uncertain. */
    static Optional<Long> indexOf(Format2Checkpoint checkpoint, long sequence) {
        if (sequence < checkpoint.firstSequence() || sequence >= checkpoint.nextSequence()) {
            return Optional.empty();
        }
        long index = sequence - checkpoint.firstSequence();
        for (SequenceRange range : checkpoint.uncertain()) {
            if (range.contains(sequence)) {
                return Optional.empty();
            }
            index -= range.end() <= sequence ? range.count() : 0;
        }
        return Optional.of(index);
    }

    private static long sequenceOf(Format2Checkpoint checkpoint, long index) {
        long sequence = checkpoint.firstSequence() + index;
        for (SequenceRange range : checkpoint.uncertain()) {
            sequence += range.begin() <= sequence ? range.count() : 0;
        }
        return sequence;
    }
}
