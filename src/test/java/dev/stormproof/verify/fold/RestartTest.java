package dev.stormproof.verify.fold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.testing.DrawnLog;
import dev.stormproof.verify.chain.LogQuery;
import dev.stormproof.verify.chain.SavedHeads;
import org.junit.jupiter.api.Test;

/** Verifiers that begin where another one ended. */
class RestartTest {
    @Test
    void inMidIntervalTheFirstCheckpointIsJudgedByTheLog() {
        // #0 e0 e1 #1 e2 │ e3 #2 e4 e5 #3   ► Verified 2 by the log, Verified 3
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1 e2 e3 #2 e4 e5 #3")
                .restart(5, 0, SavedHeads.NOTHING)
                .verify();
        assertThat(log.findings()).containsExactly("Verified 2 by the log", "Verified 3");
    }

    @Test
    void betweenTwoIntervalsItIsJudgedByTheLogTooThoughItMatches() {
        // #0 e0 e1 #1 │ e2 e3 #2 e4 e5 #3   ► Verified 2 by the log, Verified 3
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1")
                .verify()
                .restart()
                .audit()
                .append("e2 e3 #2 e4 e5 #3")
                .verify();
        assertThat(log.findings()).contains("Verified 2 by the log", "Verified 3");
    }

    @Test
    void theFirstCheckpointOfAllIsJudgedByTheLogSinceItsEventsMayLieBefore() {
        // e0 │ #0   ► not verified: an event lies before it
        DrawnLog log = DrawnLog.of("e0 #0").restart(1, 0, SavedHeads.NOTHING).verify();
        assertThat(log.findings()).isNotEmpty().noneMatch(finding -> finding.startsWith("Verified"));
    }

    @Test
    void behindTheLogsBeginningTheFirstCheckpointOfAStreamIsLookedForFurtherUp() {
        // x │ x … x #0   ► Verified 0 by the log: it might be a repetition
        DrawnLog log = DrawnLog.of("x".concat(" |".repeat(20_000))).restart(1, 0, SavedHeads.NOTHING);
        assertThat(log.append("#0").verify().findings()).containsExactly("Verified 0 by the log");
    }

    @Test
    void whatWasSaidForNowIsSaidAgain() {
        // #0 e0 #1 │ e2 e3 #2   with e1 lost   ► Violated 1 for now, twice, then final
        DrawnLog log = DrawnLog.of("#0 e0 #1").verify();
        assertThat(log.findings()).containsExactly("Verified 0", "Violated 1? LOST 1..2");
        log.restart().verify();
        assertThat(log.findings()).containsExactly("Violated 1? LOST 1..2");
        log.append("e2 e3 #2").verify();
        assertThat(log.findings()).containsExactly("Verified 2", "Violated 1: LOST 1..2");
    }

    @Test
    void aRepetitionThatIsTheFirstRecordSeenIsNone() {
        // #0 e0 e1 #1 e2 │ #1 e3 #2.   ► REPEATED_CHECKPOINT
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1 e2 #1 e3 #2.")
                .restart(5, 0, SavedHeads.NOTHING)
                .verify();
        assertThat(log.findings()).containsExactly("REPEATED_CHECKPOINT @5", "Verified 2 by the log");
    }

    @Test
    void aRepetitionIsNotTakenForTheLastCheckpointOfAnInactiveStream() {
        // #0 e0 e1 #1 #0 │ e2 … silence   ► UNSEALED 2
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1 #0 e2")
                .restart(5, 0, SavedHeads.NOTHING)
                .verify()
                .tick(0);
        assertThat(log.tick(DrawnLog.TIMEOUTS.withoutPromiseMillis() + 1)
                        .tick(2 * DrawnLog.PROMISE_MILLIS)
                        .tick(4 * DrawnLog.PROMISE_MILLIS)
                        .findings())
                .containsExactly("UNSEALED 2 @5 of 1");
    }

    /** A copier begins a stretch anew in which the reader begins: its first checkpoint lies right before. */
    @Test
    void neitherIsOneThatIsFarNearerThanTheLastCheckpointOfAClosedStream() {
        // #0 e0 e1 #1. … #0 │ e0   ► DUPLICATED, as whoever read all of it says
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1.");
        for (int i = 0; i < 300; i++) {
            log.append("|");
        }
        log.append("#0").restart(305, 0, SavedHeads.NOTHING).append("e0").verify();
        log.tick(0).tick(DrawnLog.TIMEOUTS.withoutPromiseMillis() + 1);
        log.tick(2 * DrawnLog.TIMEOUTS.withoutPromiseMillis()).tick(4 * DrawnLog.TIMEOUTS.withoutPromiseMillis());
        assertThat(log.findings())
                .anyMatch(one -> one.startsWith("Violated 2: DUPLICATED 0..1"))
                .noneMatch(one -> one.startsWith("UNSEALED"));
    }

    @Test
    void inFormat1WhatLiesBeforeTheFirstCheckpointIsInconclusive() {
        // ✝(pe0) pe1 p#1 pe2 pe3 p#2   ► UNANCHORED, Verified
        DrawnLog log = DrawnLog.of("pe0 pe1 p#1 pe2 pe3 p#2").expireBefore(1);
        log.restart(1, 0, SavedHeads.NOTHING).verify();
        assertThat(log.findings()).containsExactly("UNANCHORED p@2", "Verified p@5");
    }

    @Test
    void aStreamThatIsAnchoredInMidIntervalCountsFromItsCheckpoint() {
        // pe0 pe1 │ p#1 pe2 pe3 p#2 pe4 … silence   ► the open end counts from p#2
        DrawnLog log = DrawnLog.of("pe0 pe1 p#1 pe2 pe3 p#2 pe4")
                .restart(2, 0, SavedHeads.NOTHING)
                .verify();
        log.tick(0).tick(DrawnLog.TIMEOUTS.withoutPromiseMillis() + 1);
        assertThat(log.findings()).containsExactly("Verified p@2 by the log", "Verified p@5", "UNSEALED p@6 @6 of 1");
    }

    @Test
    void anAuditFromBeforeIsNoneOfTheNextVerifiers() {
        // #0 e0 #1 │   the audit of #1 is answered after the restart
        DrawnLog log = DrawnLog.of("#0 e0 #1").deliver();
        LogQuery before = log.ask().get(0);
        log.findings();
        log.restart().deliver().answer(before);
        assertThat(log.findings()).isEmpty();
    }

    @Test
    void theEpochOfTheProgressIsTheOneThatWasCommitted() {
        // x x x x x │
        DrawnLog log = DrawnLog.of("x x x x x").restart(5, 7, SavedHeads.NOTHING);
        assertThat(log.verifier().progressEpoch()).isEqualTo(7);
        assertThat(log.progress()).isEqualTo(5);
        assertThat(log.verifier().nextOffset()).isEqualTo(5);
    }

    @Test
    void whatIsOpenIsCounted() {
        // e0 be0
        DrawnLog log = DrawnLog.of("e0 be0").verify();
        assertThat(log.progress()).isZero();
        assertThat(log.verifier().openBefore(0)).isZero();
        assertThat(log.verifier().openBefore(1)).isEqualTo(1);
        assertThat(log.verifier().openBefore(2)).isEqualTo(2);
        assertThat(log.verifier().streams()).isEqualTo(2);
    }
}
