package dev.stormproof.verify;

import static dev.stormproof.testing.DrawnLog.PROMISE_MILLIS;
import static dev.stormproof.testing.StreamRecords.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.alert.AlertLedger;
import dev.stormproof.checkpoint.Checkpoint;
import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.RecoveryRecord;
import dev.stormproof.checkpoint.SequenceRange;
import dev.stormproof.judge.Finding;
import dev.stormproof.judge.Seal;
import dev.stormproof.judge.Verdict;
import dev.stormproof.testing.DrawnLog;
import dev.stormproof.testing.StreamRecords;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The ends of streams that other emitters of their names state: beside the chain, and weaker than their own word. */
class RecoveredEndsTest {
    private static final long OVERDUE = 2 * PROMISE_MILLIS;
    private static final CheckpointRecord ZERO =
            ALICE.checkpoint(0, 0, 0).promising(PROMISE_MILLIS).at(0);

    private static RecoveryRecord end(long next, long offset, SequenceRange... missing) {
        return new RecoveryRecord(ALICE.checkpoint(1, 0, next)
                .after(ZERO)
                .recovered()
                .uncertainOf(missing)
                .at(offset));
    }

    private static List<String> afterSilence(DrawnLog log) {
        log.deliver().audit().tick(0).tick(OVERDUE).audit().tick(2 * OVERDUE).audit();
        return log.findings();
    }

    private static void assertVerified(int findings, DrawnLog log) {
        assertThat(afterSilence(log)).hasSize(findings).allMatch(one -> one.startsWith("Verified"));
    }

    /** Holds that of each of the logs something is found that says so. */
    private static void assertFound(String what, DrawnLog... logs) {
        assertThat(logs).allSatisfy(log -> assertThat(afterSilence(log)).anyMatch(one -> one.contains(what)));
    }

    @Test
    void whatWasSeenAndIsStatedIsVerifiedAndNothingStaysOpen() {
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1*").deliver();
        assertThat(log.verifier().openEnds(100)).isEmpty();
        assertThat(log.verifier().promises().offsets()).isEmpty();
        assertThat(log.verifier().progressOffset()).isEqualTo(4);
        assertThat(afterSilence(log)).containsExactly("Verified 0", "Verified 1");
    }

    @Test
    void whatWasNotSeenWholeIsReadFromTheLog() {
        DrawnLog log = DrawnLog.of("#0 [e0] e1 #1*").restart(1, 0, List.of());
        assertThat(afterSilence(log)).containsExactly("Verified 1 by the log");
    }

    @Test
    void aGapBeforeItIsLost() {
        DrawnLog log = DrawnLog.of("#0 e0 e2").append(offset -> end(3, offset, new SequenceRange(1, 2)));
        assertThat(afterSilence(log)).containsExactly("Verified 0", "Violated 1: LOST 1..2");
    }

    @Test
    void whatLiesBeforeTheCheckpointThatItContinuesIsNotLost() {
        DrawnLog log = DrawnLog.of("e0 #0 e1").append(offset -> end(2, offset, new SequenceRange(0, 1)));
        assertThat(afterSilence(log)).last().asString().startsWith("UNCERTAIN 1");
    }

    @Test
    void anAlteredEventBeforeItIsNamed() {
        assertThat(afterSilence(DrawnLog.of("#0 ~e0 e1 #1*"))).last().asString().contains("ALTERED 0");
    }

    @Test
    void aRecordThatIsTooLargeToBeReadLeavesItsEventsOpen() {
        List<String> found = afterSilence(DrawnLog.of("#0 e0 ? e1 #1*"));
        assertThat(found).anyMatch(one -> one.startsWith("OVERSIZED_RECORD 1"));
        assertThat(found).anyMatch(one -> one.contains("UNSEALED"));
    }

    @Test
    void anEventThatIsMissingBeforeItMayBeTheOneThatWasNotRead() {
        for (DrawnLog log : List.of(
                DrawnLog.of("#0 e0 ? #1*"),
                DrawnLog.of("#0 e0 ? e2").append(offset -> end(3, offset, new SequenceRange(1, 2))))) {
            assertThat(afterSilence(log))
                    .anyMatch(one -> one.startsWith("OVERSIZED_RECORD "))
                    .noneMatch(one -> one.startsWith("Violated"));
        }
        assertFound("Violated 1: LOST 0..2", DrawnLog.of("#0 ? #1*"));
        assertFound("Violated 1: ALTERED 0..1", DrawnLog.of("#0 ~e0 ? #1*"));
    }

