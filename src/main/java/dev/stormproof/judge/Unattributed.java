package dev.stormproof.judge;

import dev.stormproof.checkpoint.Checkpoint;
import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.LogRecord;
import dev.stormproof.checkpoint.StreamId;
import dev.stormproof.checkpoint.UnattributedRecord;
import java.io.Serializable;

/** A finding on a record that belongs to no stream; its kind is the reason, its detail the same for a person. */
public record Unattributed(
        PartitionId partition, long offset, UnattributedRecord.Kind kind, String detail, long writtenMillis)
        implements Finding, Serializable {
    private static final String TWO_EMITTERS = ": two emitters of one id, or a forgery";

    /** A finding on a record of an unknown time. */
    public Unattributed(String topic, int partition, long offset, UnattributedRecord.Kind kind, String detail) {
        this(new PartitionId(topic, partition), offset, kind, detail, LogRecord.NO_TIME);
    }

    /** The finding on a record of a partition. */
    public static Unattributed of(PartitionId partition, UnattributedRecord record) {
        return new Unattributed(partition, record.offset(), record.kind(), record.detail(), record.writtenMillis());
    }

    /** A checkpoint that lies in the log further up as well. */
    public static Unattributed repetition(CheckpointRecord record) {
        return of(record, UnattributedRecord.Kind.REPEATED_CHECKPOINT, "lies in the log further up");
    }

    /** A checkpoint whose successor lies in the log further up. */
    static Unattributed late(CheckpointRecord record) {
        return of(record, UnattributedRecord.Kind.LATE_CHECKPOINT, "lies behind its successor");
    }

    /** A checkpoint of a number of which the log holds another one further up, which the stream continued. */
    static Unattributed forked(CheckpointRecord record, CheckpointRecord other) {
        return of(
                record,
                UnattributedRecord.Kind.FORKED_CHECKPOINT,
                "is another one than that at offset " + other.offset() + TWO_EMITTERS);
    }

    /**
     * A checkpoint behind a later one of its stream, or another one of its number.
     *
     * @param continues true if it goes on behind that
     */
    static Unattributed behind(CheckpointRecord record, CheckpointRecord later, boolean continues) {
        if (Succession.number(record) == Succession.number(later)) {
            return forked(record, later);
        }
        String why =
                "lies behind checkpoint " + later.checkpoint().number() + " of its stream, at offset " + later.offset();
        return continues || record.checkpoint().number() == 0
                ? of(record, UnattributedRecord.Kind.FORKED_CHECKPOINT, why + TWO_EMITTERS)
                : of(record, UnattributedRecord.Kind.LATE_CHECKPOINT, why);
    }

    private static Unattributed of(CheckpointRecord record, UnattributedRecord.Kind kind, String why) {
        Checkpoint checkpoint = record.checkpoint();
        StreamId stream = checkpoint.stream();
        String which = checkpoint.number() == Checkpoint.NO_NUMBER
                ? "a checkpoint of " + checkpoint.eventCount() + " events"
                : "checkpoint " + checkpoint.number() + " of emitter " + stream.emitterHex();
        return new Unattributed(
                new PartitionId(stream.topic(), stream.partition()),
                record.offset(),
                kind,
                which + " " + why,
                record.writtenMillis());
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
