package dev.stormproof.verify.fold;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.Leaders;
import dev.stormproof.verify.feed.LogFeed;
import dev.stormproof.verify.feed.LogPiece;
import dev.stormproof.verify.feed.LogSink;
import dev.stormproof.verify.feed.Read;
import dev.stormproof.verify.fold.LogQuery.OfInterval;
import dev.stormproof.verify.fold.LogQuery.OfLastCheckpoints;
import dev.stormproof.verify.fold.LogQuery.OfPiece;
import dev.stormproof.verify.fold.LogQuery.OfPromises;
import dev.stormproof.verify.fold.LogQuery.OfRecords;
import dev.stormproof.verify.fold.LogQuery.OfTail;
import dev.stormproof.verify.judge.Evidence;
import dev.stormproof.verify.judge.Finding;
import java.util.List;
import java.util.Optional;

/**
 * The verification of one partition: deliveries go in, findings come out.
 *
 * <pre>
 *   deliveries ──► feed ──record, truncated, expired, caught up──► fold ──► findings
 *                   ▲                                               ▲
 *                   │ what was not delivered                        │ evidence, promises, last checkpoints
 *                   └────────────────────── the log ────────────────┘
 * </pre>
 *
 * <p>It does no I/O: its owner takes the {@linkplain #nextAudit() audits}, reads the log and hands the answers back. {@link
 * #progressOffset()} never passes an interval without a final verdict. A verifier to which nothing is delivered reads
 * everything from the log.
 *
 * <p>Not thread-safe: one owner, one thread.
 */
public final class PartitionVerifier {
    private final InactivityTimeouts timeouts;
    private final long resumeOffset;
    private final LogFeed feed;
    private final LogFold fold;
    private long heldAt = Long.MAX_VALUE;

    /**
     * A verifier that begins where the partition's verified progress ends.
     *
     * @param resumeOffset the committed progress, or without any the offset of the log's first record
     * @param timeouts how long a stream may be inactive
     */
    public PartitionVerifier(String topic, int partition, long resumeOffset, InactivityTimeouts timeouts) {
        this(topic, partition, resumeOffset, Leaders.NONE, timeouts, Bounds.DEFAULT, Optional.empty());
    }

    /**
     * The same, which also finds out that the log was truncated before its beginning.
     *
     * @param leaders the {@link #progressLeaders()} that were committed with the progress, the last of them with {@link
     *     #progressEpoch()}; none if that is unknown
     * @param output takes each record as well, before it is verified
     */
    public PartitionVerifier(
            String topic,
            int partition,
            long resumeOffset,
            Leaders leaders,
            InactivityTimeouts timeouts,
            Bounds bounds,
            Optional<LogSink> output) {
        this.timeouts = timeouts;
        this.resumeOffset = resumeOffset;
        this.fold = new LogFold(topic, partition, resumeOffset, timeouts, bounds);
        LogSink sink = output.<LogSink>map(taker -> new WithOutput(fold, taker)).orElse(fold);
        this.feed = new LogFeed(sink, resumeOffset, leaders, bounds.pieceRecords(), bounds.pieceBytes());
    }

    /** Takes the next delivery of the partition, with its content if there is an output. */
    public void take(DeliveryLink link, Read read) {
        feed.deliver(link, read);
    }

    /** Keeps progress from passing the offset at which the output has stopped; {@link Long#MAX_VALUE} if it has not. */
    public void holdAt(long offset) {
        heldAt = offset;
    }

    /** Notes the time; to be called about once a second. */
    public void tick(long nowMillis) {
        feed.tick(nowMillis, timeouts.graceMillis());
        fold.groups().tick(nowMillis);
        boolean overdue = fold.streams().tick(nowMillis, timeouts);
        if (overdue || fold.isMissing()) {
            feed.readOn();
        }
    }

    /** Sets when the waits since the last tick began, for a log that is read later than it was written. */
    public void waitsSince(long millis) {
        fold.streams().waitsSince(millis);
    }

    /** Requests that the log is read up to its end. */
    public void readOn() {
        feed.readOn();
    }

    /** Requests that the {@link #promises()} committed with the progress are read, to follow their streams from there. */
    public void expect(Promises promises) {
        fold.promisesBefore().expect(promises, resumeOffset);
    }

    /** The next query for the log; empty if there is none now. */
    public Optional<LogQuery> nextAudit() {
        Optional<LogQuery> promises = fold.promisesBefore().next().map(query -> query);
        return promises.or(fold::nextLookBack)
                .or(fold.pending()::poll)
                .or(fold::nextTail)
                .or(() -> feed.ask().map(piece -> new OfPiece(feed, piece)));
    }

