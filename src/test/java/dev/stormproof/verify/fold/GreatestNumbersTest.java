package dev.stormproof.verify.fold;

import static dev.stormproof.testing.DrawnLog.PROMISE_MILLIS;
import static dev.stormproof.testing.StreamRecords.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.stormproof.testing.DrawnLog;
import org.junit.jupiter.api.Test;

/** Checkpoints and events that bear the greatest number there is, behind which there is none. */
class GreatestNumbersTest {
    private static final long MOST = Long.MAX_VALUE;

    private static void passSilence(DrawnLog log) {
        log.verify().tick(0).tick(2 * PROMISE_MILLIS);
    }

    @Test
    void anEventBehindAStreamThatEndsWithItIsJudgedAsBehindAnyOther() {
        // e0 e1 #max. e1 e2   ► e1 lies below the end, e2 beyond it
        DrawnLog log = DrawnLog.of("e0 e1").append(ALICE.checkpoint(MOST, 0, 2).closing()::at);
        assertThatCode(() -> passSilence(log.append("e1 e2"))).doesNotThrowAnyException();
        assertThat(log.findings()).anyMatch(one -> one.endsWith(": DUPLICATED 1..2"));
        assertThat(log.progress()).isEqualTo(5);
    }

    @Test
    void anEventOfTheGreatestSequenceIsBeyondEveryEnd() {
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1. e1").append(offset -> ALICE.event(offset, MOST));
        passSilence(log);
        passSilence(log);
        assertThat(log.findings()).anyMatch(one -> one.startsWith("UNSEALED"));
    }
}
