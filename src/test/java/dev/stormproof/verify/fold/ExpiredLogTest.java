package dev.stormproof.verify.fold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.testing.DrawnLog;
import dev.stormproof.verify.chain.LogQuery;
import dev.stormproof.verify.chain.PieceQuery;
import dev.stormproof.verify.chain.RangeQuery;
import dev.stormproof.verify.chain.SavedHeads;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Logs whose beginning expired: before it was read, before it was judged, or while it was. */
class ExpiredLogTest {
    @Test
    void whatExpiredBeforeItWasReadIsOneRange() {
        // #0 ✝(e0 e1 #1) e2 e3 #2   ► Expired 1..4, Verified 2 by the log
        DrawnLog log = DrawnLog.of("#0").verify().append("e0 e1 #1 e2 e3 #2").expireBefore(4);
        log.verify();
        assertThat(log.findings()).containsExactly("Verified 0", "Expired 1..4", "Verified 2 by the log");
        assertThat(log.progress()).isEqualTo(7);
    }

    @Test
    void anIntervalBehindItIsJudgedByTheLogOnceItsPredecessorWasRead() {
        // #0 ✝(e0 e1) #1 e2 e3 #2 e4 e5 #3   ► EXPIRED 1, Verified 2 and 3 by the log
        DrawnLog log =
                DrawnLog.of("#0").verify().append("e0 e1 #1 e2 e3 #2 e4 e5 #3").expireBefore(3);
        log.verify();
        assertThat(log.findings())
                .containsExactly(
                        "Verified 0", "Expired 1..3", "EXPIRED 1", "Verified 2 by the log", "Verified 3 by the log");
    }

    @Test
    void anIntervalWhoseBeginningExpiredIsInconclusive() {
        // ✝(#0 e0 e1 #1 e2) e3 #2 e4 e5 #3   ► EXPIRED 2, Verified 3 by the log
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1 e2 e3 #2 e4 e5 #3").expireBefore(5);
        log.restart(5, 0, SavedHeads.NOTHING).verify();
        assertThat(log.findings()).containsExactly("EXPIRED 2", "Verified 3 by the log");
    }

    @Test
    void anExpiredPredecessorSpoilsNothing() {
        // ✝(#0 e0 e1) #1 e2 e3 #2   ► EXPIRED 1, Verified 2
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1 e2 e3 #2").expireBefore(3);
        log.restart(3, 0, SavedHeads.NOTHING).verify();
        assertThat(log.findings()).containsExactly("EXPIRED 1", "Verified 2 by the log");
    }

    /** An output or a reader that holds back may have it still: what is left of the log says nothing of that. */
    @Test
    void anIntervalOfWhichACopyWasSeenThatExpiredIsInconclusive() {
        // ✝(#0 e0 e1 #1 e3) e2 e3 #2   with all of it seen, and the log asked behind that
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1 e3 e2 e3 #2").deliver();
        log.expireBefore(5).audit();
        assertThat(log.findings()).containsExactly("Verified 0", "Verified 1", "EXPIRED 2");
    }

    @Test
    void soIsOneWhoseStreamWasGivenUpInBetween() {
        // ✝(#0 e0 e1 #1 e3) … silence … e2 e3 #2
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1 e3").verify().tick(0);
        log.tick(DrawnLog.PROMISE_MILLIS + DrawnLog.TIMEOUTS.graceMillis() + 1);
        assertThat(log.findings()).containsExactly("Verified 0", "Verified 1", "UNSEALED 2 @4 of 1");
        log.append("e2 e3 #2").deliver().expireBefore(5).audit();
        assertThat(log.findings()).containsExactly("EXPIRED 2");
    }

    @Test
    void theProvisionalVerdictStandsIfWhatItRestedOnExpired() {
        // ✝(#0 e0) #1 e2 e3 #2   with e1 lost, expired after the first verdict   ► Violated 1, final
        DrawnLog log = DrawnLog.of("#0 e0 #1").verify();
        assertThat(log.findings()).containsExactly("Verified 0", "Violated 1? LOST 1..2");
        log.append("e2 e3 #2").expireBefore(2).verify();
        assertThat(log.findings()).containsExactly("Verified 2", "Violated 1: LOST 1..2");
    }

