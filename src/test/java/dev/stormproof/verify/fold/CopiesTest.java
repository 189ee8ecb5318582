package dev.stormproof.verify.fold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.testing.DrawnLog;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Streams, and parts of them, that lie in the log once more, at any distance: a restore, a mirror that starts over, a replay. */
class CopiesTest {
    private static final String STREAM = "#0 e0 e1 #1 e2 e3 #2.";

    /** Further than anything that is kept, or read without a reason. */
    private static final int FAR = 200_000;

    /** As far as what followed an original is looked for, from where the log begins. */
    private static final int NEIGHBOUR = 65_536;

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

    /** A restore, or a mirror that starts over, while what was verified expires. */
    @Test
    void whoKnowsThatAStreamWasFurtherVerifiesNoCopyOfWhatExpired() {
        // ✝(#0 e0 e1 #1 e2 e3 #2) #0 e0 e1 #1 e4 e5 #3 e6 … silence
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1 e2 e3 #2").verify();
        log.findings();
        log.expireBefore(7).append("#0 e0 e1 #1").verify();
        assertThat(log.findings()).containsExactly("EXPIRED 0", "EXPIRED 1");
        assertThat(log.append("e4 e5 #3 e6 e7 #4 e8").verify().findings())
                .containsExactly("EXPIRED 3", "Verified 4 by the log");
        log.tick(0).tick(2 * DrawnLog.PROMISE_MILLIS);
        assertThat(log.findings()).singleElement().asString().startsWith("UNSEALED 5");
    }

    /** Where checkpoints are not signed, anybody may write one of the greatest number. */
    @Test
    void aForgedCheckpointOfAGreatNumberThatExpiredHidesNone() {
        // ✝(x #5) x #0 e0 e1 #1   with no event in the intervals from 2 on
        DrawnLog log = DrawnLog.intervals(2, 0, 0, 0, 0).append("x #5").expireBefore(1);
        log.restart(1, 0, List.of()).verify();
        assertThat(log.findings()).containsExactly("Verified 5 by the log");
        log.append("x").expireBefore(2).verify();
        assertThat(log.append("#0 e0 e1 #1").verify().findings())
                .filteredOn(one -> !one.startsWith("UNSIGNED"))
                .containsExactly("Verified 0 by the log", "Verified 1 by the log");
    }

    @Test
    void whoeverBeginsBehindThatTakesACopyForThePredecessorOfWhatFollows() {
        // ✝(#0 e0 e1 #1 e2 e3 #2) │ #1 e4 e5 #3
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1 e2 e3 #2 #1 e4 e5 #3").expireBefore(7);
        assertThat(log.restart(7, 0, List.of()).verify().findings())
                .contains("Violated 3? CHECKPOINT_LOST 2..3, LOST 2..4");
    }

    @Test
    void aCopiedStreamIsNotVerifiedThoughItsFirstCheckpointLiesTooFarUpToBeFound() {
        // b#0. … #0 e0 e1 #1 e2 e3 #2. … restart, the same, interval by interval
        DrawnLog log = DrawnLog.of("b#0.");
        for (int i = 0; i < 1_100_000; i++) {
            log.log().appendMarker();
        }
        log = far(log.append("#0 e0 e1 #1 e2 e3 #2.")).append("b#1.").verify().restart();
        log.findings();
        for (String interval : List.of("#0", "e0 e1 #1", "e2 e3 #2.")) {
            log.append(interval).verify();
        }
        // Their hints are useless.
        assertThat(log.findings()).contains("Verified 0 by the log", "OUT_OF_REACH 1", "OUT_OF_REACH 2");
    }

    /** A stream, of which the log has lost all but the end, is copied far behind that, and a verifier begins before the copy. */
    private static List<String> copyOfWhatExpired(int between) {
        // ✝(#0 e0 e1 #1 e2 e3 #2) e4 e5 … #3. … │ the same
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1 e2 e3 #2 e4 e5");
        for (int i = 0; i < between - 2; i++) {
            log.log().appendMarker();
        }
        log = far(log.append("#3.").verify()).expireBefore(7).verify().restart();
        log.findings();
        return log.append("#0 e0 e1 #1 e2 e3 #2 e4 e5 #3.").verify().findings();
    }

