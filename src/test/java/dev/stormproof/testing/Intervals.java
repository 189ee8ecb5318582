package dev.stormproof.testing;

import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.Seal;
import dev.stormproof.verify.judge.Tail;

/** Intervals for tests. */
public final class Intervals {
    private Intervals() {}

    /** An interval that its checkpoint's number identifies, without name and time. */
    public static IntervalId interval(
            StreamId stream, long number, long checkpointOffset, long firstSequence, long eventCount) {
        return new IntervalId(
                stream,
                number,
                checkpointOffset,
                firstSequence,
                eventCount,
                Hash.empty(),
                "",
                LogRecord.NO_TIME,
                Seal.NONE,
                Tail.NONE);
    }
}
