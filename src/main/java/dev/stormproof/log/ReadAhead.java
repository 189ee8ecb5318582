package dev.stormproof.log;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.LogRecord;
import dev.stormproof.feed.LogPiece;
import dev.stormproof.feed.LogPiece.Found;
import dev.stormproof.feed.LogPiece.Read;
import dev.stormproof.log.PartitionReader.ExpiredRangeException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The pieces of a log in portions of one second each, so that the verifier hears the time as it went by when they were written.
 *
 * <p>The time of a place is the latest one that a checkpoint up to there was written at, as far as it has come: producers whose
 * clocks are behind change nothing, one that is ahead makes streams seem active for longer, by as much. Events count until the
 * first checkpoint: applications give them times of their own.
 *
 * <p>Used by one thread.
 */
final class ReadAhead {
    private static final long PORTION_MILLIS = 1_000;

    private final PartitionReader log;
    private final long nowMillis;
    private final Deque<Read> ahead = new ArrayDeque<>();
    private @Nullable LogPiece piece;
    private @Nullable Found found;
    private boolean checkpointSeen;
    private long timeMillis;

    /** @param nowMillis a time that no record was written after */
    ReadAhead(PartitionReader log, long nowMillis) {
        this.log = log;
        this.nowMillis = nowMillis;
    }

    /** The next portion of a piece; the log is read if nothing is left of what was read before under the same leader. */
    Found read(LogPiece next) throws ExpiredRangeException {
        LogPiece before = piece;
        Found read = found;
        if (read == null || before == null || ahead.isEmpty() || next.leaderEpoch() != before.leaderEpoch()) {
            read = PieceReading.read(log, next);
            piece = next;
            found = read;
            ahead.clear();
            ahead.addAll(read.records());
        } else {
            read = new Found(List.of(), read.end(), Found.NOT_TRUNCATED, next.beginOffset(), false);
        }
        List<Read> portion = portion(next.maxRecords());
        return new Found(
                portion,
                read.end().filter(end -> portion.size() == ahead.size()),
                read.truncatedAt(),
                read.beginOffset(),
                read.expiredBefore());
    }

    /** Drops what was taken; the time of the place behind it. */
    OptionalLong dropBefore(long offset, Consumer<LogRecord> dropped) {
        OptionalLong placeMillis = OptionalLong.empty();
        for (Read first = ahead.peek(); first != null && first.record().offset() < offset; first = ahead.peek()) {
            timeMillis = timeBehind(first, timeMillis);
            checkpointSeen |= first.record() instanceof CheckpointRecord;
            placeMillis = OptionalLong.of(timeMillis);
            dropped.accept(first.record());
            ahead.remove();
        }
        return placeMillis;
    }

    private List<Read> portion(int maxRecords) {
        List<Read> portion = new ArrayList<>();
        long place = timeMillis;
        long first = timeMillis;
        for (Read read : ahead) {
            place = timeBehind(read, place);
            first = portion.isEmpty() ? place : first;
            if (place - first >= PORTION_MILLIS || portion.size() >= maxRecords) {
                break;
            }
            portion.add(read);
        }
        return portion;
    }

    private long timeBehind(Read read, long before) {
        boolean checkpoint = read.record() instanceof CheckpointRecord;
        if (checkpointSeen && !checkpoint) {
            return before;
        }
        long writtenMillis = Math.min(read.timestampMillis(), nowMillis);
        return checkpoint && !checkpointSeen ? writtenMillis : Math.max(before, writtenMillis);
    }
}