    @Test
    void whatWasSaidForNowIsFinalWhenRetentionOvertakesTheReader() {
        // ✝(#0 e0 #1 e2) e3 #2   with e1 lost   ► Violated 1, final; Expired from the open interval on
        DrawnLog log = DrawnLog.of("#0 e0 #1").verify();
        log.findings();
        log.append("e2 e3 #2").expireBefore(4).verify();
        assertThat(log.findings()).containsExactly("Expired 1..4", "Violated 1: LOST 1..2", "EXPIRED 2");
        assertThat(log.progress()).isEqualTo(6);
    }

    @Test
    void aStreamThatMayHaveBeenClosedAmongWhatExpiredOwesNothing() {
        // #0 ✝(#1.) b#0 b#1.   ► nothing of Alice
        DrawnLog log = DrawnLog.of("#0").verify().tick(0).append("#1. x b#0").expireBefore(2);
        log.verify().tick(1).tick(2 * DrawnLog.PROMISE_MILLIS);
        assertThat(log.findings()).contains("Expired 1..2").noneMatch(finding -> finding.startsWith("UNSEALED 1"));
        assertThat(log.progress()).isEqualTo(4);
    }

    @Test
    void nothingIsTrustedBehindACheckpointThatExpiredUnjudged() {
        // ✝(#0 e0 e1 #1 e2 #1) e2 e3 #2   the repetition of #1 was never judged   ► no Verified 2 at first sight
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1 e2 #1");
        log.restart(5, 0, SavedHeads.NOTHING).deliver();
        log.append("e2 e3 #2").expireBefore(6).verify();
        assertThat(log.findings()).contains("EXPIRED 1").doesNotContain("Verified 2");
    }

    /** A mirror starts over behind a stream's last checkpoint, whose interval expires before it is judged. */
    @Test
    void whatIsOwedBehindCopiesIsTheSuccessorOfTheCheckpointThatExpiredUnjudged() {
        // x │ ✝(#0 e0 e1 #1 e2) e3 #2 e4 #0 e0 e1 #1   ► copies, and then nothing: #3 is owed
        for (boolean copiesFirst : new boolean[] {false, true}) {
            DrawnLog log = DrawnLog.of("x #0 e0 e1 #1 e2 e3 #2 e4 #0 e0 e1 #1");
            log.restart(1, 0, SavedHeads.NOTHING).deliverFrom(1).deliver().expireBefore(6);
            List<LogQuery> asked = new ArrayList<>(log.ask());
            if (copiesFirst) {
                Collections.reverse(asked);
            }
            asked.forEach(log::answer);
            assertThat(log.audit().findings()).contains("EXPIRED 2");
            assertThat(log.progress()).as("e4 is open").isEqualTo(8);
            log.tick(0).tick(DrawnLog.PROMISE_MILLIS + DrawnLog.TIMEOUTS.graceMillis() + 1);
            assertThat(log.findings())
                    .as("copies first: %s", copiesFirst)
                    .singleElement()
                    .asString()
                    .isEqualTo("UNSEALED 3 @11 of 1");
        }
    }

    @Test
    void whoseSuccessorIsWaitedForSinceThatIsKnown() {
        // x │ ✝(#0 e0 e1 #1 e2) e3 #2 #0   the copy is refused first
        DrawnLog log = DrawnLog.of("x #0 e0 e1 #1 e2");
        log.restart(1, 0, SavedHeads.NOTHING).deliverFrom(1).deliver();
        log.verifier().tick(0);
        log.append("e3 #2 #0").deliver().expireBefore(6);
        log.verifier().tick(50_000);
        List<LogQuery> asked = new ArrayList<>(log.ask());
        Collections.reverse(asked);
        asked.forEach(log::answer);
        assertThat(log.audit().findings()).contains("EXPIRED 2");
        log.tick(50_001).tick(DrawnLog.PROMISE_MILLIS + DrawnLog.TIMEOUTS.graceMillis() + 10);
        assertThat(log.findings()).noneMatch(finding -> finding.startsWith("UNSEALED"));
        log.tick(50_002 + DrawnLog.PROMISE_MILLIS + DrawnLog.TIMEOUTS.graceMillis());
        assertThat(log.findings()).anyMatch(finding -> finding.startsWith("UNSEALED 3"));
    }

