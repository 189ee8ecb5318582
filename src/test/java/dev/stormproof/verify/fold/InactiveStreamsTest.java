package dev.stormproof.verify.fold;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.testing.DrawnLog;
import dev.stormproof.verify.chain.LogQuery;
import dev.stormproof.verify.chain.PieceQuery;
import org.junit.jupiter.api.Test;

/** Streams of which nothing comes any more, though something of them is open or owed. */
class InactiveStreamsTest {
    private static final long LIMIT_MILLIS = DrawnLog.PROMISE_MILLIS + DrawnLog.TIMEOUTS.graceMillis();

    @Test
    void eventsWithoutTheirCheckpointAreUnsealed() {
        // #0 e0 e1 #1 e2 … silence   ► UNSEALED 2
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1 e2").verify().tick(0);
        assertThat(log.findings()).containsExactly("Verified 0", "Verified 1");
        assertThat(log.tick(LIMIT_MILLIS).findings()).as("within its time").isEmpty();
        assertThat(log.tick(LIMIT_MILLIS + 1).findings()).containsExactly("UNSEALED 2 @4 of 1");
        assertThat(log.progress()).isEqualTo(5);
        assertThat(log.tick(9 * LIMIT_MILLIS).findings()).as("once").isEmpty();
    }

    @Test
    void aPromiseWithoutAnyEventIsUnsealedToo() {
        // #0 e0 e1 #1 … silence   ► UNSEALED 2, of no events
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1").verify().tick(0).tick(LIMIT_MILLIS + 1);
        assertThat(log.findings()).containsExactly("Verified 0", "Verified 1", "UNSEALED 2 @3 of 0");
    }

    @Test
    void aStreamThatEndedOwesNothing() {
        // #0 e0 e1 #1. … silence   ► nothing more
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1.").verify().tick(0).tick(9 * LIMIT_MILLIS);
        assertThat(log.findings()).containsExactly("Verified 0", "Verified 1");
    }

    @Test
    void aCheckpointThatComesAfterAllIsJudgedByTheLog() {
        // #0 e0 … silence … e1 #1 e2 e3 #2   ► UNSEALED 1, Verified 1 by the log, Verified 2
        DrawnLog log = DrawnLog.of("#0 e0").verify().tick(0).tick(LIMIT_MILLIS + 1);
        assertThat(log.findings()).containsExactly("Verified 0", "UNSEALED 1 @1 of 1");
        log.append("e1").verify();
        assertThat(log.progress()).as("its events hold nothing back").isEqualTo(3);
        log.append("#1 e2 e3 #2").verify();
        assertThat(log.findings()).containsExactly("Verified 1 by the log", "Verified 2");
    }

    @Test
    void theLogsEndDecidesAndNotWhatWasDelivered() {
        // #0 e0 [e1 #1] … silence   nothing is delivered, but the log holds it   ► Verified 1
        DrawnLog log = DrawnLog.of("#0 e0").verify();
        log.verifier().tick(0);
        log.append("e1 #1").tick(LIMIT_MILLIS + 1);
        assertThat(log.findings()).containsExactly("Verified 0", "Verified 1");
        assertThat(log.progress()).isEqualTo(4);
    }

    @Test
    void aStreamIsNotGivenUpWhileAnotherProducersTransactionHidesWhatItWrites() {
        // #0 e0 ( e1 #1 … the transaction of another is open for longer than promised … ) e2 … silence
        DrawnLog log = DrawnLog.of("#0 e0").verify().tick(0);
        log.log().beginTransaction();
        log.append("e1 #1").tick(LIMIT_MILLIS + 1).tick(9 * LIMIT_MILLIS);
        assertThat(log.findings()).containsExactly("Verified 0");
        assertThat(log.verifier().heldBackMillis()).isEqualTo(8 * LIMIT_MILLIS - 1);
        log.log().endTransaction();
        log.tick(9 * LIMIT_MILLIS + 1_000);
        assertThat(log.findings()).containsExactly("Verified 1");
        assertThat(log.verifier().heldBackMillis()).isZero();
        log.append("e2").tick(20 * LIMIT_MILLIS).tick(21 * LIMIT_MILLIS + 1);
        assertThat(log.findings()).containsExactly("UNSEALED 2 @4 of 1");
    }

    @Test
    void transactionsOfOthersThatOverlapDoNotHideADeadStream() {
        // #0 e0 ( x ( x ) ( x ) …   one of them is open at any time   ► UNSEALED 1
        DrawnLog log = DrawnLog.of("#0 e0").verify().tick(0);
        log.log().beginTransaction();
        log.append("x").tick(LIMIT_MILLIS + 1);
        log.log().endTransaction();
        log.log().beginTransaction();
        log.append("x").tick(LIMIT_MILLIS + 2);
        assertThat(log.findings()).containsExactly("Verified 0", "UNSIGNED @2", "UNSEALED 1 @1 of 1");
    }

    @Test
    void aStreamIsNotGivenUpByAnAnswerFromBeforeItWasOverdue() {
        // #0 e0 … silence   the piece was asked for in time   ► nothing yet
        DrawnLog log = DrawnLog.of("#0 e0").verify().tick(0);
        log.findings();
        log.verifier().tick(LIMIT_MILLIS);
        PieceQuery inTime = (PieceQuery) log.ask().get(0);
        log.verifier().tick(LIMIT_MILLIS + 1);
        log.answer(inTime);
        assertThat(log.findings()).isEmpty();
        log.verifier().tick(LIMIT_MILLIS + 2);
        assertThat(log.audit().findings()).containsExactly("UNSEALED 1 @1 of 1");
    }

