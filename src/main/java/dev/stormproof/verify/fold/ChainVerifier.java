package dev.stormproof.verify.fold;

import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.Leaders;
import dev.stormproof.verify.feed.LogFeed;
import dev.stormproof.verify.feed.LogPiece;
import dev.stormproof.verify.feed.LogSink;
import dev.stormproof.verify.feed.Read;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.PartitionId;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.List;
import java.util.Optional;

/**
 * The verification of one partition: deliveries go in, findings come out.
 *
 * <pre>
 *   deliveries ──► feed ──record, truncated, expired, caught up──► fold ──► findings
 *                   ▲                                               ▲
 *                   │ what was not delivered                        │ ranges of one stream
 *                   └────────────────────── the log ────────────────┘
 * </pre>
 *
 * <p>It does no I/O: its owner takes the {@linkplain #nextRange() queries}, reads the log and hands the answers back. {@link
 * #progressOffset()} never passes anything undecided. A verifier to which nothing is delivered reads everything from the log.
 *
 * <p>Not thread-safe: one owner, one thread.
 */
public final class ChainVerifier {
    private final InactivityTimeouts timeouts;
    private final LogFeed feed;
    private final ChainFold fold;
    private long heldAt = Long.MAX_VALUE;

    /**
     * A verifier that begins where the partition's verified progress ends.
     *
     * @param resumeOffset the committed progress, or without any the offset of the log's first record
     * @param leaders the {@link #progressLeaders()} that were committed with the progress
     * @param saved the {@link #saved()} that were committed with the progress
     * @param output takes each record as well, before it is verified
     */
    public ChainVerifier(
            PartitionId partition,
            long resumeOffset,
            Leaders leaders,
            SavedHeads saved,
            InactivityTimeouts timeouts,
            Bounds bounds,
            Optional<LogSink> output) {
        this.timeouts = timeouts;
        this.fold = new ChainFold(partition, resumeOffset, saved, timeouts, bounds);
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
        if (fold.tick(nowMillis)) {
            feed.readOn();
        }
        fold.forgetBefore(progressOffset());
    }

    /** Requests that the log is read up to its end. */
    public void readOn() {
        feed.readOn();
    }

    /** Nothing of the streams that closed is after what was read. */
    public void endClosed() {
        fold.endClosed();
    }

    /** Sets when the waits since the last tick began, for a log that is read later than it was written. */
    public void waitsSince(long millis) {
        fold.waitsSince(millis);
    }

    /** Sets that each wait began when the stream's head was written, by a clock that shows at most this. */
    public void waitsSinceHeads(long latestMillis) {
        fold.waitsSinceHeads(latestMillis);
    }

    /** The next query for the log; empty if there is none now. */
    public Optional<LogQuery> nextQuery() {
        Optional<LogQuery> range = nextRange().map(query -> query);
        return range.or(() -> feed.ask().map(piece -> new PieceQuery(feed, piece)));
    }

    /** The feed, which knows how far the log was read, and asks for what comes next. */
    public LogFeed feed() {
        return feed;
    }

    /** The next query for a range of the log; empty if there is none now. */
    public Optional<RangeQuery> nextRange() {
        return fold.nextQuery();
    }

    /** Takes a range of the log. */
    public void answer(RangeQuery query, LogRange range) {
        if (fold.answered(query, range)) {
            feed.readAgain();
        }
    }

    public void answer(PieceQuery query, LogPiece.Found found) {
        query.asker().answer(query.piece(), found);
    }

    /** Notes that no record follows: groups of stray records are complete. */
    public void endOfLog() {
        fold.endOfLog();
    }

    /** Notes that the log was deleted: what is undecided was missed. No call may follow. */
    public void abandon() {
        fold.abandon();
    }

    /** The findings since the last call, each as it is reported: a violation lists so many anomalies at most. */
    public List<Finding> drainFindings() {
        return fold.drainFindings().stream().map(Violated::reported).toList();
    }

    /** The same with every anomaly. */
    public List<Finding> drainWhole() {
        return fold.drainFindings();
    }

    /** The offset from which a restarted reader judges everything that is not judged yet. */
    public long progressOffset() {
        return fold.beginUpTo(Math.min(heldAt, fold.progressOffset()));
    }

    /**
     * The offset before which everything is judged; the output may be at an earlier one.
     *
     * @param signed true if every checkpoint is signed: anyone can write events of a stream without one, and nothing waits for these
     */
    public long judgedOffset(boolean signed) {
        return signed ? fold.statedOffset() : fold.progressOffset();
    }

    /** The offset at which the first stream ends that owes a checkpoint; {@link Long#MAX_VALUE} if there is none. */
    public long owedSince() {
        return fold.owedSince();
    }

    /** The leader epoch of the last record before {@link #progressOffset()}, to be committed with that; -1 if unknown. */
    public int progressEpoch() {
        return feed.epochBefore(progressOffset());
    }

    /** The leaders before {@link #progressOffset()}, as far as the verifier has read their records. */
    public Leaders progressLeaders() {
        return feed.leadersBefore(progressOffset());
    }

    /** What is committed with {@link #progressOffset()}. */
    public SavedHeads saved() {
        return fold.savedAt(progressOffset());
    }

    /** What is to be said of each sealed interval that later records decide, if none are read. */
    public List<Finding> undecided() {
        return fold.undecided();
    }

    /** How many streams have unsealed events. */
    public int openStreams() {
        return fold.openStreams();
    }

    /** The unsealed ends of streams before an offset, also of streams that were given up. */
    public List<UnsealedTail> openEnds(long offset) {
        return fold.openEnds(offset);
    }

    /** How many events are unsealed. */
    public long openEvents() {
        return fold.openEvents();
    }

    /** Queries for the events after the heads of streams, of which some may contradict their own headers. */
    public List<RangeQuery> contradicted() {
        return fold.contradicted();
    }

    /** The violation by the events that one of these queries was about; empty if there is none. */
    public Optional<Finding> contradiction(RangeQuery query, LogRange range) {
        return fold.contradiction(query, range);
    }

    /** The timestamp of the first record that was read, in milliseconds since 1970; negative if unknown. */
    public long firstMillis() {
        return fold.firstMillis();
    }

    /** The timestamp of the last record that was read; negative if unknown. */
    public long lastMillis() {
        return fold.lastMillis();
    }

    /** An estimate of the memory of streams and intervals. */
    public long sizeBytes() {
        return fold.sizeBytes();
    }

    /** How many streams were given up because no checkpoint came in time. */
    public int silentStreams() {
        return fold.silentStreams();
    }

    /** How many events were read, those that were read again after a truncation counted twice. */
    public long events() {
        return fold.events();
    }

    /**
     * The fold and the output of one feed: both take each record, the output first. After a failure in between, the verified
     * progress is before the end of the output, never after it.
     */
    private record WithOutput(ChainFold fold, LogSink output) implements LogSink {
        @Override
        public void take(Read read) {
            output.take(read);
            fold.take(read);
        }

        @Override
        public boolean takesContent() {
            return output.takesContent();
        }

        @Override
        public long truncated(long offset) {
            output.truncated(offset);
            return fold.truncated(offset);
        }

        @Override
        public void expired(long beginOffset, long endOffset) {
            output.expired(Math.min(fold.progressOffset(), beginOffset), endOffset);
            fold.expired(beginOffset, endOffset);
        }

        @Override
        public void caughtUp(long asOfMillis) {
            fold.caughtUp(asOfMillis);
        }

        @Override
        public int room() {
            return Math.min(fold.room(), output.room());
        }
    }
}
