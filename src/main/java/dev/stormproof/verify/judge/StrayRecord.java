package dev.stormproof.verify.judge;

import dev.stormproof.proof.checkpoint.Checkpoint;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.OversizedRecords;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import java.io.Serializable;

/**
 * A finding on a record that belongs to no stream, or on several of one kind; the kind is the reason.
 *
 * @param offset the offset of the first one
 * @param detail the reason for the first one, for a person
 * @param writtenMillis when the first one was written
 * @param lastOffset the offset of the last one
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
    public StrayRecord(
            PartitionId partition, long offset, UnattributedRecord.Kind kind, String detail, long writtenMillis) {
        this(partition, offset, kind, detail, writtenMillis, offset, 1);
    }

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

    /** One finding on these records and others of the kind. */
    public StrayRecord and(StrayRecord others) {
        StrayRecord first = others.offset < offset ? others : this;
        return new StrayRecord(
                partition,
                first.offset,
                kind,
                first.detail,
                first.writtenMillis,
                Math.max(lastOffset, others.lastOffset),
                count + others.count);
    }

    /** A checkpoint of an emitter that may not write to the topic. */
    public static StrayRecord unlisted(CheckpointRecord record) {
        String name = record.checkpoint().emitterName();
        String whose = name.isEmpty() ? "an emitter without a name" : "an emitter named '" + name + "'";
        return of(
                record,
                UnattributedRecord.Kind.UNLISTED_EMITTER,
                "over " + events(record.checkpoint()) + " is of " + whose + ", which emitters.allowed does not name");
    }

    /** A checkpoint that the log already holds at a lower offset. */
    public static StrayRecord repetition(CheckpointRecord record) {
        return of(record, UnattributedRecord.Kind.REPEATED_CHECKPOINT, "is in the log already, at an earlier offset");
    }

    private static String events(Checkpoint checkpoint) {
        return checkpoint.eventCount() + (checkpoint.eventCount() == 1 ? " event" : " events");
    }

    static StrayRecord of(CheckpointRecord record, UnattributedRecord.Kind kind, String why) {
        Checkpoint checkpoint = record.checkpoint();
        StreamId stream = checkpoint.stream();
        String which = checkpoint.number() == Checkpoint.NO_NUMBER
                ? "a checkpoint of " + events(checkpoint)
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
        return partition.topic() + "/" + partition.partition() + "/@" + offset
                + (lastOffset == offset ? "" : "-" + lastOffset) + "/" + EnumNames.of(kind);
    }

    @Override
    public long anchorOffset() {
        return lastOffset;
    }
}
