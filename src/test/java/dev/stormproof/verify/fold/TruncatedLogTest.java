package dev.stormproof.verify.fold;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.testing.DrawnLog;
import dev.stormproof.verify.chain.ChainVerifier;
import dev.stormproof.verify.chain.LogQuery;
import dev.stormproof.verify.chain.PieceQuery;
import dev.stormproof.verify.chain.RangeQuery;
import dev.stormproof.verify.chain.SavedHeads;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Logs that an unclean election truncated: what lies behind was written anew. */
class TruncatedLogTest {
    private static final Bounds ONE_STREAM = new Bounds(1, 100, 100, 1 << 20);
    private static final Bounds ONE_AUDIT = new Bounds(100, 1, 100, 1 << 20);

    @Test
    void theNewRecordsAreNoReplays() {
        // #0 e0 e1 #1 ✂2 x #1   ► Verified 0, 1; of the log as it is now e1 is lost
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1").verify();
        assertThat(log.findings()).containsExactly("Verified 0", "Verified 1");
        log.truncate(2).append("x #1 e2 e3 #2").verify();
        assertThat(log.findings())
                .containsExactly(
                        "UNSIGNED @2", "Violated 1? LOST 1..2", "Verified 2 by the log", "Violated 1: LOST 1..2");
        assertThat(log.progress()).isEqualTo(7);
    }

    @Test
    void aStreamWhoseLastCheckpointWasCutOffOwesItStill() {
        // #0 e0 e1 #1 e2 e3 #2 ✂5 b#0 …   ► all of it was verified; #1 promised another, which is gone
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1 e2 e3 #2").verify();
        assertThat(log.findings()).containsExactly("Verified 0", "Verified 1", "Verified 2");
        log.truncate(5).append("b#0.").verify().tick(0);
        long limit = DrawnLog.PROMISE_MILLIS + DrawnLog.TIMEOUTS.graceMillis();
        assertThat(log.tick(limit + 1).findings()).containsExactly("Verified b0 by the log", "UNSEALED 2 @3 of 0");
    }

    @Test
    void soDoesOneWhoseLastCheckpointWasCutOffWhileNobodyRead() {
        // #0 e0 e1 #1 b#0 be0 e2 e3 #2 │ ✂6 c#0 …   ► be0 held the progress before #2, which was verified
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1 b#0").verify();
        log.append("be0 e2 e3 #2").verify();
        long progress = log.progress();
        assertThat(progress).isEqualTo(5);
        SavedHeads saved = log.verifier().saved();
        log.findings();
        log.log().truncate(6);
        log.append("c#0.").restart(progress, 0, saved).verify().tick(0);
        long limit = DrawnLog.PROMISE_MILLIS + DrawnLog.TIMEOUTS.graceMillis();
        assertThat(log.tick(limit + 1).findings()).contains("UNSEALED 2 @3 of 0");
    }

    /** What is told of a stream whose last checkpoint was cut off, and the one before lies so many offsets before the cut. */
    private static List<String> cutFarBehind(int offsets) {
        // #0 e0 e1 #1 … e2 e3 #2 ✂ b#0
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1");
        for (int i = 1; i < offsets; i++) {
            log.log().appendMarker();
        }
        long cut = log.log().endOffset();
        log.append("e2 e3 #2").verify();
        log.truncate(cut).append("b#0.").verify().tick(0);
        log.findings();
        return log.tick(DrawnLog.PROMISE_MILLIS + DrawnLog.TIMEOUTS.graceMillis() + 1)
                .findings();
    }

    @Test
    void whatAStreamOwesIsUnknownIfItsLastCheckpointWasCutOffAndTheOneBeforeIsFar() {
        assertThat(cutFarBehind(65_536)).containsExactly("UNSEALED 2 @3 of 0");
        assertThat(cutFarBehind(65_537)).isEmpty();
    }

    @Test
    void aCopyBeforeACutIsTakenForTheLastCheckpointOfAStreamThatEndedFarUp() {
        // #0 e0 e1 #1. … #0 │ x ✂ b#0.   ► of Alice nobody read anything but the copy
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1.");
        for (int i = 0; i < 70_000; i++) {
            log.log().appendMarker();
        }
        log.append("#0").verify();
        assertThat(log.findings()).contains("REPEATED_CHECKPOINT @70004");
        log.restart().append("x").verify();
        log.truncate(70_005).append("b#0.").verify().tick(0);
        log.findings();
        assertThat(log.tick(DrawnLog.PROMISE_MILLIS + DrawnLog.TIMEOUTS.graceMillis() + 1)
                        .findings())
                .containsExactly("UNSEALED 1 @70004 of 0");
    }

