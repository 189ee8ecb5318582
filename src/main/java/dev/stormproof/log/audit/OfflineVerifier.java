package dev.stormproof.log.audit;

import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.verify.feed.EpochEnd;
import dev.stormproof.verify.feed.Leaders;
import dev.stormproof.verify.fold.Bounds;
import dev.stormproof.verify.fold.ChainVerifier;
import dev.stormproof.verify.fold.InactivityTimeouts;
import dev.stormproof.verify.fold.LogQuery;
import dev.stormproof.verify.fold.LogRange;
import dev.stormproof.verify.fold.PieceQuery;
import dev.stormproof.verify.fold.RangeQuery;
import dev.stormproof.verify.fold.RunUp;
import dev.stormproof.verify.fold.SavedHeads;
import dev.stormproof.verify.fold.UnsealedTail;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.PartitionId;
import dev.stormproof.verify.judge.RangeCase;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * The verification of a range of one partition from the log alone: a verifier to which nothing is delivered.
 *
 * <pre>
 *   offsets   ──────┬───────────────────────────┬──────────────────┬──────►
 *                 begin                        end              log's end, as of the beginning
 *      ├─ run-up ───┤         every record      ├── as far as needed ──►
 *         in silence                                to judge what is before the end
 * </pre>
 *
 * <p>An interval belongs to the range that holds its checkpoint, wherever its events are; a stream's open end belongs
 * to the range that holds its last event. Whether a stream is inactive for too long is judged at the log's end, by the times of
 * its checkpoints; if none of its events is open, only in a range that ends there. Open events whose content contradicts their
 * headers are violated, though their checkpoint may still come in time. Only the final finding on each subject is handed over,
 * in the order of offsets.
 *
 * <p>Used once, by one thread.
 */
public final class OfflineVerifier {
    private static final int MAX_ATTEMPTS = 10;
    /** How many ranges are read in one pass at most. */
    private static final int MOST_AT_ONCE = 1_000;

    private final AsOf log;
    private final AsOf reader;
    private final RecordClock clock;
    private final Range range;
    private final RangeCase.Origin origin;
    private final ChainVerifier verifier;
    private final Consumer<Finding> findings;
    private final Consumer<Violated> further;
    private final Progress progress;
    private final OffsetOrdering found = new OffsetOrdering(this::hand);
    /** When the last record that was read was written. */
    private OptionalLong place = OptionalLong.empty();

    private long events;
    private long checkpoints;

    /**
     * A range of a partition, and the log's end as of the beginning of the audit.
     *
     * @param begin the first offset of the range; the log holds it
     * @param end the offset after the last one
     * @param readableEnd up to where the log can be read, for this audit; not before {@code end}
     * @param logEnd where the log ends, with what an open transaction keeps from being read
     * @param nowMillis a time at which it ended nowhere else yet
     */
    public record Range(TopicPartition partition, long begin, long end, long readableEnd, long logEnd, long nowMillis) {
        public Range {
            if (begin < 0 || begin > end || end > readableEnd || readableEnd > logEnd) {
                throw new IllegalArgumentException(
                        "[" + begin + ", " + end + ") of a log that ends at " + readableEnd + " of " + logEnd);
            }
        }

        /** True if an open transaction keeps the log's last records from being read: then no stream is inactive. */
        public boolean heldBack() {
            return readableEnd < logEnd;
        }
    }

    /**
     * The contents of a range.
     *
     * @param open the streams of it that end without a checkpoint
     */
    public record Contents(long events, long checkpoints, Open open) {}

    /**
     * The streams that end without a checkpoint, and the events after their last ones.
     *
     * @param reportedStreams how many of the streams have a finding: their checkpoint is overdue, or events contradict their headers
     * @param reportedEvents how many of the events belong to those, and are counted by the findings
     * @param named the first of the streams
     */
    public record Open(long streams, long events, long reportedStreams, long reportedEvents, List<UnsealedTail> named) {
        /** How many streams of one partition are named. */
        static final int MOST_NAMED = 1_000;

        public Open {
            named = List.copyOf(named);
        }

