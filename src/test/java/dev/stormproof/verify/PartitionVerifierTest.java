package dev.stormproof.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.Event;
import dev.stormproof.checkpoint.LogRecord;
import dev.stormproof.checkpoint.SequenceRange;
import dev.stormproof.checkpoint.StreamId;
import dev.stormproof.checkpoint.UnattributedRecord;
import dev.stormproof.judge.Anomaly;
import dev.stormproof.judge.Finding;
import dev.stormproof.judge.SealedInterval;
import dev.stormproof.judge.Unattributed;
import dev.stormproof.judge.Verdict.Inconclusive;
import dev.stormproof.judge.Verdict.Verified;
import dev.stormproof.judge.Verdict.Violated;
import dev.stormproof.merkle.Hash;
import dev.stormproof.merkle.TreeHash;
import dev.stormproof.sim.SimulatedEmitter;
import dev.stormproof.sim.SimulatedLog;
import dev.stormproof.sim.Verification;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a whole verifier says of small logs, faultless and faulty. */
class PartitionVerifierTest {
    private static final StreamId STREAM = new StreamId("orders", 0, 0xA11CE);

    private final SimulatedEmitter emitter = new SimulatedEmitter(STREAM, TreeHash.XXH3, true);

    /** The records of a stream before they get their offsets: checkpoint 0, then intervals of the given sizes. */
    private List<LongFunction<? extends LogRecord>> stream(int... sizes) {
        List<LongFunction<? extends LogRecord>> records = new ArrayList<>();
        records.add(emitter.checkpoint());
        for (int i = 0; i < sizes.length; i++) {
            for (int event = 0; event < sizes[i]; event++) {
                records.add(emitter.event());
            }
            records.add(i == sizes.length - 1 ? emitter.closing() : emitter.checkpoint());
        }
        return records;
    }

    private static SimulatedLog logOf(List<LongFunction<? extends LogRecord>> records) {
        SimulatedLog log = new SimulatedLog();
        records.forEach(log::append);
        return log;
    }

    private static List<Finding> verify(List<LongFunction<? extends LogRecord>> records) {
        return new Verification(logOf(records), "orders", 0).readAll();
    }

    /** What was named in the end, each thing once: kind and sequences. */
    private static List<String> named(List<Finding> findings) {
        Map<SealedInterval, Violated> last = new LinkedHashMap<>();
        for (Finding finding : findings) {
            if (finding instanceof Violated violated) {
                Violated earlier = last.put(violated.interval(), violated);
                assertThat(earlier == null || earlier.revision() < violated.revision())
                        .as("each revision once")
                        .isTrue();
            }
        }
        assertThat(last.values()).noneMatch(Violated::provisional);
        return last.values().stream()
                .flatMap(violated -> violated.anomalies().stream())
                .map(anomaly -> anomaly.kind() + " " + anomaly.begin() + ".." + anomaly.end())
                .distinct()
                .toList();
    }

    private static long verified(List<Finding> findings) {
        return findings.stream().filter(Verified.class::isInstance).count();
    }

    private static <T> void move(List<T> list, int from, int to) {
        list.add(to, list.remove(from));
    }

    /** The record, with another value under the same header. */
    private static LongFunction<Event> altered(LongFunction<? extends LogRecord> record) {
        return offset -> {
            Event event = (Event) record.apply(offset);
            Hash other = Hash.copyOf(new byte[32]);
            return new Event(offset, event.emitter(), event.sequence(), event.treeHash(), event.stated(), other);
        };
    }

    @ParameterizedTest
    @EnumSource(names = {"XXH3", "SHA256"})
    void aFaultlessStreamIsVerifiedAtFirstSight(TreeHash treeHash) {
        SimulatedEmitter other = new SimulatedEmitter(STREAM, treeHash, false);
        SimulatedLog log = new SimulatedLog();
        log.append(other.checkpoint());
        for (int size : new int[] {0, 1, 2, 7}) {
            for (int i = 0; i < size; i++) {
                log.append(other.event());
            }
            log.append(other.checkpoint());
        }

        List<Finding> findings = new Verification(log, "orders", 0).readAll();

        assertThat(findings)
                .hasSize(5)
                .allSatisfy(finding -> assertThat(((Verified) finding).basis()).isEqualTo(Verified.Basis.MATCH));
    }

