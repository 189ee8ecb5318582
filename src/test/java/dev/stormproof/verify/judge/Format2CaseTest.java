package dev.stormproof.verify.judge;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static dev.stormproof.testing.StreamRecords.signature;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Inconclusive.Reason;
import dev.stormproof.verify.judge.Verdict.Verified;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the judge says of one interval of format 2, by the evidence. */
class Format2CaseTest {
    private final CheckpointRecord four = ALICE.checkpoint(4, 40, 42).at(10);
    private final CheckpointRecord five =
            ALICE.checkpoint(5, 42, 44).after(four).at(20);
    private final CheckpointRecord six = ALICE.checkpoint(6, 44, 46).after(five).at(30);
    private final Event[] events = {ALICE.event(11, 42), ALICE.event(12, 43)};

    private long beginOffset = 5;
    private boolean fromLogStart;
    private Evidence.Extent extent = Evidence.Extent.WHOLE;

    private static CheckpointRecord again(CheckpointRecord record, long offset) {
        return new CheckpointRecord(offset, record.checkpoint(), record.chainHash(), LogRecord.NO_TIME);
    }

    private Finding judge(CheckpointRecord target, boolean last, List<CheckpointRecord> checkpoints, Event... found) {
        Evidence evidence = new Evidence(beginOffset, 50, fromLogStart, checkpoints, List.of(found)).with(extent);
        return new Format2Case(IntervalId.of(target), target, evidence).judge(last);
    }

    private List<String> names(CheckpointRecord target, List<CheckpointRecord> checkpoints, Event... found) {
        return ((Violated) judge(target, false, checkpoints, found))
                .anomalies().stream()
                        .map(anomaly -> anomaly.kind() + " " + anomaly.begin() + ".." + anomaly.end())
                        .toList();
    }

    private Event[] eventsAnd(Event other) {
        return new Event[] {events[0], events[1], other};
    }

    @Test
    void whatTheLogHoldsAsStatedIsVerified() {
        assertThat(judge(five, false, List.of(four, five), events))
                .isEqualTo(new Verified(IntervalId.of(five), Verified.Basis.LOG, 11));
    }

    @Test
    void behindAClosingCheckpointWhatItCallsUncertainMayStillArriveAndNothingElse() {
        CheckpointRecord end = ALICE.checkpoint(5, 42, 44)
                .after(four)
                .closing()
                .uncertainOf(new SequenceRange(43, 44))
                .at(20);
        Event stated = ALICE.event(11, 42);
        assertThat(Format2Case.ofTail(
                        IntervalId.of(end),
                        end,
                        new Evidence(5, 50, false, List.of(four, end), List.of(stated, ALICE.event(25, 43)))))
                .isEmpty();
        assertThat(Format2Case.ofTail(
                        IntervalId.of(end),
                        end,
                        new Evidence(5, 50, false, List.of(four, end), List.of(stated, ALICE.event(25, 42)))))
                .hasValueSatisfying(violated -> assertThat(violated.anomalies())
                        .extracting(Anomaly::kind, Anomaly::begin)
                        .containsExactly(tuple(Anomaly.Kind.DUPLICATED, 42L)));
    }

    @Test
    void whatLiesBehindAClosingCheckpointIsCountedInTheLogHoweverMuchOfItTheReaderSaw() {
        CheckpointRecord end = ALICE.checkpoint(5, 42, 44).after(four).closing().at(20);
        IntervalId seen = new IntervalId(ALICE.stream(), 6, 27, 44, 0);
        // 45 is the last one that the log shows; the reader began behind it.
        List<Event> events =
                List.of(ALICE.event(11, 42), ALICE.event(12, 43), ALICE.event(25, 45), ALICE.event(27, 42));
        assertThat(Format2Case.ofTail(seen, end, new Evidence(5, 28, false, List.of(four, end), events)))
                .map(Violated::interval)
                .contains(new IntervalId(ALICE.stream(), 6, 27, 44, 2));
    }

    @Test
    void aRepetitionIsAStray() {
        CheckpointRecord repeated = again(five, 25);
        assertThat(judge(repeated, false, List.of(four, five, repeated), events))
                .isInstanceOfSatisfying(
                        StrayRecord.class,
                        unattributed ->
                                assertThat(unattributed.kind()).isEqualTo(UnattributedRecord.Kind.REPEATED_CHECKPOINT));
    }

    @Test
    void aCheckpointBehindItsSuccessorIsAStray() {
        CheckpointRecord late = again(five, 35);
        assertThat(judge(late, false, List.of(four, six, late), events))
                .isInstanceOfSatisfying(StrayRecord.class, unattributed -> {
                    assertThat(unattributed.kind()).isEqualTo(UnattributedRecord.Kind.LATE_CHECKPOINT);
                    assertThat(unattributed.offset()).isEqualTo(35);
                });
    }

