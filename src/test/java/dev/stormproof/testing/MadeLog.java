package dev.stormproof.testing;

import dev.stormproof.log.audit.PartitionReader;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.verify.feed.EpochEnd;
import dev.stormproof.verify.feed.RecordContent;
import java.util.function.Supplier;
import org.apache.kafka.common.Uuid;

/** A log from 0 on whose records are made when they are read, one at each offset, which is its time as well. */
public abstract class MadeLog implements PartitionReader {
    /** The offset after the last record, which may grow. */
    protected abstract long endOffset();

    protected abstract LogRecord record(long offset);

    protected int leaderEpoch(long offset) {
        return 0;
    }

    protected Supplier<RecordContent> content(long offset) {
        return SimulatedLog.NO_CONTENT;
    }

    @Override
    public Bounds bounds() {
        return new Bounds(0, endOffset(), endOffset());
    }

    @Override
    public long begin() {
        return 0;
    }

    @Override
    public long offsetForTime(long millis) {
        return 0;
    }

    @Override
    public long scan(long beginOffset, long endOffset, Taker taker) throws ExpiredRangeException {
        boolean more = true;
        for (long offset = beginOffset; more && offset < Math.min(endOffset, endOffset()); offset++) {
            more = taker.take(record(offset), leaderEpoch(offset), offset, content(offset));
        }
        return 0;
    }

    @Override
    public EpochEnd endOfEpoch(long offset, int leaderEpoch) {
        return new EpochEnd(leaderEpoch, offset);
    }

    @Override
    public Uuid topicId() {
        return Uuid.ZERO_UUID;
    }
}