    @Test
    void aCheckpointThatMatchesBehindItsSuccessorIsLate() {
        List<LongFunction<? extends LogRecord>> records = stream(1, 0, 0);
        move(records, 4, 2);
        List<Finding> findings = verify(records);
        assertThat(findings)
                .filteredOn(Unattributed.class::isInstance)
                .extracting(stray -> ((Unattributed) stray).kind())
                .containsExactly(UnattributedRecord.Kind.LATE_CHECKPOINT);
        assertThat(findings)
                .filteredOn(Verified.class::isInstance)
                .extracting(verified -> ((Verified) verified).interval().number())
                .containsExactlyInAnyOrder(0L, 1L);
    }

    @Test
    void transactionMarkersAreNoHoles() {
        SimulatedLog log = new SimulatedLog();
        for (LongFunction<? extends LogRecord> record : stream(3, 3)) {
            log.append(record);
            log.appendMarker();
        }
        List<Finding> findings = new Verification(log, "orders", 0).readAll();
        assertThat(findings)
                .hasSize(3)
                .allSatisfy(finding -> assertThat(((Verified) finding).basis()).isEqualTo(Verified.Basis.MATCH));
    }

    @Test
    void aLostEventIsNamedProvisionallyAndThenFinally() {
        List<LongFunction<? extends LogRecord>> records = stream(5, 5);
        records.remove(3);
        List<Finding> findings = verify(records);
        assertThat(findings)
                .filteredOn(Violated.class::isInstance)
                .extracting(finding -> ((Violated) finding).provisional())
                .containsExactly(true, false);
        assertThat(named(findings)).containsExactly("LOST 2..3");
        assertThat(verified(findings)).isEqualTo(2);
    }

    @Test
    void theLastEventBeforeTheCloseIsLostForGood() {
        List<LongFunction<? extends LogRecord>> records = stream(5);
        records.remove(5);
        assertThat(named(verify(records))).containsExactly("LOST 4..5");
    }

    @Test
    void neighbouringLossesAreOneRange() {
        List<LongFunction<? extends LogRecord>> records = stream(6, 1);
        records.subList(2, 5).clear();
        assertThat(named(verify(records))).containsExactly("LOST 1..4");
    }

    @Test
    void aDuplicateIsNamedWithTheNumberOfItsCopies() {
        List<LongFunction<? extends LogRecord>> records = stream(5, 5);
        records.add(4, records.get(3));
        records.add(6, records.get(3));
        List<Finding> findings = verify(records);
        assertThat(named(findings)).containsExactly("DUPLICATED 2..3");
        assertThat(findings)
                .filteredOn(Violated.class::isInstance)
                .flatExtracting(finding -> ((Violated) finding).anomalies())
                .extracting(Anomaly::copies)
                .containsExactly(3);
    }

    @Test
    void aCopyInTheNextIntervalIsADuplicate() {
        List<LongFunction<? extends LogRecord>> records = stream(5, 5);
        records.add(9, records.get(5));
        List<Finding> findings = verify(records);
        assertThat(named(findings)).containsExactly("DUPLICATED 4..5");
        assertThat(verified(findings)).isEqualTo(2);
    }

    @Test
    void aCopyManyIntervalsLaterIsADuplicate() {
        List<LongFunction<? extends LogRecord>> records = stream(2, 2, 2, 2, 2, 2, 2);
        records.add(20, records.get(2));
        assertThat(named(verify(records))).containsExactly("DUPLICATED 1..2");
    }

    @Test
    void aSwapNamesOneOfTheTwo() {
        List<LongFunction<? extends LogRecord>> records = stream(5, 5);
        move(records, 3, 4);
        assertThat(named(verify(records))).hasSize(1).first().asString().startsWith("REORDERED");
    }

    @Test
    void aMovedEventAloneIsNamed() {
        List<LongFunction<? extends LogRecord>> records = stream(6, 5);
        move(records, 2, 5);
        assertThat(named(verify(records))).containsExactly("REORDERED 1..2");
    }

    @Test
    void anEventMovedAcrossACheckpointIsNamedOnceAndNotLost() {
        List<LongFunction<? extends LogRecord>> records = stream(5, 5);
        move(records, 5, 7);
        List<Finding> findings = verify(records);
        assertThat(named(findings)).containsExactly("REORDERED 4..5");
        assertThat(verified(findings)).isEqualTo(1);
    }

    @Test
    void anEventMovedAheadOfItsCheckpointIsNamedOnce() {
        List<LongFunction<? extends LogRecord>> records = stream(5, 5);
        move(records, 7, 3);
        assertThat(named(verify(records))).containsExactly("REORDERED 5..6");
    }

    @Test
    void anEventMovedIntoAnIntervalOfNoEventsIsNamed() {
        List<LongFunction<? extends LogRecord>> records = stream(3, 0, 3);
        move(records, 3, 4);
        assertThat(named(verify(records))).containsExactly("REORDERED 2..3");
    }

