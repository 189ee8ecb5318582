package dev.stormproof.verify;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.merkle.Hash;

/**
 * What the tracker saw of an interval when its checkpoint came.
 *
 * @param interval the interval
 * @param record its checkpoint
 * @param sight how well the interval was seen
 * @param chained true if the checkpoint continues a predecessor that was judged, in number, sequence and hash
 * @param count how many events were seen
 * @param root the root over them
 * @param firstOffset the first offset that may belong to the interval, as far as was seen
 * @param previousOffset where the predecessor was seen; -1 if it was not
 */
record Observation(
        SealedInterval interval,
        CheckpointRecord record,
        Sight sight,
        boolean chained,
        long count,
        Hash root,
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
        return new Observation(interval, record, Sight.UNSEEN, false, 0, Hash.empty(), firstOffset, -1);
    }
}
