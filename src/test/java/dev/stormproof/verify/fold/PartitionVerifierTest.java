package dev.stormproof.verify.fold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.testing.DrawnLog;
import dev.stormproof.testing.SimulatedEmitter;
import dev.stormproof.testing.StreamRecords;
import java.util.Collections;
import java.util.List;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a whole verifier says of small logs, faultless and faulty, of which every record is delivered. */
class PartitionVerifierTest {
    private static List<String> verify(String drawing) {
        return DrawnLog.of(drawing).verify().findings();
    }

    private static List<String> verify(DrawnLog log, List<String> records) {
        return log.append(records).verify().findings();
    }

    private static List<String> violated(List<String> findings) {
        return findings.stream()
                .filter(finding -> finding.startsWith("Violated"))
                .toList();
    }

    private static void move(List<String> records, int from, int to) {
        records.add(to, records.remove(from));
    }

    @ParameterizedTest
    @EnumSource(names = {"XXH3", "SHA256"})
    void aFaultlessStreamIsVerifiedAtFirstSight(TreeHash treeHash) {
        // #0 #1 e0 #2 e1 e2 #3 …   ► Verified 0, 1, 2, 3, 4
        SimulatedEmitter emitter = new SimulatedEmitter(StreamRecords.ALICE.stream(), treeHash, false);
        DrawnLog log = DrawnLog.of("").append(emitter.checkpoint());
        for (int size : new int[] {0, 1, 2, 7}) {
            for (int i = 0; i < size; i++) {
                log.append(emitter.event());
            }
            log.append(emitter.checkpoint());
        }
        assertThat(log.verify().findings())
                .containsExactly("Verified 0", "Verified 1", "Verified 2", "Verified 3", "Verified 4");
    }

    @Test
    void aLostEventIsNamedProvisionallyAndThenFinally() {
        // #0 e0 #1 e2 e3 #2   with e1 lost
        assertThat(verify("#0 e0 #1 e2 e3 #2"))
                .containsExactly("Verified 0", "Violated 1? LOST 1..2", "Verified 2", "Violated 1: LOST 1..2");
    }

    @Test
    void theLastEventBeforeTheCloseIsLostForGood() {
        // #0 e0 #1.   with e1 lost
        assertThat(verify("#0 e0 #1.")).containsExactly("Verified 0", "Violated 1: LOST 1..2");
    }

    @Test
    void neighbouringLossesAreOneRange() {
        // #0 e0 e4 e5 #1.   with e1 e2 e3 lost
        DrawnLog log = DrawnLog.intervals(6).append("#0 e0 e4 e5 #1.").verify();
        assertThat(log.findings()).containsExactly("Verified 0", "Violated 1: LOST 1..4");
    }

    @Test
    void aDuplicateIsNamedWithTheNumberOfItsCopies() {
        // #0 e0 e1 e1 e2 e1 #1.
        DrawnLog log = DrawnLog.intervals(3).append("#0 e0 e1 e1 e2 e1 #1.").verify();
        assertThat(log.findings()).containsExactly("Verified 0", "Violated 1: DUPLICATED 1..2 x3");
    }

    @Test
    void aCopyInTheNextIntervalIsADuplicate() {
        // #0 e0 e1 #1 e2 e1 e3 #2.
        assertThat(verify("#0 e0 e1 #1 e2 e1 e3 #2."))
                .containsExactly("Verified 0", "Verified 1", "Violated 2: DUPLICATED 1..2");
    }

    @Test
    void aCopyManyIntervalsLaterIsADuplicate() {
        // #0 e0 e1 #1 … #6 e12 e1 e13 #7.
        List<String> records = DrawnLog.intervals(2, 2, 2, 2, 2, 2, 2).faultless();
        records.add(20, "e1");
        assertThat(violated(verify(DrawnLog.intervals(2, 2, 2, 2, 2, 2, 2), records)))
                .containsExactly("Violated 7: DUPLICATED 1..2");
    }

    @Test
    void aSwapNamesOneOfTheTwo() {
        // #0 e1 e0 #1.
        assertThat(verify("#0 e1 e0 #1.")).last().asString().matches("Violated 1: REORDERED \\d\\.\\.\\d");
    }

    @Test
    void aMovedEventAloneIsNamed() {
        // #0 e0 e2 e3 e4 e1 #1.
        DrawnLog log = DrawnLog.intervals(5).append("#0 e0 e2 e3 e4 e1 #1.").verify();
        assertThat(log.findings()).containsExactly("Verified 0", "Violated 1: REORDERED 1..2");
    }