    @Test
    void aCheckpointThatExpiresWhileItsAuditIsUnderWayIsInconclusive() {
        // ✝(#0 e0 #1) e2 e3 #2   with e1 lost, expired before the audit of #1 read the log   ► EXPIRED 1
        DrawnLog log = DrawnLog.of("#0 e0 #1").deliver();
        RangeQuery asked = (RangeQuery) log.ask().get(0);
        log.append("x").expireBefore(3);
        log.answer(asked);
        assertThat(log.findings()).containsExactly("Verified 0", "EXPIRED 1");
        assertThat(log.progress()).isEqualTo(3);
    }

    /** Somebody deletes what is verified, between two records of the reader's and its question to the log. */
    @Test
    void whoSawAnIntervalBeginNamesWhatItLacksThoughItsPredecessorExpired() {
        // ✝(#0 e0 e1 #1) e3 #2   with e2 lost, expired before the audit of #2 read the log   ► LOST 2
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1 e3 #2").deliver();
        RangeQuery asked = (RangeQuery) log.ask().get(0);
        log.expireBefore(4);
        log.answer(asked);
        assertThat(log.findings()).containsExactly("Verified 0", "Verified 1", "Violated 2? LOST 2..3");
    }

    @Test
    void ofAnIntervalOfWhichSomethingExpiredSinceNothingIsLost() {
        // ✝(#0 e0 e1 #1 e2) #2   with e3 lost, expired before the audit of #2 read the log   ► EXPIRED 2
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1 e2 #2").deliver();
        RangeQuery asked = (RangeQuery) log.ask().get(0);
        log.expireBefore(5);
        log.answer(asked);
        assertThat(log.findings()).containsExactly("Verified 0", "Verified 1", "EXPIRED 2");
    }

    @Test
    void whatExpiredOfAStreamThatWasGivenUpIsNotLost() {
        // ✝(#0 e0 e1 #1 e2 ⏳) e3 #2   ► UNSEALED 2, then EXPIRED 2
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1 e2").verify();
        log.tick(0).tick(2 * DrawnLog.PROMISE_MILLIS);
        assertThat(log.findings()).contains("UNSEALED 2 @4 of 1");
        log.append("e3 #2").expireBefore(5).verify();
        assertThat(log.findings()).contains("EXPIRED 2").noneMatch(finding -> finding.contains("LOST"));
    }

    @Test
    void whatLayBeforeARepetitionAndExpiredIsNotLost() {
        // ✝(#0 e0 e1 #1 e2 #1) e3 #2   the reader began at the repetition, which was never judged   ► EXPIRED 2
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1 e2 #1");
        log.restart(5, 0, SavedHeads.NOTHING).deliver();
        log.append("e3 #2").expireBefore(6).verify();
        assertThat(log.findings()).contains("EXPIRED 2").noneMatch(finding -> finding.contains("LOST"));
    }

    /** As of two that changed places, with the log's beginning between them. */
    @Test
    void whatMayHaveComeTooEarlyAndExpiredIsNotLost() {
        // ✝(#0 e0 e1 #1 e3) e2 #2 e4 e5 #3   ► EXPIRED 2, Verified 3
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1 e3 e2 #2 e4 e5 #3").expireBefore(5);
        log.restart(5, 0, SavedHeads.NOTHING).verify();
        assertThat(log.findings()).containsExactly("EXPIRED 2", "Verified 3 by the log");
    }

    @Test
    void soIsItForWhoSawTheIntervalBegin() {
        // ✝(#0 e0 e2 e1 #1) e3 #2   e2 was there, an interval early   ► EXPIRED 1 and 2
        DrawnLog log =
                DrawnLog.of("#0 e0 e2 e1 #1 e3 #2").deliver().expireBefore(5).audit();
        assertThat(log.findings()).containsExactly("Verified 0", "EXPIRED 1", "EXPIRED 2");
    }

    @Test
    void retentionPastATruncationLeavesOneRangeFromTheProgressOn() {
        // #0 e0 e1 #1 e2 ✂2 x ✝ x x x x   ► Expired from the open interval on, though it was truncated before
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1 e2").verify();
        log.findings();
        log.truncate(2).append("x x x x x x").expireBefore(6).verify();
        assertThat(log.findings()).containsExactly("Expired 4..6", "UNSIGNED @6", "UNSIGNED @7");
    }