    @Test
    void anEventBeyondItStaysOpenWhereverItLies() {
        assertFound("UNSEALED", DrawnLog.of("#0 e0 e1 e2 #1*"), DrawnLog.of("#0 e0 e1 #1* e2"));
    }

    @Test
    void soDoesOneBeforeACopyOfACheckpointThatEndsTheStreamBelowIt() {
        // #0 #1(ends in doubt) │ e9 #1(a copy) #1*
        DrawnLog log = DrawnLog.of("#0");
        StreamRecords.Draft doubt =
                ALICE.checkpoint(1, 0, 2).after(ZERO).closing().uncertainOf(new SequenceRange(0, 2));
        log.append(doubt::at).append("e9").append(doubt::at);
        log.append(offset -> end(2, offset, new SequenceRange(0, 1)));
        assertThat(afterSilence(log.restart(2, 0, List.of())))
                .anyMatch(one -> one.startsWith("REPEATED_CHECKPOINT"))
                .anyMatch(one -> one.startsWith("UNSEALED 2"));
    }

    @Test
    void aCopyBehindItStaysOpenThoughItIsJudgedLater() {
        assertFound("UNSEALED", DrawnLog.of("#0 [e0] e1 #1* e1").restart(1, 0, List.of()));
    }

    @Test
    void whatIsBeyondItStaysOpenThoughTheStreamWasGivenUpBefore() {
        // #0 e0 e1 … given up e2 R(e0 e1), and R(e0 e1) e1 of which R is read behind the copy
        DrawnLog beyond = givenUp("#0 e0 e1").append("e2 #1*").verify();
        assertThat(beyond.progress()).isEqualTo(3);
        DrawnLog copy = givenUp("#0 e0 e1").append("#1* e1").deliver().audit();
        for (DrawnLog log : List.of(beyond, copy)) {
            assertThat(log.verifier().openEnds(100)).hasSize(1);
            assertThat(log.tick(3 * OVERDUE).tick(4 * OVERDUE).findings())
                    .anyMatch(one -> one.startsWith("Verified 1"))
                    .last()
                    .asString()
                    .startsWith("UNSEALED 1");
            assertThat(log.progress()).isEqualTo(5);
        }
    }

    @Test
    void aStreamThatWasGivenUpAndIsStatedWholeOwesNothing() {
        DrawnLog log = givenUp("#0 e0 e1").append("#1*").verify();
        assertThat(log.verifier().openEnds(100)).isEmpty();
        assertThat(log.tick(3 * OVERDUE).tick(4 * OVERDUE).findings()).containsExactly("Verified 1 by the log");
    }

    private static DrawnLog givenUp(String drawing) {
        DrawnLog log = DrawnLog.of(drawing).verify().tick(0).tick(OVERDUE);
        assertThat(log.findings()).last().asString().startsWith("UNSEALED 1");
        return log;
    }

    @Test
    void whatIsOpenBeyondItIsTrulyToldThoughTheSameWasToldBeforeAndSettled() {
        DrawnLog log = DrawnLog.of("#0 e0 e1").verify().tick(0).tick(OVERDUE);
        AlertLedger ledger = new AlertLedger();
        List<Finding> before = log.verifier().drainFindings();
        assertThat(ledger.publish(before.get(before.size() - 1))).isTrue();
        log.append("e2 #1*").verify();
        assertThat(ledger.resolve(log.verifier().drainFindings().get(0))).isTrue();
        log.tick(3 * OVERDUE).tick(4 * OVERDUE);
        assertThat(log.verifier().drainFindings())
                .singleElement()
                .satisfies(unsealed -> assertThat(ledger.publish(unsealed)).isTrue());
    }

    @Test
    void whatIsOpenBeyondItIsToldUnderAnIdOfItsOwnBehindARestartToo() {
        // #0 e0 e1 #1* │ e2 … silence
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1*").append("e2").restart(4, 0, List.of());
        log.verify().tick(0).tick(OVERDUE).tick(3 * OVERDUE).tick(5 * OVERDUE);
        assertThat(log.verifier().drainFindings())
                .singleElement()
                .satisfies(unsealed -> assertThat(unsealed.id()).contains("/1~"));
    }

