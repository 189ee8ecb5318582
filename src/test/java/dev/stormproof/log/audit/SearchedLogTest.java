package dev.stormproof.log.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.Seed;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.testing.MadeLog;
import dev.stormproof.testing.SimulatedEmitter;
import dev.stormproof.testing.SimulatedLog;
import dev.stormproof.testing.StreamRecords;
import dev.stormproof.testing.WatchedReader;
import dev.stormproof.verify.fold.LogQuery;
import dev.stormproof.verify.judge.Evidence;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.Judge;
import dev.stormproof.verify.judge.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class SearchedLogTest {
    private static final LogQuery.OfInterval.Earlier EVERYTHING_READ =
            new LogQuery.OfInterval.Earlier(-1, -1, 0, Long.MAX_VALUE, false);

    private static final int INTERVALS = 20;
    private static final int EVENTS = 50;
    private static final int SEARCH = 50_000;

    /** What is kept whole, in short, and a segment of it more. */
    private static final long MOST_BYTES = SearchedLog.MOST_WHOLE_BYTES + SearchedLog.MOST_SHORT_BYTES + (1 << 20);

    private final SimulatedLog log = new SimulatedLog();
    private final WatchedReader counting = new WatchedReader(log);
    private final List<LogQuery> tasks = new ArrayList<>();

    @Test
    void auditsOfNeighbouringIntervalsOfSeveralStreamsReadEveryRecordOnce() {
        fill(4);

        LogReadJob.Outcome outcome = new LogReadJob(
                        new TopicPartition("orders", 0), tasks, new SearchedLog(), SearchBudget.unlimited())
                .run(counting);

        assertThat(outcome.answers()).hasSize(tasks.size());
        assertThat(counting.records()).isEqualTo(log.endOffset());
    }

    @Test
    void aJobGathersNoMoreThanALittleOverItsBoundAndLeavesTheRestToTheNextOne() {
        fill(30);
        List<LogQuery> left = tasks;
        int jobs = 0;
        while (!left.isEmpty()) {
            LogReadJob.Outcome outcome = new LogReadJob(
                            new TopicPartition("orders", 0), left, new SearchedLog(), SearchBudget.unlimited())
                    .run(counting);
            assertThat(outcome.failure()).isEmpty();
            assertThat(outcome.expired()).isFalse();
            assertThat(outcome.answers()).hasSize(left.size() - outcome.left().size());
            // Two intervals at most are gathered for each audit, besides the first ones, which are empty.
            assertThat(outcome.answers()).hasSizeLessThan(30 + LogReadJob.MAX_GATHERED / EVENTS + 1);
            left = outcome.left();
            jobs++;
        }

        assertThat(jobs).isGreaterThan(30 * (INTERVALS - 1) * EVENTS / LogReadJob.MAX_GATHERED);
    }

    @Test
    void anAuditFindsInASharedLogWhatItFindsAlone() throws Exception {
        fill(3);
        SearchedLog scan = new SearchedLog().on(log);
        for (LogQuery task : tasks) {
            LogQuery.OfInterval interval = (LogQuery.OfInterval) task;

            assertThat(new Auditor(scan, SearchBudget.unlimited()).audit(interval))
                    .isEqualTo(new Auditor(new SearchedLog().on(log), SearchBudget.unlimited()).audit(interval));
        }
    }

    @Test
    void whateverIsReadInWhateverOrderIsWhatTheLogHolds() throws Exception {
        fill(2);
        Seed seed = Seed.next();
        SplittableRandom random = seed.random();
        SearchedLog scan = new SearchedLog().on(log);
        for (int i = 0; i < Seed.cases(2_000); i++) {
            long begin = random.nextLong(log.endOffset());
            long end = begin + random.nextLong(log.endOffset() - begin + 1);

            assertThat(read(scan, begin, end))
                    .as("[%s, %s), %s", begin, end, seed)
                    .isEqualTo(read(new SearchedLog().on(log), begin, end));
        }
    }

    @Test
    void whatLiesFarOffIsReadAloneAndNotTheRecordsBetween() throws Exception {
        SimulatedEmitter emitter = new SimulatedEmitter(new StreamId("orders", 0, 1), TreeHash.XXH3, true);
        for (int i = 0; i < 3 * SearchedLog.NEAR_OFFSETS; i++) {
            log.append(emitter.event());
        }
        SearchedLog scan = new SearchedLog().on(counting);
        read(scan, 0, 10);
        read(scan, 2 * SearchedLog.NEAR_OFFSETS, 2 * SearchedLog.NEAR_OFFSETS + 5);
        read(scan, 5, 10);

        assertThat(counting.records()).isEqualTo(15);
    }

    @Test
    void whatIsKeptIsBounded() throws Exception {
        SimulatedEmitter emitter = new SimulatedEmitter(new StreamId("orders", 0, 1), TreeHash.XXH3, true);
        int most = (int) (SearchedLog.MOST_WHOLE_BYTES / RecordSizes.RECORD_BYTES);
        for (int i = 0; i < 2 * most; i++) {
            log.append(emitter.event());
        }
        SearchedLog scan = new SearchedLog().on(counting);
        for (long begin = 0; begin < log.endOffset(); begin += 1_000) {
            assertThat(read(scan, begin, begin + 1_000)).hasSize((int) Math.min(1_000, log.endOffset() - begin));
            assertThat(scan.sizeBytes()).isLessThan(MOST_BYTES);
        }
        assertThat(read(scan, 0, log.endOffset())).hasSize(2 * most);
        assertThat(scan.sizeBytes()).isLessThan(MOST_BYTES);
        for (long end = log.endOffset(); end > 1_000; end -= 1_000) {
            assertThat(read(scan, end - 1_000, end)).hasSize(1_000);
            assertThat(scan.sizeBytes()).isLessThan(MOST_BYTES);
        }
    }

    /** Some of them would take more than all that is kept. */
    @Test
    void ofLargeCheckpointsTheLeavesAreKeptForAWhileAndWhatSearchesCompareForLonger() throws Exception {
        CheckpointRecord large = StreamRecords.ALICE.checkpoint(9, 0, 20_000).at(0);
        int many = (int) (4 * SearchedLog.MOST_WHOLE_BYTES / RecordSizes.ofLeaves(large));
        for (int i = 0; i < many; i++) {
            log.append(
                    offset -> new CheckpointRecord(offset, large.checkpoint(), large.chainHash(), LogRecord.NO_TIME));
        }
        SearchedLog scan = new SearchedLog().on(counting);

        assertThat(read(scan, 0, many)).hasSize(many);
        assertThat(scan.sizeBytes()).isLessThan(MOST_BYTES);
        for (int i = 0; i < many; i++) {
            CheckpointRecord found = scan.at(large.checkpoint().stream(), i).orElseThrow();
            assertThat(found.checkpoint().leaves()).isEmpty();
        }
        assertThat(counting.records()).isEqualTo(many);
        assertThat(scan.wholeAt(0).orElseThrow().checkpoint().leaves()).isPresent();
    }

    private static long search(SearchedLog log, WatchedReader counting, int stretch) throws Exception {
        long before = counting.records();
        long begin = (long) stretch * SEARCH;
        log.checkpoints(StreamRecords.ALICE.stream(), begin, begin + SEARCH, checkpoint -> {});
        return counting.records() - before;
    }

    /** A log without end, of which every event has an emitter of its own. */
    private static final class EventOfEachEmitter extends MadeLog {
        @Override
        protected long endOffset() {
            return Long.MAX_VALUE;
        }

        @Override
        protected LogRecord record(long offset) {
            return StreamRecords.of(offset).event(offset, 0);
        }
    }

    @Test
    void whatWasSearchedIsNotReadAgainUntilFortyMegabytesOfItAreKept() throws Exception {
        WatchedReader endless = new WatchedReader(new EventOfEachEmitter());
        SearchedLog scan = new SearchedLog().on(endless);
        int stretches = 5_000_000 / SEARCH;
        for (int stretch = 0; stretch < stretches; stretch++) {
            assertThat(search(scan, endless, stretch)).isEqualTo(SEARCH);
        }
        assertThat(search(scan, endless, 0)).isZero();
        assertThat(scan.sizeBytes()).isBetween(40L << 20, MOST_BYTES);
        for (int stretch = stretches; stretch < stretches + 10; stretch++) {
            assertThat(search(scan, endless, stretch)).isEqualTo(SEARCH);
        }
        assertThat(scan.sizeBytes()).isLessThan(MOST_BYTES);
        assertThat(search(scan, endless, 0)).isEqualTo(SEARCH);
    }

    @Test
    void ofARangeThatExpiredWhileItIsReadThereAreNoRecords() throws Exception {
        fill(1);
        SearchedLog scan = new SearchedLog().on(log);
        scan.checkpoints(StreamRecords.ALICE.stream(), 0, 100, record -> {});

        scan.records(1, 120, 110, record -> {
            throw new AssertionError(record);
        });
    }

    @Test
    void aLogThatWasCutIsAskedAgainWhereItBeginsAndWhatItHolds() throws Exception {
        fill(1);
        SearchedLog scan = new SearchedLog().on(log);
        read(scan, 50, 60);
        assertThat(scan.beginOffset()).isZero();
        log.expireBefore(100);
        assertThatThrownBy(() -> read(scan, 40, 60)).isInstanceOf(ExpiredRangeException.class);

        scan.forget();

        assertThat(scan.beginOffset()).isEqualTo(100);
        assertThatThrownBy(() -> read(scan, 50, 60)).isInstanceOf(ExpiredRangeException.class);
        assertThat(read(scan, 100, 110)).hasSize(10);
    }

    /** Its first audit reads it, and what it is compared with; the final one reads what came since. */
    @Test
    void theRangeOfAViolatedIntervalIsReadOnceForBothOfItsVerdicts() {
        SimulatedEmitter emitter = new SimulatedEmitter(new StreamId("orders", 0, 1), TreeHash.XXH3, true);
        log.append(emitter.checkpoint());
        emitter.event(); // Is lost.
        long lastEvent = log.append(emitter.event()).offset();
        IntervalId violated = IntervalId.of(log.append(emitter.checkpoint()));
        SearchedLog searched = new SearchedLog();
        Optional<Finding> first = judged(violated, lastEvent + 2, false, searched);
        long readFirst = counting.records();
        log.append(emitter.event());
        log.append(emitter.checkpoint());

        Optional<Finding> last = judged(violated, log.endOffset(), true, searched);

        assertThat(first).containsInstanceOf(Verdict.Violated.class);
        assertThat(last).containsInstanceOf(Verdict.Violated.class);
        assertThat(readFirst).isEqualTo(3);
        assertThat(counting.records()).isEqualTo(log.endOffset());
    }

    private Optional<Finding> judged(IntervalId interval, long endOffset, boolean last, SearchedLog searched) {
        LogQuery.OfInterval task =
                new LogQuery.OfInterval(interval, Hash.empty(), -1, endOffset, last, EVERYTHING_READ);
        Evidence[] found = new Evidence[1];
        try {
            found[0] = new Auditor(searched.on(counting), SearchBudget.unlimited()).audit(task);
        } catch (ExpiredRangeException e) {
            throw new AssertionError(e);
        }
        Hash chain = found[0].at(interval.checkpointOffset()).orElseThrow().chainHash();
        return Judge.byTheLog(interval, chain, last, found[0]);
    }

    @Test
    void whatWasTruncatedSinceTheLastJobIsReadAgain() throws Exception {
        fill(1);
        SearchedLog searched = new SearchedLog().on(log);
        List<LogRecord> before = read(searched, 40, 60);
        log.truncate(50);
        append(20);

        List<LogRecord> after = read(searched.on(log), 40, 60);

        assertThat(after).isNotEqualTo(before).isEqualTo(read(new SearchedLog().on(log), 40, 60));
    }

    @Test
    void whatWasTruncatedIsReadAgainThoughRecordsOfTheNextLeaderWereReadSince() throws Exception {
        fill(1);
        SearchedLog searched = new SearchedLog().on(log);
        read(searched, 40, 60);
        log.truncate(50);
        append(200);
        // Read by a job that began before the election.
        read(searched, 200, 210);

        assertThat(read(searched.on(log), 40, 60)).isEqualTo(read(new SearchedLog().on(log), 40, 60));
    }

    @Test
    void whereNothingButAMarkerWasARecordOfTheNextLeaderIsFound() throws Exception {
        append(50);
        log.appendMarker();
        SearchedLog searched = new SearchedLog().on(log);
        assertThat(read(searched, 40, 51)).hasSize(10);
        log.truncate(50);
        append(1);

        assertThat(read(searched.on(log), 40, 51)).hasSize(11);
    }

    @Test
    void whatIsWrittenBehindTheEndOfARangeIsFoundLater() throws Exception {
        append(50);
        SearchedLog searched = new SearchedLog().on(log);
        assertThat(read(searched, 40, 60)).hasSize(10);
        append(10);
        assertThat(read(searched, 40, 60)).hasSize(20);
    }

    @Test
    void whatExpiredSinceTheLastJobIsNotFoundAnyMore() throws Exception {
        append(50);
        SearchedLog searched = new SearchedLog().on(log);
        read(searched, 0, 50);
        log.expireBefore(20);

        assertThat(searched.on(log).beginOffset()).isEqualTo(20);
        assertThatThrownBy(() -> read(searched, 10, 50)).isInstanceOf(ExpiredRangeException.class);
        assertThat(read(searched, 20, 50)).hasSize(30);
    }

    @Test
    void whatWasReadOfManyLeadersIsReadAgain() throws Exception {
        for (int leader = 0; leader < 9; leader++) {
            append(10);
            log.elect();
        }
        SearchedLog searched = new SearchedLog().on(counting);
        read(searched, 10, 90);
        read(searched.on(counting), 10, 90);
        assertThat(counting.records()).isEqualTo(80);

        read(searched, 0, 90);
        read(searched.on(counting), 0, 90);

        assertThat(counting.records()).isEqualTo(80 + 10 + 90);
    }

    private void append(int events) {
        SimulatedEmitter emitter = new SimulatedEmitter(new StreamId("orders", 0, 99), TreeHash.XXH3, true);
        for (int i = 0; i < events; i++) {
            log.append(emitter.event());
        }
    }

    private void fill(int streams) {
        List<SimulatedEmitter> emitters = new ArrayList<>();
        for (int i = 0; i < streams; i++) {
            emitters.add(new SimulatedEmitter(new StreamId("orders", 0, i + 1), TreeHash.XXH3, true));
        }
        for (int interval = 0; interval < INTERVALS; interval++) {
            for (SimulatedEmitter emitter : emitters) {
                IntervalId sealed = IntervalId.of(log.append(emitter.checkpoint()));
                tasks.add(new LogQuery.OfInterval(
                        sealed, Hash.empty(), -1, sealed.checkpointOffset() + 1, false, EVERYTHING_READ));
            }
            for (int event = 0; event < EVENTS; event++) {
                emitters.forEach(emitter -> log.append(emitter.event()));
            }
        }
        SimulatedEmitter first = emitters.get(0);
        IntervalId last = IntervalId.of(log.append(first.checkpoint()));
        tasks.add(new LogQuery.OfInterval(last, Hash.empty(), -1, last.checkpointOffset() + 1, true, EVERYTHING_READ));
    }

    private static List<LogRecord> read(SearchedLog reader, long begin, long end) throws ExpiredRangeException {
        List<LogRecord> records = new ArrayList<>();
        reader.read(begin, end, records::add);
        return records;
    }
}