        static Open of(List<UnsealedTail> ends, Set<StreamId> contradicted) {
            List<UnsealedTail> reported = ends.stream()
                    .filter(end -> end.overdue() || contradicted.contains(end.stream()))
                    .toList();
            return new Open(
                    ends.size(),
                    events(ends),
                    reported.size(),
                    events(reported),
                    ends.subList(0, Math.min(ends.size(), MOST_NAMED)));
        }

        private static long events(List<UnsealedTail> ends) {
            return ends.stream().mapToLong(UnsealedTail::events).sum();
        }
    }

    /**
     * The offset after the last readable record that was written before a time. The times of a log need not ascend: what was
     * written after the first later one is read as well.
     */
    public static long endBefore(PartitionReader log, long millis, long readableEnd) {
        return persistently(() -> {
            long first = Math.max(log.begin(), log.offsetForTime(millis));
            long[] end = {Math.min(first, readableEnd)};
            log.scan(end[0], readableEnd, (record, epoch, written, content) -> {
                end[0] = written < millis ? record.offset() + 1 : end[0];
                return true;
            });
            return end[0];
        });
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
            RangeCase.Origin origin,
            Range range,
            InactivityTimeouts timeouts,
            Consumer<Finding> findings,
            Consumer<Violated> further,
            Progress progress) {
        this.log = new AsOf(log, range.readableEnd());
        this.reader = new AsOf(reader, range.readableEnd());
        this.clock = new RecordClock(range.nowMillis(), this::passed, this::count);
        this.range = range;
        this.origin = origin;
        this.findings = findings;
        this.further = further;
        this.progress = progress;
        PartitionId partition =
                new PartitionId(range.partition().topic(), range.partition().partition());
        this.verifier = new ChainVerifier(
                partition,
                range.begin(),
                Leaders.NONE,
                headsBefore(partition),
                timeouts,
                Bounds.DEFAULT,
                Optional.of(clock));
        verifier.waitsSinceHeads(range.nowMillis());
    }

    /** What a run-up finds out about the streams before the range. */
    private SavedHeads headsBefore(PartitionId partition) {
        return persistently(() -> {
            long from = Math.max(log.begin(), range.begin() - RunUp.OFFSETS);
            RunUp runUp = new RunUp(partition, Math.min(from, range.begin()));
            if (from < range.begin()) {
                log.scan(from, range.begin(), (record, epoch, millis, content) -> {
                    runUp.take(record);
                    return true;
                });
            }
            return runUp.headsAt(range.begin());
        });
    }

    /** Reads and verifies the range; throws what Kafka's client throws if the log cannot be read. */
    public Contents run() {
        verifier.readOn();
        while (!isJudged()) {
            Optional<LogQuery> query = verifier.nextQuery();
            if (query.isEmpty()) {
                // The log's end was reached. Streams that are overdue by now have it read once more.
                tick(range.nowMillis() + 1);
                verifier.endClosed();
                query = verifier.nextQuery();
            }
            if (query.isEmpty()) {
                break;
            }
            answer(query.get());
            waitsSince();
            noteAll(verifier.drainWhole());
            found.handBefore(Math.min(verifier.progressOffset(), verifier.owedSince()));
        }
        boolean begunOnly = range.end() == range.readableEnd();
        verifier.endOfLog();
        noteAll(verifier.drainWhole());
        Set<StreamId> contradicted = new HashSet<>();
        verifier.contradicted().forEach(end -> judgeOpenEnd(end, contradicted));
        verifier.undecided().forEach(this::note);
        found.handAll();
        // Of a stream that has only begun before an earlier end, more may be after that.
        List<UnsealedTail> open = verifier.openEnds(range.end()).stream()
                .filter(end -> end.events() > 0 || begunOnly)
                .toList();
        return new Contents(events, checkpoints, Open.of(open, contradicted));
    }