    @Test
    void anAlteredValueWithItsHeaderIntactIsNamed() {
        List<LongFunction<? extends LogRecord>> records = stream(1, 5);
        records.set(1, altered(records.get(1)));
        records.set(7, altered(records.get(7)));
        assertThat(named(verify(records))).containsExactly("ALTERED 0..1", "ALTERED 5..6");
    }

    @Test
    void anAlteredValueWithAMatchingHeaderIsNamedByTheLeaves() {
        List<LongFunction<? extends LogRecord>> records = stream(5);
        LongFunction<? extends LogRecord> original = records.get(2);
        Hash other = Hash.copyOf(new byte[32]);
        records.set(2, offset -> {
            Event event = (Event) original.apply(offset);
            return new Event(offset, event.emitter(), event.sequence(), event.treeHash(), other, other);
        });
        assertThat(named(verify(records))).containsExactly("ALTERED 1..2");
    }

    @Test
    void withoutLeavesSuchAnAlterationHasARange() {
        SimulatedEmitter rootOnly = new SimulatedEmitter(STREAM, TreeHash.XXH3, false);
        SimulatedLog log = new SimulatedLog();
        log.append(rootOnly.checkpoint());
        log.append(rootOnly.event());
        LongFunction<Event> second = rootOnly.event();
        Hash other = Hash.copyOf(new byte[32]);
        log.append(offset -> new Event(offset, STREAM.emitter(), 1, TreeHash.XXH3, other, other));
        log.append(rootOnly.closing());
        assertThat(second.apply(0).sequence()).isEqualTo(1);
        assertThat(named(new Verification(log, "orders", 0).readAll())).containsExactly("UNLOCATED 0..2");
    }

    @Test
    void twoEventsOfEqualValueCannotStandInForEachOther() {
        SimulatedLog log = new SimulatedLog();
        log.append(emitter.checkpoint());
        byte[] same = {1, 2, 3};
        LongFunction<Event> first = emitter.eventOf(same);
        LongFunction<Event> second = emitter.eventOf(same);
        log.append(second);
        log.append(first);
        log.append(emitter.closing());
        assertThat(named(new Verification(log, "orders", 0).readAll()))
                .hasSize(1)
                .first()
                .asString()
                .startsWith("REORDERED");
    }

    @Test
    void aLostCheckpointIsNamed() {
        List<LongFunction<? extends LogRecord>> records = stream(3, 3, 3);
        records.remove(8);
        assertThat(named(verify(records))).containsExactly("CHECKPOINT_LOST 2..3");
    }

    @Test
    void anEventLostTogetherWithItsCheckpointIsNamedByTheGapInSequences() {
        List<LongFunction<? extends LogRecord>> records = stream(3, 3, 3);
        records.remove(8);
        records.remove(6);
        assertThat(named(verify(records))).containsExactlyInAnyOrder("CHECKPOINT_LOST 2..3", "LOST 4..5");
    }

    @Test
    void anIntervalLostWithItsCheckpointIsMissedThoughTheNextOneFits() {
        List<LongFunction<? extends LogRecord>> records = stream(3, 3, 3);
        records.subList(5, 9).clear();
        assertThat(named(verify(records))).containsExactlyInAnyOrder("CHECKPOINT_LOST 2..3", "LOST 3..6");
    }

    @Test
    void aRepeatedCheckpointIsAStrayAndSealsNothing() {
        List<LongFunction<? extends LogRecord>> records = stream(3, 3);
        records.add(6, records.get(4));
        SimulatedLog log = logOf(records);
        List<Finding> findings = new Verification(log, "orders", 0).readAll();
        assertThat(findings)
                .filteredOn(Unattributed.class::isInstance)
                .extracting(finding -> ((Unattributed) finding).kind())
                .containsExactly(UnattributedRecord.Kind.REPEATED_CHECKPOINT);
        assertThat(verified(findings)).isEqualTo(3);
    }

    @Test
    void aRepeatedCheckpointIsAStrayEvenIfItIsTheFirstRecordSeen() {
        List<LongFunction<? extends LogRecord>> records = stream(3, 3);
        records.add(6, records.get(4));
        SimulatedLog log = logOf(records);
        List<Finding> findings = new Verification(log, "orders", 0).read(6, log.endOffset(), offset -> false);
        assertThat(findings)
                .filteredOn(Unattributed.class::isInstance)
                .extracting(finding -> ((Unattributed) finding).offset())
                .containsExactly(6L);
        assertThat(findings).noneMatch(Violated.class::isInstance);
    }

