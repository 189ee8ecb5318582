package dev.stormproof.verify.feed;

import dev.stormproof.verify.feed.LogPiece.End;
import dev.stormproof.verify.feed.LogPiece.Found;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The feed of one partition: turns deliveries into exactly the records of the log, each once and in order.
 *
 * <p>{@code next} is the offset after the last record that was handed over, {@code epoch} that record's leader epoch.
 *
 * <pre>
 *   FOLLOWING ──delivery: previous &lt; next ≤ offset, not of a newer epoch────► FOLLOWING  record
 *             ──delivery: offset &lt; next, or of an older epoch (a replay)────► FOLLOWING
 *             ──delivery: any other, a gap or a newer epoch; or no room──────► READING
 *             ──delivery: the leader of the records before is unknown────────► READING
 *             ──readOn: the log's end matters────────────────────────────────► READING
 *             ──tick: nothing was handed over for the inactivity timeout─────► READING
 *   READING   ──delivery (the log has it)────────────────────────────────────► READING
 *             ──piece: the log was truncated before next─────────────────────► READING    truncated; next = what the sink says
 *             ──piece: the same, and the place of the truncation has expired─► READING    truncated, expired; next = the log's beginning
 *             ──piece: the log begins after next, or right there under a────► READING    expired; then its records
 *               later leader
 *             ──piece: more to come──────────────────────────────────────────► READING    records
 *             ──piece: the log's end was reached─────────────────────────────► FOLLOWING  records, caught up
 *             ──piece: the same, but a transaction is open there─────────────► FOLLOWING  records; caught up once everything is
 *                                                                                          read that was written by then
 * </pre>
 *
 * <p>After a gap the log is read up to its end, not only to the gap's: deliveries are older than that, so that they meet
 * records that were read, and none has to be kept. {@code next} is never after a transaction marker or an aborted record: the
 * offsets between the last record and the log's end may be truncated and written again without a trace at {@code next}. For the
 * same reason a piece is taken up to the first record of a later leader, and the next piece asks where the earlier one ended
 * (KIP-320).
 *
 * <p>A piece is as large as its memory bound allows: its answer may have to wait for the owner's next tick if nothing is
 * delivered. The sink's room does not bound what is read, but what is taken of it, record by record.
 *
 * <p>Owned by one thread.
 */
public final class LogFeed implements PieceAsker {
    private static final long NEVER = Long.MIN_VALUE;

    /** How many records are read for each that the sink has room for: records without room are read again. */
    private static final int RECORDS_PER_ROOM = 16;

    private final LogSink sink;
    private final int pieceRecords;
    private final long pieceBytes;
    private final LeaderEpochs epochs = new LeaderEpochs();
    private long next;
    /** Where the gap-free records that were handed over begin. */
    private long since;

    private int epoch;
    private boolean reading;
    private long deliveredEnd;
    private @Nullable LogPiece asked;
    private long askedAtMillis = NEVER;
    private long nowMillis = NEVER;
    /** The log's ends when an open transaction was found; null if none is known. */
    private @Nullable End heldBack;

    private long heldBackAtMillis = NEVER;
    private long idleSinceMillis = NEVER;
    private long idleAtOffset = -1;

    /**
     * @param nextOffset where to begin: after everything that was handed over before
     * @param leaders the leaders that wrote the records before that, the last one the last record; none if unknown
     */
    public LogFeed(LogSink sink, long nextOffset, Leaders leaders, int pieceRecords, long pieceBytes) {
        this.sink = sink;
        this.pieceRecords = pieceRecords;
        this.pieceBytes = pieceBytes;
        this.next = nextOffset;
        this.since = nextOffset;
        this.epoch = leaders.last();
        epochs.note(nextOffset - 1, epoch);
        leaders.epochByBegin().forEach(epochs::note);
    }

    public void deliver(DeliveryLink link, Read read) {
        deliveredEnd = Math.max(deliveredEnd, link.offset() + 1);
        // Where records came before and their leader is unknown, the delivery may be of a log that is no more.
        boolean newer = link.leaderEpoch() > epoch && (epoch != DeliveryLink.NO_EPOCH || next > 0);
        boolean older = link.leaderEpoch() != DeliveryLink.NO_EPOCH && link.leaderEpoch() < epoch;
        boolean replay = older || (link.offset() < next && !newer);
        boolean gap = link.previous() >= next;
        if (reading || replay) {
            return;
        }
        if (newer || gap || sink.room() == 0) {
            reading = true;
            return;
        }
        handOver(read);
    }

    /** Notes the time; the log is read if nothing was handed over for the timeout. */
    public void tick(long now, long inactivityMillis) {
        nowMillis = now;
        if (idleAtOffset != next || idleSinceMillis == NEVER) {
            restartIdling();
        }
        reading |= now - idleSinceMillis > inactivityMillis;
    }

    /** Requests that the log is read up to its end. */
    public void readOn() {
        reading = true;
    }

    /** The same; the piece that is being read is ignored, since the log has changed. */
    public void readAgain() {
        reading = true;
        asked = null;
    }