    @Test
    void anEventMovedAcrossACheckpointIsNamedOnceAndNotLost() {
        // #0 e0 #1 e2 e1 e3 #2.
        assertThat(verify("#0 e0 #1 e2 e1 e3 #2."))
                .filteredOn(finding -> !finding.contains("?"))
                .containsExactly("Verified 0", "Violated 1: REORDERED 1..2", "Violated 2: REORDERED 1..2");
    }

    @Test
    void anEventMovedAheadOfItsCheckpointIsNamedOnce() {
        // #0 e0 e3 e1 #1 e2 #2.
        assertThat(violated(verify("#0 e0 e3 e1 #1 e2 #2.")))
                .filteredOn(finding -> !finding.contains("?"))
                .containsExactly("Violated 1: REORDERED 3..4", "Violated 2: REORDERED 3..4");
    }

    @Test
    void anEventMovedIntoAnIntervalOfNoEventsIsNamed() {
        // #0 e0 #1 e1 #2 e2 e3 #3.   with interval 2 of no event
        DrawnLog log =
                DrawnLog.intervals(2, 0, 2).append("#0 e0 #1 e1 #2 e2 e3 #3.").verify();
        assertThat(violated(log.findings()))
                .filteredOn(finding -> !finding.contains("?"))
                .containsExactlyInAnyOrder("Violated 1: REORDERED 1..2", "Violated 2: REORDERED 1..2");
    }

    @Test
    void anAlteredValueWithItsHeaderIntactIsNamed() {
        // #0 ~e0 e1 #1.
        assertThat(verify("#0 ~e0 e1 #1.")).containsExactly("Verified 0", "Violated 1: ALTERED 0..1");
    }

    @Test
    void anAlteredValueWithAMatchingHeaderIsNamedByTheLeaves() {
        // #0 e0 ^e1 #1.
        assertThat(verify("#0 e0 ^e1 #1.")).containsExactly("Verified 0", "Violated 1: ALTERED 1..2");
    }

    @Test
    void withoutLeavesSuchAnAlterationHasARange() {
        // #0 e0 ^e1 #1.   of an emitter that states the root alone
        SimulatedEmitter rootOnly = new SimulatedEmitter(StreamRecords.ALICE.stream(), TreeHash.XXH3, false);
        DrawnLog log = DrawnLog.of("").append(rootOnly.checkpoint()).append(rootOnly.event());
        rootOnly.event();
        log.append(offset -> StreamRecords.ALICE.forged(offset, 1)).append(rootOnly.closing());
        assertThat(log.verify().findings()).containsExactly("Verified 0", "Violated 1: UNLOCATED 0..2");
    }

    @Test
    void twoEventsOfEqualValueCannotStandInForEachOther() {
        // #0 e1 e0 #1.   with two equal values
        SimulatedEmitter emitter = new SimulatedEmitter(StreamRecords.ALICE.stream(), TreeHash.XXH3, true);
        DrawnLog log = DrawnLog.of("").append(emitter.checkpoint());
        byte[] same = {1, 2, 3};
        LongFunction<Event> first = emitter.eventOf(same);
        LongFunction<Event> second = emitter.eventOf(same);
        log.append(second).append(first).append(emitter.closing());
        assertThat(log.verify().findings()).last().asString().startsWith("Violated 1: REORDERED");
    }

    @Test
    void anEventLostTogetherWithItsCheckpointIsNamedByTheGapInSequences() {
        // #0 e0 e1 #1 e2 e4 e5 #3.   with e3 #2 lost
        assertThat(verify("#0 e0 e1 #1 e2 e4 e5 #3."))
                .containsExactly("Verified 0", "Verified 1", "Violated 3: CHECKPOINT_LOST 2..3, LOST 3..4");
    }

    @Test
    void aForeignEventOfNoSequenceOfTheStreamIsNamed() {
        // #0 e0 e99 e1 #1.
        assertThat(verify("#0 e0 e99 e1 #1.")).containsExactly("Verified 0", "Violated 1: FOREIGN 99..100");
    }

    @Test
    void aRecordOfNoStreamIsNamedAndDisturbsNobody() {
        // #0 e0 x e1 #1.
        assertThat(verify("#0 e0 x e1 #1.")).containsExactly("Verified 0", "UNSIGNED @2", "Verified 1");
    }