    @Test
    void aDuplicateInTheLogThatIsLostInTransitIsStillFound() {
        List<LongFunction<? extends LogRecord>> records = stream(5, 5);
        records.add(4, records.get(3));
        SimulatedLog log = logOf(records);
        List<Finding> findings = new Verification(log, "orders", 0).read(0, log.endOffset(), offset -> offset == 4);
        assertThat(named(findings)).containsExactly("DUPLICATED 2..3");
    }

    @Test
    void aLossInTransitIsNoViolation() {
        SimulatedLog log = logOf(stream(5, 5));
        List<Finding> findings = new Verification(log, "orders", 0).read(0, log.endOffset(), offset -> offset == 3);
        assertThat(findings).hasSize(3).allMatch(Verified.class::isInstance);
        assertThat(findings)
                .extracting(finding -> ((Verified) finding).basis())
                .containsExactly(Verified.Basis.MATCH, Verified.Basis.LOG, Verified.Basis.MATCH);
    }

    @Test
    void aCheckpointLostInTransitIsReadFromTheLog() {
        List<LongFunction<? extends LogRecord>> records = stream(3, 3, 3);
        records.remove(6);
        SimulatedLog log = logOf(records);
        List<Finding> findings = new Verification(log, "orders", 0).read(0, log.endOffset(), offset -> offset == 7);
        assertThat(named(findings)).containsExactly("LOST 4..5");
        assertThat(verified(findings)).isEqualTo(3);
    }

    @Test
    void replaysChangeNothing() {
        SimulatedLog log = logOf(stream(5, 5));
        Verification verification = new Verification(log, "orders", 0);
        verification.read(0, 9, offset -> false);
        verification.read(2, 5, offset -> false);
        List<Finding> findings = verification.read(1, log.endOffset(), offset -> false);
        assertThat(findings).hasSize(3).allMatch(Verified.class::isInstance);
    }

    @Test
    void aLossAndAReplayThatUndoAReorderDoNotHideIt() {
        List<LongFunction<? extends LogRecord>> records = stream(5);
        move(records, 3, 4);
        SimulatedLog log = logOf(records);
        Verification verification = new Verification(log, "orders", 0);
        verification.read(0, 5, offset -> offset == 3);
        verification.read(3, 4, offset -> false);
        List<Finding> findings = verification.read(5, log.endOffset(), offset -> false);
        assertThat(named(findings)).hasSize(1).first().asString().startsWith("REORDERED");
    }

    @Test
    void aRestartInMidStreamVerifiesTheFirstIntervalFromTheLog() {
        SimulatedLog log = logOf(stream(5, 5, 5));
        List<Finding> findings = new Verification(log, "orders", 0).read(9, log.endOffset(), offset -> false);
        assertThat(findings)
                .extracting(finding -> ((Verified) finding).basis())
                .containsExactly(Verified.Basis.LOG, Verified.Basis.MATCH);
    }

    @Test
    void anIntervalWhoseBeginningExpiredIsInconclusive() {
        SimulatedLog log = logOf(stream(5, 5, 5));
        log.expireBefore(9);
        List<Finding> findings = new Verification(log, "orders", 0).readAll();
        assertThat(findings.get(0)).isInstanceOf(Inconclusive.class);
        assertThat(((Inconclusive) findings.get(0)).reason()).isEqualTo(Inconclusive.Reason.EXPIRED);
        assertThat(findings.get(1)).isInstanceOf(Verified.class);
    }

    @Test
    void anExpiredPredecessorSpoilsNothing() {
        SimulatedLog log = logOf(stream(5, 5, 5));
        log.expireBefore(7);
        List<Finding> findings = new Verification(log, "orders", 0).readAll();
        assertThat(findings).hasSize(2).allMatch(Verified.class::isInstance);
    }

    @Test
    void truncationThatRewritesOffsetsIsFoundOut() {
        List<LongFunction<? extends LogRecord>> records = stream(6);
        SimulatedLog log = new SimulatedLog();
        records.subList(0, 6).forEach(log::append);
        Verification verification = new Verification(log, "orders", 0);
        verification.readAll();
        log.truncate(5);
        log.append(offset -> new UnattributedRecord(offset, UnattributedRecord.Kind.UNSIGNED, "somebody else"));
        records.subList(6, 8).forEach(log::append);
        List<Finding> findings = verification.read(6, log.endOffset(), offset -> false);
        assertThat(named(findings)).containsExactly("LOST 4..5");
    }

