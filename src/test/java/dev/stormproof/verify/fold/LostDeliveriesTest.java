package dev.stormproof.verify.fold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.testing.DrawnLog;
import dev.stormproof.verify.chain.LogQuery;
import dev.stormproof.verify.chain.PieceQuery;
import dev.stormproof.verify.chain.RangeQuery;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Deliveries that are lost or come again: what is not delivered is read from the log. */
class LostDeliveriesTest {
    @Test
    void aLossInTransitIsNoViolation() {
        // #0 e0 e1 #1 e2 [e3 lost in transit] #2   ► Verified 0, 1, 2
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1 e2 [e3] #2").verify();
        assertThat(log.findings()).containsExactly("Verified 0", "Verified 1", "Verified 2");
        assertThat(log.verifier().isReading()).isFalse();
    }

    @Test
    void theFirstRecordsMayBeLost() {
        // [#0 e0] e1 #1   ► Verified 0, 1
        DrawnLog log = DrawnLog.of("[#0 e0] e1 #1").verify();
        assertThat(log.findings()).containsExactly("Verified 0", "Verified 1");
    }

    @Test
    void theLastRecordsMayBeLost() {
        // #0 e0 [e1 #1]   ► Verified 0, 1 after the grace of the partition
        DrawnLog log = DrawnLog.of("#0 e0 [e1 #1]").verify().tick(0);
        assertThat(log.findings()).containsExactly("Verified 0");
        log.tick(DrawnLog.TIMEOUTS.graceMillis() + 1);
        assertThat(log.findings()).containsExactly("Verified 1");
    }

    @Test
    void allOfThemMayBeLost() {
        // [#0 e0 e1 #1 e2 e3 #2]   ► Verified 0, 1, 2
        DrawnLog log = DrawnLog.of("[#0 e0 e1 #1 e2 e3 #2]").verify().tick(0);
        log.tick(DrawnLog.TIMEOUTS.graceMillis() + 1);
        assertThat(log.findings()).containsExactly("Verified 0", "Verified 1", "Verified 2");
    }

    @Test
    void whoWantsTheLogsEndHasItRead() {
        // x [x]   ► read without a delivery, and without waiting
        DrawnLog log = DrawnLog.of("x").verify();
        log.append("x").verifier().readOn();
        assertThat(log.audit().findings()).containsExactly("UNSIGNED @0", "UNSIGNED @1");
    }

    @Test
    void aDuplicateInTheLogThatIsLostInTransitIsStillFound() {
        // #0 e0 [e0] e1 #1.   ► Violated 1: DUPLICATED 0..1
        DrawnLog log = DrawnLog.of("#0 e0 [e0] e1 #1.").verify();
        assertThat(log.findings()).containsExactly("Verified 0", "Violated 1: DUPLICATED 0..1");
    }

    @Test
    void aCheckpointThatIsLostInTransitIsReadFromTheLog() {
        // #0 e0 [#1] e2 e3 #2   with e1 lost for good   ► Violated 1: LOST 1..2
        DrawnLog log = DrawnLog.of("#0 e0 [#1] e2 e3 #2").verify();
        assertThat(log.findings())
                .containsExactlyInAnyOrder(
                        "Verified 0", "Violated 1? LOST 1..2", "Verified 2", "Violated 1: LOST 1..2");
    }

    @Test
    void aLossAndAReplayThatUndoAReorderDoNotHideIt() {
        // #0 [e1] e0 (e1 again) #1.   ► Violated 1: REORDERED
        DrawnLog log = DrawnLog.of("#0 [e1] e0").verify();
        log.deliverAgain(1).append("#1.").verify();
        assertThat(log.findings()).hasSize(2).last().asString().startsWith("Violated 1: REORDERED");
    }

    @Test
    void replaysChangeNothing() {
        // #0 e0 e1 #1 (e0 e1 #1 again) e2 e3 #2 (all of it again)   ► Verified 0, 1, 2, each once
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1").verify().deliverFrom(1).verify();
        log.append("e2 e3 #2").verify().deliverFrom(0).verify();
        assertThat(log.findings()).containsExactly("Verified 0", "Verified 1", "Verified 2");
    }

    @Test
    void transactionMarkersAreNoGaps() {
        // #0 | e0 | e1 | #1 | e2 e3 | #2 |   ► Verified 0, 1, 2
        DrawnLog log = DrawnLog.of("#0 | e0 | e1 | #1 | e2 e3 | #2 |").verify();
        assertThat(log.findings()).containsExactly("Verified 0", "Verified 1", "Verified 2");
        assertThat(log.progress()).as("right behind the last record").isEqualTo(12);
    }

