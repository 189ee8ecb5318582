package dev.stormproof.log.audit;

import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.verify.feed.EpochEnd;
import dev.stormproof.verify.feed.LogPiece.Found;
import dev.stormproof.verify.fold.InactivityTimeouts;
import dev.stormproof.verify.fold.LogQuery;
import dev.stormproof.verify.fold.LogQuery.OfPiece;
import dev.stormproof.verify.fold.LogQuery.OfTail;
import dev.stormproof.verify.fold.PartitionVerifier;
import dev.stormproof.verify.fold.UnsealedTail;
import dev.stormproof.verify.judge.Evidence;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * The verification of a range of one partition from the log alone: a verifier to which nothing is delivered.
 *
 * <pre>
 *   offsets   ──────┬───────────────────────────┬──────────────────┬──────►
 *                 begin                        end              log's end, as of the beginning
 *      ◄── audits ──┤         every record      ├── as far as needed ──►
 *                                                   to judge what lies before the end
 * </pre>
 *
 * <p>An interval belongs to the range that holds its checkpoint, wherever its events lie; a stream's open end belongs
 * to the range that holds its last event. Whether a stream is inactive for too long is judged at the log's end, by the times of
 * its checkpoints; if none of its events is open, only in a range that ends there. Open events whose content contradicts their
 * headers are violated, though their checkpoint may still come in time. Only the final finding on each subject is handed over,
 * in the order of offsets.
 *
 * <p>Used once, by one thread.
 */
public final class OfflineVerifier {
    private static final int MAX_ATTEMPTS = 10;

    private final AsOf log;
    private final AsOf reader;
    private final OneSecondSlices ahead;
    private final Range range;
    private final Auditor auditor;
    private final OriginAudit origin;
    private final PartitionVerifier verifier;
    private final Consumer<Finding> findings;
    private final AnomalyPages further;
    private final Progress progress;
    private final OffsetOrdering found = new OffsetOrdering(this::hand);
    private final LateStarts lateStarts = new LateStarts();
    /** When the last record that was read was written. */
    private OptionalLong place = OptionalLong.empty();

    private long events;
    private long checkpoints;

    /**
     * A range of a partition, and the log's end as of the beginning of the audit.
     *
     * @param begin the first offset of the range; the log holds it
     * @param end the offset after the last one
     * @param logEnd where the log ends, for this audit; not before {@code end}
     * @param nowMillis a time at which it ended nowhere else yet
     * @param heldBack true if more was written, which an open transaction keeps from being read: then no stream is inactive
     */
    public record Range(TopicPartition partition, long begin, long end, long logEnd, long nowMillis, boolean heldBack) {
        public Range {
            if (begin < 0 || begin > end || end > logEnd) {
                throw new IllegalArgumentException("[" + begin + ", " + end + ") of a log that ends at " + logEnd);
            }
        }
    }

    /**
     * The contents of a range.
     *
     * @param open the streams of it that end without a checkpoint
     * @param lateStarts the streams whose beginning was not read
     */
    public record Contents(long events, long checkpoints, Open open, LateStarts lateStarts) {}

    /**
     * The streams that end without a checkpoint, and the events after their last ones.
     *
     * @param overdueStreams how many of the streams have a finding, since their checkpoint is overdue
     * @param overdueEvents how many of the events belong to those
     * @param named the first of the streams
     */
    public record Open(long streams, long events, long overdueStreams, long overdueEvents, List<UnsealedTail> named) {
        /** How many streams of one partition are named. */
        static final int MOST_NAMED = 1_000;

        public Open {
            named = List.copyOf(named);
        }

        static Open of(List<UnsealedTail> ends) {
            List<UnsealedTail> overdue =
                    ends.stream().filter(UnsealedTail::overdue).toList();
            return new Open(
                    ends.size(),
                    events(ends),
                    overdue.size(),
                    events(overdue),
                    ends.subList(0, Math.min(ends.size(), MOST_NAMED)));
        }

        private static long events(List<UnsealedTail> ends) {
            return ends.stream().mapToLong(UnsealedTail::events).sum();
        }
    }

    /** Receives the progress of an audit. */
    public interface Progress {
        /**
         * Reading has reached an offset.
         *
         * @param bytesRead how many bytes were read for that, also by audits of intervals
         */
        void reached(long offset, long bytesRead);
    }

    /**
     * @param reader reads the range
     * @param log another reader of the same partition, for intervals that must be read again
     * @param origin reads what the log of the topic's origin shows of violated intervals
     * @param findings takes each finding
     * @param further takes the anomalies that a violation does not list, {@value Violated#MAX_NAMED} at a time, as parts of that violation
     * @param progress is called often
     */
    public OfflineVerifier(
            PartitionReader reader,
            PartitionReader log,
            OriginAudit origin,
            Range range,
            InactivityTimeouts timeouts,
            Consumer<Finding> findings,
            Consumer<Violated> further,
            Progress progress) {
        this.log = new AsOf(log, range.logEnd());
        this.reader = new AsOf(reader, range.logEnd());
        this.ahead = new OneSecondSlices(this.reader, range.nowMillis());
        this.range = range;
        this.auditor = new Auditor(new SearchedLog().on(this.log), SearchBudget.unlimited());
        this.origin = origin;
        this.verifier = new PartitionVerifier(
                range.partition().topic(), range.partition().partition(), range.begin(), timeouts);
        this.findings = findings;
        this.further = new AnomalyPages(auditor, origin, further);
        this.progress = progress;
    }

