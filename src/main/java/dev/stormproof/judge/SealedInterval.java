package dev.stormproof.judge;

import dev.stormproof.checkpoint.Checkpoint;
import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.StreamId;
import java.io.Serializable;

/**
 * The identity of an interval: what its checkpoint says of it.
 *
 * @param stream the stream
 * @param number the checkpoint's number in the stream, from 0; in format 1, which has none, the checkpoint's offset
 * @param checkpointOffset where the checkpoint lies in the partition; of an unsealed interval, its last event so far
 * @param firstSequence the first sequence; in format 1, which has none, 0
 * @param eventCount how many events the checkpoint states
 */
public record SealedInterval(StreamId stream, long number, long checkpointOffset, long firstSequence, long eventCount)
        implements Serializable {
    /** The interval that a checkpoint seals. */
    public static SealedInterval of(CheckpointRecord record) {
        Checkpoint checkpoint = record.checkpoint();
        long number = checkpoint.number();
        return new SealedInterval(
                checkpoint.stream(),
                number == Checkpoint.NO_NUMBER ? record.offset() : number,
                record.offset(),
                checkpoint.firstSequence(),
                checkpoint.eventCount());
    }
}