    /** An at-least-once mirror, or anybody, writes a checkpoint of the dead emitter once more. */
    @Test
    void aCopyOfAnEarlierCheckpointBehindItOwesNothing() {
        for (String copy : List.of("#0", "#1", "#0 #1 #0")) {
            assertThat(afterSilence(DrawnLog.of("#0 e0 e1 #1 e2 e3 #2* " + copy)))
                    .as(copy)
                    .contains("Verified 2")
                    .noneMatch(finding -> finding.startsWith("UNSEALED"));
        }
    }

    @Test
    void anEmitterThatGoesOnIsVerifiedByItsOwnWord() {
        assertThat(afterSilence(DrawnLog.of("#0 e0 e1 #1* #1 e2 e3 #2")))
                .contains("Verified 0", "Verified 1", "Verified 1 by the log", "Verified 2")
                .noneMatch(one -> one.startsWith("Violated"));
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1* #1 e2 e3 #2.");
        log.deliver().audit();
        List<Seal.Recovery> recoveries = log.verifier().drainFindings().stream()
                .map(finding -> ((Verdict) finding).interval().seal().recovery())
                .toList();
        assertThat(recoveries).contains(Seal.Recovery.RECOVERED, Seal.Recovery.OUTLIVED, Seal.Recovery.NONE);
    }

    @Test
    void aCopyAtOtherOffsetsIsJudgedAsTheLogThatItIsOf() {
        for (String before : List.of("", "x ", "x x | x x x ")) {
            for (boolean restarted : List.of(false, true)) {
                // The hint is the offset in the log that the copy is of.
                DrawnLog log = DrawnLog.of(before + "#0 e0 e2")
                        .append(offset -> new RecoveryRecord(ALICE.checkpoint(1, 0, 3)
                                .after(ZERO)
                                .hinting(0)
                                .recovered()
                                .uncertainOf(new SequenceRange(1, 2))
                                .at(offset)));
                DrawnLog read = restarted ? log.restart(before.length() / 2, 0, List.of()) : log;
                assertThat(afterSilence(read))
                        .as("behind '%s', restarted: %s", before, restarted)
                        .filteredOn(one -> !one.contains("UNSIGNED"))
                        .containsExactly(
                                restarted && !before.isEmpty() ? "Verified 0 by the log" : "Verified 0",
                                "Violated 1: LOST 1..2");
            }
        }
    }

    @Test
    void twoThatStateTheSameEndAreBothRight() {
        assertVerified(
                3,
                DrawnLog.of("#0 e0 e1 #1*")
                        .append(offset -> new RecoveryRecord(ALICE.checkpoint(1, 0, 2)
                                .after(ZERO)
                                .by("another")
                                .recovered()
                                .at(offset))));
    }

    /** They may have read at the same time how it ended. */
    @Test
    void soAreTwoThatStateItInTheSameWordsOneBehindTheOther() {
        assertVerified(3, DrawnLog.of("#0 e0 e1 #1* #1*"));
        assertVerified(2, DrawnLog.of("#0 e0 e1 #1* #1*").restart(3, 0, List.of()));
    }

    @Test
    void theSameOnceMoreBehindOthersOfTheStreamIsARepetition() {
        assertFound(
                "REPEATED_CHECKPOINT",
                DrawnLog.of("#0 e0 e1 #1* e2 #1*"),
                DrawnLog.of("#0 [e0] e1 #1* e2 #1*").restart(1, 0, List.of()));
    }

    @Test
    void oneThatContinuesAnEarlierCheckpointExcusesNothing() {
        assertThat(afterSilence(DrawnLog.of("#0 e0 e1 #1 e2").append(offset -> end(3, offset))))
                .anyMatch(one -> one.startsWith("UNSEALED 2") && one.endsWith("of 1"));
    }

    @Test
    void progressWaitsForIt() {
        DrawnLog log = DrawnLog.of("#0 #1 #2 #1* x").restart(3, 0, List.of()).deliver();
        assertThat(log.verifier().progressOffset()).isEqualTo(3);
    }