    @Test
    void progressNeverPassesAnUndecidedInterval() {
        List<LongFunction<? extends LogRecord>> records = stream(5, 5, 2);
        records.remove(3);
        SimulatedLog log = logOf(records);
        Verification verification = new Verification(log, "orders", 0);
        verification.read(0, 4, offset -> false);
        assertThat(verification.verifier().progressOffset()).isEqualTo(1);
        verification.read(4, 8, offset -> false);
        assertThat(verification.verifier().progressOffset()).as("provisional").isEqualTo(1);
        verification.read(8, 12, offset -> false);
        assertThat(verification.verifier().progressOffset()).as("final").isEqualTo(12);
        verification.read(12, log.endOffset(), offset -> false);
        assertThat(verification.verifier().progressOffset()).isEqualTo(log.endOffset());
    }

    @Test
    void aForeignEventOfNoSequenceOfTheStreamIsNamed() {
        List<LongFunction<? extends LogRecord>> records = stream(3);
        Hash hash = Hash.copyOf(new byte[32]);
        records.add(2, offset -> new Event(offset, STREAM.emitter(), 99, TreeHash.XXH3, hash, hash));
        assertThat(named(verify(records))).containsExactly("FOREIGN 99..100");
    }

    @Test
    void severalEmittersShareAPartition() {
        SimulatedEmitter second = new SimulatedEmitter(new StreamId("orders", 0, 0xB0B), TreeHash.SHA256, true);
        SimulatedLog log = new SimulatedLog();
        log.append(emitter.checkpoint());
        log.append(second.checkpoint());
        for (int i = 0; i < 20; i++) {
            log.append(emitter.event());
            LongFunction<Event> event = second.event();
            if (i != 7) {
                log.append(event);
            }
            if (i % 5 == 4) {
                log.append(emitter.checkpoint());
            }
        }
        CheckpointRecord last = log.append(second.closing());
        List<Finding> findings = new Verification(log, "orders", 0).readAll();
        assertThat(named(findings)).containsExactly("LOST 7..8");
        assertThat(verified(findings)).isEqualTo(6);
        assertThat(last.offset()).isEqualTo(log.endOffset() - 1);
    }

    @Test
    void everyKindOfFaultAtOnceIsNamedAndNoneOther() {
        List<LongFunction<? extends LogRecord>> records = stream(40, 40, 40);
        records.set(110, altered(records.get(110)));
        move(records, 70, 75);
        records.add(50, records.get(49));
        records.remove(20);
        assertThat(named(verify(records)))
                .containsExactlyInAnyOrder("LOST 19..20", "DUPLICATED 47..48", "REORDERED 68..69", "ALTERED 107..108");
    }

    @Test
    void aDamagedCopyAstrayIsForeignIfItIsNotTheOnlyOne() {
        List<LongFunction<? extends LogRecord>> records = stream(4, 4, 4);
        records.set(8, altered(records.get(8)));
        records.add(3, records.get(8));
        assertThat(named(verify(records))).containsExactlyInAnyOrder("ALTERED 6..7", "FOREIGN 6..7");
    }

    @Test
    void aDamagedEventAstrayIsAltered() {
        List<LongFunction<? extends LogRecord>> records = stream(4, 4, 4);
        records.set(8, altered(records.get(8)));
        move(records, 8, 3);
        assertThat(named(verify(records))).containsExactly("ALTERED 6..7");
    }

    @Test
    void anAlteredEventWhoseGenuineCopyComesInTheNextIntervalIsReordered() {
        List<LongFunction<? extends LogRecord>> records = stream(4, 4);
        LongFunction<? extends LogRecord> genuine = records.get(3);
        records.set(3, altered(genuine));
        records.add(7, genuine);
        assertThat(named(verify(records))).containsExactlyInAnyOrder("REORDERED 2..3", "FOREIGN 2..3");
    }

    @Test
    void whatACheckpointCallsUncertainIsNotHeldAgainstItForAnothersWord() {
        SimulatedEmitter sealing = new SimulatedEmitter(STREAM, TreeHash.XXH3, true);
        SimulatedEmitter doubting = new SimulatedEmitter(STREAM, TreeHash.XXH3, true);
        SimulatedLog log = new SimulatedLog();
        log.append(sealing.checkpoint());
        doubting.checkpoint();
        Hash other = Hash.copyOf(new byte[32]);
        sealing.event();
        log.append(offset -> new Event(offset, STREAM.emitter(), 0, TreeHash.XXH3, other, other));
        log.append(sealing.checkpoint());
        log.append(doubting.checkpoint(true, List.of(new SequenceRange(0, 1))));
        List<Finding> findings = new Verification(log, "orders", 0).readAll();
        assertThat(named(findings)).containsExactly("ALTERED 0..1");
        assertThat(findings)
                .filteredOn(finding -> finding.anchorOffset() == 3)
                .allMatch(Verified.class::isInstance)
                .isNotEmpty();
    }
}
