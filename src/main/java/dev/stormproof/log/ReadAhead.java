package dev.stormproof.log;

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
 * The pieces of a log in portions of one second each, by the times of their records, so that the verifier hears the time as
 * it went by when they were written.
 *
 * <p>Used by one thread.
 */
final class ReadAhead {
    private static final long PORTION_MILLIS = 1_000;

    private final PartitionReader log;
    private final Deque<Read> ahead = new ArrayDeque<>();
    private @Nullable LogPiece piece;
    private @Nullable Found found;

    ReadAhead(PartitionReader log) {
        this.log = log;
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
            read = new Found(List.of(), read.atEnd(), Found.NOT_TRUNCATED, next.beginOffset(), false);
        }
        List<Read> portion = portion(next.maxRecords());
        return new Found(
                portion,
                read.atEnd() && portion.size() == ahead.size(),
                read.truncatedAt(),
                read.beginOffset(),
                read.expiredBefore());
    }

    /** Drops what was taken; the time of the last record of it. */
    OptionalLong dropBefore(long offset, Consumer<LogRecord> dropped) {
        OptionalLong timestampMillis = OptionalLong.empty();
        for (Read first = ahead.peek(); first != null && first.record().offset() < offset; first = ahead.peek()) {
            timestampMillis = OptionalLong.of(first.timestampMillis());
            dropped.accept(first.record());
            ahead.remove();
        }
        return timestampMillis;
    }

    private List<Read> portion(int maxRecords) {
        List<Read> portion = new ArrayList<>();
        for (Read read : ahead) {
            boolean sameSecond = portion.isEmpty()
                    || Math.abs(read.timestampMillis() - portion.get(0).timestampMillis()) < PORTION_MILLIS;
            if (!sameSecond || portion.size() >= maxRecords) {
                break;
            }
            portion.add(read);
        }
        return portion;
    }
}
