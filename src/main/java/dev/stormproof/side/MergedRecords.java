package dev.stormproof.side;

import dev.stormproof.checkpoint.Checkpoint;
import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.Event;
import dev.stormproof.checkpoint.Format2Checkpoint;
import dev.stormproof.checkpoint.LogRecord;
import dev.stormproof.checkpoint.OversizedRecords;
import dev.stormproof.checkpoint.RecoveryRecord;
import dev.stormproof.checkpoint.UnattributedRecord;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.apache.kafka.common.TopicPartition;

/** The records of both logs as they lie in the merged one. */
final class MergedRecords {
    private final TopicPartition partition;
    private final Placement placement;
    private final List<Statement> placed;
    private final Statement[] bySideOffset;
    private final long eventBegin;
    private final long eventEnd;

    /**
     * @param placed the checkpoints in the order of the merged log
     * @param eventBegin the offset among the events at which it begins
     * @param eventEnd the offset among them at which it ends
     */
    MergedRecords(
            TopicPartition partition, Placement placement, List<Statement> placed, long eventBegin, long eventEnd) {
        this.partition = partition;
        this.placement = placement;
        this.placed = placed;
        this.eventBegin = eventBegin;
        this.eventEnd = eventEnd;
        for (int index = 0; index < placed.size(); index++) {
            placed.get(index).index = index;
        }
        this.bySideOffset = placed.toArray(Statement[]::new);
        Arrays.sort(bySideOffset, Comparator.comparingLong((Statement statement) -> statement.sideOffset));
    }

    TopicPartition partition() {
        return partition;
    }

    Placement placement() {
        return placement;
    }

    Statement placed(int index) {
        return placed.get(index);
    }

    long eventBegin() {
        return eventBegin;
    }

    long eventEnd() {
        return eventEnd;
    }

    /** The offset at which the merged log begins. */
    long begin() {
        return placement.begin(eventBegin);
    }

    /** The offset at which it ends: behind the last event, and the checkpoints that stand there. */
    long end() {
        long lastEnd = placement.begin(eventEnd);
        return lastEnd + placement.count() - placement.firstFrom(lastEnd);
    }

    /** A log's record as it lies in the merged log. */
    LogRecord moved(LogRecord record) {
        long offset = placement.ofEvent(record.offset());
        if (record instanceof Event event) {
            return new Event(
                    offset,
                    event.emitter(),
                    event.sequence(),
                    event.treeHash(),
                    event.signatureAlgorithm(),
                    event.stated(),
                    event.observed(),
                    event.content(),
                    event.writtenMillis());
        }
        if (record instanceof CheckpointRecord inside) {
            return at(inside, offset, hint -> placement.ofEvent(hint));
        }
        if (record instanceof RecoveryRecord recovery) {
            return new RecoveryRecord(at(recovery.statement(), offset, hint -> placement.ofEvent(hint)));
        }
        if (record instanceof OversizedRecords unread) {
            return new OversizedRecords(
                    placement.ofEvent(unread.firstOffset()),
                    offset,
                    unread.count(),
                    unread.detail(),
                    unread.writtenMillis());
        }
        UnattributedRecord other = (UnattributedRecord) record;
        return new UnattributedRecord(offset, other.kind(), other.detail(), other.writtenMillis());
    }

    /** The checkpoint of the side topic as it lies in the merged log. */
    CheckpointRecord moved(CheckpointRecord record, int index) {
        return at(record, placement.of(index), this::ofSide);
    }

    /** Where a record of the side topic lies in the merged log, as a hint; what is not there is before it, or unknown. */
    private long ofSide(long sideOffset) {
        int low = 0;
        int high = bySideOffset.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (bySideOffset[middle].sideOffset < sideOffset) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if (low < bySideOffset.length && bySideOffset[low].sideOffset == sideOffset) {
            return placement.of(bySideOffset[low].index);
        }
        return sideOffset == 0 ? 0 : Math.max(0, begin() - 1);
    }

    private static CheckpointRecord at(CheckpointRecord record, long offset, LongUnaryOperator hints) {
        Checkpoint checkpoint = record.checkpoint();
        Checkpoint hinting = checkpoint instanceof Format2Checkpoint sealed && sealed.previousOffsetHint() >= 0
                ? sealed.hintingAt(hints.applyAsLong(sealed.previousOffsetHint()))
                : checkpoint;
        return new CheckpointRecord(offset, hinting, record.chainHash(), record.writtenMillis(), record.unlisted());
    }
}
