package dev.stormproof.log.audit;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static dev.stormproof.testing.StreamRecords.BOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.testing.SimulatedLog;
import dev.stormproof.testing.StreamRecords;
import dev.stormproof.testing.WatchedReader;
import dev.stormproof.verify.fold.LogQuery;
import dev.stormproof.verify.fold.LogQuery.OfInterval;
import dev.stormproof.verify.judge.Evidence;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.Judge;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Verified;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** How far one audit searches, whatever a checkpoint says of where its stream lies. */
class ReachTest {
    private static final int REACH = 1_000;

    private final SimulatedLog log = new SimulatedLog();
    private final WatchedReader counting = new WatchedReader(log);

    private Evidence audit(CheckpointRecord target, int reach) throws Exception {
        return new Auditor(new SearchedLog().on(counting), Long.MAX_VALUE, reach, SearchBudget.unlimited())
                .audit(taskOf(target));
    }

    private static OfInterval taskOf(CheckpointRecord target) {
        return new OfInterval(
                IntervalId.of(target), target.chainHash(), -1, target.offset() + 1, true, OfInterval.Earlier.UNKNOWN);
    }

    private CheckpointRecord forgedBehind(int events) {
        for (int i = 0; i < events; i++) {
            long sequence = i;
            log.append(offset -> BOB.event(offset, sequence));
        }
        return log.append(ALICE.checkpoint(7, 100, 110)::at);
    }

    @Test
    void aCheckpointWhosePredecessorIsNowhereIsInconclusiveAndCostsWhatTheReachAllows() throws Exception {
        CheckpointRecord forged = forgedBehind(50_000);
        Evidence evidence = audit(forged, REACH);
        assertThat(Judge.byTheLog(IntervalId.of(forged), forged.chainHash(), true, evidence))
                .get()
                .isInstanceOfSatisfying(
                        Inconclusive.class,
                        finding -> assertThat(finding.reason()).isEqualTo(Inconclusive.Reason.OUT_OF_REACH));
        assertThat(counting.records()).isLessThan(4 * REACH);
    }

    @Test
    void aLogThatIsShorterThanTheReachIsSearchedWhole() throws Exception {
        CheckpointRecord forged = forgedBehind(400);
        assertThat(audit(forged, REACH).extent()).isEqualTo(Evidence.Extent.WHOLE);
    }

    /** For its predecessor, for an earlier statement of it, and for one of that. */
    @Test
    void whatIsSearchedSeveralTimesCountsOnce() throws Exception {
        forgedBehind(5 * REACH);
        forgedBehind(5 * REACH);
        CheckpointRecord target = log.append(ALICE.checkpoint(9, 200, 210)::at);
        assertThat(audit(target, 11 * REACH).extent()).isEqualTo(Evidence.Extent.WHOLE);
    }

    /** So a chain can be followed by its hints, however far its checkpoints lie apart. */
    @Test
    void aSingleRecordCountsForNothing() throws Exception {
        forgedBehind(20 * REACH);
        Reach reach = new Reach(new SearchedLog().on(log), REACH, SearchBudget.unlimited(), log.endOffset());
        for (long place = 0; place < 20 * REACH; place += 2 * REACH) {
            assertThat(reach.first(ALICE.stream(), place, place + 1, any -> true))
                    .isEmpty();
        }
        assertThatThrownBy(() -> reach.first(ALICE.stream(), 0, 5 * REACH, any -> true))
                .isInstanceOf(Reach.OutOfReachException.class);
    }

    @Test
    void ofCheckpointsOfOneStreamNoMoreAreKeptThanTheBoundWhileThePredecessorIsLookedFor() throws Exception {
        for (int i = 0; i < 4 * Beginnings.MAX_FOUND; i++) {
            int number = i + 1;
            log.append(ALICE.checkpoint(number, 0, 0)::at);
        }
        CheckpointRecord forged = log.append(ALICE.checkpoint(5 * Beginnings.MAX_FOUND, 100, 110)::at);
        assertThat(audit(forged, Integer.MAX_VALUE).extent()).isEqualTo(Evidence.Extent.OUT_OF_REACH);
    }

    @Test
    void aNewStreamsEmptyCheckpointIsJudgedHoweverBusyTheLogIs() throws Exception {
        forgedBehind(50_000);
        CheckpointRecord first = log.append(StreamRecords.of(0xC).checkpoint(0, 0, 0)::at);
        Evidence evidence = audit(first, REACH);
        assertThat(Judge.byTheLog(IntervalId.of(first), first.chainHash(), true, evidence))
                .get()
                .isInstanceOf(Verified.class);
        assertThat(evidence.extent()).as("what continues it has the log read").isEqualTo(Evidence.Extent.MAYBE_A_COPY);
    }

