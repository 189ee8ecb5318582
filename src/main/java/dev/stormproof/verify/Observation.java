package dev.stormproof.verify;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.Interval;
import dev.stormproof.judge.Judge;
import dev.stormproof.judge.SealedInterval;
import org.jspecify.annotations.Nullable;

/**
 * What the tracker saw of an interval when its checkpoint came.
 *
 * @param interval the interval
 * @param record its checkpoint
 * @param sight how well the interval was seen
 * @param chained true if the checkpoint continues a predecessor that was judged, in number, sequence and hash
 * @param seen the events that were seen; null if none was
 * @param firstOffset the first offset that may belong to the interval, as far as was seen
 * @param previousOffset where the predecessor was seen; -1 if it was not
 */
record Observation(
        SealedInterval interval,
        CheckpointRecord record,
        Sight sight,
        boolean chained,
        @Nullable Interval seen,
        long firstOffset,
        long previousOffset) {

    /** How well an interval was seen. */
    enum Sight {
        /** From its beginning, over a gap-free chain of offsets, each event as upstream signed it. */
        CLEAN,
        /** Its beginning was not seen. */
        UNKNOWN,
        /** A hole in the chain of offsets. */
        HOLE,
        /** The leader epoch changed: what was read before may have been truncated since. */
        EPOCH_CHANGED,
        /** An event's value differs from its signature, or cannot be checked. */
        SUSPECT,
        /** Found in a hole: the tracker never saw the checkpoint. */
        UNSEEN
    }

    /** An observation of a checkpoint that was found in a hole, in an interval that may begin at an offset. */
    static Observation unseen(CheckpointRecord record, long firstOffset) {
        SealedInterval interval = SealedInterval.of(record);
        return new Observation(interval, record, Sight.UNSEEN, false, null, firstOffset, -1);
    }

    /** How many events were seen. */
    long count() {
        return seen == null ? 0 : seen.count();
    }

    /** True if the interval was seen whole, behind a predecessor that was judged, and is as its checkpoint states. */
    boolean matches() {
        return sight == Sight.CLEAN && chained && Judge.matches(record, seen);
    }
}
