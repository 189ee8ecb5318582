package dev.stormproof.verify.fold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.testing.DrawnLog;
import dev.stormproof.testing.StreamRecords;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Checkpoints that are late, repeated, forged or missing: what they seal, and what they make of their successors. */
class CheckpointsOutOfOrderTest {
    @Test
    void aCheckpointThatMatchesBehindItsSuccessorIsLate() {
        // #0 e0 #3. #1 #2   with intervals of one, no and no event   ► Verified 0, 1; 2 is late, though it matches
        DrawnLog log = DrawnLog.intervals(1, 0, 0).append("#0 e0 #3. #1 #2").verify();
        assertThat(log.findings())
                .contains("Verified 0", "Verified 1 by the log", "LATE_CHECKPOINT @4")
                .doesNotContain("Verified 2", "Verified 2 by the log");
    }

    @Test
    void aCheckpointBehindItsSuccessorIsLate() {
        // #0 e0 #2 #1 #3.   with intervals of one, no and no event   ► LATE_CHECKPOINT
        DrawnLog log = DrawnLog.intervals(1, 0, 0).append("#0 e0 #2 #1 #3.").verify();
        assertThat(log.findings())
                .contains("LATE_CHECKPOINT @3")
                .noneMatch(finding -> finding.startsWith("Verified 1"));
    }

    @Test
    void aRepetitionIsOneAtFirstSight() {
        // #0 e0 e1 #1 e2 #1 e3 #2.   ► REPEATED_CHECKPOINT, Verified 0, 1, 2
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1 e2 #1 e3 #2.").deliver();
        assertThat(log.ask()).isEmpty();
        assertThat(log.findings()).containsExactly("Verified 0", "Verified 1", "REPEATED_CHECKPOINT @5", "Verified 2");
    }

    @Test
    void aRepetitionKeepsNoPromise() {
        // #0 … #0 again just in time …   ► overdue all the same
        DrawnLog log = DrawnLog.of("#0").verify().tick(0);
        log.append("#0").verify().tick(1);
        log.findings();
        long limit = DrawnLog.PROMISE_MILLIS + DrawnLog.TIMEOUTS.graceMillis();
        assertThat(log.tick(limit).findings()).isEmpty();
        assertThat(log.tick(limit + 1).findings()).containsExactly("UNSEALED 1 @0 of 0");
    }

    @Test
    void copiesOfAnEarlierOneHideNoLastCheckpointAndPutOffNoSilence() {
        // #0 e0 e1 #1 e2 e3 #2 #0 … #0 …   ► overdue all the same, since #2
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1 e2 e3 #2")
                .verify()
                .tick(0)
                .append("#0")
                .verify();
        log.tick(1).append("#0").verify().tick(2);
        assertThat(log.findings()).contains("REPEATED_CHECKPOINT @7", "REPEATED_CHECKPOINT @8");
        long limit = DrawnLog.PROMISE_MILLIS + DrawnLog.TIMEOUTS.graceMillis();
        assertThat(log.tick(limit).findings()).isEmpty();
        assertThat(log.tick(limit + 1).findings()).containsExactly("UNSEALED 3 @6 of 0");
    }

    @Test
    void aCopyBehindARestartHidesNoLastCheckpointEither() {
        // #0 e0 e1 #1 e2 e3 #2 │ b#0 #0 …   ► UNSEALED 3
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1 e2 e3 #2").append("b#0.");
        log.restart(7, 0, List.of(6L)).verify().append("#0").verify().tick(0);
        assertThat(log.findings()).contains("REPEATED_CHECKPOINT @8");
        long limit = DrawnLog.PROMISE_MILLIS + DrawnLog.TIMEOUTS.graceMillis();
        assertThat(log.tick(limit + 1).findings()).containsExactly("UNSEALED 3 @6 of 0");
    }

    @Test
    void norDoesACopyThatComesBeforeAFarPromiseIsRead() {
        // #0 e0 e1 #1 … │ #0   ► UNSEALED 2
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1");
        for (int i = 0; i < 70_000; i++) {
            log.log().appendMarker();
        }
        log.append("b#0.").verify().restart().append("#0").verify();
        assertThat(silence(log)).contains("UNSEALED 2 @3 of 0");
    }