    @Test
    void aCleanElectionChangesNothing() {
        // #0 e0 (elected) e1 #1   ► Verified 0, 1, each once
        DrawnLog log = DrawnLog.of("#0 e0").verify().elect().append("e1 #1").verify();
        assertThat(log.findings()).containsExactly("Verified 0", "Verified 1");
    }

    @Test
    void anIntervalThatWasTruncatedInTheMiddleIsMatchedByWhatWasWrittenAnew() {
        // #0 e0 e1 #1 e2 x ✂5 e3 #2   ► Verified 2 at first sight
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1 e2 x").verify();
        log.findings();
        log.truncate(5).append("e3 #2").verify();
        assertThat(log.findings()).containsExactly("Verified 2");
    }

    @Test
    void theOnesBeforeTheProgressAreNotReadAgain() {
        // #0 e0 e1 #1 x x ✂5 x   ► nothing twice
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1 x x").verify();
        log.findings();
        log.truncate(5).append("x").verify();
        assertThat(log.findings()).containsExactly("UNSIGNED @5");
    }

    @Test
    void eventsWhoseCheckpointWasTruncatedAreOpenAgainThoughTheirStreamWasEvicted() {
        // #0 e0 #1 b#0 ✂2 b#0 be0   with room for one stream   ► e0 has no checkpoint
        DrawnLog log = DrawnLog.of(ONE_STREAM, "#0 e0 #1 b#0").deliver();
        log.truncate(2).append("b#0 be0").deliver();
        assertThat(log.progress()).isEqualTo(1);
        log.audit();
        assertThat(log.findings()).contains("UNSEALED 1 @1 of 1").doesNotContain("Verified 1");
    }

    @Test
    void aStreamThatWasEvictedBeforeHoldsNothing() {
        // #0 e0 e1 #1 │ e2 #1 b#0 ✂4 x   with room for one stream   ► progress behind x
        DrawnLog log = DrawnLog.of(ONE_STREAM, "#0 e0 e1 #1 e2 #1 b#0");
        assertThat(log.restart(4, 0, SavedHeads.NOTHING).deliver().ask()).hasSize(2);
        assertThat(log.truncate(4).append("x").verify().progress()).isEqualTo(5);
    }

    @Test
    void theProvisionalVerdictOnACheckpointThatWasTruncatedStands() {
        // #0 e0 #1 ✂2 x   ► Violated 1, final
        DrawnLog log = DrawnLog.of("#0 e0 #1").verify();
        assertThat(log.findings()).containsExactly("Verified 0", "Violated 1? LOST 1..2");
        log.truncate(2).append("x").verify();
        assertThat(log.findings()).containsExactly("Violated 1: LOST 1..2", "UNSIGNED @2");
        assertThat(log.verifier().undecided()).isZero();
    }

    @Test
    void theProvisionalVerdictOnACheckpointBeforeTheTruncationIsMadeAgain() {
        // #0 e0 #1 x ✂3 e2 e3 #2   ► Violated 1 for now, twice, then final
        DrawnLog log = DrawnLog.of("#0 e0 #1 x").verify();
        log.findings();
        log.truncate(3).append("e2 e3 #2").verify();
        assertThat(log.findings()).containsExactly("Violated 1? LOST 1..2", "Verified 2", "Violated 1: LOST 1..2");
    }

    @Test
    void anIntervalThatWasAskedForBeforeIsNotJudgedByTheAnswer() {
        // #0 e0 #1 ✂3 x   the audit of #1 is answered after the log was truncated behind it   ► Violated 1, once
        DrawnLog log = DrawnLog.of("#0 e0 #1 x").deliver();
        RangeQuery asked = (RangeQuery) log.ask().get(0);
        Consumer<ChainVerifier> answer = log.read(asked);
        log.findings();
        log.truncate(3).append("x").verify();
        assertThat(log.findings()).containsExactly("Violated 1? LOST 1..2", "UNSIGNED @3");
        answer.accept(log.verifier());
        assertThat(log.findings()).isEmpty();
    }

    @Test
    void anAuditThatFindsAnotherRecordInTheCheckpointsPlaceHoldsTheProgressUntilTheTruncationIsKnown() {
        // #0 e0 #1 ✂1 b#0 be0   the audit of #1 reads the log as it is now
        DrawnLog log = DrawnLog.of("#0 e0 #1").deliver();
        RangeQuery asked = (RangeQuery) log.ask().get(0);
        log.truncate(1).append("b#0 be0");
        log.answer(asked);
        assertThat(log.findings()).as("nothing is judged by it").containsExactly("Verified 0");
        assertThat(log.progress()).isEqualTo(1);
        assertThat(log.verifier().isReading()).isTrue();
        log.audit();
        assertThat(log.findings()).containsExactly("Verified b0 by the log");
        assertThat(log.progress()).isEqualTo(2);
    }