    @Test
    void contentsThatCannotBeCheckedAreUnsupported() {
        Event unchecked = ALICE.event(12, 43, signature(43), Hash.empty());
        assertThat(judge(five, false, List.of(four, five), events[0], unchecked))
                .isInstanceOfSatisfying(
                        Inconclusive.class,
                        inconclusive -> assertThat(inconclusive.reason()).isEqualTo(Reason.UNSUPPORTED));
    }

    @Test
    void whatIsMissingMayComeYetUnlessSomethingFollowedOrNothingWill() {
        assertThat(((Violated) judge(five, false, List.of(four, five), events[0])).provisional())
                .isTrue();
        assertThat(((Violated) judge(five, true, List.of(four, five), events[0])).provisional())
                .as("the last")
                .isFalse();
        assertThat(((Violated) judge(five, false, List.of(four, five, six), events[0])).provisional())
                .as("followed")
                .isFalse();
        CheckpointRecord closing =
                ALICE.checkpoint(5, 42, 44).after(four).closing().at(20);
        assertThat(((Violated) judge(closing, false, List.of(four, closing), events[0])).provisional())
                .as("closing")
                .isFalse();
    }

    @Test
    void whatIsAlteredIsProvisionalUntilTheNextIntervalIsRead() {
        assertThat(((Violated) judge(five, false, List.of(four, five), events[0], ALICE.altered(12, 43))).provisional())
                .isTrue();
    }

    @Test
    void aPredecessorOfAnotherHashIsABrokenChain() {
        CheckpointRecord stranger = ALICE.checkpoint(5, 42, 44).at(20);
        List<Anomaly> anomalies = ((Violated) judge(stranger, false, List.of(four, stranger), events)).anomalies();
        Hash previousHash = stranger.checkpoint().previousHash();
        assertThat(anomalies)
                .containsExactly(new Anomaly(
                        Anomaly.Kind.CHAIN_BROKEN, ALICE.stream(), 5, 6, 20, 0, previousHash, Hash.empty()));
    }

    @Test
    void aPredecessorThatReachesIntoTheIntervalIsABrokenChainAndNothingElse() {
        CheckpointRecord reaching = ALICE.checkpoint(4, 40, 44).at(10);
        CheckpointRecord target = ALICE.checkpoint(5, 42, 44).after(reaching).at(20);
        assertThat(names(target, List.of(reaching, target), events)).containsExactly("CHAIN_BROKEN 5..6");
    }

    @Test
    void whatLiesBetweenThePredecessorAndTheIntervalIsLost() {
        CheckpointRecord target = ALICE.checkpoint(5, 43, 44).after(four).at(20);
        assertThat(names(target, List.of(four, target), events[1]))
                .containsExactlyInAnyOrder("CHAIN_BROKEN 5..6", "LOST 42..43");
    }

    @Test
    void aMissingCheckpointIsLostWithItsEvents() {
        assertThat(names(six, List.of(four, six), ALICE.event(25, 44), ALICE.event(26, 45)))
                .containsExactlyInAnyOrder("CHECKPOINT_LOST 5..6", "LOST 42..44");
    }

    @Test
    void withoutAnyPredecessorAllCheckpointsBeforeAreLost() {
        assertThat(names(five, List.of(five), events)).containsExactly("CHECKPOINT_LOST 0..5");
        beginOffset = 0;
        fromLogStart = true;
        assertThat(names(five, List.of(five), events)).containsExactlyInAnyOrder("CHECKPOINT_LOST 0..5", "LOST 0..42");
    }

    @Test
    void ofALostBeginningWhatIsThereIsNotLost() {
        beginOffset = 0;
        fromLogStart = true;
        assertThat(names(five, List.of(five), ALICE.event(6, 0), ALICE.event(7, 1), events[0], events[1]))
                .containsExactlyInAnyOrder("CHECKPOINT_LOST 0..5", "LOST 2..42");
    }

    @Test
    void checkpoint0NeedsNoPredecessor() {
        CheckpointRecord zero = ALICE.checkpoint(0, 0, 1).at(20);
        assertThat(judge(zero, false, List.of(zero), ALICE.event(12, 0))).isInstanceOf(Verified.class);
    }

    @Test
    void whatExpiredIsNotLost() {
        fromLogStart = true;
        assertThat(judge(five, false, List.of(five), events)).isInstanceOf(Verified.class);
        assertThat(judge(five, false, List.of(five), events[1]))
                .isInstanceOfSatisfying(
                        Inconclusive.class,
                        inconclusive -> assertThat(inconclusive.reason()).isEqualTo(Reason.EXPIRED));
    }

    @Test
    void whatIsWrongBehindWhatExpiredIsStillNamed() {
        fromLogStart = true;
        CheckpointRecord target = ALICE.checkpoint(5, 42, 45).at(20);
        assertThat(names(target, List.of(target), ALICE.altered(12, 43), ALICE.event(13, 44)))
                .containsExactly("ALTERED 43..44");
    }

