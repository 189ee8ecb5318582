package dev.stormproof.verify.judge;

import dev.stormproof.proof.checkpoint.Checkpoint;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.OversizedRecords;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import java.io.Serializable;

/**
 * A finding on a record that belongs to no stream, or on several of one kind; the kind is the reason.
 *
 * @param offset where the first one lies
 * @param detail the reason for the first one, for a person
 * @param writtenMillis when the first one was written
 * @param lastOffset where the last one lies
 * @param count how many there are
 */
public record StrayRecord(
        PartitionId partition,
        long offset,
        UnattributedRecord.Kind kind,
        String detail,
        long writtenMillis,
        long lastOffset,
        long count)
        implements Finding, Serializable {
    private static final String TWO_EMITTERS = ": two emitters of one id, or a forgery";

    /** A finding on a record of an unknown time. */
    public StrayRecord(String topic, int partition, long offset, UnattributedRecord.Kind kind, String detail) {
        this(new PartitionId(topic, partition), offset, kind, detail, LogRecord.NO_TIME);
    }

    /** A finding on one record. */
    public StrayRecord(
            PartitionId partition, long offset, UnattributedRecord.Kind kind, String detail, long writtenMillis) {
        this(partition, offset, kind, detail, writtenMillis, offset, 1);
    }

    /** The finding on a record of a partition. */
    public static StrayRecord of(PartitionId partition, UnattributedRecord record) {
        return new StrayRecord(partition, record.offset(), record.kind(), record.detail(), record.writtenMillis());
    }

    /** The finding on records of a partition that were not read. */
    public static StrayRecord of(PartitionId partition, OversizedRecords records) {
        return new StrayRecord(
                partition,
                records.firstOffset(),
                UnattributedRecord.Kind.OVERSIZED,
                records.detail(),
                records.writtenMillis(),
                records.offset(),
                records.count());
    }

    /** The finding on these records and a further one. */
    public StrayRecord and(StrayRecord next) {
        return new StrayRecord(partition, offset, kind, detail, writtenMillis, next.lastOffset, count + next.count);
    }

    /** A checkpoint of an emitter that may not write to the topic. */
    public static StrayRecord unlisted(CheckpointRecord record) {
        String name = record.checkpoint().emitterName();
        String whose = name.isEmpty() ? "an emitter without a name" : "an emitter named '" + name + "'";
        return of(
                record,
                UnattributedRecord.Kind.UNLISTED_EMITTER,
                "over " + record.checkpoint().eventCount() + " events is of " + whose
                        + ", which emitters.allowed does not name");
    }

    /** A checkpoint that lies in the log further up as well. */
    public static StrayRecord repetition(CheckpointRecord record) {
        return of(record, UnattributedRecord.Kind.REPEATED_CHECKPOINT, "lies in the log further up");
    }

    /** A checkpoint whose successor lies in the log further up. */
    static StrayRecord late(CheckpointRecord record) {
        return of(record, UnattributedRecord.Kind.LATE_CHECKPOINT, "lies behind its successor");
    }

    /** A checkpoint of a number of which the log holds another one further up, which the stream continued. */
    static StrayRecord forked(CheckpointRecord record, CheckpointRecord other) {
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
    static StrayRecord behind(CheckpointRecord record, CheckpointRecord later, boolean continues) {
        if (Succession.number(record) == Succession.number(later)) {
            return forked(record, later);
        }
        String why =
                "lies behind checkpoint " + later.checkpoint().number() + " of its stream, at offset " + later.offset();
        return continues || record.checkpoint().number() == 0
                ? of(record, UnattributedRecord.Kind.FORKED_CHECKPOINT, why + TWO_EMITTERS)
                : of(record, UnattributedRecord.Kind.LATE_CHECKPOINT, why);
    }

    private static StrayRecord of(CheckpointRecord record, UnattributedRecord.Kind kind, String why) {
        Checkpoint checkpoint = record.checkpoint();
        StreamId stream = checkpoint.stream();
        String which = checkpoint.number() == Checkpoint.NO_NUMBER
                ? "a checkpoint of " + checkpoint.eventCount() + " events"
                : "checkpoint " + checkpoint.number() + " of emitter " + stream.emitterHex();
        return new StrayRecord(
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

    /** A reader that begins before the last one finds it again. */
    @Override
    public long anchorOffset() {
        return lastOffset;
    }
}