    @Test
    void whatIsDeliveredWhileTheLogIsReadIsNotTakenTwice() {
        // #0 [e0] e1 #1 e2 e3 #2   #1 to #2 are delivered before the piece is read   ► Verified 0, 1, 2
        DrawnLog log = DrawnLog.of("#0 [e0] e1").deliver();
        PieceQuery piece = (PieceQuery) log.ask().get(0);
        var answer = log.read(piece);
        log.append("#1 e2").deliver();
        answer.accept(log.verifier());
        log.append("e3 #2").verify();
        assertThat(log.findings()).containsExactly("Verified 0", "Verified 1", "Verified 2");
    }

    @Test
    void alogThatIsLongerThanAPieceIsReadPieceByPiece() {
        // [#0 e0 e1] #1   with pieces of two records   ► Verified 0, 1
        DrawnLog log =
                DrawnLog.of(new Bounds(10, 10, 2, 1 << 20), "[#0 e0 e1] #1").deliver();
        PieceQuery first = (PieceQuery) log.ask().get(0);
        assertThat(first.piece().maxRecords()).isEqualTo(2);
        log.answer(first);
        assertThat(log.verifier().nextOffset()).isEqualTo(2);
        log.audit();
        assertThat(log.findings()).containsExactly("Verified 0", "Verified 1");
    }

    @Test
    void aPieceThatIsTooLargeIsReadInSmallerOnes() {
        // [#0 e0 e1] #1   with pieces of one byte   ► Verified 0, 1
        DrawnLog log = DrawnLog.of(new Bounds(10, 10, 100, 1), "[#0 e0 e1] #1").deliver();
        log.answer(log.ask().get(0));
        assertThat(log.verifier().nextOffset()).as("one record at least").isEqualTo(1);
        log.audit();
        assertThat(log.findings()).containsExactly("Verified 0", "Verified 1");
    }

    @Test
    void withMoreAuditsThanRoomReadingWaits() {
        // #1 b#1 c#1 d#1   with room for two audits   ► all of them, two at a time
        DrawnLog log =
                DrawnLog.of(new Bounds(10, 2, 100, 1 << 20), "#1 b#1 c#1 d#1").deliver();
        assertThat(log.verifier().waitingAudits()).isEqualTo(2);
        assertThat(log.verifier().isReading()).isTrue();
        List<LogQuery> asked = log.ask();
        assertThat(asked).hasSize(2).allMatch(RangeQuery.class::isInstance);
        log.answer(asked.get(0));
        assertThat(((PieceQuery) log.ask().get(0)).piece().beginOffset()).isEqualTo(2);
    }

    @Test
    void whatWaitedForRoomIsReadLater() {
        // #0 e0 #1 b#0 be0 b#1 c#0 ce0 c#1   with e1 lost of each, and room for one audit   ► Violated, each
        DrawnLog log = DrawnLog.of(new Bounds(10, 1, 100, 1 << 20), "#0 e0 #1. b#0 be0 b#1. c#0 ce0 c#1.")
                .deliver()
                .audit();
        assertThat(log.findings())
                .contains("Violated 1: LOST 1..2", "Violated b1: LOST 1..2", "Violated c1: LOST 1..2");
        assertThat(log.progress()).isEqualTo(9);
    }

    @Test
    void provisionalVerdictsTakeNoRoomFromFirstAudits() {
        // #0 e0 #1 b#0 be0 b#1 c#0 ce0 c#1   with e1 lost of each, and room for one audit   ► each for now
        DrawnLog log = DrawnLog.of(new Bounds(10, 1, 100, 1 << 20), "#0 e0 #1 b#0 be0 b#1 c#0 ce0 c#1")
                .verify();
        assertThat(log.findings())
                .contains("Violated 1? LOST 1..2", "Violated b1? LOST 1..2", "Violated c1? LOST 1..2");
        assertThat(log.verifier().undecided()).isEqualTo(3);
        assertThat(log.verifier().waitingAudits()).isZero();
    }

    @Test
    void progressNeverPassesAnIntervalWithoutAFinalVerdict() {
        // #0 e0 #1 e2 e3 #2   with e1 lost   ► progress at e0 until #2 was read
        DrawnLog log = DrawnLog.of("#0 e0").verify();
        assertThat(log.progress()).isEqualTo(1);
        assertThat(log.append("#1").verify().progress()).as("provisional").isEqualTo(1);
        assertThat(log.append("e2 e3").verify().progress()).isEqualTo(1);
        assertThat(log.append("#2").verify().progress()).as("final").isEqualTo(6);
    }

    @Test
    void aNewLeaderOnlyHasTheLogRead() {
        // x (elected) x   ► progress and its epoch
        DrawnLog log = DrawnLog.of("x").verify();
        assertThat(log.verifier().progressEpoch()).isZero();
        log.elect().append("x").deliver();
        assertThat(log.verifier().isReading()).isTrue();
        assertThat(log.progress()).isEqualTo(1);
        log.audit();
        assertThat(log.progress()).isEqualTo(2);
        assertThat(log.verifier().progressEpoch()).isEqualTo(1);
        log.append("e0").verify();
        assertThat(log.verifier().progressEpoch())
                .as("of the record before the open event")
                .isEqualTo(1);
    }
}