    /** A replica that lost its end, and one that has it all, lead in turn. */
    @Test
    void aCheckpointThatIsMissingOnlyWhileAnotherReplicaLeadsIsJudged() {
        // #0 e0 #1 x   and for the time of the audit of #1   b#0 be0 b#1 x
        DrawnLog log = DrawnLog.of(ONE_AUDIT, "#0 e0 #1 x").deliver();
        log.verifier().tick(0);
        RangeQuery asked = (RangeQuery) log.ask().get(0);
        DrawnLog.of("b#0 be0 b#1 x").read(asked).accept(log.verifier());
        assertThat(log.findings()).containsExactly("Verified 0");
        assertThat(log.progress()).as("held").isEqualTo(1);
        log.audit();
        assertThat(log.findings()).containsExactlyInAnyOrder("Violated 1? LOST 1..2", "UNSIGNED @3");
    }

    /** Some producer's transaction is always open: the log's end is never reached, but what had been written before is. */
    @Test
    void oneThatIsMissingWhereATransactionIsAlwaysOpenIsJudged() {
        DrawnLog log = DrawnLog.of("#0 e0 #1 x").deliver();
        log.verifier().tick(0);
        RangeQuery asked = (RangeQuery) log.ask().get(0);
        DrawnLog.of("b#0 be0 b#1 x").read(asked).accept(log.verifier());
        log.log().beginTransaction();
        log.append("x").audit();
        assertThat(log.findings()).doesNotContain("Violated 1? LOST 1..2");

        log.log().endTransaction();
        log.log().beginTransaction();
        log.append("x").deliver().tick(1);

        assertThat(log.findings()).contains("Violated 1? LOST 1..2");
    }

    /** Whoever takes a checkpoint out of the log afterwards is not passed over. */
    @Test
    void oneThatIsMissingForGoodIsLookedForOnceMoreAndToldThen() {
        DrawnLog log = DrawnLog.of("#0 e0 #1 x").deliver();
        log.verifier().tick(0);
        DrawnLog other = DrawnLog.of("#0 e0 x x");
        int asked = 0;
        for (List<LogQuery> tasks = log.ask(); !tasks.isEmpty(); tasks = log.ask()) {
            for (LogQuery task : tasks) {
                asked += task instanceof RangeQuery ? 1 : 0;
                (task instanceof RangeQuery ? other : log).read(task).accept(log.verifier());
            }
        }
        assertThat(asked).isEqualTo(2);
        assertThat(log.findings()).containsExactly("Verified 0", "UNSIGNED @3", "EXPIRED 1");
        assertThat(log.progress()).isEqualTo(4);
    }

    @Test
    void untilThenTheProgressDoesNotPassTheCheckpointThatIsMissing() {
        // x │ #1 ✂1 x   interval 1 holds no event   ► progress stays at 1 until the log was read again
        DrawnLog log = DrawnLog.intervals(0)
                .append("x #1")
                .restart(1, 0, SavedHeads.NOTHING)
                .deliver();
        RangeQuery asked = (RangeQuery) log.ask().get(0);
        log.truncate(1).append("x").answer(asked);
        assertThat(log.progress()).isEqualTo(1);
        log.audit();
        assertThat(log.findings()).containsExactly("UNSIGNED @1");
        assertThat(log.progress()).isEqualTo(2);
    }

    @Test
    void aPieceThatWasReadBeforeTheTruncationIsReadAgainWhenAnAuditFindsItOut() {
        // #0 e0 #1 [x] x ✂1 x x x x   the piece from 3 on was read before
        DrawnLog log = DrawnLog.of("#0 e0 #1 [x] x").deliver();
        List<LogQuery> asked = log.ask();
        PieceQuery piece = (PieceQuery) asked.get(1);
        Consumer<ChainVerifier> before = log.read(piece);
        log.truncate(1).append("x x x x");
        log.answer(asked.get(0));
        before.accept(log.verifier());
        assertThat(log.findings()).containsExactly("Verified 0");
        log.audit();
        assertThat(log.findings()).containsExactly("UNSIGNED @1", "UNSIGNED @2", "UNSIGNED @3", "UNSIGNED @4");
    }

    @Test
    void aTruncationBelowTheProgressOfADeadVerifierIsFoundOutByItsEpoch() {
        // x x x x x ✂1 b#0 be0 be1 b#1 x x   the next verifier begins at 4, the committed progress
        DrawnLog log = DrawnLog.of("x x x x").elect().append("x").verify();
        log.findings();
        log.truncate(1).append("b#0 be0 be1 b#1 x x");
        log.restart(4, 1, SavedHeads.NOTHING).deliverFrom(5).verify();
        assertThat(log.findings())
                .containsExactly("UNSIGNED @5", "UNSIGNED @6", "Verified b0 by the log", "Verified b1 by the log");
    }