    @Test
    void norDoSeveralThatAreRefusedTheLastOfThemFirst() {
        // #0 e0 e1 #1 … │ #0 #1, and #1 is read once both have come   ► UNSEALED 2
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1");
        for (int i = 0; i < 70_000; i++) {
            log.log().appendMarker();
        }
        log.append("b#0.").verify().restart().append("#0 #1").deliver();
        List<LogQuery> asked = new ArrayList<>(log.ask());
        log.answer(asked.remove(0));
        Collections.reverse(asked);
        asked.forEach(log::answer);
        assertThat(silence(log)).contains("UNSEALED 2 @3 of 0");
    }

    @Test
    void norDoesOneWhereNoPromiseWasNoted() {
        // #0 e0 e1 #1 │ #0   ► UNSEALED 2
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1 #0").restart(4, 0, List.of()).verify();
        assertThat(silence(log)).contains("UNSEALED 2 @3 of 0");
    }

    @Test
    void aCopyOfAStreamThatEndedFarUpOwesNothing() {
        // #0 e0 e1 #1. … │ #0   ► a repetition, and nothing else
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1.");
        for (int i = 0; i < 70_000; i++) {
            log.log().appendMarker();
        }
        log.append("b#0.").verify().restart().append("#0").verify();
        assertThat(log.findings()).containsExactly("REPEATED_CHECKPOINT @70005");
        assertThat(silence(log)).isEmpty();
    }

    @Test
    void theWaitForTheNextOneBeginsWithTheLastThatSealsThoughACopyLiesBehindIt() {
        // #0 … just in time … #2 #0   with #1 lost   ► #2 is not overdue yet
        DrawnLog log = DrawnLog.intervals(0, 0).append("#0").verify().tick(0);
        log.append("#2 #0").deliver().audit();
        assertThat(log.findings()).contains("REPEATED_CHECKPOINT @2");
        long limit = DrawnLog.PROMISE_MILLIS + DrawnLog.TIMEOUTS.graceMillis();
        assertThat(log.tick(limit - 1).tick(limit + 1).findings()).noneMatch(finding -> finding.startsWith("UNSEALED"));
        assertThat(log.tick(2 * limit + 1).findings()).contains("UNSEALED 3 @1 of 0");
    }

    @Test
    void aCopyOfWhichNobodyKnowsWhatItIsPutsTheEndOffNoFurther() {
        // #0 e0 e1 #1 e2 e3 #2 … #1, which expires before it is judged … silence   ► the end of #2, when that is due
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1 e2 e3 #2").verify().tick(0);
        log.append("#1").deliver();
        log.log().expireBefore(log.log().endOffset());
        log.audit();
        assertThat(log.findings()).contains("EXPIRED 1");
        long limit = DrawnLog.PROMISE_MILLIS + DrawnLog.TIMEOUTS.graceMillis();
        assertThat(log.tick(limit - 1).tick(limit + 1).findings()).containsExactly("UNSEALED 3 @6 of 0");
    }

    @Test
    void copiesBetweenLateAnswersDoNotHideTheLastCheckpoint() {
        // │ e0 e1 #1 e2 e3 #2 e4 e5 #3: verified; #1 is refused, #2 verified late, #1 refused   ► the end of #3
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1 e2 e3 #2 e4 e5 #3")
                .restart(1, 0, List.of())
                .deliver();
        List<LogQuery> asked = log.ask();
        log.answer(asked.get(2)).append("#1").deliver();
        log.answer(log.ask().get(0)).answer(asked.get(1)).append("#1").deliver();
        log.answer(log.ask().get(0)).answer(asked.get(0));
        assertThat(log.findings())
                .containsExactly(
                        "Verified 3 by the log",
                        "REPEATED_CHECKPOINT @10",
                        "Verified 2 by the log",
                        "REPEATED_CHECKPOINT @11",
                        "Verified 1 by the log");
        assertThat(silence(log)).containsExactly("UNSEALED 4 @9 of 0");
    }

    private static List<String> silence(DrawnLog log) {
        log.tick(0).tick(2 * DrawnLog.PROMISE_MILLIS);
        return log.tick(4 * DrawnLog.PROMISE_MILLIS).findings();
    }