    @Test
    void oneThatWasCutOffExcusesNothing() {
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1*").deliver();
        log.truncate(3).append("x").deliver();
        assertFound("UNSEALED", log);
    }

    @Test
    void itStatesAllThatACutHasLeft() {
        // #0 e0 ✂(e1 e2 e3) #1*, of e0 alone
        DrawnLog log = DrawnLog.of("#0 e0 e1 e2 e3").deliver();
        log.truncate(2).append(offset -> end(1, offset));
        assertVerified(2, log);
    }

    /** A mirror starts over right behind it, and its copy is judged last. */
    @Test
    void oneBeforeACopyThatIsRefusedLaterEndsTheStream() {
        for (String copy : List.of("#0", "#1")) {
            DrawnLog log = DrawnLog.of("#0 e0 e1 #1 e2 e3 #2* " + copy);
            log.restart(5, 0, List.of(3L)).deliver();
            List<AuditTask> asked = new ArrayList<>(log.ask());
            asked.sort(Comparator.comparing(task -> !(task instanceof AuditTask.OfRecovery)));
            asked.forEach(log::answer);
            assertThat(afterSilence(log))
                    .as(copy)
                    .contains("Verified 2 by the log")
                    .noneMatch(one -> one.startsWith("UNSEALED"));
            assertThat(log.progress()).isEqualTo(8);
        }
    }

    @Test
    void eachThatWaitsTakesRoom() {
        LogFold fold = new LogFold("orders", 0, 0, DrawnLog.TIMEOUTS, new Bounds(10, 8, 3, 1 << 20));
        int room = fold.room();
        fold.record(end(2, 4));
        assertThat(fold.room()).isEqualTo(room - 1);
    }

    @Test
    void ofOneThatWaitsNeitherLeavesNorUncertainRangesAreKept() {
        LogFold fold = new LogFold("orders", 0, 0, DrawnLog.TIMEOUTS, new Bounds(10, 8, 3, 1 << 20));
        WeakReference<Checkpoint> waiting = taken(statement -> fold.record(new RecoveryRecord(statement)));
        System.gc();
        assertThat(waiting.get()).isNull();
        assertThat(fold.nextRecovery()).isPresent();
    }

    @Test
    void neitherAreThoseOfTheLastOneOfAStream() {
        EventStream stream = new EventStream(ALICE.stream(), true, 0);
        WeakReference<Checkpoint> last = taken(stream::recovered);
        System.gc();
        assertThat(last.get()).isNull();
        assertThat(stream.isRecoveredBy(end(3, 4, new SequenceRange(1, 2)).statement()))
                .isTrue();
    }

    private static WeakReference<Checkpoint> taken(Consumer<CheckpointRecord> taker) {
        CheckpointRecord statement = end(3, 4, new SequenceRange(1, 2)).statement();
        taker.accept(statement);
        return new WeakReference<>(statement.checkpoint());
    }

    @Test
    void oneThatContinuesAnotherCheckpointKeepsNoPromiseFromBeforeTheStart() {
        PromisesBefore before = new PromisesBefore(10);
        before.expect(Promises.since(0), 10);
        CheckpointRecord another = ALICE.checkpoint(1, 0, 0).recovered().at(5);
        assertThat(before.answer(before.next().orElseThrow(), List.of(ZERO, another)))
                .containsExactly(ZERO);
        before.expect(Promises.since(0), 10);
        assertThat(before.answer(
                        before.next().orElseThrow(), List.of(ZERO, end(0, 5).statement())))
                .isEmpty();
    }

    @Test
    void whatAnotherCheckpointStatesOfItsEventsIsJudgedWithThat() {
        List<String> found = afterSilence(DrawnLog.of("#0 e0 e1")
                .append(ALICE.checkpoint(1, 0, 2).after(ZERO).ofForged()::at)
                .append(offset -> new RecoveryRecord(ALICE.checkpoint(1, 0, 2)
                        .after(ZERO)
                        .withoutLeaves()
                        .recovered()
                        .at(offset))));
        assertThat(found).contains("Verified 1 by the log");
    }

    @Test
    void itBeginsBehindTheFirstStatementOfWhatItContinuesAndNotBehindACopy() {
        assertThat(afterSilence(DrawnLog.of("#0 e0 #0 e1 #1*").restart(2, 0, List.of())))
                .contains("Verified 1 by the log");
    }
}