    /** As of two that changed places, with the log's beginning between them, and of one that came later still. */
    @Test
    void whatIsMissingMayHaveExpiredBeforeWhatBelongsBeforeIt() {
        fromLogStart = true;
        CheckpointRecord target = ALICE.checkpoint(5, 42, 46).at(20);
        assertThat(judge(target, true, List.of(target), ALICE.event(12, 42), ALICE.event(13, 44), ALICE.event(14, 45)))
                .isInstanceOfSatisfying(
                        Inconclusive.class,
                        inconclusive -> assertThat(inconclusive.reason()).isEqualTo(Reason.EXPIRED));
        assertThat(judge(target, true, List.of(target), ALICE.event(12, 42), ALICE.event(13, 45)))
                .isInstanceOf(Inconclusive.class);
        fromLogStart = false;
        assertThat(names(target, List.of(target), ALICE.event(12, 42), ALICE.event(13, 44), ALICE.event(14, 45)))
                .as("of a log that begins where it always did")
                .contains("LOST 43..44");
    }

    /** 43 and 44 lay before 45, and 42 came behind that: what is left could as well be 45 that came before 42. */
    @Test
    void ofTwoThatMayHaveBeenMovedItIsTheOneBelowWhatIsMissing() {
        fromLogStart = true;
        CheckpointRecord target = ALICE.checkpoint(5, 42, 47).at(20);
        assertThat(names(target, List.of(target), ALICE.event(12, 45), ALICE.event(13, 42), ALICE.event(14, 46)))
                .containsExactly("REORDERED 42..43");
        assertThat(names(target, List.of(target), ALICE.event(12, 45), ALICE.event(13, 44), ALICE.event(14, 46)))
                .as("as in a log of which nothing expired")
                .containsExactly("REORDERED 45..46");
    }

    @Test
    void ofAnIntervalThatWasSeenToBeginNothingExpiredButItsPredecessor() {
        fromLogStart = true;
        extent = Evidence.Extent.BEGINNING_SEEN;
        assertThat(names(five, List.of(five), events[1])).containsExactly("LOST 42..43");
        assertThat(judge(five, false, List.of(five), events)).isInstanceOf(Verified.class);
    }

    @Test
    void whatMayHaveExpiredInItsPlaceIsNotNamedForACopyBehind() {
        fromLogStart = true;
        CheckpointRecord target = ALICE.checkpoint(5, 42, 45).at(20);
        for (Event copy : List.of(ALICE.altered(25, 43), ALICE.event(25, 43))) {
            assertThat(judge(target, false, List.of(target), copy))
                    .as("42 and 44 are not lost either")
                    .isInstanceOf(Inconclusive.class);
            assertThat(judge(target, false, List.of(target), ALICE.event(13, 44), copy))
                    .isInstanceOf(Inconclusive.class);
        }
        assertThat(judge(
                        target,
                        false,
                        List.of(target),
                        ALICE.event(13, 42),
                        ALICE.event(14, 44),
                        ALICE.altered(25, 43)))
                .as("though one before it is there")
                .isInstanceOf(Inconclusive.class);
    }

    @Test
    void anOlderEventIsReorderedIfItsPlaceLiesInTheEvidence() {
        assertThat(names(five, List.of(four, five), eventsAnd(ALICE.event(13, 7))))
                .containsExactly("OUT_OF_REACH 7..8");
        beginOffset = 0;
        assertThat(names(five, List.of(four, five), eventsAnd(ALICE.event(13, 7))))
                .as("from the beginning of the log")
                .containsExactly("REORDERED 7..8");
    }

    @Test
    void evidenceFromCheckpoint0OnHoldsEveryPlace() {
        CheckpointRecord zero = ALICE.checkpoint(0, 0, 2).at(10);
        CheckpointRecord one = ALICE.checkpoint(1, 2, 3).after(zero).at(20);
        assertThat(names(one, List.of(zero, one), ALICE.event(11, 2), ALICE.event(12, 0)))
                .containsExactly("REORDERED 0..1");
    }

    @Test
    void evidenceHoldsThePlacesBehindItsFirstCheckpoint() {
        CheckpointRecord three = ALICE.checkpoint(3, 30, 40).at(8);
        assertThat(names(five, List.of(three, four, five), eventsAnd(ALICE.event(13, 40))))
                .containsExactly("REORDERED 40..41");
        assertThat(names(five, List.of(three, four, five), eventsAnd(ALICE.event(13, 39))))
                .containsExactly("OUT_OF_REACH 39..40");
        fromLogStart = true;
        assertThat(names(five, List.of(five), eventsAnd(ALICE.event(13, 41)))).containsExactly("OUT_OF_REACH 41..42");
    }

    @Test
    void aLaterEventIsReorderedIfItsPlaceLiesInTheEvidence() {
        assertThat(names(five, List.of(four, five, six), eventsAnd(ALICE.event(13, 45))))
                .containsExactly("REORDERED 45..46");
        assertThat(names(five, List.of(four, five, six), eventsAnd(ALICE.event(13, 46))))
                .containsExactly("FOREIGN 46..47");
    }
}
