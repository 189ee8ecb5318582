package dev.stormproof.verify.judge;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static dev.stormproof.testing.StreamRecords.otherSignature;
import static dev.stormproof.testing.StreamRecords.signature;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.testing.StreamRecords;
import dev.stormproof.verify.judge.Anomaly.Part;
import dev.stormproof.verify.judge.AnomalyClassifier.Coverage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What events are called by where they lie. The interval holds the sequences [10, 14) in the offsets (10, 20); the next
 * checkpoint lies at 30.
 */
class AnomalyClassifierTest {
    private static final int FLOOD = 40_000;

    private final CheckpointRecord target = ALICE.checkpoint(1, 10, 14).at(20);
    private final CheckpointRecord leafless =
            ALICE.checkpoint(1, 10, 14).withoutLeaves().at(20);
    private Coverage coverage = new Coverage(10, 10, 20, 30, 10, 14);

    private AnomalyClassifier naming(CheckpointRecord record, Event... events) {
        Evidence evidence = new Evidence(0, List.of(record), List.of(events));
        return new AnomalyClassifier(record.checkpoint(), evidence, coverage);
    }

    private List<String> names(CheckpointRecord record, Event... events) {
        return naming(record, events).name().stream()
                .map(anomaly -> anomaly.kind() + " " + anomaly.begin() + ".." + anomaly.end() + " @" + anomaly.offset()
                        + " x" + anomaly.copies())
                .toList();
    }

    private static Event event(long offset, long sequence) {
        return ALICE.event(offset, sequence);
    }

    /** Four events in order, then others. */
    private static Event[] allAnd(Event... others) {
        Event[] events = new Event[4 + others.length];
        for (int i = 0; i < 4; i++) {
            events[i] = event(11 + i, 10 + i);
        }
        System.arraycopy(others, 0, events, 4, others.length);
        return events;
    }

    @Test
    void whatIsInOrderHasNoName() {
        AnomalyClassifier naming = naming(target, allAnd());
        assertThat(naming.name()).isEmpty();
        assertThat(naming.unchecked()).isFalse();
    }

    @Test
    void theCheckpointsThemselvesLieOutsideOfTheWindow() {
        assertThat(names(target, event(10, 10), event(11, 11), event(19, 12), event(20, 13)))
                .containsExactly("REORDERED 10..11 @10 x1", "REORDERED 13..14 @20 x1");
    }

