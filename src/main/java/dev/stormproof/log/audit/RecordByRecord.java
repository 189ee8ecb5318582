package dev.stormproof.log.audit;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.Interval;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.OversizedRecords;
import dev.stormproof.verify.judge.Succession;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Compares an interval of format 2 with its checkpoint without keeping its records: whether everything is as stated, not what
 * else. For intervals that are too large to be kept.
 *
 * <p>As everywhere, the interval begins where its predecessor lies first, also if that lies there again.
 */
final class RecordByRecord {
    private final CheckpointRecord target;
    private final Format2Checkpoint sealed;
    private final Interval interval;
    private boolean begun;
    private boolean differs;
    private long firstOffset;

    private @Nullable CheckpointRecord rival;

    RecordByRecord(CheckpointRecord target, Format2Checkpoint sealed) {
        this.target = target;
        this.sealed = sealed;
        this.firstOffset = target.offset();
        this.interval = new Interval(sealed.treeHash(), sealed.firstSequence(), false);
    }

    /** Takes the next record from before the predecessor on, up to the checkpoint. */
    void accept(LogRecord record) {
        if (record instanceof OversizedRecords) {
            differs |= begun;
        } else if (record instanceof Event event
                && event.emitter() == sealed.stream().emitter()) {
            if (begun) {
                accept(event);
            }
        } else if (record instanceof CheckpointRecord checkpoint
                && checkpoint.offset() < target.offset()
                && checkpoint.checkpoint().stream().equals(sealed.stream())) {
            accept(checkpoint);
        }
    }

    /** True if the interval holds what its checkpoint states, once, in order and unaltered. */
    boolean matches() {
        return begun
                && !differs
                && sealed.uncertain().isEmpty()
                && interval.count() == sealed.eventCount()
                && interval.root().equals(sealed.root());
    }

    /** Where the interval's first event lies; where its checkpoint does if it has none. */
    long firstOffset() {
        return firstOffset;
    }

    /** Another checkpoint of the same number, behind the predecessor. */
    Optional<CheckpointRecord> rival() {
        return Optional.ofNullable(rival);
    }

    private void accept(CheckpointRecord checkpoint) {
        boolean another = Succession.number(checkpoint) == sealed.number() && !Succession.same(checkpoint, target);
        rival = another && begun && rival == null ? checkpoint.withoutLeaves() : rival;
        if (Succession.names(target, checkpoint)) {
            begun = true;
            differs |= ((Format2Checkpoint) checkpoint.checkpoint()).nextSequence() != sealed.firstSequence();
        } else {
            differs |= begun || Succession.same(checkpoint, target) || Succession.names(checkpoint, target);
        }
    }

    private void accept(Event event) {
        differs |= !event.intact()
                // A log may hold more events than a tree has leaves.
                || interval.count() == sealed.eventCount()
                || !event.isMadeAs(sealed)
                || event.sequence() != sealed.firstSequence() + interval.count();
        firstOffset = Math.min(firstOffset, event.offset());
        if (!differs) {
            interval.add(event.sequence(), event.observed());
        }
    }
}