    @Test
    void aCopyWhoseOriginalExpiredIsFoundOutByWhatFollowedThat() {
        long end = 7 + 2 + 1 + FAR;
        assertThat(copyOfWhatExpired(2))
                .contains(
                        "FORKED_CHECKPOINT @" + end,
                        "LATE_CHECKPOINT @" + (end + 3),
                        "LATE_CHECKPOINT @" + (end + 6),
                        "REPEATED_CHECKPOINT @" + (end + 9));
        assertThat(copyOfWhatExpired(NEIGHBOUR - 1)).anyMatch(finding -> finding.startsWith("LATE_CHECKPOINT"));
    }

    @Test
    void aCopyWhoseOriginalExpiredIsTakenForTheOriginalIfWhatFollowedThatIsFar() {
        assertThat(copyOfWhatExpired(NEIGHBOUR)).contains("Verified 1");
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
    void aRestartBehindWhatIsUnsealedTellsACopyAsWhoReadsItAll() {
        // #0 e0 e1 #1 e2 e3 #2. e4 │ e3   ► e4 is told as unsealed, and the next reader begins behind it
        DrawnLog restarted = DrawnLog.of(STREAM + " e4").verify().tick(0).tick(1);
        assertThat(restarted.progress()).isEqualTo(8);
        assertThat(violated(restarted)).isEmpty();
        restarted.restart().append("e3").verify().tick(0).tick(10_000).tick(20_000);
        DrawnLog whole = DrawnLog.of(STREAM + " e4 e3").verify().tick(0).tick(1);
        assertThat(violated(restarted)).hasSize(1).isEqualTo(violated(whole));
    }

    @Test
    void whoBeginsBehindARepeatedEndTellsWhatLiesBehindTheFirstOneAsWhoReadsItAll() {
        // #0 e0 #1. e1 #1. │ e0   ► e1 comes too late, and e0 twice
        String drawing = "#0 e0 #1. e1 #1. e0";
        DrawnLog whole = DrawnLog.of(drawing).verify().tick(0).tick(1);
        DrawnLog restarted = DrawnLog.of(drawing).restart(5, 0, List.of()).verify();
        restarted.tick(0).tick(1_000_000).tick(2_000_000);
        assertThat(behindTheEnd(restarted)).hasSize(1).isEqualTo(behindTheEnd(whole));
    }

    private static List<Finding> behindTheEnd(DrawnLog log) {
        return violated(log).stream()
                .filter(finding -> ((Verdict) finding).interval().number() == 2)
                .toList();
    }

    private static List<Finding> violated(DrawnLog log) {
        return log.verifier().drainFindings().stream()
                .filter(finding -> finding.type() == Finding.Type.VIOLATED)
                .toList();
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
        LogQuery tail = log.ask().get(0);
        log.append("e2 e3 #2").deliver();
        log.answer(tail);
        assertThat(log.findings()).isEmpty();
        assertThat(log.progress()).as("what is open stays open").isEqualTo(4);
    }

    /** So many intervals of two events each, on a stream that still runs, and the interval of what is drawn. */
    private static DrawnLog running(int intervals, String last) {
        StringBuilder drawing = new StringBuilder("#0");
        for (int i = 0; i < intervals; i++) {
            drawing.append(" e")
                    .append(2 * i)
                    .append(" e")
                    .append(2 * i + 1)
                    .append(" #")
                    .append(i + 1);
        }
        DrawnLog log = DrawnLog.of(drawing.toString()).verify();
        log.findings();
        return log.append(last + " #" + (intervals + 1) + " #" + (intervals + 2));
    }

    @Test
    void copiesOfOldEventsOnAStreamThatRunsAreDuplicates() {
        // … e78 e79 #40 e80 e0 e33 e34 e81 #41   ► three duplicates, of two homes
        assertThat(running(40, "e80 e0 e33 e34 e81").verify().findings())
                .contains("Violated 41: DUPLICATED 0..1, DUPLICATED 33..34, DUPLICATED 34..35");
        assertThat(running(1_000, "e2000 e0 e2001").verify().findings()).contains("Violated 1001: DUPLICATED 0..1");
    }

    @Test
    void anAlteredCopyOfAnOldEventIsForeign() {
        assertThat(running(40, "e80 ~e5 ^e6 e81").verify().findings())
                .contains("Violated 41: FOREIGN 5..6, FOREIGN 6..7");
    }

    @Test
    void anEventThatComesLongAfterItsIntervalIsReordered() {
        // #0 #1 e2 e3 #2 … #40 e80 e0 e1 e81 #41   ► lost where they belong, reordered where they lie
        StringBuilder drawing = new StringBuilder("#0 #1");
        for (int i = 1; i < 40; i++) {
            drawing.append(" e")
                    .append(2 * i)
                    .append(" e")
                    .append(2 * i + 1)
                    .append(" #")
                    .append(i + 1);
        }
        DrawnLog log = DrawnLog.of(drawing + " e80 e0 e1 e81 #41 #42").verify();
        assertThat(log.findings()).contains("Violated 1: LOST 0..2", "Violated 41: REORDERED 0..1, REORDERED 1..2");
    }

    @Test
    void aHomeFurtherUpThanIsSearchedIsOutOfReach() {
        assertThat(running(1_100, "e2200 e0 e2000 e2201").verify().findings())
                .contains("Violated 1101: OUT_OF_REACH 0..1, DUPLICATED 2000..2001");
    }

    @Test
    void aHomeThatExpiredIsOutOfReach() {
        DrawnLog log = running(40, "e80 e0 e81");
        log.log().expireBefore(60);
        assertThat(log.verify().findings()).contains("Violated 41: OUT_OF_REACH 0..1");
    }

    @Test
    void anIntervalBehindACopyOfItsPredecessorBeginsBehindTheOriginalThoughTheLogHasLostItsHead() {
        // ✝x #0 e0 e1 #1' … │ #0 e0 e1 #1.   ► #1. states number 1 again, and its events lie in the log twice
        DrawnLog log = far(DrawnLog.of("x #0 e0 e1 #1'").verify().expireBefore(1));
        log.findings();
        assertThat(log.append("#0 e0 e1 #1.").verify().findings())
                .contains("Violated 1: DUPLICATED 0..1, DUPLICATED 1..2");
    }

    @Test
    void aCopyOfAnEventThatCameEarlyIsADuplicateThoughACheckpointWasRepeatedInBetween() {
        // #0 e0 e1 #1 #1 e2 #2 e3 e4 e1 #3   with intervals of 0, 3 and 2 events   ► e1 came early, and again behind
        // its own
        DrawnLog log = DrawnLog.intervals(0, 3, 2, 0)
                .append("#0 e0 e1 #1 #1 e2 #2 e3 e4 e1 #3 #4.")
                .verify();
        assertThat(log.findings()).contains("Violated 3: DUPLICATED 1..2");
    }

    @Test
    void aCopyIsFoundOutThoughTheVerdictOnItsOriginalLeftNothingKnown() {
        // ✝(#0 e0) e1 #1 … #0 e0 e1 #1   ► #1 is expired, the copy of #0 late, that of #1 a repetition
        DrawnLog log = far(DrawnLog.of("#0 e0 e1 #1").expireBefore(2).verify());
        assertThat(log.append("#0").verify().append("e0 e1 #1").verify().findings())
                .containsExactly("Expired 0..2", "EXPIRED 1", "LATE_CHECKPOINT @200004", "REPEATED_CHECKPOINT @200007");
    }

    @Test
    void anIntervalBehindACopyOfItsPredecessorBeginsBehindTheOriginalThoughAForgedCheckpointIsBeforeIt() {
        // ✝x #1" #2" #0 e0 e1 #1 e2 e3 … #1 e2 e3 #2.   ► #1 is late behind the forged #2", and so is its copy
        DrawnLog log = far(DrawnLog.of("x #1\" #2\" #0 e0 e1 #1 e2 e3").verify().expireBefore(2));
        log.findings();
        assertThat(log.append("#1 e2 e3 #2.").verify().findings())
                .contains("Violated 2: DUPLICATED 2..3, DUPLICATED 3..4");
    }
}