    @Test
    void aLogThatIsTruncatedTwiceIsReadFromTheLowerOne() {
        // #0 e0 e1 #1 ✂3 x ✂2 e1 #1   ► Verified 1, of each log
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1").verify();
        log.truncate(3).append("x").truncate(2).append("e1 #1").verify();
        assertThat(log.findings()).containsExactly("Verified 0", "Verified 1", "Verified 1 by the log");
    }

    @Test
    void whatIsReadAgainOfAnInactiveStreamIsFinal() {
        // #0 e0 #1 b#0 ✂3 x   with e1 lost; nothing of the stream comes any more   ► Violated 1, final
        DrawnLog log = DrawnLog.of("#0 e0 #1 b#0").verify();
        log.truncate(3).append("x").verify();
        log.tick(0).tick(DrawnLog.PROMISE_MILLIS + 2_000);
        assertThat(log.findings()).contains("UNSEALED 2 @2 of 0").last().isEqualTo("Violated 1: LOST 1..2");
        assertThat(log.verifier().undecided()).isZero();
    }

    @Test
    void lastCheckpointsThatWereLookedForBeforeDoNotCount() {
        // #0 #1 e2 ✂1 e2   the look-back from e2 found #1, which is no more   ► e2 without a number
        DrawnLog log = DrawnLog.of("x #1 e2");
        log.restart(2, 0, SavedHeads.NOTHING).verify();
        log.verifier().tick(0);
        log.verifier().tick(6_000);
        PieceQuery end = (PieceQuery) log.ask().get(0);
        log.answer(end);
        LogQuery look = log.ask().get(0);
        Consumer<ChainVerifier> found = log.read(look);
        log.truncate(1).append("x e2").verify();
        found.accept(log.verifier());
        log.findings();
        log.tick(6_001).tick(20_000);
        assertThat(log.findings()).containsExactly("UNSEALED -1 @2 of 1");
    }

    @Test
    void whatWasGivenUpBeforeTheCutIsNoPartOfWhatFollows() {
        // pe0 p#1 pe2 pe3 … given up ✂x pe4 pe5 p#3   with pe1 lost   ► the checkpoint over pe2 and pe3 is missing
        DrawnLog log = DrawnLog.of("pe0 p#1 pe2 pe3 x").verify().tick(0).tick(2 * DrawnLog.PROMISE_MILLIS);
        assertThat(log.findings()).contains("Violated p@1: LOST @-1", "UNSEALED p@3 @3 of 2");
        // ✂, and again
        log.truncate(4).append("pe4").verify().truncate(4).append("pe4 pe5 p#3").verify();
        assertThat(log.findings()).containsExactly("Violated p@6? CHECKPOINT_LOST @2");
    }

    @Test
    void neitherIsWhatCameBehindIt() {
        // #0 e0 #1 … given up e0 x ✂4 e2 e3 #2   with e1 lost   ► the copy of e0 lies in interval 2
        DrawnLog log = DrawnLog.of("#0 e0 #1").verify().tick(0).tick(2 * DrawnLog.PROMISE_MILLIS);
        assertThat(log.findings()).contains("UNSEALED 2 @2 of 0", "Violated 1: LOST 1..2");
        log.append("e0 x").verify().truncate(4).append("e2 e3 #2").verify();
        assertThat(log.findings()).last().isEqualTo("Violated 2: DUPLICATED 0..1");
    }

    @Test
    void neitherIsWhatWasNotReadBeforeACheckpointThatWasCutOff() {
        // pe0 pe1 p#1 ? pe2 p#2 ✂5 pe3 p#2   ► ? may be another event
        DrawnLog log = DrawnLog.of("pe0 pe1 p#1 ? pe2 p#2").deliver();
        assertThat(log.progress()).isEqualTo(4);
        log.truncate(5).append("pe3 p#2").deliver();
        // The cut is found out before the log is read for the checkpoint that is no more.
        log.ask().stream().filter(PieceQuery.class::isInstance).forEach(log::answer);
        log.audit();
        assertThat(log.findings()).contains("OVERSIZED_RECORD p@6").doesNotContain("Verified p@6");
    }

    @Test
    void whatWasJudgedBehindAClosedStreamBeforeTheCutIsNoPartOfWhatFollows() {
        // #0 e0 e1 #1. e1 … told as a copy x ✂5 x #2
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1. e1 x").verify();
        CheckpointRecord one = (CheckpointRecord) log.log().entries(3, 4).get(0).record();
        log.tick(0).tick(2 * DrawnLog.PROMISE_MILLIS);
        assertThat(log.findings()).contains("Violated 2: DUPLICATED 1..2");
        assertThat(log.progress()).isEqualTo(6);
        log.truncate(5)
                .append("x")
                .append(ALICE.checkpoint(2, 2, 2).after(one)::at)
                .verify();
        assertThat(log.findings()).last().isEqualTo("Violated 2: DUPLICATED 1..2");
    }
}
