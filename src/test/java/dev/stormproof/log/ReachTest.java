package dev.stormproof.log;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static dev.stormproof.testing.StreamRecords.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.SequenceRange;
import dev.stormproof.judge.Evidence;
import dev.stormproof.judge.Judge;
import dev.stormproof.judge.SealedInterval;
import dev.stormproof.judge.Verdict.Inconclusive;
import dev.stormproof.testing.SimulatedLog;
import dev.stormproof.testing.StreamRecords;
import dev.stormproof.verify.AuditTask;
import dev.stormproof.verify.AuditTask.OfInterval;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** How far one audit searches, whatever a checkpoint says of where its stream lies. */
class ReachTest {
    private static final int REACH = 1_000;

    private final SimulatedLog log = new SimulatedLog();
    private final CountingReader counting = new CountingReader(log);

    private Evidence audit(CheckpointRecord target, int reach) throws Exception {
        return new Auditor(counting, Long.MAX_VALUE, reach).audit(taskOf(target));
    }

    private static OfInterval taskOf(CheckpointRecord target) {
        return new OfInterval(
                SealedInterval.of(target),
                target.chainHash(),
                -1,
                target.offset() + 1,
                true,
                OfInterval.Earlier.UNKNOWN);
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
        assertThat(Judge.byTheLog(SealedInterval.of(forged), forged.chainHash(), true, evidence))
                .get()
                .extracting(finding -> ((Inconclusive) finding).reason())
                .isEqualTo(Inconclusive.Reason.OUT_OF_REACH);
        assertThat(counting.records()).isLessThan(4 * REACH);
    }

    @Test
    void aLogThatIsShorterThanTheReachIsSearchedWhole() throws Exception {
        CheckpointRecord forged = forgedBehind(400);
        assertThat(audit(forged, REACH).extent()).isEqualTo(Evidence.Extent.WHOLE);
    }

    @Test
    void aNewStreamsEmptyCheckpointIsJudgedHoweverBusyTheLogIs() throws Exception {
        forgedBehind(50_000);
        CheckpointRecord first = log.append(StreamRecords.of(0xC).checkpoint(0, 0, 0)::at);
        assertThat(audit(first, REACH).extent()).isEqualTo(Evidence.Extent.WHOLE);
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
        List<AuditTask> tasks = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            CheckpointRecord forged = log.append(StreamRecords.of(0xF00 + i).checkpoint(7, 100, 110)::at);
            tasks.add(taskOf(forged));
        }
        AuditJob.Outcome outcome = new AuditJob(new TopicPartition("orders", 0), tasks).run(counting);
        assertThat(outcome.answers()).hasSize(30);
        assertThat(counting.records()).isLessThan(2L * events);
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
            Auditor used = new Auditor(counting, Long.MAX_VALUE, reach);
            for (CheckpointRecord target : List.of(zero, one, one)) {
                assertThat(used.audit(taskOf(target)))
                        .isEqualTo(new Auditor(log, Long.MAX_VALUE, reach).audit(taskOf(target)));
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
            log.append(offset -> new CheckpointRecord(offset, large.checkpoint(), large.chainHash()));
        }
        CheckpointRecord target = log.append(ALICE.checkpoint(7, 100, 110)::at);
        assertThat(audit(target, Reach.DEFAULT_OFFSETS).extent()).isEqualTo(Evidence.Extent.OUT_OF_REACH);
    }
}
