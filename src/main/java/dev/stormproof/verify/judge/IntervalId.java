package dev.stormproof.verify.judge;

import dev.stormproof.proof.checkpoint.Checkpoint;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.tree.Hash;
import java.io.Serializable;
import java.util.Arrays;

/**
 * The identity of an interval: what its checkpoint says of it.
 *
 * @param stream the stream
 * @param number the checkpoint's number in the stream, from 0; in format 1, which has none, the checkpoint's offset
 * @param checkpointOffset where the checkpoint lies in the partition; of an unsealed interval, its last event so far
 * @param firstSequence the first sequence; in format 1, which has none, 0
 * @param eventCount how many events the checkpoint states; of an unsealed interval, how many events of it are there
 * @param statement the hash of what the checkpoint says, if that tells it from another one of its number; empty if the
 *     number alone does
 * @param emitterName the emitter's name for people, as its checkpoint states it; empty if none is known
 * @param writtenMillis when the record at {@code checkpointOffset} was written
 * @param seal what a verdict on it rests on
 * @param tail what is known of its events, if no checkpoint seals them
 */
public record IntervalId(
        StreamId stream,
        long number,
        long checkpointOffset,
        long firstSequence,
        long eventCount,
        Hash statement,
        String emitterName,
        long writtenMillis,
        Seal seal,
        Tail tail)
        implements Serializable {
    /** So much of a hash tells statements of one number apart. */
    private static final int STATEMENT_BYTES = 8;

    /** An interval that a checkpoint seals. */
    public IntervalId(
            StreamId stream,
            long number,
            long checkpointOffset,
            long firstSequence,
            long eventCount,
            Hash statement,
            String emitterName,
            long writtenMillis,
            Seal seal) {
        this(
                stream,
                number,
                checkpointOffset,
                firstSequence,
                eventCount,
                statement,
                emitterName,
                writtenMillis,
                seal,
                Tail.NONE);
    }

    /** An interval that the number of its checkpoint tells from others, without name and time. */
    public IntervalId(StreamId stream, long number, long checkpointOffset, long firstSequence, long eventCount) {
        this(
                stream,
                number,
                checkpointOffset,
                firstSequence,
                eventCount,
                Hash.empty(),
                "",
                LogRecord.NO_TIME,
                Seal.NONE);
    }

    /** The interval that a checkpoint seals. */
    public static IntervalId of(CheckpointRecord record) {
        Checkpoint checkpoint = record.checkpoint();
        long number = checkpoint.number();
        return new IntervalId(
                checkpoint.stream(),
                number == Checkpoint.NO_NUMBER ? record.offset() : number,
                record.offset(),
                checkpoint.firstSequence(),
                checkpoint.eventCount(),
                Hash.empty(),
                checkpoint.emitterName(),
                record.writtenMillis(),
                Seal.of(record));
    }

    /** The same with another number of events, of which nothing else is known. */
    IntervalId counting(long events) {
        return new IntervalId(
                stream, number, checkpointOffset, firstSequence, events, statement, emitterName, writtenMillis, seal);
    }

    /** The same, which no checkpoint seals, with what is known of its events. */
    IntervalId knowing(Tail known) {
        return new IntervalId(
                stream,
                number,
                checkpointOffset,
                firstSequence,
                known.events(),
                statement,
                emitterName,
                writtenMillis,
                seal,
                known);
    }

    /** The same, told from others of its number by what its checkpoint says. */
    public IntervalId statedBy(Hash chainHash) {
        byte[] bytes = chainHash.toByteArray();
        Hash first = Hash.copyOf(Arrays.copyOf(bytes, Math.min(bytes.length, STATEMENT_BYTES)));
        return new IntervalId(
                stream,
                number,
                checkpointOffset,
                firstSequence,
                eventCount,
                first,
                emitterName,
                writtenMillis,
                seal,
                tail);
    }
}
