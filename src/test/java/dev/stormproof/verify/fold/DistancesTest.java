package dev.stormproof.verify.fold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.testing.DrawnLog;
import dev.stormproof.verify.judge.Evidence;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The distances, in offsets, up to which more of a stream is looked for than a verdict needs; no checkpoint has a usable hint. */
class DistancesTest {
    /** As far as a neighbouring checkpoint is looked for. */
    private static final int NEIGHBOUR = 65_536;

    private static DrawnLog apart(DrawnLog log, int offsets) {
        for (int i = 0; i < offsets; i++) {
            log.log().appendMarker();
        }
        return log;
    }

    /** Event 4 came early, in interval 2, whose predecessor lies so many offsets before its checkpoint. */
    private static List<String> early(int offsets) {
        // #0 e0 e1 #1 … e2 e4 e3 #2 e5 #3
        return apart(DrawnLog.of("#0 e0 e1 #1"), offsets - 4)
                .append("e2 e4 e3 #2 e5 #3 #4.")
                .verify()
                .findings();
    }

    @Test
    void anEventThatCameEarlyIsReorderedInBothIntervalsIfTheCheckpointsAreNear() {
        assertThat(early(NEIGHBOUR)).contains("Violated 2: REORDERED 4..5", "Violated 3: REORDERED 4..5");
    }

    @Test
    void anEventThatCameEarlyIsReorderedInOneAndLostInTheOtherIfTheyAreFarApart() {
        assertThat(early(NEIGHBOUR + 1)).contains("Violated 2: REORDERED 4..5", "Violated 3: LOST 4..5");
    }

    /** Event 0 lies so many offsets before the first checkpoint of its stream. */
    private static List<String> beforeTheBeginning(long offsets) {
        // b#0 e0 … #0 e1 #1
        return apart(DrawnLog.of("b#0 e0"), (int) offsets - 1)
                .append("#0 e1 #1.")
                .verify()
                .findings();
    }

    @Test
    void anEventLittleBeforeItsStreamsFirstCheckpointIsReordered() {
        assertThat(beforeTheBeginning(Evidence.BEFORE_THE_BEGINNING))
                .contains("Violated 0: REORDERED 0..1", "Violated 1: REORDERED 0..1");
    }

    @Test
    void anEventFarBeforeItsStreamsFirstCheckpointIsLost() {
        assertThat(beforeTheBeginning(Evidence.BEFORE_THE_BEGINNING + 1)).contains("Violated 1: LOST 0..1");
    }

    /** A verifier begins so many offsets behind a stream's last checkpoint, and sees one more event; then the stream is inactive. */
    private static List<String> lookedBack(int offsets) {
        // #0 e0 e1 #1 … │ e2 … silence
        DrawnLog log = apart(DrawnLog.of("#0 e0 e1 #1"), offsets - 2).append("e2");
        log.restart(offsets + 2, 0, List.of()).verify();
        log.tick(0).tick(DrawnLog.TIMEOUTS.withoutPromiseMillis() + 1);
        return log.tick(2 * DrawnLog.PROMISE_MILLIS).findings();
    }

    @Test
    void theLastCheckpointOfAnInactiveStreamIsKnownIfItIsNear() {
        assertThat(lookedBack(NEIGHBOUR)).containsExactly("UNSEALED 2 @" + (NEIGHBOUR + 2) + " of 1");
    }

    @Test
    void theLastCheckpointOfAnInactiveStreamIsUnknownIfItIsFar() {
        assertThat(lookedBack(NEIGHBOUR + 2)).containsExactly("UNSEALED -1 @" + (NEIGHBOUR + 4) + " of 1");
    }

    @Test
    void theLastCheckpointOfAnInactiveStreamIsKnownIfItIsNearHoweverFarTheLogWentOn() {
        // #0 e0 e1 #1 │ e2 … b#0 … silence
        DrawnLog log = apart(DrawnLog.of("#0 e0 e1 #1 e2"), 2 * NEIGHBOUR).append("b#0.");
        log.restart(4, 0, List.of()).verify();
        log.tick(0).tick(DrawnLog.TIMEOUTS.withoutPromiseMillis() + 1);
        assertThat(log.findings()).as("its promise is longer").containsExactly("Verified b0 by the log");
        assertThat(log.tick(2 * DrawnLog.PROMISE_MILLIS).findings()).containsExactly("UNSEALED 2 @4 of 1");
    }