    /** The next piece to read; empty if none is needed, or one is being read. */
    public Optional<LogPiece> ask() {
        long room = sink.room();
        if (!reading || asked != null || room == 0) {
            return Optional.empty();
        }
        int records = (int) Math.min(pieceRecords, room * RECORDS_PER_ROOM);
        LogPiece piece = new LogPiece(next, epoch, records, pieceBytes, sink.takesContent());
        asked = piece;
        askedAtMillis = nowMillis;
        return Optional.of(piece);
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // An equal piece may have been asked for twice; only the last answer counts.
    public void answer(LogPiece piece, Found found) {
        if (piece != asked) {
            return;
        }
        asked = null;
        if (isTruncated(found)) {
            return;
        }
        if (found.beginOffset() > next || mayHaveBeenTruncatedUnseen(found)) {
            expire(next, found.beginOffset());
        }
        if (handOver(found) && found.atEnd()) {
            reading = false;
            restartIdling();
            if (askedAtMillis != NEVER) {
                reached(found.end().orElseThrow());
            }
        }
    }

    /** True, and the feed goes back, if the log no longer holds the record before the piece. */
    private boolean isTruncated(Found found) {
        EpochEnd end = found.epochEnd();
        if (end.equals(EpochEnd.WHOLE)) {
            return false;
        }
        // A log that holds nothing of the leader was never that one's, or no more: it parts where the first later one
        // began to write.
        long truncatedAt = Math.min(end.offset(), epochs.leadersBefore(next).beginBehind(end.leaderEpoch()));
        if (truncatedAt < next) {
            seek(sink.truncated(truncatedAt), end.leaderEpoch());
            if (found.truncationExpired(truncatedAt)) {
                expire(Math.min(since, next), found.beginOffset());
            }
            return true;
        }
        if (end.leaderEpoch() < epoch) {
            // Of what is before nothing is known but this.
            epoch = end.leaderEpoch();
            epochs.note(next - 1, epoch);
            return true;
        }
        return false;
    }

    /** For how long at least an open transaction has kept records from being read; 0 if there is none. */
    public long heldBackMillis() {
        return heldBack == null || heldBack.written() <= next ? 0 : Math.max(0, nowMillis - heldBackAtMillis);
    }

    /** Notes that the readable end was reached. The sink has caught up once everything written by a known time was read. */
    private void reached(End end) {
        if (end.readable() >= end.written()) {
            heldBack = null;
            sink.caughtUp(askedAtMillis);
        } else if (heldBack == null) {
            holdBack(end);
        } else if (end.readable() >= heldBack.written()) {
            long asOfMillis = heldBackAtMillis;
            holdBack(end);
            sink.caughtUp(asOfMillis);
        }
    }

    private void holdBack(End end) {
        heldBack = end;
        heldBackAtMillis = askedAtMillis;
    }

    /** True while records are read from the log instead of taken from deliveries. */
    public boolean isReading() {
        return reading;
    }

    /** How many offsets are between the last delivered record and the last one that was handed over. */
    public long lag() {
        return Math.max(0, deliveredEnd - next);
    }

    /** The offset after the last record that was handed over. */
    public long nextOffset() {
        return next;
    }

    /** The leader epoch of the last record before an offset; {@link DeliveryLink#NO_EPOCH} if unknown. */
    public int epochBefore(long offset) {
        return epochs.before(offset);
    }

    /** The leaders that wrote the records before an offset, as far as these were read. */
    public Leaders leadersBefore(long offset) {
        return epochs.leadersBefore(offset);
    }

    private boolean mayHaveBeenTruncatedUnseen(Found found) {
        return next > 0
                && found.expiredBefore()
                && !found.records().isEmpty()
                && epoch != DeliveryLink.NO_EPOCH
                && found.records().get(0).leaderEpoch() != epoch;
    }

    /** Hands over records; false if some are left to the next piece: those of a later leader, or without room. */
    private boolean handOver(Found found) {
        boolean first = true;
        for (Read read : found.records()) {
            boolean ofAnotherLeader = !first && isOfAnother(read.leaderEpoch());
            if (sink.room() == 0 || ofAnotherLeader) {
                return false;
            }
            first = false;
            handOver(read);
        }
        return true;
    }

    private boolean isOfAnother(int leaderEpoch) {
        return epoch != DeliveryLink.NO_EPOCH && leaderEpoch != DeliveryLink.NO_EPOCH && leaderEpoch != epoch;
    }

    private void handOver(Read read) {
        long offset = read.record().offset();
        if (read.leaderEpoch() != DeliveryLink.NO_EPOCH && read.leaderEpoch() != epoch) {
            epoch = read.leaderEpoch();
            epochs.note(next, offset, epoch);
        }
        next = offset + 1;
        sink.take(read);
    }

    /** @param lastEpoch that of the last leader before the offset, or a later one's */
    private void seek(long offset, int lastEpoch) {
        heldBack = null;
        deliveredEnd = offset;
        next = offset;
        since = Math.min(since, offset);
        epoch = Math.min(epochs.before(offset), lastEpoch);
        epochs.note(offset - 1, epoch);
    }

    private void expire(long beginOffset, long endOffset) {
        heldBack = null;
        sink.expired(beginOffset, endOffset);
        since = endOffset;
        next = endOffset;
        epoch = DeliveryLink.NO_EPOCH;
        epochs.note(next - 1, epoch);
    }

    private void restartIdling() {
        idleAtOffset = next;
        idleSinceMillis = nowMillis;
    }
}