    @Test
    void severalEmittersShareAPartition() {
        // #0 b#0 e0 be0 e1 #1 e2 e3 be1 b#1. #2.   ► each by itself
        assertThat(verify("#0 b#0 e0 be0 e1 #1 e2 be1 b#1. e3 #2."))
                .containsExactly("Verified 0", "Verified b0", "Verified 1", "Verified b1", "Verified 2");
    }

    @Test
    void aLossOfOneEmitterIsNoOthers() {
        // #0 b#0 e0 be0 #1. be1 b#1.   with e1 lost
        assertThat(verify("#0 b#0 e0 be0 #1. be1 b#1."))
                .containsExactly("Verified 0", "Verified b0", "Violated 1: LOST 1..2", "Verified b1");
    }

    @Test
    void everyKindOfFaultAtOnceIsNamedAndNoneOther() {
        // three intervals of forty events: e19 lost, e48 twice, e68 moved, e107 altered
        List<String> records = DrawnLog.intervals(40, 40, 40).faultless();
        records.set(110, "~" + records.get(110));
        move(records, 70, 75);
        records.add(50, records.get(49));
        records.remove(20);
        assertThat(violated(verify(DrawnLog.intervals(40, 40, 40), records)))
                .filteredOn(finding -> !finding.contains("?"))
                .containsExactlyInAnyOrder(
                        "Violated 1: LOST 19..20",
                        "Violated 2: DUPLICATED 47..48, REORDERED 68..69",
                        "Violated 3: ALTERED 107..108");
    }

    @Test
    void aDamagedCopyAstrayIsForeignIfItIsNotTheOnlyOne() {
        // #0 e0 ~e3 e1 #1 e2 ~e3 #2.
        assertThat(violated(verify("#0 e0 ~e3 e1 #1 e2 ~e3 #2.")))
                .filteredOn(finding -> !finding.contains("?"))
                .containsExactly("Violated 1: FOREIGN 3..4", "Violated 2: ALTERED 3..4");
    }

    @Test
    void aDamagedEventAstrayIsAltered() {
        // #0 e0 ~e3 e1 #1 e2 #2.
        assertThat(violated(verify("#0 e0 ~e3 e1 #1 e2 #2.")))
                .filteredOn(finding -> !finding.contains("?"))
                .allMatch(finding -> finding.endsWith(": ALTERED 3..4"))
                .isNotEmpty();
    }

    @Test
    void anAlteredEventWhoseGenuineCopyComesInTheNextIntervalIsReordered() {
        // #0 e0 ~e1 #1 e2 e1 e3 #2.
        assertThat(violated(verify("#0 e0 ~e1 #1 e2 e1 e3 #2.")))
                .filteredOn(finding -> !finding.contains("?"))
                .anyMatch(finding -> finding.contains("REORDERED 1..2"))
                .anyMatch(finding -> finding.contains("FOREIGN 1..2"));
    }

    @Test
    void whatACheckpointCallsUncertainIsNotHeldAgainstItForAnothersWord() {
        // #0 ^e0 #1 #1   the second one states e0 as uncertain   ► ALTERED by the first, Verified by the second
        SimulatedEmitter sealing = new SimulatedEmitter(StreamRecords.ALICE.stream(), TreeHash.XXH3, true);
        SimulatedEmitter doubting = new SimulatedEmitter(StreamRecords.ALICE.stream(), TreeHash.XXH3, true);
        DrawnLog log = DrawnLog.of("").append(sealing.checkpoint());
        doubting.checkpoint();
        sealing.event();
        log.append(offset -> StreamRecords.ALICE.forged(offset, 0)).append(sealing.checkpoint());
        log.append(doubting.checkpoint(true, List.of(new SequenceRange(0, 1))));
        assertThat(log.verify().findings())
                .containsExactlyInAnyOrder(
                        "Verified 0", "Violated 1? ALTERED 0..1", "Violated 1: ALTERED 0..1", "UNCERTAIN 1");
    }

    @Test
    void nothingIsFoundTwice() {
        // #0 e0 #1 e2 e3 #2   with e1 lost   ► each finding drained once
        DrawnLog log = DrawnLog.of("#0 e0 #1 e2 e3 #2").verify();
        assertThat(log.findings()).hasSize(4);
        assertThat(log.findings()).isEqualTo(Collections.emptyList());
        assertThat(log.verifier().undecided()).isZero();
    }
}
