package dev.stormproof.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.testing.DrawnLog;
import org.junit.jupiter.api.Test;

/** Streams, and parts of them, that lie in the log once more, at any distance: a restore, a mirror that starts over, a replay. */
class CopiesTest {
    private static final String STREAM = "#0 e0 e1 #1 e2 e3 #2.";

    /** Further than anything that is kept, or read without a reason. */
    private static final int FAR = 200_000;

    private static DrawnLog far(DrawnLog log) {
        for (int i = 0; i < FAR; i++) {
            log.log().appendMarker();
        }
        return log;
    }

    @Test
    void aStreamThatLiesInTheLogTwiceIsVerifiedOnce() {
        // #0 e0 e1 #1 e2 e3 #2. … the same   ► each checkpoint is a repetition
        DrawnLog log = far(DrawnLog.of(STREAM).verify());
        assertThat(log.findings()).containsExactly("Verified 0", "Verified 1", "Verified 2");
        assertThat(log.append(STREAM).verify().findings())
                .containsExactly(
                        "REPEATED_CHECKPOINT @200007", "REPEATED_CHECKPOINT @200010", "REPEATED_CHECKPOINT @200013");
    }

    @Test
    void aRestartForgetsNoStream() {
        // #0 e0 e1 #1 e2 e3 #2. … restart, the same
        DrawnLog log = far(DrawnLog.of(STREAM).append("b#0").verify())
                .append("b#1")
                .verify()
                .restart();
        log.findings();
        assertThat(log.append(STREAM).verify().findings())
                .contains("REPEATED_CHECKPOINT @200009", "REPEATED_CHECKPOINT @200012", "REPEATED_CHECKPOINT @200015")
                .noneMatch(finding -> finding.startsWith("Verified 0") || finding.startsWith("Verified 1"));
    }

    @Test
    void aBlockFromTheMiddleIsFoundOut() {
        DrawnLog log = far(DrawnLog.of("#0 e0 e1 #1 e2 e3 #2 e4 e5 #3").verify());
        log.findings();
        assertThat(log.append("#1 e2 e3 #2 e6 e7 #4").verify().findings())
                .contains("REPEATED_CHECKPOINT @200010", "REPEATED_CHECKPOINT @200013")
                .noneMatch(finding -> finding.startsWith("Verified"));
    }

    @Test
    void copiesOfEventsBehindTheClosingCheckpointAreDuplicates() {
        // #0 e0 e1 #1 e2 e3 #2. … e0 e3   ► both are duplicates, at once
        DrawnLog log = far(DrawnLog.of(STREAM).verify());
        log.findings();
        log.append("e0 e3").verify();
        assertThat(log.progress()).isEqualTo(200_007);
        assertThat(log.tick(0).tick(1).findings()).containsExactly("Violated 3: DUPLICATED 0..1, DUPLICATED 3..4");
        assertThat(log.progress()).isEqualTo(200_009);
    }

    @Test
    void anAlteredCopyBehindTheClosingCheckpointIsForeign() {
        DrawnLog log = DrawnLog.of(STREAM + " ~e3").verify();
        assertThat(log.tick(0).tick(1).findings()).contains("Violated 3: FOREIGN 3..4");
    }

    @Test
    void anEventThatComesBehindItsClosingCheckpointIsReordered() {
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1 e2 #2. e3").verify();
        assertThat(log.tick(0).tick(1).findings()).contains("Violated 2: LOST 3..4", "Violated 3: REORDERED 3..4");
    }

    @Test
    void whatLiesBeyondTheClosingCheckpointIsUnsealed() {
        DrawnLog log = DrawnLog.of(STREAM + " e3 e4").verify();
        assertThat(log.tick(0).tick(1).findings()).contains("Violated 3: DUPLICATED 3..4", "UNSEALED 3 @8 of 1");
    }

    @Test
    void anotherStatementOfACheckpointThatTheStreamContinuedIsAFork() {
        // #0 e0 e1 #1 e2 e3 #2 … #1'   ► FORKED_CHECKPOINT
        DrawnLog log = far(DrawnLog.of("#0 e0 e1 #1 e2 e3 #2").verify());
        log.findings();
        assertThat(log.append("#1'").verify().findings()).containsExactly("FORKED_CHECKPOINT @200007");
    }

    @Test
    void aSecondEmitterOfOneIdIsAFork() {
        // #0 e0 e1 #1 … #0'   ► FORKED_CHECKPOINT
        DrawnLog log = far(DrawnLog.of("#0 e0 e1 #1").verify());
        log.findings();
        assertThat(log.append("#0'").verify().findings()).containsExactly("FORKED_CHECKPOINT @200004");
    }

    @Test
    void aCopyThatContinuesWhatIsKnownToSealIsNotTrusted() {
        // #0 e0 e1 #1 e2 e3 #2 #1 e2 e3 #2   ► #2 is a repetition, though it continues #1 and matches
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1 e2 e3 #2 #1 e2 e3 #2").verify();
        assertThat(log.findings())
                .containsExactly(
                        "Verified 0", "Verified 1", "Verified 2", "REPEATED_CHECKPOINT @7", "REPEATED_CHECKPOINT @10");
    }

    @Test
    void anAnswerAboutAnEndThatIsNoneAnyMoreDoesNotCount() {
        // #0 e0 e1 #1. e0   and a #2 behind the closing one, before the answer comes
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1. e0").verify().tick(0);
        log.findings();
        log.verifier().tick(1);
        log.answer(log.ask().get(0));
        AuditTask tail = log.ask().get(0);
        log.append("e2 e3 #2").deliver();
        log.answer(tail);
        assertThat(log.findings()).isEmpty();
        assertThat(log.progress()).as("what is open stays open").isEqualTo(4);
    }
}