    @Test
    void aRepetitionOfAnEarlierOneIsFoundByTheLog() {
        // #0 e0 e1 #1 e2 e3 #2 #1 e4 e5 #3   ► REPEATED_CHECKPOINT, Verified 3 by the log
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1 e2 e3 #2 #1 e4 e5 #3 e6 e7 #4").verify();
        assertThat(log.findings())
                .containsExactly(
                        "Verified 0", "Verified 1",
                        "Verified 2", "REPEATED_CHECKPOINT @7",
                        "Verified 3 by the log", "Verified 4");
    }

    @Test
    void eventsBeforeARejectedCheckpointAreOpenAgain() {
        // #0 e0 e1 #1 e2 e3 #2 e4 #1 …   ► e4 is open, behind #2
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1 e2 e3 #2 e4 #1").deliver();
        assertThat(log.progress()).as("until it is known").isEqualTo(7);
        log.audit();
        assertThat(log.progress()).isEqualTo(7);
        log.tick(0).tick(DrawnLog.PROMISE_MILLIS + DrawnLog.TIMEOUTS.graceMillis() + 1);
        assertThat(log.findings()).contains("REPEATED_CHECKPOINT @8", "UNSEALED 3 @7 of 1");
        assertThat(log.progress()).isEqualTo(9);
    }

    @Test
    void anEventBehindTheOnlyCheckpointThatCountsIsOpenThoughALateOneFollowsIt() {
        // #0 e0 #2 e1 #1   with intervals of one and no event   ► e1 is open behind #2
        DrawnLog log =
                DrawnLog.intervals(1, 0, 2).append("#0 e0 #2 e1 #1").deliver().audit();
        assertThat(log.progress()).isEqualTo(3);
        log.tick(0).tick(DrawnLog.PROMISE_MILLIS + DrawnLog.TIMEOUTS.graceMillis() + 1);
        assertThat(log.findings()).contains("LATE_CHECKPOINT @4", "UNSEALED 3 @3 of 1");
        assertThat(log.progress()).isEqualTo(5);
    }

    @Test
    void aLateCheckpointMakesAStreamThatEndedOweNothing() {
        // #0 e0 #2. #1   with intervals of one and no event; in either order of the answers   ► nothing owed
        for (int first = 0; first < 2; first++) {
            DrawnLog log = DrawnLog.intervals(1, 0).append("#0 e0 #2. #1").deliver();
            List<LogQuery> asked = log.ask();
            assertThat(asked).hasSize(2);
            log.answer(asked.get(first)).answer(asked.get(1 - first)).audit();
            assertThat(log.verifier().promises()).isEqualTo(Promises.NONE);
            log.tick(0).tick(9 * DrawnLog.PROMISE_MILLIS);
            assertThat(log.findings()).noneMatch(finding -> finding.startsWith("UNSEALED"));
            assertThat(log.progress()).isEqualTo(4);
        }
    }

    @Test
    void aStreamThatBeganWithALateCheckpointIsNoNewOne() {
        // #1 #0 #0   with intervals of no event   ► neither is verified as the first one at first sight
        DrawnLog log = DrawnLog.intervals(0).append("#1 #0 #0").verify();
        assertThat(log.findings()).doesNotContain("Verified 0");
    }

    @Test
    void aLostCheckpointIsNamed() {
        // #0 e0 e1 #1 e2 e3 e4 e5 #3.   with #2 lost   ► CHECKPOINT_LOST 2..3
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1 e2 e3 e4 e5 #3.").verify();
        assertThat(log.findings()).last().asString().contains("CHECKPOINT_LOST 2..3");
    }

    @Test
    void whatContinuesACheckpointThatMaySealNothingIsJudgedByTheLog() {
        // #0 e0 e1 e2 e3 #2 e4 e5 #3   with #1 lost; no audit is answered yet   ► nothing at first sight behind #2
        DrawnLog log = DrawnLog.of("#0 e0 e1 e2 e3 #2 e4 e5 #3").deliver();
        assertThat(log.findings()).containsExactly("Verified 0");
        assertThat(log.audit().findings()).contains("Verified 3 by the log");
    }

