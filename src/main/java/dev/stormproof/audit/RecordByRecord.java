package dev.stormproof.audit;

import dev.stormproof.audit.Beginnings.Beginning;
import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.Event;
import dev.stormproof.checkpoint.Format2Checkpoint;
import dev.stormproof.checkpoint.Interval;
import dev.stormproof.checkpoint.LogRecord;
import dev.stormproof.verify.Succession;

/**
 * Compares an interval of format 2 with its checkpoint without keeping its records: whether everything is as stated, not what
 * else. For intervals that are too large to be kept.
 */
final class RecordByRecord {
    private final CheckpointRecord target;
    private final Interval interval;
    private boolean asStated;

    /** @param begin where the interval begins: its predecessor, or the log's beginning before the first */
    RecordByRecord(Beginning begin, CheckpointRecord target) {
        this.target = target;
        boolean sequenced = target.checkpoint() instanceof Format2Checkpoint;
        this.interval = new Interval(
                target.checkpoint().treeHash(),
                target.checkpoint() instanceof Format2Checkpoint sealed ? sealed.firstSequence() : 0,
                false);
        this.asStated = sequenced
                && begin.checkpoint()
                        .filter(previous -> Succession.names(target, previous) && continues(previous))
                        .isPresent();
    }

    /** Takes the next record between the predecessor and the checkpoint, both included. */
    void accept(LogRecord record) {
        if (record instanceof Event event
                && event.emitter() == target.checkpoint().stream().emitter()) {
            accept(event);
        } else if (record instanceof CheckpointRecord checkpoint
                && checkpoint.checkpoint().stream().equals(target.checkpoint().stream())) {
            asStated &= checkpoint.offset() == target.offset() || Succession.names(target, checkpoint);
        }
    }

    /** True if the interval holds what its checkpoint states, once, in order and unaltered. */
    boolean matches() {
        return asStated
                && target.checkpoint() instanceof Format2Checkpoint sealed
                && sealed.uncertain().isEmpty()
                && interval.count() == sealed.eventCount()
                && interval.root().equals(sealed.root());
    }

    private void accept(Event event) {
        asStated = asStated
                && event.intact()
                && event.treeHash() == target.checkpoint().treeHash()
                && target.checkpoint() instanceof Format2Checkpoint sealed
                && event.sequence() == sealed.firstSequence() + interval.count();
        if (asStated) {
            interval.add(event.sequence(), event.observed());
        }
    }

    private boolean continues(CheckpointRecord previous) {
        return target.checkpoint() instanceof Format2Checkpoint sealed
                && previous.checkpoint() instanceof Format2Checkpoint before
                && before.nextSequence() == sealed.firstSequence();
    }
}
