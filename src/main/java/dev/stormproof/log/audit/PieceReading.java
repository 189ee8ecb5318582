package dev.stormproof.log.audit;

import dev.stormproof.log.audit.PartitionReader.Bounds;
import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.EpochEnd;
import dev.stormproof.verify.feed.LogPiece;
import dev.stormproof.verify.feed.LogPiece.End;
import dev.stormproof.verify.feed.LogPiece.Found;
import dev.stormproof.verify.feed.Read;
import dev.stormproof.verify.feed.RecordContent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The reading of one piece of the log, bounded in records and in memory. */
public final class PieceReading implements PartitionReader.Taker {
    private final LogPiece piece;
    private final List<Read> records;
    private long bytes;
    private boolean full;

    private PieceReading(LogPiece piece, long offsets) {
        this.piece = piece;
        this.records = new ArrayList<>((int) Math.max(0, Math.min(piece.maxRecords(), offsets)));
    }

    /**
     * Reads a piece. Records that are truncated or expire meanwhile are noticed, because of the order of the questions: the log's
     * bounds, the records, then where the epoch of the one before ends, then where the log begins.
     *
     * @param log a reader that remembers none of its answers
     */
    public static Found read(PartitionReader log, LogPiece piece) throws ExpiredRangeException {
        Bounds bounds = log.bounds();
        long from = Math.max(piece.beginOffset(), bounds.begin());
        long logEnd = bounds.end();
        PieceReading reading = new PieceReading(piece, logEnd - from);
        if (from < logEnd) {
            log.scan(from, logEnd, reading);
        }
        if (piece.leaderEpoch() != DeliveryLink.NO_EPOCH) {
            EpochEnd end = log.endOfEpoch(piece.beginOffset(), piece.leaderEpoch());
            if (!end.holds(piece.leaderEpoch(), piece.beginOffset())) {
                return Found.truncated(end, log.begin());
            }
        }
        boolean expiredBefore = log.begin() >= piece.beginOffset();
        Optional<End> end = reading.full ? Optional.empty() : Optional.of(new End(logEnd, bounds.written()));
        return new Found(reading.records, end, EpochEnd.WHOLE, from, expiredBefore);
    }

    @Override
    public boolean take(LogRecord record, int leaderEpoch, long timestampMillis, Supplier<RecordContent> content) {
        return take(new Read(record, leaderEpoch, timestampMillis, piece.contents() ? content.get() : null));
    }

    private boolean take(Read read) {
        full = records.size() >= piece.maxRecords() || bytes >= piece.maxBytes();
        if (!full) {
            RecordContent content = read.content();
            records.add(read);
            bytes += RecordSizes.of(read.record()) + (content == null ? 0 : content.sizeBytes());
        }
        return !full;
    }
}
