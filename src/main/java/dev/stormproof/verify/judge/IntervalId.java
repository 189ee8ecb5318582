package dev.stormproof.verify.judge;

import dev.stormproof.proof.checkpoint.Checkpoint;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.tree.Hash;
import java.io.Serializable;
import java.util.Arrays;

/**
 * The identity of an interval, as its checkpoint states it.
 *
 * @param stream the stream
 * @param number the checkpoint's number in the stream, from 0; in format 1, which has none, the checkpoint's offset
 * @param checkpointOffset the offset of the checkpoint; of an unsealed interval, that of its last event so far
 * @param firstSequence the first sequence; in format 1, which has none, 0
 * @param eventCount how many events the checkpoint states; of an unsealed interval, how many events of it are there
 * @param statement the beginning of the checkpoint's hash, if there may be another one of its number; empty if the number identifies it
 * @param emitterName the emitter's name for people, as its checkpoint states it; empty if none is known
 * @param writtenMillis when the record at {@code checkpointOffset} was written
 * @param seal the basis of a verdict on it
 * @param tail what is known of its events if it is unsealed
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
    /** How many bytes of a hash distinguish checkpoints of one number. */
    private static final int STATEMENT_BYTES = 8;

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
                Seal.of(record),
                Tail.NONE);
    }

    /** The same unsealed interval with what is known of its events. */
    IntervalId knowing(Tail known) {
        return copy(known.events(), statement, known);
    }

    /** The same, identified by its checkpoint's hash besides the number. */
    public IntervalId statedBy(Hash chainHash) {
        byte[] bytes = chainHash.toByteArray();
        Hash first = Hash.copyOf(Arrays.copyOf(bytes, Math.min(bytes.length, STATEMENT_BYTES)));
        return copy(eventCount, first, tail);
    }

    private IntervalId copy(long events, Hash stated, Tail known) {
        return new IntervalId(
                stream,
                number,
                checkpointOffset,
                firstSequence,
                events,
                stated,
                emitterName,
                writtenMillis,
                seal,
                known);
    }
}
