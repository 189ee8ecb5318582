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
        this(topic, partition, resumeOffset, Leaders.NONE, timeouts, Bounds.DEFAULT);
    }

    /**
     * The same, which also finds out that the log was truncated before its beginning.
     *
     * @param leaders the {@link #progressLeaders()} that were committed with the progress, the last of them with {@link
     *     #progressEpoch()}; none if that is unknown
     */
    public PartitionVerifier(
            String topic,
            int partition,
            long resumeOffset,
            Leaders leaders,
            InactivityTimeouts timeouts,
            Bounds bounds) {
        this(topic, partition, resumeOffset, leaders, timeouts, bounds, Optional.empty());
    }

    /** The same, which hands each record to an output as well. */
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

    /** Takes the next delivery of the partition; of an output with its content. */
    public void take(DeliveryLink link, Read read) {
        feed.deliver(link, read);
    }

    /** Keeps progress from passing an offset, at which the output stands; {@link Long#MAX_VALUE} for nowhere. */
    public void holdAt(long offset) {
        heldAt = offset;
    }

    /** Notes the time, to be called about once a second. */
    public void tick(long nowMillis) {
        feed.tick(nowMillis, timeouts.graceMillis());
        fold.groups().tick(nowMillis);
        boolean overdue = fold.streams().tick(nowMillis, timeouts);
        if (overdue || fold.isMissing()) {
            feed.readOn();
        }
    }

    /** Notes when the waits began that did so since the last tick, where a log tells it that is read at another time. */
    public void waitsSince(long millis) {
        fold.streams().waitsSince(millis);
    }

    /** Has the log read up to its end. */
    public void readOn() {
        feed.readOn();
    }

    /** Has the {@link #promises()} read that were committed with the progress, to follow their streams from there. */
    public void expect(Promises promises) {
        fold.promisesBefore().expect(promises, resumeOffset);
    }

    /** The next question for the log; empty if there is none for now. */
    public Optional<LogQuery> nextAudit() {
        Optional<OfPromises> promises = fold.promisesBefore().next();
        if (promises.isPresent()) {
            return Optional.of(promises.get());
        }
        Optional<OfLastCheckpoints> last = fold.nextLookBack();
        if (last.isPresent()) {
            return Optional.of(last.get());
        }
        Optional<? extends LogQuery> judged = fold.pending().poll();
        if (judged.isEmpty()) {
            judged = fold.nextTail();
        }
        if (judged.isPresent()) {
            return Optional.of(judged.get());
        }
        return feed.ask().map(piece -> new OfPiece(feed, piece));
    }

    /** Takes what the log holds of an interval, or behind a last checkpoint. */
    public void audited(OfRecords task, Evidence evidence) {
        if (task instanceof OfTail tail) {
            fold.judgeTail(tail, evidence);
            return;
        }
        if (fold.judge((OfInterval) task, evidence)) {
            feed.readAgain();
        }
    }

    /** Hands a piece of the log to the feed that asked for it. */
    public void audited(OfPiece task, LogPiece.Found found) {
        task.asker().answer(task.piece(), found);
    }

    /** Takes the checkpoints that were expected to lie before the beginning, as far as the log still holds them. */
    public void audited(OfPromises task, List<CheckpointRecord> found) {
        fold.promisesBefore().answer(task, found).forEach(fold::learn);
    }

    /** Takes the last checkpoints of streams of which only events were seen. */
    public void audited(OfLastCheckpoints task, List<CheckpointRecord> found) {
        fold.learnLast(task, found);
    }

    /** The log goes no further: what waits for the times of further records is said. */
    public void endOfLog() {
        fold.groups().end();
    }

    /** The whole log is no more: provisional verdicts are final, open intervals stay without one. Nothing may follow. */
    public void abandon() {
        fold.abandon();
    }

    /** The findings since the last call, in the order in which they were made. */
    public List<Finding> drainFindings() {
        return fold.drainFindings();
    }

    /** The offset from which a reader must begin again to miss nothing that is not judged. */
    public long progressOffset() {
        return Math.min(heldAt, fold.progressOffset());
    }

    /** The offset before which everything is judged, whatever the output has. */
    public long judgedOffset() {
        return fold.progressOffset();
    }

    /** The leader epoch of the last record before {@link #progressOffset()}, to be committed with it; -1 if unknown. */
    public int progressEpoch() {
        return feed.epochBefore(progressOffset());
    }

    /** The leaders before {@link #progressOffset()}, of those since the verifier began to read. */
    public Leaders progressLeaders() {
        return feed.leadersBefore(progressOffset());
    }

    /** The last checkpoints before {@link #progressOffset()} of streams that owe the next one. */
    public Promises promises() {
        return Promises.at(List.copyOf(fold.streams().promisesBefore(progressOffset())))
                .and(fold.promisesBefore().expected());
    }

    /** How many intervals are sealed and have no final verdict. */
    public int undecided() {
        return fold.pending().size();
    }

    /** How many of them wait for their first audit. */
    public int waitingAudits() {
        return fold.pending().unpublished();
    }

    /** True while records are read from the log instead of taken from deliveries. */
    public boolean isReading() {
        return feed.isReading();
    }

    /** How long at least a transaction that is open now has kept records from being read; 0 if none does. */
    public long heldBackMillis() {
        return feed.heldBackMillis();
    }

    /** How many offsets of the partition were delivered and are still to be read from the log. */
    public long lag() {
        return feed.lag();
    }

    /** The offset right behind the last record that was verified or waits for the log. */
    public long nextOffset() {
        return feed.nextOffset();
    }

    /** How many streams have events before an offset that no checkpoint seals. */
    public int openBefore(long offset) {
        return fold.streams().openBefore(offset);
    }

    /** What no checkpoint seals of events before an offset, streams that were given up among them. */
    public List<UnsealedTail> openEnds(long offset) {
        return fold.streams().openEnds(offset);
    }

    /** How many events no checkpoint seals; a few too many where checkpoints between them turned out to seal nothing. */
    public long openEvents() {
        return fold.streams().openEvents();
    }

    /** When the first record that was read was written, by its timestamp, in milliseconds since 1970; negative if unknown. */
    public long firstMillis() {
        return fold.firstMillis();
    }

    /** The same of the record that was read last. */
    public long lastMillis() {
        return fold.lastMillis();
    }

    /** Questions about open events that may contradict their headers, of which no finding tells yet. */
    public List<OfTail> contradicted() {
        return fold.streams().contradicted(nextOffset());
    }

    /** About how much memory streams and intervals take: at most {@link Bounds#mostBytes()}. */
    public long sizeBytes() {
        return fold.sizeBytes();
    }

    public int streams() {
        return fold.streams().count();
    }

    /** How many streams were given up because no checkpoint of theirs came in time. */
    public int silentStreams() {
        return fold.streams().givenUp();
    }

    /** How many events were read, one that was read again after a truncation counted again. */
    public long events() {
        return fold.events();
    }
}
