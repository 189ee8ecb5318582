package dev.stormproof.log;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static dev.stormproof.testing.StreamRecords.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.judge.Evidence;
import dev.stormproof.judge.Judge;
import dev.stormproof.judge.SealedInterval;
import dev.stormproof.judge.Verdict.Inconclusive;
import dev.stormproof.testing.SimulatedLog;
import dev.stormproof.testing.StreamRecords;
import dev.stormproof.verify.AuditTask.OfInterval;
import org.junit.jupiter.api.Test;

/** How far one audit searches, whatever a checkpoint says of where its stream lies. */
class ReachTest {
    private static final int REACH = 1_000;

    private final SimulatedLog log = new SimulatedLog();
    private final CountingReader counting = new CountingReader(log);

    private Evidence audit(CheckpointRecord target, int reach) throws Exception {
        OfInterval task = new OfInterval(
                SealedInterval.of(target),
                target.chainHash(),
                -1,
                target.offset() + 1,
                true,
                OfInterval.Earlier.UNKNOWN);
        return new Auditor(counting, Long.MAX_VALUE, reach).audit(task);
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
        assertThat(audit(first, REACH).extent()).isEqualTo(Evidence.Extent.WHOLE);
    }

    @Test
    void aNewStreamsCheckpointOverEventsIsInconclusiveIfACopyCannotBeExcluded() throws Exception {
        forgedBehind(50_000);
        CheckpointRecord first = log.append(StreamRecords.of(0xC).checkpoint(0, 0, 2)::at);
        assertThat(audit(first, REACH).extent()).isEqualTo(Evidence.Extent.OUT_OF_REACH);
    }
}