    @Test
    void aNewStreamsCheckpointOverEventsIsInconclusiveIfACopyCannotBeExcluded() throws Exception {
        forgedBehind(50_000);
        CheckpointRecord first = log.append(StreamRecords.of(0xC).checkpoint(0, 0, 2)::at);
        assertThat(audit(first, REACH).extent()).isEqualTo(Evidence.Extent.OUT_OF_REACH);
    }

    /** Each names a predecessor that is nowhere, so that the whole log is searched for it: once for all of them. */
    @Test
    void aFloodOfForgedCheckpointsHasTheLogSearchedOnce() {
        int events = 100_000;
        forgedBehind(events);
        List<LogQuery> tasks = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            CheckpointRecord forged = log.append(StreamRecords.of(0xF00 + i).checkpoint(7, 100, 110)::at);
            tasks.add(taskOf(forged));
        }
        LogReadJob.Outcome outcome = new LogReadJob(
                        new TopicPartition("orders", 0), tasks, new SearchedLog(), SearchBudget.unlimited())
                .run(counting);
        assertThat(outcome.answers()).hasSize(30);
        assertThat(counting.records()).isLessThan(2L * events);
    }

    private LogReadJob.Outcome run(SearchBudget budget, LogQuery task) {
        return new LogReadJob(new TopicPartition("orders", 0), List.of(task), new SearchedLog(), budget).run(counting);
    }

    @Test
    void theRecordsThatAreReadSpendThePartitionsBudget() {
        CheckpointRecord forged = forgedBehind(50_000);
        SearchBudget budget = SearchBudget.ofPartition();
        budget.take(SearchBudget.MAX_RECORDS - 20_000, 0);
        for (int i = 0; i < 5; i++) {
            assertThat(run(budget, taskOf(forged)).answers()).hasSize(1);
        }
        assertThat(counting.records()).isBetween(20_000L, 20_000L + 5 * (SearchBudget.MAX_RECORDS_OF_ONE + 2_048));
    }

    @Test
    void theBytesThatAreReadSpendThePartitionsBudget() {
        CheckpointRecord forged = forgedBehind(50_000);
        counting.ofBytes(SearchBudget.MAX_BYTES / 20_000);
        SearchBudget budget = SearchBudget.ofPartition();
        for (int i = 0; i < 5; i++) {
            assertThat(run(budget, taskOf(forged)).answers()).hasSize(1);
        }
        assertThat(counting.records()).isBetween(20_000L, 25_000L);
    }

    private static SearchBudget spent() {
        SearchBudget budget = SearchBudget.ofPartition();
        budget.take(2 * SearchBudget.MAX_RECORDS, 0);
        return budget;
    }

    private Evidence auditOnASpentBudget(LogQuery.OfInterval task) throws Exception {
        return new Auditor(new SearchedLog().on(counting), Long.MAX_VALUE, Reach.DEFAULT_OFFSETS, spent()).audit(task);
    }

    private static OfInterval seenBehind(CheckpointRecord previous, CheckpointRecord target) {
        OfInterval task = taskOf(target);
        return new OfInterval(
                task.interval(),
                task.chainHash(),
                previous.offset(),
                task.endOffset(),
                true,
                OfInterval.Earlier.UNKNOWN);
    }

    @Test
    void onASpentBudgetAnIntervalWhosePredecessorWasSeenIsReadHoweverLongItIs() throws Exception {
        CheckpointRecord zero = log.append(ALICE.checkpoint(0, 0, 0)::at);
        CheckpointRecord one = log.append(ALICE.checkpoint(1, 0, 0).behind(zero)::at);
        forgedBehind(200_000);
        CheckpointRecord two = log.append(ALICE.checkpoint(2, 0, 1).behind(one)::at);
        Evidence evidence = auditOnASpentBudget(seenBehind(one, two));
        assertThat(evidence.extent()).isEqualTo(Evidence.Extent.WHOLE);
        assertThat(evidence.checkpoints()).contains(one);
    }

    @Test
    void onASpentBudgetAnIntervalWithALostCheckpointIsReadToo() throws Exception {
        CheckpointRecord zero = log.append(ALICE.checkpoint(0, 0, 0)::at);
        CheckpointRecord one = log.append(ALICE.checkpoint(1, 0, 0).behind(zero)::at);
        forgedBehind(100_000);
        CheckpointRecord three = log.append(ALICE.checkpoint(3, 1, 1)::at);
        assertThat(auditOnASpentBudget(seenBehind(one, three)).checkpoints()).contains(one, three);
    }

    @Test
    void onASpentBudgetAnIntervalIsReadIfItsHintLeadsToItsPredecessor() throws Exception {
        CheckpointRecord zero = log.append(ALICE.checkpoint(0, 0, 0)::at);
        CheckpointRecord one = log.append(ALICE.checkpoint(1, 0, 0).behind(zero)::at);
        forgedBehind(200_000);
        CheckpointRecord two = log.append(ALICE.checkpoint(2, 0, 1).behind(one)::at);
        assertThat(auditOnASpentBudget(taskOf(two)).extent()).isEqualTo(Evidence.Extent.WHOLE);
    }

    /** It bears the number of a checkpoint that the verifier saw: else a stream of long ago would be searched each time. */
    @Test
    void forksOfAStreamThatEndedLongAgoAreOnTheBudget() throws Exception {
        CheckpointRecord zero = log.append(ALICE.checkpoint(0, 0, 0)::at);
        CheckpointRecord one = log.append(ALICE.checkpoint(1, 0, 0).behind(zero)::at);
        forgedBehind(200_000);
        CheckpointRecord fork = log.append(ALICE.checkpoint(1, 0, 1).behind(zero)::at);
        assertThat(auditOnASpentBudget(seenBehind(one, fork)).extent()).isEqualTo(Evidence.Extent.BEYOND_THE_BUDGET);
    }

    @Test
    void whatLiesFarBehindAClosingCheckpointIsOnTheBudget() throws Exception {
        CheckpointRecord zero = log.append(ALICE.checkpoint(0, 0, 0)::at);
        CheckpointRecord closing =
                log.append(ALICE.checkpoint(1, 0, 0).behind(zero).closing()::at);
        for (int events : new int[] {100, 200_000}) {
            forgedBehind(events);
            long end = log.append(offset -> ALICE.event(offset, 0)).offset() + 1;
            LogQuery.OfTail tail = new LogQuery.OfTail(IntervalId.of(closing), closing.offset(), end);
            Evidence evidence = new Auditor(
                            new SearchedLog().on(counting), Long.MAX_VALUE, Reach.DEFAULT_OFFSETS, spent())
                    .audit(tail);
            assertThat(evidence.at(closing.offset()).isPresent()).isEqualTo(events == 100);
        }
    }

    /** The index changes what is read, and nothing of what is found. */
    @Test
    void whatAnAuditFindsDoesNotDependOnWhatWasSearchedBefore() throws Exception {
        forgedBehind(3_000);
        CheckpointRecord zero = log.append(ALICE.checkpoint(0, 0, 0)::at);
        log.append(offset -> ALICE.event(offset, 0));
        forgedBehind(3_000);
        CheckpointRecord one = log.append(ALICE.checkpoint(1, 0, 1).after(zero)::at);
        for (int reach : new int[] {REACH, 5 * REACH, 100 * REACH}) {
            Auditor used = new Auditor(new SearchedLog().on(counting), Long.MAX_VALUE, reach, SearchBudget.unlimited());
            for (CheckpointRecord target : List.of(zero, one, one)) {
                assertThat(used.audit(taskOf(target)))
                        .isEqualTo(
                                new Auditor(new SearchedLog().on(log), Long.MAX_VALUE, reach, SearchBudget.unlimited())
                                        .audit(taskOf(target)));
            }
        }
    }

    /** 1,000 of them, in three ranges of a search, would take 50 MB. */
    @Test
    void checkpointsThatWouldTakeTooMuchMemoryAreOutOfReach() throws Exception {
        SequenceRange[] uncertain = LongStream.range(0, 1_000)
                .mapToObj(i -> new SequenceRange(2 * i, 2 * i + 1))
                .toArray(SequenceRange[]::new);
        CheckpointRecord large =
                ALICE.checkpoint(9, 0, 2_000).uncertainOf(uncertain).at(0);
        for (int i = 0; i < 1_000; i++) {
            log.append(
                    offset -> new CheckpointRecord(offset, large.checkpoint(), large.chainHash(), LogRecord.NO_TIME));
        }
        CheckpointRecord target = log.append(ALICE.checkpoint(7, 100, 110)::at);
        assertThat(audit(target, Reach.DEFAULT_OFFSETS).extent()).isEqualTo(Evidence.Extent.OUT_OF_REACH);
    }
}