    /** Reads and verifies the range; throws what Kafka's client throws if the log cannot be read. */
    public Contents run() {
        verifier.readOn();
        while (!isJudged()) {
            Optional<LogQuery> task = verifier.nextAudit();
            if (task.isEmpty()) {
                // The log's end was reached. Streams that are overdue by now have it read once more.
                tick(range.nowMillis() + 1);
                task = verifier.nextAudit();
            }
            if (task.isEmpty()) {
                break;
            }
            answer(task.get());
            waitsSince();
            verifier.drainFindings().forEach(this::note);
            found.handBefore(verifier.progressOffset());
        }
        boolean begunOnly = range.end() == range.logEnd();
        verifier.endOfLog();
        verifier.drainFindings().forEach(this::note);
        verifier.contradicted().forEach(this::judgeOpenEnd);
        found.handAll();
        // Of a stream that has only begun before an earlier end, more may lie behind that.
        List<UnsealedTail> open = verifier.openEnds(range.end()).stream()
                .filter(end -> end.events() > 0 || begunOnly)
                .toList();
        return new Contents(events, checkpoints, Open.of(open), lateStarts);
    }

    /** Reports events that contradict their own headers, though their checkpoint may still come. */
    private void judgeOpenEnd(OfTail end) {
        try {
            Evidence evidence = origin.added(end, auditor.audit(end));
            further.answered(end);
            end.judge(evidence).map(Violated::told).ifPresent(this::note);
        } catch (ExpiredRangeException e) {
            // What expired just now is not there to be told.
            auditor.forget();
        }
    }

    private boolean isJudged() {
        return range.end() < range.logEnd()
                && verifier.nextOffset() >= range.end()
                && verifier.progressOffset() >= range.end();
    }

    private void answer(LogQuery task) {
        for (int attempts = 1; ; attempts++) {
            try {
                if (task instanceof OfPiece piece) {
                    readOn(piece);
                } else {
                    LogReadJob.answer(auditor, origin, log, task).accept(verifier);
                    further.answered(task);
                }
                return;
            } catch (ExpiredRangeException e) {
                // Records expired just now: the next attempt begins where the log begins now.
                auditor.forget();
                if (attempts >= MAX_ATTEMPTS) {
                    throw new TimeoutException("records expire faster than they can be read: " + e.getMessage(), e);
                }
            }
        }
    }

    private void readOn(OfPiece task) throws ExpiredRangeException {
        Found found = ahead.read(task.piece());
        if (!found.epochEnd().equals(EpochEnd.WHOLE)) {
            auditor.forget();
        }
        verifier.audited(task, found);
        ahead.dropBefore(verifier.nextOffset(), this::count).ifPresent(millis -> {
            place = OptionalLong.of(millis);
            tick(millis);
        });
        progress.reached(verifier.nextOffset(), reader.bytesRead + log.bytesRead);
    }

    private void tick(long millis) {
        if (!range.heldBack()) {
            verifier.tick(millis);
        }
    }

    private void waitsSince() {
        if (!range.heldBack()) {
            place.ifPresent(verifier::waitsSince);
        }
    }

    private void count(LogRecord record) {
        if (record.offset() < range.end()) {
            lateStarts.add(record);
            events += record instanceof Event ? 1 : 0;
            checkpoints += record instanceof CheckpointRecord ? 1 : 0;
        }
    }

    /** Keeps a finding until it is final and everything before it is decided. */
    private void note(Finding finding) {
        long place = OffsetOrdering.offsetOf(finding);
        if (place >= range.begin() && place < range.end()) {
            further.found(finding, false);
            found.add(finding);
        }
    }

    private void hand(Finding finding) {
        findings.accept(finding);
        further.found(finding, true);
    }

    /** The log as it was when the audit began: records written meanwhile are left out. */
    private static final class AsOf implements PartitionReader {
        private final PartitionReader log;
        private final long end;
        private long bytesRead;

        AsOf(PartitionReader log, long end) {
            this.log = log;
            this.end = end;
        }

        @Override
        public Bounds bounds() {
            return new Bounds(log.bounds().begin(), end, end);
        }

        @Override
        public long offsetForTime(long millis) {
            return Math.min(log.offsetForTime(millis), end);
        }

        @Override
        public long scan(long beginOffset, long endOffset, Taker taker) throws ExpiredRangeException {
            long bytes = log.scan(beginOffset, endOffset, taker);
            bytesRead += bytes;
            return bytes;
        }

        @Override
        public EpochEnd endOfEpoch(long offset, int leaderEpoch) {
            return log.endOfEpoch(offset, leaderEpoch);
        }
    }
}