    @Test
    void anIntervalThatIsLostWithItsCheckpointIsReportedThoughTheNextOneFits() {
        // #0 e0 e1 #1 e4 e5 #3.   ► CHECKPOINT_LOST, LOST 2..4
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1 e4 e5 #3.").verify();
        assertThat(log.findings())
                .containsExactly("Verified 0", "Verified 1", "Violated 3: CHECKPOINT_LOST 2..3, LOST 2..4");
    }

    @Test
    void ofTwoStatementsOfOneNumberTheFirstOneCountsAndTheStreamGoesOnBehindEither() {
        // #0 e0 e1 #1' #1 e2 e3 #2   ► Verified 1, a fork, Verified 2
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1' #1 e2 e3 #2").verify();
        assertThat(log.findings())
                .containsExactly("Verified 0", "Verified 1", "FORKED_CHECKPOINT @4", "Verified 2 by the log");
    }

    @Test
    void afterAnEventThatIsNotAsSignedTheNextIntervalIsMatchedAgain() {
        // #0 ~e0 e1 #1 e2 e3 #2   ► Violated 1: ALTERED, Verified 2 at first sight
        DrawnLog log = DrawnLog.of("#0 ~e0 e1 #1 e2 e3 #2").verify();
        assertThat(log.findings())
                .containsExactly("Verified 0", "Violated 1? ALTERED 0..1", "Verified 2", "Violated 1: ALTERED 0..1");
    }

    @Test
    void provisionalVerdictsOfSeveralIntervalsBecomeFinalOneByOne() {
        // #0 e0 #1 e2 #2 e4 e5 #3   with e1 and e3 lost   ► Violated 1, 2 for now, each final behind its successor
        DrawnLog log = DrawnLog.of("#0 e0 #1 e2 #2 e4 e5 #3").verify();
        assertThat(log.findings())
                .containsExactly(
                        "Verified 0", "Violated 1? LOST 1..2",
                        "Violated 1: LOST 1..2", "Violated 2? LOST 3..4",
                        "Verified 3", "Violated 2: LOST 3..4");
    }

    @Test
    void anAuditThatIsUnderWayWhenTheNextCheckpointComesIsFollowedByAnother() {
        // #0 e0 #1 e2 e3 #2   with e1 lost; the audit of #1 was read before #2 came   ► for now, then final
        DrawnLog log = DrawnLog.of("#0 e0 #1").deliver();
        LogQuery first = log.ask().get(0);
        var before = log.read(first);
        log.append("e2 e3 #2").deliver();
        before.accept(log.verifier());
        assertThat(log.findings()).containsExactly("Verified 0", "Verified 2", "Violated 1? LOST 1..2");
        log.audit();
        assertThat(log.findings()).containsExactly("Violated 1: LOST 1..2");
    }

    @Test
    void inFormat1ACheckpointThatDoesNotMatchAnchorsNothing() {
        // pe0 pe1 p#1 pe2 p#2 pe4 pe5 p#3   with pe3 lost   ► Violated, Verified by the log
        DrawnLog log = DrawnLog.of("pe0 pe1 p#1 pe2 p#2 pe4 pe5 p#3").deliver().audit();
        assertThat(log.findings()).contains("Verified p@2", "Verified p@7 by the log");
    }

    @Test
    void inFormat1ARepetitionIsNoneAtFirstSight() {
        // pe0 pe1 p#1 p#1 pe2 pe3 p#2   ► REPEATED_CHECKPOINT by the log
        DrawnLog log = DrawnLog.of("pe0 pe1 p#1 p#1 pe2 pe3 p#2").verify();
        assertThat(log.findings()).contains("Verified p@2", "REPEATED_CHECKPOINT @3");
    }

    @Test
    void aForgedCheckpointBeforeOneDoesNotHideItsPredecessor() {
        // #0 e0 e1 #1 e2 e3 … #1 forged #2   ► Verified 2: nothing is lost
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1 e2 e3").verify();
        for (int i = 0; i < 200_000; i++) {
            log.log().appendMarker();
        }
        log.append(StreamRecords.ALICE.checkpoint(1, 55, 55).by("forger")::at);
        assertThat(log.append("#2 e4 e5 #3").verify().findings()).contains("Verified 2 by the log");
    }
}