    @Test
    void aTruncationThatRetentionHidesIsExpired() {
        // #0 e0 e1 #1 ✝(✂1 x x x) #2   interval 2 holds no event; the log begins where the reader stands   ► Verified
        // 2, not at first sight
        DrawnLog log = DrawnLog.intervals(2, 0).append("#0 e0 e1 #1").verify();
        log.findings();
        log.truncate(1).append("x x x #2").expireBefore(4).verify();
        assertThat(log.findings()).containsExactly("Verified 2 by the log");
        assertThat(log.progress()).isEqualTo(5);
    }

    @Test
    void whatExpiresBetweenTheQuestionsOfAPieceWasReadAllTheSame() {
        // #0 [e0] e1 #1 x   the piece from 1 on was read, then everything before 4 expired
        DrawnLog log = DrawnLog.of("#0 [e0] e1 #1 x").deliver();
        PieceQuery piece = (PieceQuery) log.ask().get(0);
        var answer = log.read(piece);
        log.expireBefore(4);
        answer.accept(log.verifier());
        assertThat(log.findings()).containsExactly("Verified 0", "Verified 1", "UNSIGNED @4");
    }

    @Test
    void ofALogThatExpiredAsAWholeTheProgressIsItsEnd() {
        // x ✝(x x)   ► Expired 1..3
        DrawnLog log = DrawnLog.of("x").verify().tick(0);
        log.findings();
        log.append("x x").expireBefore(3).tick(DrawnLog.TIMEOUTS.graceMillis() + 1);
        assertThat(log.findings()).containsExactly("Expired 1..3");
        assertThat(log.progress()).isEqualTo(3);
    }

    @Test
    void aStreamThatBeginsBehindWhatExpiredMayHaveBegunBefore() {
        // x ✝(e0) #0   ► not verified at first sight
        DrawnLog log = DrawnLog.of("x").verify().append("e0 #0").expireBefore(2).verify();
        assertThat(log.findings()).hasSize(3).doesNotContain("Verified 0");
    }

    @Test
    void ofALogThatIsNoMoreProvisionalVerdictsStandAndTheRestExpired() {
        // #0 e0 #1   with e1 lost; the topic is deleted   ► Violated 1, final, Expired 1..3
        DrawnLog log = DrawnLog.of("#0 e0 #1").verify();
        log.findings();
        log.verifier().abandon();
        assertThat(log.findings()).containsExactly("Expired 1..3", "Violated 1: LOST 1..2");
    }

    @Test
    void ofALogThatIsNoMoreNothingExpiredIfEverythingWasJudged() {
        // #0 e0 e1 #1   the topic is deleted   ► nothing more
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1").verify();
        log.findings();
        log.verifier().abandon();
        assertThat(log.findings()).isEmpty();
    }

    @Test
    void ofALogThatIsNoMoreWhatWasReadBeforeATruncationExpiredToo() {
        // #0 e0 #1 x ✂3 x   with e1 lost; the truncation is found out, and the topic deleted before it is read again
        // ► Expired 1..3
        DrawnLog log = DrawnLog.of("#0 e0 #1 x").verify();
        log.findings();
        log.truncate(3).append("x");
        log.verifier().readOn();
        log.ask().forEach(log::answer);
        log.verifier().abandon();
        assertThat(log.findings()).containsExactly("Expired 1..3");
    }

    @Test
    void whatComesLateIsNotLostThoughWhatLayBeforeItsIntervalExpiredMeanwhile() {
        // #0 e0 e1 #1 e2 #2 ✝ e3 e4 e5 #3   everything before the progress expires while e3 is on its way
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1 e2 #2").verify();
        assertThat(log.findings()).contains("Violated 2? LOST 3..4");
        log.expireBefore(log.progress()).append("e3 e4 e5 #3").verify();
        assertThat(log.findings()).contains("Violated 2: REORDERED 3..4");
    }

    @Test
    void whatWasFoundBeforeItsIntervalIsNotLostThoughItExpiredMeanwhile() {
        // #0 e0 e3 e1 #1 e2 #2 ✝ e5 e4 #3   e3 came early, and where it lies expires
        DrawnLog log = DrawnLog.of("#0 e0 e3 e1 #1 e2 ~e2 #2").verify();
        log.findings();
        log.expireBefore(log.progress()).append("e4 e5 #3").verify();
        assertThat(log.findings()).noneMatch(finding -> finding.contains("LOST"));
    }
}