    @Test
    void eventsThatGoOnDoNotHideThatCheckpointsDoNot() {
        // #0 e0 … e1 … e2 … and so on, while something on the way drops the checkpoints
        DrawnLog log = DrawnLog.of("#0 e0").verify().tick(0);
        log.findings();
        log.append("e1").verify().tick(LIMIT_MILLIS / 2).append("e2").verify().tick(LIMIT_MILLIS + 1);
        assertThat(log.findings()).containsExactly("UNSEALED 1 @3 of 3");
        assertThat(log.progress()).isEqualTo(4);
    }

    @Test
    void aPromiseWithoutBoundDoesNotHoldTheProgressForEver() {
        // #0 e0   and the next checkpoint is promised in 24 days   ► UNSEALED after the longest promise that counts
        DrawnLog log = DrawnLog.of("");
        log.append(
                offset -> ALICE.checkpoint(0, 0, 0).promising(24L * 86_400_000).at(offset));
        log.append("e0").verify().tick(0);
        log.findings();
        long limit = DrawnLog.TIMEOUTS.mostPromisedMillis() + DrawnLog.TIMEOUTS.graceMillis();
        assertThat(log.tick(limit).findings()).isEmpty();
        assertThat(log.tick(limit + 1).findings()).containsExactly("UNSEALED 1 @1 of 1");
        assertThat(log.progress()).isEqualTo(2);
    }

    @Test
    void itIsNotGivenUpWhileItsFirstAuditIsUnderWay() {
        // #0 e0 #1 … silence   the audit of #1 takes long   ► Violated 1 for now, then UNSEALED 2, Violated 1
        DrawnLog log = DrawnLog.of("#0 e0 #1").deliver();
        LogQuery audit = log.ask().get(0);
        log.tick(0).tick(LIMIT_MILLIS + 1);
        assertThat(log.findings()).containsExactly("Verified 0");
        log.answer(audit);
        assertThat(log.findings()).containsExactly("Violated 1? LOST 1..2");
        log.tick(LIMIT_MILLIS + 2);
        assertThat(log.findings()).containsExactly("UNSEALED 2 @2 of 0", "Violated 1: LOST 1..2");
    }

    @Test
    void aStreamThatOwesNothingIsWaitedForOnlyAsLongAsItsVerdictNeeds() {
        // #0 #1. e0 … silence   an event behind the last checkpoint   ► Violated 1 for now, UNSEALED, Violated 1
        DrawnLog log = DrawnLog.intervals(2).append("#0 e0 #1. x").verify();
        assertThat(log.findings()).containsExactly("Verified 0", "Violated 1: LOST 1..2", "UNSIGNED @3");
        log.tick(0).tick(9 * LIMIT_MILLIS);
        assertThat(log.findings()).isEmpty();
    }

    @Test
    void ifThereIsNoneItsNumberIsUnknown() {
        // e0 … silence   ► UNSEALED, of no number
        DrawnLog log = DrawnLog.of("e0").verify().tick(0).tick(DrawnLog.TIMEOUTS.withoutPromiseMillis() + 1);
        assertThat(log.findings()).containsExactly("UNSEALED -1 @0 of 1");
    }

    @Test
    void inFormat1EventsAreCountedSinceTheLastCheckpoint() {
        // pe0 pe1 p#1 pe2 … silence   ► UNSEALED at 3
        DrawnLog log = DrawnLog.of("pe0 pe1 p#1 pe2").verify().tick(0);
        log.tick(DrawnLog.TIMEOUTS.withoutPromiseMillis() + 1);
        assertThat(log.findings()).containsExactly("Verified p@2", "UNSEALED p@3 @3 of 1");
    }

    @Test
    void otherStreamsGoOnMeanwhile() {
        // #0 e0 b#0 be0 be1 b#1 be2 be3 b#2 …   Alice alone is silent   ► UNSEALED 1
        DrawnLog log = DrawnLog.of("#0 e0 b#0").verify().tick(0);
        log.append("be0 be1 b#1").verify().tick(LIMIT_MILLIS);
        log.append("be2 be3 b#2").verify().tick(LIMIT_MILLIS + 1);
        assertThat(log.findings())
                .containsExactly("Verified 0", "Verified b0", "Verified b1", "Verified b2", "UNSEALED 1 @1 of 1");
    }

    @Test
    void aPartitionOfWhichNothingComesIsReadAfterItsGrace() {
        // x [x x]   ► what is not delivered is read
        DrawnLog log = DrawnLog.of("x").verify().tick(0);
        log.append("x x").tick(DrawnLog.TIMEOUTS.graceMillis());
        assertThat(log.verifier().nextOffset()).isEqualTo(1);
        log.tick(DrawnLog.TIMEOUTS.graceMillis() + 1);
        assertThat(log.verifier().nextOffset()).isEqualTo(3);
        assertThat(log.verifier().isReading()).isFalse();
        assertThat(log.findings()).containsExactly("UNSIGNED @0", "UNSIGNED @1", "UNSIGNED @2");
    }
}