    /** Events of another statement, and copies, thousands each: nothing is compared with everything. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFloodOfRecordsTakesTimeByTheirNumberAlone(boolean matches) {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < FLOOD; i++) {
            long offset = 3L * i + 1;
            events.add(event(offset, 10 + i));
            events.add(ALICE.altered(offset + 1, 10L + 2 * FLOOD + i));
            events.add(event(offset + 2, 5));
        }
        long end = 4L * FLOOD;
        CheckpointRecord own = ALICE.checkpoint(1, 10, (matches ? 10 : 11) + FLOOD)
                .withoutLeaves()
                .at(end);
        for (int i = 0; i < FLOOD; i++) {
            events.add(event(end + 1 + i, 5));
        }
        coverage = new Coverage(10, 0, end, Long.MAX_VALUE, 0, 10 + 4 * FLOOD);
        Evidence evidence =
                new Evidence(0, List.of(ALICE.checkpoint(1, 10, 12).by("forged").at(0), own), events);
        List<Anomaly> named = assertTimeoutPreemptively(
                Duration.ofSeconds(60), () -> new AnomalyClassifier(own.checkpoint(), evidence, coverage).name());
        assertThat(named)
                .filteredOn(anomaly -> anomaly.kind() == Anomaly.Kind.ALTERED)
                .hasSize(FLOOD);
        assertThat(named)
                .filteredOn(anomaly -> anomaly.kind() == Anomaly.Kind.DUPLICATED)
                .singleElement()
                .satisfies(anomaly -> assertThat(anomaly.copies()).isEqualTo(2 * FLOOD));
    }

    @Test
    void ofCopiesInOrderTheSecondIsNamed() {
        assertThat(names(target, event(11, 10), event(12, 11), event(13, 11), event(14, 12), event(15, 13)))
                .containsExactly("DUPLICATED 11..12 @13 x2");
    }

    @Test
    void whatLiesBehindTheNextCheckpointDoesNotCount() {
        assertThat(names(target, event(11, 10), event(12, 11), event(13, 12), event(29, 13)))
                .containsExactly("REORDERED 13..14 @29 x1");
        assertThat(names(target, event(11, 10), event(12, 11), event(13, 12), event(30, 13)))
                .containsExactly("LOST 13..14 @-1 x0");
    }

    @Test
    void namesComeInTheOrderOfSequences() {
        assertThat(names(target, event(11, 12), ALICE.altered(12, 13), event(13, 11)))
                .containsExactly("LOST 10..11 @-1 x0", "REORDERED 12..13 @11 x1", "ALTERED 13..14 @12 x1");
    }

    @Test
    void aSingleLossStatesTheSignatureAndSeveralDoNot() {
        assertThat(naming(target, event(11, 10), event(12, 12), event(13, 13)).name())
                .extracting(Anomaly::expected)
                .containsExactly(signature(11));
        assertThat(naming(target, event(11, 10), event(12, 13)).name())
                .extracting(Anomaly::expected)
                .containsExactly(Hash.empty());
    }

    @Test
    void whatIsAlteredSaysWhatDiffers() {
        Event oldAlgorithm = StreamRecords.event(
                14,
                ALICE.stream().emitter(),
                13,
                EventSigners.SHA1,
                signature(13),
                signature(13),
                Event.Content.UNTRANSFORMED);
        Event[] altered = {
            ALICE.altered(11, 10),
            ALICE.event(12, 11, otherSignature(11), signature(11)),
            ALICE.forged(13, 12),
            oldAlgorithm
        };
        assertThat(naming(target, altered).name())
                .extracting(Anomaly::differs)
                .containsExactly(
                        List.of(Part.KEY_OR_VALUE),
                        List.of(Part.HEADER),
                        List.of(Part.HEADER, Part.KEY_OR_VALUE),
                        List.of(Part.HEADER));
        assertThat(naming(leafless, altered).name().stream()
                        .filter(anomaly -> anomaly.kind() == Anomaly.Kind.ALTERED)
                        .map(Anomaly::differs))
                .as("without leaves")
                .containsExactly(List.of(), List.of(), List.of(Part.HEADER));
    }

    @Test
    void whatIsUncertainIsNotLost() {
        CheckpointRecord uncertain = ALICE.checkpoint(1, 10, 20)
                .uncertainOf(new SequenceRange(12, 14), new SequenceRange(16, 17))
                .at(20);
        coverage = new Coverage(10, 10, 20, 30, 10, 20);
        assertThat(names(uncertain)).containsExactly("LOST 10..12 @-1 x0", "LOST 14..16 @-1 x0", "LOST 17..20 @-1 x0");
        assertThat(names(uncertain, event(11, 12), event(12, 15), event(13, 18)))
                .containsExactly(
                        "LOST 10..12 @-1 x0", "LOST 14..15 @-1 x0", "LOST 17..18 @-1 x0", "LOST 19..20 @-1 x0");
        assertThat(names(
                        uncertain,
                        event(11, 10),
                        event(12, 11),
                        event(13, 14),
                        event(14, 15),
                        event(15, 17),
                        event(16, 18),
                        event(17, 19)))
                .isEmpty();
    }

    @Test
    void anUncertainEventElsewhereHasNoName() {
        CheckpointRecord uncertain = ALICE.checkpoint(1, 10, 14)
                .uncertainOf(new SequenceRange(13, 14))
                .at(20);
        assertThat(names(uncertain, event(11, 10), event(12, 11), event(13, 12), event(25, 13)))
                .isEmpty();
    }

    @Test
    void aDamagedCopyOfAnUncertainEventIsForeignIfAGenuineOneLiesElsewhere() {
        CheckpointRecord uncertain = ALICE.checkpoint(1, 10, 14)
                .uncertainOf(new SequenceRange(13, 14))
                .at(20);
        Event damaged = ALICE.altered(14, 13);
        assertThat(names(uncertain, event(11, 10), event(12, 11), event(13, 12), damaged))
                .containsExactly("ALTERED 13..14 @14 x1");
        assertThat(names(uncertain, event(11, 10), event(12, 11), event(13, 12), damaged, event(25, 13)))
                .containsExactly("FOREIGN 13..14 @14 x1");
    }

    @Test
    void aDamagedCopyElsewhereIsNamedByTheIntervalInWhichItLies() {
        assertThat(names(
                        target,
                        ALICE.altered(11, 10),
                        event(12, 11),
                        event(13, 12),
                        event(14, 13),
                        ALICE.altered(25, 10)))
                .containsExactly("ALTERED 10..11 @11 x1");
    }

    @Test
    void whatIsDamagedAndElsewhereIsAlteredThoughAnotherIsToo() {
        assertThat(names(target, ALICE.altered(11, 10), event(12, 11), event(13, 12), ALICE.altered(25, 13)))
                .containsExactly("ALTERED 10..11 @11 x1", "ALTERED 13..14 @25 x1");
    }

    @Test
    void ofTwoDamagedTheSecondIsForeign() {
        assertThat(names(
                        target,
                        ALICE.altered(11, 10),
                        ALICE.altered(12, 10),
                        event(13, 11),
                        event(14, 12),
                        event(15, 13)))
                .containsExactly("ALTERED 10..11 @11 x1", "FOREIGN 10..11 @12 x1");
    }

    @Test
    void anEventThatCannotBeCheckedIsJudgedByWhatItsHeaderStates() {
        AnomalyClassifier asStated = naming(
                target, event(11, 10), event(12, 11), event(13, 12), ALICE.event(14, 13, signature(13), Hash.empty()));
        assertThat(asStated.name()).isEmpty();
        assertThat(asStated.unchecked()).isTrue();

        assertThat(names(
                        target,
                        event(11, 10),
                        event(12, 11),
                        event(13, 12),
                        ALICE.event(14, 13, otherSignature(13), Hash.empty())))
                .containsExactly("ALTERED 13..14 @14 x1");
    }

    @Test
    void anEventOfAnotherIntervalIsReorderedIfItsOwnPlaceCanBeRead() {
        coverage = new Coverage(10, 10, 20, 30, 8, 16);
        assertThat(names(target, allAnd(event(15, 7)))).containsExactly("OUT_OF_REACH 7..8 @15 x1");
        assertThat(names(target, allAnd(event(15, 8)))).containsExactly("REORDERED 8..9 @15 x1");
        assertThat(names(target, allAnd(event(15, 15)))).containsExactly("REORDERED 15..16 @15 x1");
        assertThat(names(target, allAnd(event(15, 16)))).containsExactly("FOREIGN 16..17 @15 x1");
    }

    @Test
    void anEventOfAnotherIntervalIsADuplicateIfItAlsoLiesElsewhere() {
        coverage = new Coverage(10, 10, 20, 30, 8, 16);
        assertThat(names(target, allAnd(event(15, 15), event(25, 15)))).containsExactly("DUPLICATED 15..16 @15 x2");
    }

    @Test
    void aDamagedEventOfAnotherIntervalIsAlteredIfItIsTheOnlyOne() {
        coverage = new Coverage(10, 10, 20, 30, 8, 16);
        assertThat(names(target, allAnd(ALICE.altered(15, 15)))).containsExactly("ALTERED 15..16 @15 x1");
        assertThat(names(target, allAnd(ALICE.altered(15, 15), event(25, 15))))
                .containsExactly("FOREIGN 15..16 @15 x1");
        assertThat(names(target, allAnd(ALICE.altered(15, 15), ALICE.altered(16, 15))))
                .containsExactly("FOREIGN 15..16 @15 x1", "FOREIGN 15..16 @16 x1");
    }

    @Test
    void anEventOfTheFutureIsReorderedUnlessTheStreamCloses() {
        AnomalyClassifier early = naming(target, allAnd(event(15, 14)));
        assertThat(early.name()).extracting(Anomaly::kind).containsExactly(Anomaly.Kind.REORDERED);

        AnomalyClassifier never = naming(ALICE.checkpoint(1, 10, 14).closing().at(20), allAnd(event(15, 14)));
        assertThat(never.name()).extracting(Anomaly::kind).containsExactly(Anomaly.Kind.FOREIGN);

        AnomalyClassifier past = naming(target, allAnd(event(15, 9)));
        assertThat(past.name()).extracting(Anomaly::kind).containsExactly(Anomaly.Kind.OUT_OF_REACH);
    }

    @Test
    void withoutLeavesAnotherContentLiesSomewhereInTheInterval() {
        assertThat(names(leafless, allAnd())).isEmpty();
        List<Anomaly> unlocated = naming(leafless, ALICE.forged(11, 10), event(12, 11), event(13, 12), event(14, 13))
                .name();
        assertThat(unlocated)
                .containsExactly(new Anomaly(
                        Anomaly.Kind.UNLOCATED,
                        ALICE.stream(),
                        10,
                        14,
                        20,
                        0,
                        leafless.checkpoint().root(),
                        Hash.empty()));
    }

    @Test
    void withoutLeavesNothingIsSaidOfContentsWhileOneIsMissing() {
        assertThat(names(leafless, ALICE.forged(11, 10), event(12, 11), event(13, 12)))
                .containsExactly("LOST 13..14 @-1 x0");
    }

    @Test
    void withoutLeavesTheContentOfAMovedEventCountsToo() {
        assertThat(names(leafless, event(11, 10), event(12, 11), event(13, 12), event(25, 13)))
                .containsExactly("REORDERED 13..14 @25 x1");
        assertThat(names(leafless, event(11, 10), event(12, 11), event(13, 12), ALICE.forged(25, 13)))
                .containsExactly("UNLOCATED 10..14 @20 x0", "REORDERED 13..14 @25 x1");
    }

    @Test
    void withoutLeavesAGenuineCopyCountsMoreThanADamagedOne() {
        Event damaged = ALICE.event(11, 10, otherSignature(10), signature(99));
        assertThat(names(leafless, damaged, event(12, 11), event(13, 12), event(14, 13), event(25, 10)))
                .containsExactly("REORDERED 10..11 @25 x1", "FOREIGN 10..11 @11 x1");
        Event later = ALICE.event(25, 10, otherSignature(10), signature(99));
        assertThat(names(leafless, allAnd(later))).isEmpty();
    }

    @Test
    void withoutLeavesTwoForgedCopiesDoNotHideEachOther() {
        assertThat(names(
                        leafless,
                        ALICE.forged(11, 10),
                        event(12, 11),
                        event(13, 12),
                        event(14, 13),
                        ALICE.forged(25, 10)))
                .containsExactly("UNLOCATED 10..14 @20 x0");
    }
}
