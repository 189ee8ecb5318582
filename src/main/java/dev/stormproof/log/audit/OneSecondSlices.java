package dev.stormproof.log.audit;

import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.EpochEnd;
import dev.stormproof.verify.feed.LogPiece;
import dev.stormproof.verify.feed.LogPiece.Found;
import dev.stormproof.verify.feed.Read;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The pieces of a log in portions of one second each, so that the verifier's clock runs as it did when they were written.
 *
 * <p>The time at an offset is the latest time of a checkpoint before it. A producer's slow clock has no effect; a fast one
 * makes streams seem active for longer. Before the first checkpoint the times of events count, which applications may set.
 *
 * <p>Used by one thread.
 */
final class OneSecondSlices {
    private static final long PORTION_MILLIS = 1_000;

    private final PartitionReader log;
    private final long nowMillis;
    /** The records that were read; those before {@code first} were dropped. */
    private List<Read> ahead = List.of();

    private int first;
    private @Nullable Found found;
    private boolean checkpointSeen;
    private long timeMillis;

    /** @param nowMillis a time after which no record was written */
    OneSecondSlices(PartitionReader log, long nowMillis) {
        this.log = log;
        this.nowMillis = nowMillis;
    }

    /**
     * The next portion of a piece. The log is read if no record is left, and where another leader's records begin, to find out
     * where those of the earlier one end.
     */
    Found read(LogPiece next) throws ExpiredRangeException {
        Found read = found;
        if (read == null || first == ahead.size() || !goesOnUnder(next.leaderEpoch())) {
            read = PieceReading.read(log, next);
            found = read;
            ahead = read.records();
            first = 0;
        } else {
            read = new Found(List.of(), read.end(), EpochEnd.WHOLE, next.beginOffset(), false);
        }
        List<Read> portion = portion(next.maxRecords());
        return new Found(
                portion,
                read.end().filter(end -> portion.size() == ahead.size() - first),
                read.epochEnd(),
                read.beginOffset(),
                read.expiredBefore());
    }

    /** Drops the records before an offset, and returns the time after the last one; empty if there was none. */
    OptionalLong dropBefore(long offset, Consumer<LogRecord> dropped) {
        int before = first;
        for (; first < ahead.size() && ahead.get(first).record().offset() < offset; first++) {
            Read read = ahead.get(first);
            timeMillis = timeBehind(read, timeMillis);
            checkpointSeen |= isCheckpoint(read);
            dropped.accept(read.record());
        }
        return first > before ? OptionalLong.of(timeMillis) : OptionalLong.empty();
    }

    private boolean goesOnUnder(int leaderEpoch) {
        int epoch = ahead.get(first).leaderEpoch();
        return epoch == leaderEpoch || epoch == DeliveryLink.NO_EPOCH || leaderEpoch == DeliveryLink.NO_EPOCH;
    }

    private List<Read> portion(int maxRecords) {
        int end = first;
        long place = timeMillis;
        long begin = timeMillis;
        for (; end < ahead.size() && end - first < maxRecords; end++) {
            place = timeBehind(ahead.get(end), place);
            begin = end == first ? place : begin;
            if (place - begin >= PORTION_MILLIS) {
                break;
            }
        }
        return ahead.subList(first, end);
    }

    private static boolean isCheckpoint(Read read) {
        return read.record() instanceof CheckpointRecord;
    }

    private long timeBehind(Read read, long before) {
        boolean checkpoint = isCheckpoint(read);
        if (checkpointSeen && !checkpoint) {
            return before;
        }
        long writtenMillis = Math.min(read.timestampMillis(), nowMillis);
        return checkpoint && !checkpointSeen ? writtenMillis : Math.max(before, writtenMillis);
    }
}