    /** Reports events that contradict their own headers, though their checkpoint may still come. */
    private void judgeOpenEnd(RangeQuery end, Set<StreamId> contradicted) {
        verifier.contradiction(
                        end,
                        persistently(() -> RangeReading.read(log, List.of(end)).get(0)))
                .ifPresent(found -> {
                    contradicted.add(end.stream());
                    note(found);
                });
    }

    private boolean isJudged() {
        return range.end() < range.readableEnd()
                && verifier.feed().nextOffset() >= range.end()
                && verifier.progressOffset() >= range.end();
    }

    private void answer(LogQuery query) {
        if (query instanceof RangeQuery first) {
            answerAll(first);
        } else {
            readOn((PieceQuery) query);
        }
    }

    /** Reads ranges that are near each other in one pass: many streams may end at once. */
    private void answerAll(RangeQuery first) {
        List<RangeQuery> asked = new ArrayList<>(List.of(first));
        Stream.generate(verifier::nextRange)
                .limit(MOST_AT_ONCE - 1)
                .takeWhile(Optional::isPresent)
                .forEach(another -> asked.add(another.orElseThrow()));
        asked.sort(Comparator.comparingLong(RangeQuery::beginOffset));
        while (!asked.isEmpty()) {
            List<RangeQuery> together = RangeReading.nearTheFirst(asked);
            for (LogRange there : persistently(() -> RangeReading.read(log, together))) {
                there.askOf(origin);
                verifier.answer(there.query(), there);
            }
            asked.subList(0, together.size()).clear();
            progress.reached(verifier.feed().nextOffset(), reader.bytesRead + log.bytesRead);
        }
    }

    private interface Reading<T> {
        T read() throws ExpiredRangeException;
    }

    /** Reads again if records expired just now: the next attempt begins where the log begins now. */
    private static <T> T persistently(Reading<T> reading) {
        for (int attempts = 1; ; attempts++) {
            try {
                return reading.read();
            } catch (ExpiredRangeException e) {
                if (attempts >= MAX_ATTEMPTS) {
                    throw new TimeoutException("records expire faster than they can be read: " + e.getMessage(), e);
                }
            }
        }
    }

    private void readOn(PieceQuery query) {
        verifier.answer(query, persistently(() -> PieceReading.read(reader, query.piece())));
        clock.tick();
        progress.reached(verifier.feed().nextOffset(), reader.bytesRead + log.bytesRead);
    }

    private void passed(long millis) {
        place = OptionalLong.of(millis);
        tick(millis);
        waitsSince();
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
            events += record instanceof Event ? 1 : 0;
            checkpoints += record instanceof CheckpointRecord ? 1 : 0;
        }
    }

    /** Notes findings; the records of no stream without a time, of which a flood cannot be divided into seconds, as one of each kind. */
    private void noteAll(List<Finding> all) {
        Map<UnattributedRecord.Kind, StrayRecord> timeless = new EnumMap<>(UnattributedRecord.Kind.class);
        for (Finding finding : all) {
            if (finding instanceof StrayRecord stray
                    && stray.writtenMillis() == LogRecord.NO_TIME
                    && !stray.kind().isOfAStream()
                    && isInRange(stray)) {
                timeless.merge(stray.kind(), stray, StrayRecord::and);
            } else {
                note(finding);
            }
        }
        timeless.values().forEach(this::note);
    }

    private void note(Finding finding) {
        if (isInRange(finding)) {
            found.add(finding);
        }
    }

    private boolean isInRange(Finding finding) {
        long at = OffsetOrdering.offsetOf(finding);
        return range.begin() <= at && at < range.end();
    }

    private void hand(Finding finding) {
        findings.accept(Violated.reported(finding));
        if (finding instanceof Violated violated) {
            for (int from = Violated.MAX_NAMED; from < violated.anomalies().size(); from += Violated.MAX_NAMED) {
                further.accept(violated.naming(from, Violated.MAX_NAMED));
            }
        }
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
        public PartitionReader.Bounds bounds() {
            return new PartitionReader.Bounds(begin(), end, end);
        }

        @Override
        public long begin() {
            return log.begin();
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

        @Override
        public Uuid topicId() {
            return log.topicId();
        }
    }
}
