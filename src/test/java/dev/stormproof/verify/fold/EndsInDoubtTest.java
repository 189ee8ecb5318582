package dev.stormproof.verify.fold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.testing.DrawnLog;
import dev.stormproof.testing.StreamRecords;
import dev.stormproof.testing.StreamRecords.Draft;
import dev.stormproof.verify.judge.Evidence;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.Verdict;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Emitters that give up what they had sent, some of which arrives all the same: they end the stream with the number of the first
 * checkpoint in doubt, drawn as {@code #2?}, which leaves everything from there on uncertain.
 */
class EndsInDoubtTest {
    private static final StreamRecords ALICE = StreamRecords.ALICE;

    /** How much later each checkpoint is made than the one before. */
    private long paceMillis = 1;

    /** Whether the emitter hears of arrivals. */
    private boolean heard = true;

    /** What an emitter states that has heard of none: 0, and formerly nothing. */
    private long unheard = -1;

    /** The faultless checkpoint of a number, two events each, whose hint says how far its emitter knew the log then. */
    private Draft checkpoint(long number, long hint) {
        long next = 2 * number;
        Draft draft = ALICE.checkpoint(number, Math.max(0, next - 2), next)
                .promising(DrawnLog.PROMISE_MILLIS)
                .madeAt(number * paceMillis)
                .hinting(hint);
        return number == 0
                ? draft
                : draft.after(checkpoint(number - 1, hint(number - 1)).at(0));
    }

    private long hint(long number) {
        return number == 0 ? -1 : !heard ? unheard : number == 1 ? 0 : 3;
    }

    private DrawnLog begun(String behind) {
        DrawnLog log = DrawnLog.of("");
        append(log, "#0 e0 e1 #1 " + behind);
        return log;
    }

    private void append(DrawnLog log, String drawing) {
        for (String word : drawing.split(" ", -1)) {
            if (word.startsWith("#")) {
                long number = Long.parseLong(word.substring(1));
                log.append(checkpoint(number, hint(number))::at);
            } else if (!word.isEmpty()) {
                log.append(word);
            }
        }
    }

    private DrawnLog restate(DrawnLog log, long number, long nextSequence, long madeAtMillis) {
        long first = 2 * number - 2;
        CheckpointRecord before = checkpoint(number - 1, hint(number - 1)).at(0);
        return log.append(ALICE.checkpoint(number, first, nextSequence)
                .after(before)
                .madeAt(madeAtMillis)
                .closing()
                .uncertainOf(new SequenceRange(first, nextSequence))::at);
    }

    private DrawnLog end(DrawnLog log, long number, long nextSequence) {
        long first = 2 * number - 2;
        CheckpointRecord before = checkpoint(number - 1, hint(number - 1)).at(0);
        return log.append(ALICE.checkpoint(number, first, nextSequence)
                .after(before)
                .closing()
                .uncertainOf(new SequenceRange(first, nextSequence))::at);
    }

    @Test
    void whatALaterCheckpointStatesAndTheEndLeavesInDoubtIsNotLost() {
        // #0 e0 e1 #1 e5 #3 #2?   with e2, e3, #2 and e4 given up, and #3 over e4 and e5, too
        DrawnLog log = begun("e5 #3").verify();
        assertThat(log.findings())
                .as("until the end comes")
                .containsExactly("Verified 0", "Verified 1", "Violated 3? CHECKPOINT_LOST 2..3, LOST 2..5");
        assertThat(end(log, 2, 6).verify().findings()).containsExactlyInAnyOrder("UNCERTAIN 3", "UNCERTAIN 2");
        assertThat(log.progress()).isEqualTo(7);
    }

    @Test
    void neitherIsWhatSeveralCheckpointsStateThatWereInFlightTogether() {
        // #0 e0 e1 #1 e5 #3 e7 #4 e8 e9 #5 #2?   each made before the one before it was known to have arrived
        DrawnLog log = begun("e5 #3 e7 #4 e8 e9 #5").verify();
        assertThat(log.findings())
                .allMatch(finding -> finding.startsWith("Verified") || finding.contains("?"))
                .contains("Verified 5");
        assertThat(end(log, 2, 10).verify().findings())
                .containsExactlyInAnyOrder("UNCERTAIN 3", "UNCERTAIN 4", "UNCERTAIN 2");
    }

    @Test
    void whatAGivenUpCheckpointItselfStatesIsNotLostEither() {
        // #0 e0 e1 #1 e3 #2 #2?
        DrawnLog log = begun("e3 #2");
        assertThat(end(log, 2, 4).verify().findings())
                .filteredOn(finding -> !finding.contains("?"))
                .containsExactlyInAnyOrder("Verified 0", "Verified 1", "UNCERTAIN 2", "UNCERTAIN 2");
    }

    @Test
    void ifEverythingArrivedAfterAllItIsVerifiedAndTheEndIsNoFork() {
        // #0 e0 e1 #1 e2 e3 #2 e4 e5 #3 #2?
        DrawnLog log = begun("e2 e3 #2 e4 e5 #3");
        assertThat(end(log, 2, 6).verify().findings())
                .containsExactly("Verified 0", "Verified 1", "Verified 2", "Verified 3", "UNCERTAIN 2");
    }

    @Test
    void anEndWithoutEventsSaysOfNothingThatItIsInDoubt() {
        // #0 e0 e1 #1 #3 #2.   of no events each: whether #2 was given up, nothing tells
        CheckpointRecord one = checkpoint(1, 0).at(0);
        CheckpointRecord two = ALICE.checkpoint(2, 2, 2).behind(one).at(0);
        DrawnLog log = begun("").append(ALICE.checkpoint(3, 2, 2).after(two).hinting(3)::at);
        log.append(ALICE.checkpoint(2, 2, 2).after(one).closing()::at).verify();
        assertThat(log.tick(0).tick(DrawnLog.PROMISE_MILLIS).findings()).contains("Violated 3: CHECKPOINT_LOST 2..3");
    }

    @Test
    void norIsItOneOfACheckpointThatCameBeforeItsPredecessor() {
        // #0 e0 e1 #1 e2 e3 e4 e5 #3 #2 #3?
        DrawnLog log = begun("e2 e3 e4 e5 #3 #2").verify();
        assertThat(end(log, 3, 6).verify().findings()).noneMatch(finding -> finding.contains("FORKED_CHECKPOINT"));
    }

    /** An emitter states the end anew until it knows that it arrived. Strangers among the events do not make these a fork. */
    @Test
    void norIsOneOfTheOthersThatAreStatedAgain() {
        // #0 e0 #1 e2 e1 e3 #2 e5 #3 #2? #2? #2?   with e1 moved behind its checkpoint
        DrawnLog log = DrawnLog.of("");
        append(log, "#0 e0 #1 e2 e1 e3 #2 e5 #3");
        log.verify();
        List<String> findings = new ArrayList<>(log.findings());
        for (int time = 0; time < 3; time++) {
            findings.addAll(restate(log, 2, 6, 100 + time).verify().findings());
        }
        assertThat(findings)
                .anyMatch(finding -> finding.contains("REORDERED 1"))
                .noneMatch(finding -> finding.contains("CHAIN_BROKEN"));
    }

    @Test
    void whatElseIsWrongIsNamedAndNothingOfWhatIsInDoubt() {
        // #0 e0 e1 #1 e5 e5 #3 #2?
        DrawnLog log = begun("e5 e5 #3");
        assertThat(end(log, 2, 6).verify().findings())
                .contains("Violated 3: DUPLICATED 5..6")
                .noneMatch(finding -> finding.startsWith("Violated 3:") && finding.contains("LOST"));
    }

    @Test
    void whatIsMissingBeforeTheDoubtIsLost() {
        // #0 e0 #1 e2 e3 #2 e7 #4 #3?   e1 is lost, #3 with its events in doubt
        DrawnLog log = DrawnLog.of("");
        append(log, "#0 e0 #1 e2 e3 #2 e7 #4");
        assertThat(end(log, 3, 8).verify().findings()).contains("Violated 1: LOST 1..2", "UNCERTAIN 4", "UNCERTAIN 3");
        // #0 e0 e1 #3 #2?   #1 is lost, and so would be its events
        DrawnLog without = DrawnLog.of("");
        append(without, "#0 e0 e5 #3");
        assertThat(end(without, 2, 6).verify().findings()).contains("Violated 3: CHECKPOINT_LOST 1..2, LOST 1..2");
    }

    @Test
    void whatTheEmitterKnewToHaveArrivedIsNotTakenBack() {
        // #0 e0 e1 #1 e3 #2 e4 e5 #3 #2?   #3 was made when #2 had arrived: that end is not of this emitter's making
        DrawnLog log = begun("e3 #2 e4 e5");
        log.append(checkpoint(3, 5)::at);
        assertThat(end(log, 2, 6).verify().findings()).contains("Violated 2: LOST 2..3");
    }

    @Test
    void anEmitterThatIsNeverHeardOfAgainHasLostWhatIsMissing() {
        // #0 e0 e1 #1 e5 #3 ⏳
        DrawnLog log = begun("e5 #3").verify();
        log.findings();
        log.tick(0).tick(DrawnLog.PROMISE_MILLIS + DrawnLog.TIMEOUTS.graceMillis() + 1);
        assertThat(log.findings()).contains("Violated 3: CHECKPOINT_LOST 2..3, LOST 2..5");
    }

    /** As of a producer that fills its buffer faster than its broker takes records. */
    @Test
    void neitherIsItIfHundredsOfCheckpointsWereInFlight() {
        DrawnLog log = begunWith(200);
        assertThat(log.verify().findings())
                .as("until the end comes")
                .contains("Violated 3? CHECKPOINT_LOST 2..3, LOST 2..5")
                .noneMatch(finding -> finding.startsWith("Violated") && !finding.contains("?"));
        assertThat(end(log, 2, 2 * 203).verify().findings())
                .contains("UNCERTAIN 3", "UNCERTAIN 2")
                .noneMatch(finding -> finding.startsWith("Violated"));
    }

    /** Its emitter knew of no arrival when it made them, so that none has a hint. */
    @Test
    void neitherIsTheBeginningOfAStreamOfWhichNothingWasKnownToHaveArrived() {
        // e4 e5 #3 e6 e7 #4 #0?   what comes before was given up
        DrawnLog log = DrawnLog.of("");
        heard = false;
        append(log, "e4 e5 #3 e6 e7 #4");
        assertThat(log.verify().findings())
                .as("until the end comes")
                .containsExactly("Violated 3? CHECKPOINT_LOST 0..3, LOST 0..4", "Verified 4");
        log.append(ALICE.checkpoint(0, 0, 8).closing().uncertainOf(new SequenceRange(0, 8))::at);
        assertThat(log.verify().findings()).contains("UNCERTAIN 3").noneMatch(finding -> finding.contains("LOST"));
    }

    @Test
    void whereEarlierRecordsWereDeletedItMayHaveBeenAmongThese() {
        // ✝(x) #3 e6 e7 #4 #0?   what comes before was given up
        DrawnLog log = DrawnLog.of("x x").expireBefore(1);
        heard = false;
        unheard = 0;
        append(log, "#3 e6 e7 #4");
        log.append(ALICE.checkpoint(0, 0, 8).closing().uncertainOf(new SequenceRange(0, 8))::at);
        assertThat(log.verify().findings())
                .contains("EXPIRED 3", "UNCERTAIN 0")
                .noneMatch(finding -> finding.contains("LOST"));
    }

    @Test
    void whoEndedOwesNothingThoughItsEndExpiredBeforeItWasJudged() {
        // #0 e0 e1 #1 e2 e3 #2 #2?   the acknowledgement of #2 was lost, and the end expires unjudged
        DrawnLog log = DrawnLog.of("");
        append(log, "#0 e0 e1 #1 e2 e3 #2");
        log.verify().tick(0);
        end(log, 2, 4).deliver();
        log.log().expireBefore(log.log().endOffset());
        log.audit().tick(DrawnLog.PROMISE_MILLIS).tick(4 * DrawnLog.PROMISE_MILLIS);
        assertThat(log.findings())
                .contains("Verified 2", "EXPIRED 2")
                .noneMatch(finding -> finding.startsWith("UNSEALED"));
    }

    @Test
    void itsCopyIsFoundOutWhereWhatItContinuesIsLeftInTheLogAsACopyAlone() {
        // ✝(x) e4 e5 #3 #2? … #0 #1 #2?   the last three are copies
        DrawnLog log = DrawnLog.of("x x").expireBefore(1);
        append(log, "e4 e5 #3");
        end(log, 2, 6);
        for (int i = 0; i < 2_000; i++) {
            log.log().appendMarker();
        }
        append(log, "#0 #1");
        assertThat(end(log, 2, 6).verify().findings())
                .containsOnlyOnce("UNCERTAIN 2")
                .contains("REPEATED_CHECKPOINT @2008");
    }

    @Test
    void neitherIsWhatLiesBetweenCheckpointsBeforeAnyWasKnownToHaveArrived() {
        // e8 e9 #5 e12 e13 #7 e14 e15 #8 #0?   #6 and its events were given up, too
        heard = false;
        unheard = 0;
        DrawnLog log = DrawnLog.of("");
        append(log, "e8 e9 #5 e12 e13 #7 e14 e15 #8");
        assertThat(log.verify().findings())
                .as("until the end comes")
                .contains("Violated 7? CHECKPOINT_LOST 6..7, LOST 10..12")
                .noneMatch(finding -> finding.startsWith("Violated") && !finding.contains("?"));
        log.append(ALICE.checkpoint(0, 0, 16).closing().uncertainOf(new SequenceRange(0, 16))::at);
        assertThat(log.verify().findings())
                .contains("UNCERTAIN 5", "UNCERTAIN 7")
                .noneMatch(finding -> finding.contains("LOST"));
    }

    @Test
    void itIsNotWaitedForWithoutEnd() {
        paceMillis = 10_000;
        assertThat(begunWith(15).verify().findings()).contains("Violated 3? CHECKPOINT_LOST 2..3, LOST 2..5");
        assertThat(begunWith(16).verify().findings()).contains("Violated 3: CHECKPOINT_LOST 2..3, LOST 2..5");
        paceMillis = 1;
        assertThat(begunWith(255).verify().findings()).contains("Violated 3? CHECKPOINT_LOST 2..3, LOST 2..5");
        assertThat(begunWith(256).verify().findings()).contains("Violated 3: CHECKPOINT_LOST 2..3, LOST 2..5");
    }

    /** #0 e0 e1 #1 e5 #3, and so many more that state no later arrival. */
    private DrawnLog begunWith(int more) {
        DrawnLog log = begun("e5 #3");
        CheckpointRecord before = checkpoint(3, hint(3)).at(0);
        for (int number = 4; number < 4 + more; number++) {
            log.append("e" + (2 * number - 2) + " e" + (2 * number - 1));
            Draft draft = ALICE.checkpoint(number, 2L * number - 2, 2L * number)
                    .promising(DrawnLog.PROMISE_MILLIS)
                    .madeAt(number * paceMillis)
                    .hinting(hint(number))
                    .after(before);
            before = draft.at(0);
            log.append(draft::at);
        }
        return log;
    }

    @Test
    void aRestartFindsTheSame() {
        DrawnLog log = begun("e5 #3 e7 #4").verify();
        log.restart().verify();
        log.findings();
        assertThat(end(log, 2, 8).verify().findings())
                .containsExactlyInAnyOrder("UNCERTAIN 3", "UNCERTAIN 4", "UNCERTAIN 2");
    }

    @Test
    void oneInThePlaceOfTheFirstCheckpointIsToldByItselfHoweverFarThatLies() {
        // e9 #0 e0 e1 #1 … #0?
        DrawnLog log = DrawnLog.of("e9 #0 e0 e1 #1").deliver().audit();
        for (long i = 0; i <= Evidence.BEFORE_THE_BEGINNING; i++) {
            log.log().appendMarker();
        }
        log.append(ALICE.checkpoint(0, 0, 2).closing().uncertainOf(new SequenceRange(0, 2))::at);
        log.deliver().audit();
        List<String> subjects = log.verifier().drainFindings().stream()
                .filter(finding -> finding instanceof Verdict verdict
                        && verdict.interval().number() == 0
                        && verdict.revision() == Finding.FINAL_REVISION)
                .map(Finding::id)
                .toList();
        assertThat(subjects).as("of the first checkpoint, and of the end").hasSize(2);
        assertThat(subjects).doesNotHaveDuplicates();
    }
}