    /** Takes the evidence on an interval, or on the records after a last checkpoint. */
    public void audited(OfRecords task, Evidence evidence) {
        if (task instanceof OfTail tail) {
            fold.judgeTail(tail, evidence);
            return;
        }
        if (fold.judge((OfInterval) task, evidence)) {
            feed.readAgain();
        }
    }

    /** Takes a piece of the log. */
    public void audited(OfPiece task, LogPiece.Found found) {
        task.asker().answer(task.piece(), found);
    }

    /** Takes the expected checkpoints before the beginning that the log still holds. */
    public void audited(OfPromises task, List<CheckpointRecord> found) {
        fold.promisesBefore().answer(task, found).forEach(fold::learn);
    }

    /** Takes the last checkpoints of streams with events only. */
    public void audited(OfLastCheckpoints task, List<CheckpointRecord> found) {
        fold.learnLast(task, found);
    }

    /** Notes that no record follows: groups of stray records are complete. */
    public void endOfLog() {
        fold.groups().end();
    }

    /** Notes that the log was deleted: provisional verdicts become final, open intervals get none. No call may follow. */
    public void abandon() {
        fold.abandon();
    }

    public List<Finding> drainFindings() {
        return fold.drainFindings();
    }

    /** The offset from which a restarted reader judges everything that is not judged yet. */
    public long progressOffset() {
        return Math.min(heldAt, fold.progressOffset());
    }

    /** The offset before which everything is judged; the output may be at an earlier one. */
    public long judgedOffset() {
        return fold.progressOffset();
    }

    /** The leader epoch of the last record before {@link #progressOffset()}, to be committed with that; -1 if unknown. */
    public int progressEpoch() {
        return feed.epochBefore(progressOffset());
    }

    /** The leaders before {@link #progressOffset()}, as far as the verifier has read their records. */
    public Leaders progressLeaders() {
        return feed.leadersBefore(progressOffset());
    }

    /** The last checkpoints before {@link #progressOffset()} of streams that promised another. */
    public Promises promises() {
        return Promises.at(List.copyOf(fold.streams().promisesBefore(progressOffset())))
                .and(fold.promisesBefore().expected());
    }

    /** How many sealed intervals have no final verdict. */
    public int undecided() {
        return fold.pending().size();
    }

    /** How many sealed intervals wait for their first audit. */
    public int waitingAudits() {
        return fold.pending().unpublished();
    }

    /** True while records are read from the log instead of taken from deliveries. */
    public boolean isReading() {
        return feed.isReading();
    }

    /** For how long at least an open transaction has kept records from being read; 0 if there is none. */
    public long heldBackMillis() {
        return feed.heldBackMillis();
    }

    /** How many delivered offsets are still to be read from the log. */
    public long lag() {
        return feed.lag();
    }

    /** The offset after the last record that was read. */
    public long nextOffset() {
        return feed.nextOffset();
    }

    /** How many streams have unsealed events before an offset. */
    public int openBefore(long offset) {
        return fold.streams().openBefore(offset);
    }

    /** The unsealed ends of streams before an offset, also of streams that were given up. */
    public List<UnsealedTail> openEnds(long offset) {
        return fold.streams().openEnds(offset);
    }

    /** How many events are unsealed; a few too many after checkpoints that sealed nothing. */
    public long openEvents() {
        return fold.streams().openEvents();
    }

    /** The timestamp of the first record that was read, in milliseconds since 1970; negative if unknown. */
    public long firstMillis() {
        return fold.firstMillis();
    }

    /** The timestamp of the last record that was read; negative if unknown. */
    public long lastMillis() {
        return fold.lastMillis();
    }

    /** Queries for open events that may contradict their headers and are not reported yet. */
    public List<OfTail> contradicted() {
        return fold.streams().contradicted(nextOffset());
    }

    /** An estimate of the memory of streams and intervals, at most {@link Bounds#mostBytes()}. */
    public long sizeBytes() {
        return fold.sizeBytes();
    }

    public int streams() {
        return fold.streams().count();
    }

    /** How many streams were given up because no checkpoint came in time. */
    public int silentStreams() {
        return fold.streams().givenUp();
    }

    /** How many events were read, those that were read again after a truncation counted twice. */
    public long events() {
        return fold.events();
    }
}
