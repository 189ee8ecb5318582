package dev.stormproof.judge;

import dev.stormproof.checkpoint.Checkpoint;
import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.StrayRecord;
import dev.stormproof.checkpoint.StreamId;
import java.io.Serializable;

/**
 * A record that belongs to no stream.
 *
 * @param partition its partition
 * @param offset its offset
 * @param kind why it belongs nowhere
 * @param detail the same, for a person
 */
public record Stray(PartitionId partition, long offset, StrayRecord.Kind kind, String detail)
        implements Finding, Serializable {
    public Stray(String topic, int partition, long offset, StrayRecord.Kind kind, String detail) {
        this(new PartitionId(topic, partition), offset, kind, detail);
    }

    /** A checkpoint that lies in the log further up as well. */
    public static Stray repetition(CheckpointRecord record) {
        return of(record, StrayRecord.Kind.REPEATED_CHECKPOINT, "lies in the log further up");
    }

    /** A checkpoint whose successor lies in the log further up. */
    static Stray late(CheckpointRecord record) {
        return of(record, StrayRecord.Kind.LATE_CHECKPOINT, "lies behind its successor");
    }

    private static Stray of(CheckpointRecord record, StrayRecord.Kind kind, String why) {
        Checkpoint checkpoint = record.checkpoint();
        StreamId stream = checkpoint.stream();
        String which = checkpoint.number() == Checkpoint.NO_NUMBER
                ? "a checkpoint of " + checkpoint.eventCount() + " events"
                : "checkpoint " + checkpoint.number() + " of emitter " + stream.emitterHex();
        return new Stray(stream.topic(), stream.partition(), record.offset(), kind, which + " " + why);
    }

    @Override
    public Type type() {
        return Type.STRAY;
    }

    @Override
    public String id() {
        return partition.topic() + "/" + partition.partition() + "/@" + offset + "/" + EnumNames.of(kind);
    }

    @Override
    public long anchorOffset() {
        return offset;
    }
}
