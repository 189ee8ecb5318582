package dev.stormproof.side;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.LogRecord;
import dev.stormproof.checkpoint.OversizedRecords;
import dev.stormproof.feed.Link;
import dev.stormproof.feed.RecordContent;
import dev.stormproof.leader.EpochEnd;
import dev.stormproof.log.PartitionReader;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A reader of the merged log: the events, and before each the checkpoints that stand there. For one thread. */
final class MergedReader implements PartitionReader {
    private final MergedRecords records;
    private final Placement placement;
    private final PartitionReader events;
    private final SideLog side;

    MergedReader(MergedRecords records, PartitionReader events, SideLog side) {
        this.records = records;
        this.placement = records.placement();
        this.events = events;
        this.side = side;
    }

    @Override
    public Bounds bounds() {
        long begin = Math.max(records.eventBegin(), events.bounds().begin());
        return new Bounds(placement.begin(begin), records.end(), records.end());
    }

    @Override
    public long offsetForTime(long millis) {
        long offset = events.offsetForTime(millis);
        return offset >= records.eventEnd() ? records.end() : placement.begin(Math.max(records.eventBegin(), offset));
    }

    @Override
    public long scan(long beginOffset, long endOffset, Taker taker) throws ExpiredRangeException {
        long bytesBefore = side.bytesRead();
        Merging merging = new Merging(beginOffset, endOffset, taker);
        long from = placement.eventAt(beginOffset);
        long to = Math.min(placement.eventAt(endOffset), records.eventEnd());
        long bytes = from < to ? events.scan(from, to, merging) : 0;
        merging.end();
        return bytes + side.bytesRead() - bytesBefore;
    }

    /** Nothing may be cut off while both are read as one: the places would be others. */
    @Override
    public EpochEnd endOfEpoch(long offset, int leaderEpoch) {
        long event = placement.eventAt(offset);
        EpochEnd end = events.endOfEpoch(event, leaderEpoch);
        if (!end.holds(leaderEpoch, event)) {
            throw new ChangedLogException(
                    records.partition() + " was truncated at " + end.offset() + " while it was read: run it again");
        }
        return new EpochEnd(leaderEpoch, offset);
    }

    /** Hands over what lies in a range of the merged log. */
    private final class Merging implements Taker {
        private final Taker taker;
        private final int indexEnd;
        private int index;
        private boolean enough;
        private @Nullable ExpiredRangeException expired;

        Merging(long beginOffset, long endOffset, Taker taker) {
            this.taker = taker;
            this.index = placement.firstFrom(beginOffset);
            this.indexEnd = placement.firstFrom(endOffset);
        }

        @Override
        public boolean take(LogRecord record, int leaderEpoch, long timestampMillis, Supplier<RecordContent> content) {
            long offset = record instanceof OversizedRecords unread ? unread.firstOffset() : record.offset();
            handOverUpTo(offset);
            enough = enough || !taker.take(records.moved(record), leaderEpoch, timestampMillis, content);
            return !enough;
        }

        private void handOverUpTo(long offset) {
            while (!enough && index < indexEnd && placement.place(index) <= offset) {
                handOver();
            }
        }

        private void handOver() {
            try {
                CheckpointRecord record = records.moved(side.whole(records.placed(index)), index);
                index++;
                // Its leader epoch is of another log.
                enough = !taker.take(record, Link.NO_EPOCH, record.writtenMillis(), MergedReader::content);
            } catch (ExpiredRangeException e) {
                expired = e;
                enough = true;
            }
        }

        void end() throws ExpiredRangeException {
            while (!enough && index < indexEnd) {
                handOver();
            }
            if (expired != null) {
                throw expired;
            }
        }
    }

    private static RecordContent content() {
        throw new IllegalStateException("an output is made of events alone");
    }
}