    @Test
    void eventsBeforeACopyOfTheirFirstCheckpointAreThereAlsoIfTheyAreFarBefore() {
        // #0 e0 e1 … #0 #1
        assertThat(apart(DrawnLog.of("#0 e0 e1"), (int) Evidence.BEFORE_THE_BEGINNING + 1)
                        .append("#0 #1")
                        .verify()
                        .findings())
                .contains("Verified 1")
                .noneMatch(finding -> finding.startsWith("Violated"));
    }

    @Test
    void aCopyOfARunningStreamIsFoundHoweverFarItsOriginalLies() {
        // #0 e0 e1 #1 e2 e3 #2 e4 e5 … #1 e2 e3 #2 e4 e5 #3
        assertThat(apart(DrawnLog.of("#0 e0 e1 #1 e2 e3 #2 e4 e5"), 2 * NEIGHBOUR)
                        .append("#1 e2 e3 #2 e4 e5 #3")
                        .verify()
                        .findings())
                .contains("Violated 3: DUPLICATED 2..3, DUPLICATED 3..4, DUPLICATED 4..5, DUPLICATED 5..6");
    }

    /** Another event 4 lies behind interval 3, whose predecessor is lost; the one before that lies so many offsets before checkpoint 3. */
    private static List<String> behindALostCheckpoint(int offsets) {
        // #0 e0 e1 #1 e2 e3 … e4 e5 #3 e6 ^e4 e7 #4 #5.   with #2 lost
        return apart(DrawnLog.of("#0 e0 e1 #1 e2 e3"), offsets - 5)
                .append("e4 e5 #3 e6 ^e4 e7 #4 #5.")
                .verify()
                .findings();
    }

    @Test
    void anEventBehindAnIntervalWithoutPredecessorIsForeignIfTheOneBeforeIsNear() {
        assertThat(behindALostCheckpoint(NEIGHBOUR)).contains("Violated 4: FOREIGN 4..5");
    }

    @Test
    void anEventBehindAnIntervalWithoutPredecessorIsOutOfReachIfTheOneBeforeIsFar() {
        assertThat(behindALostCheckpoint(NEIGHBOUR + 1)).contains("Violated 4: OUT_OF_REACH 4..5");
    }

    /** In format 1 a copy of checkpoint 1 lies among the events of interval 2, so many offsets behind the original; a verifier begins between. */
    private static List<String> copied(int offsets) {
        // pe0 pe1 p#1 │ pe2 … p#1 pe3 p#2 pe4 pe5 p#3
        DrawnLog log = apart(DrawnLog.of("pe0 pe1 p#1 pe2"), offsets - 2);
        return log.append("p#1 pe3 p#2 pe4 pe5 p#3")
                .restart(3, 0, List.of())
                .verify()
                .findings();
    }

    @Test
    void aCopyOfAFormatOneCheckpointIsOneHoweverFarItsOriginalLies() {
        assertThat(copied(NEIGHBOUR - 2)).noneMatch(finding -> finding.startsWith("Violated"));
        assertThat(copied(2 * NEIGHBOUR)).noneMatch(finding -> finding.startsWith("Violated"));
    }

    @Test
    void behindACopyOfAFormatOneCheckpointNothingIsVerifiedHoweverFarItsOriginalLies() {
        // pe0 pe1 p#1 pe9 … pe9 p#1 pe2 pe3 p#2   ► event 9 is sealed by none
        assertThat(apart(DrawnLog.of("pe0 pe1 p#1 pe9"), 2 * NEIGHBOUR)
                        .append("pe9 p#1 pe2 pe3 p#2 pe4 pe5 p#3")
                        .verify()
                        .findings())
                .noneMatch(finding -> finding.startsWith("Verified p@" + (2 * NEIGHBOUR + 8)));
    }
}
