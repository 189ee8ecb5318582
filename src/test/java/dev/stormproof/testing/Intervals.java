package dev.stormproof.testing;

import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Hop;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.Neighbours;
import dev.stormproof.verify.judge.Seal;
import dev.stormproof.verify.judge.Tail;
import java.util.List;

/** Intervals for tests. */
public final class Intervals {
    private Intervals() {}

    /** An interval that its checkpoint's number identifies, without name and time. */
    public static IntervalId interval(
            StreamId stream, long number, long checkpointOffset, long firstSequence, long eventCount) {
        return interval(stream, number, checkpointOffset, firstSequence, eventCount, "", LogRecord.NO_TIME, Seal.NONE);
    }

    /** The same, of a named emitter's checkpoint that was written at a time under a seal. */
    public static IntervalId interval(
            StreamId stream,
            long number,
            long checkpointOffset,
            long firstSequence,
            long eventCount,
            String emitterName,
            long writtenMillis,
            Seal seal) {
        return new IntervalId(
                stream,
                number,
                checkpointOffset,
                firstSequence,
                eventCount,
                Hash.empty(),
                emitterName,
                writtenMillis,
                seal,
                Tail.NONE);
    }

    /** Events of which no more is known than where they were lost. */
    public static Anomaly lost(StreamId stream, long begin, long end, Hop hop, Neighbours around) {
        Hash none = Hash.empty();
        return new Anomaly(
                Anomaly.Kind.LOST, stream, begin, end, -1, 0, none, none, List.of(), hop, LogRecord.NO_TIME, around);
    }
}
