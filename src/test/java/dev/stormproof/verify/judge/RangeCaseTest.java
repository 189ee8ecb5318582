package dev.stormproof.verify.judge;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static dev.stormproof.testing.StreamRecords.PLAIN;
import static dev.stormproof.testing.StreamRecords.otherSignature;
import static dev.stormproof.testing.StreamRecords.signature;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.stormproof.proof.checkpoint.Checkpoint;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.testing.Intervals;
import dev.stormproof.testing.StreamRecords.Draft;
import dev.stormproof.verify.judge.Anomaly.Kind;
import dev.stormproof.verify.judge.Neighbours.Neighbour;
import dev.stormproof.verify.judge.RangeCase.Result;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Inconclusive.Reason;
import dev.stormproof.verify.judge.Verdict.Verified;
import dev.stormproof.verify.judge.Verdict.Verified.Basis;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of {@link RangeCase}: interval 5, (10, 20), between 4 and 6, in a range from 5 on. */
class RangeCaseTest {
    private static final SequenceRange OWN = new SequenceRange(42, 44);

    private final CheckpointRecord four = ALICE.checkpoint(4, 40, 42).at(10);
    private final CheckpointRecord five =
            ALICE.checkpoint(5, 42, 44).after(four).at(20);
    private final CheckpointRecord six = ALICE.checkpoint(6, 44, 46).after(five).at(30);

    private final RecordsInRange range = new RecordsInRange();
    private CheckpointRecord target = five;
    private long previousNumber = 4;
    private long previousNext = 42;
    private boolean continues = true;
    private long beforeNext = 40;
    private Optional<CheckpointRecord> next = Optional.of(six);
    private Optional<Checkpoint> takenBackBy = Optional.empty();
    private boolean flawed;

    /** A range as a test makes it. */
    private static final class RecordsInRange implements RangeCase.Range {
        private boolean matches;
        private boolean tooLarge;
        private long unread;
        private List<Event> events = List.of();
        private List<Event> headerless = List.of();

        @Override
        public boolean matches(CheckpointRecord record) {
            return matches;
        }

        @Override
        public RangeCase.Origin origin() {
            return RangeCase.Origin.NONE;
        }

        @Override
        public boolean isTooLarge() {
            return tooLarge;
        }

        @Override
        public long unreadAfter(long offset) {
            return unread;
        }

        @Override
        public long firstOffset() {
            return 11;
        }

        @Override
        public List<Event> headerless() {
            return headerless;
        }

        @Override
        public List<CheckpointRecord> checkpoints() {
            return List.of();
        }

        @Override
        public Evidence evidence(List<CheckpointRecord> counting) {
            return new Evidence(5, counting, events);
        }
    }

    private static Draft end(long number, long first, long nextSequence) {
        return ALICE.checkpoint(number, first, nextSequence)
                .closing()
                .uncertainOf(new SequenceRange(first, nextSequence));
    }

    private Result judge(Event... events) {
        range.events = List.of(events);
        return RangeCase.judge(
                new RangeCase.Place(
                        IntervalId.of(target),
                        target,
                        previousNumber,
                        previousNext,
                        10,
                        continues,
                        beforeNext,
                        Optional.of(four),
                        next,
                        takenBackBy,
                        flawed),
                range);
    }

    private static List<String> names(Result result) {
        return ((Violated) result.finding())
                .anomalies().stream()
                        .map(anomaly -> anomaly.kind() + " " + anomaly.begin() + ".." + anomaly.end()
                                + (anomaly.offset() < 0 ? "" : " @" + anomaly.offset()))
                        .toList();
    }

    private static Reason reason(Result result) {
        return ((Inconclusive) result.finding()).reason();
    }

    @Test
    void whatContinuesTheHeadAndIsThereAsStatedIsVerified() {
        range.matches = true;

        Result result = judge();
        assertThat(result).isEqualTo(new Result(new Verified(IntervalId.of(five), Basis.LOG, 11), false, false));
        assertThat(result.isOpen()).isFalse();
    }

    @Test
    void alsoInARangeTooLargeToBeKept() {
        range.matches = true;
        range.tooLarge = true;

        assertThat(judge().finding()).isInstanceOf(Verified.class);
    }

    @Test
    void whatDoesNotContinueTheHeadIsNotThoughTheEventsAreAsStated() {
        range.matches = true;
        continues = false;
        previousNumber = 3;

        Result result = judge(ALICE.event(11, 42), ALICE.event(12, 43));
        assertThat(names(result)).containsExactly("CHECKPOINT_LOST 4..5 @20");
        assertThat(((Violated) result.finding()).anomalies().get(0).expected())
                .isEqualTo(five.checkpoint().previousHash());
        assertThat(((Violated) result.finding()).isOpen()).isFalse();
        assertThat(((Violated) result.finding()).minimal()).isTrue();
    }

    @Test
    void ofTheNextNumberTheChainIsBroken() {
        continues = false;
        assertThat(names(judge(ALICE.event(11, 42), ALICE.event(12, 43)))).containsExactly("CHAIN_BROKEN 5..6 @20");

        previousNumber = 6;
        assertThat(names(judge(ALICE.event(11, 42), ALICE.event(12, 43)))).containsExactly("CHAIN_BROKEN 5..6 @20");
    }

    @Test
    void whatTheLostCheckpointsSealIsLostWithThem() {
        continues = false;
        previousNumber = 3;
        previousNext = 40;

        assertThat(names(judge(ALICE.event(11, 42), ALICE.event(12, 43))))
                .containsExactly("CHECKPOINT_LOST 4..5 @20", "LOST 40..42");
        previousNext = 99;
        assertThat(names(judge(ALICE.event(11, 42), ALICE.event(12, 43))))
                .as("a head that states more than its successor continues")
                .containsExactly("CHECKPOINT_LOST 4..5 @20");
    }

    @Test
    void aRangeTooLargeToBeKeptShowsNothingElse() {
        range.tooLarge = true;

        assertThat(judge())
                .isEqualTo(new Result(
                        new Inconclusive(
                                IntervalId.of(five),
                                Reason.TOO_LARGE,
                                "the difference is among more records than can be compared"),
                        false,
                        false));
    }

    @Test
    void whatIsMissingIsNamedBetweenItsNeighbours() {
        Result result = judge(ALICE.event(11, 42), ALICE.event(25, 44), ALICE.event(35, 43));

        assertThat(result.unnamed()).isFalse();
        assertThat(result.missing()).isTrue();
        assertThat(result.isOpen()).isTrue();
        assertThat(names(result)).containsExactly("LOST 43..44");
        Anomaly lost = ((Violated) result.finding()).anomalies().get(0);
        assertThat(lost.expected()).isEqualTo(signature(43));
        assertThat(lost.hop()).isEqualTo(Hop.LOG);
        assertThat(lost.neighbours()).isEqualTo(new Neighbours(at(11, 42), at(25, 44)));
    }

    /** The neighbours of what is lost of the sequences 42 to 45. */
    private List<Neighbours> neighbours(Event... events) {
        target = ALICE.checkpoint(5, 42, 46).after(four).at(20);
        next = Optional.of(ALICE.checkpoint(6, 46, 48).after(target).at(30));
        return ((Violated) judge(events).finding())
                .anomalies().stream()
                        .filter(anomaly -> anomaly.kind() == Kind.LOST)
                        .map(Anomaly::neighbours)
                        .toList();
    }

    private static Neighbour at(long offset, long sequence) {
        return new Neighbour(sequence, offset, LogRecord.NO_TIME);
    }

    @Test
    void ofEachGapTheEventsBeforeAndAfterItAreTold() {
        assertThat(neighbours(ALICE.event(9, 41), ALICE.event(11, 43), ALICE.event(12, 45)))
                .containsExactly(new Neighbours(at(9, 41), at(11, 43)), new Neighbours(at(11, 43), at(12, 45)));
        assertThat(neighbours(ALICE.event(8, 40), ALICE.event(9, 41), ALICE.event(21, 46), ALICE.event(22, 47)))
                .as("of an interval that is lost whole")
                .containsExactly(new Neighbours(at(9, 41), at(21, 46)));
        assertThat(neighbours(ALICE.event(11, 42), ALICE.event(40, 48)))
                .as("not after the next checkpoint")
                .containsExactly(new Neighbours(at(11, 42), null));
        assertThat(neighbours(ALICE.altered(11, 42), ALICE.event(12, 42), ALICE.event(13, 44), ALICE.event(14, 45)))
                .as("of two copies the intact one")
                .containsExactly(new Neighbours(at(12, 42), at(13, 44)));
    }

    @Test
    void whatIsNotLostHasNoNeighbours() {
        Violated reordered =
                (Violated) judge(ALICE.event(11, 43), ALICE.event(12, 42)).finding();
        assertThat(reordered.anomalies())
                .isNotEmpty()
                .allSatisfy(anomaly -> assertThat(anomaly.neighbours()).isEqualTo(Neighbours.NONE));
    }

    @Test
    void withoutTheNextCheckpointTheNameIsOpen() {
        next = Optional.empty();

        Result result = judge(ALICE.event(11, 42), ALICE.event(12, 43), ALICE.event(13, 42));
        assertThat(names(result)).containsExactly("DUPLICATED 42..43 @13");
        assertThat(result.unnamed()).isTrue();
        assertThat(result.missing()).isFalse();
        assertThat(result.isOpen()).isTrue();
    }

    @Test
    void whatCameLateIsFoundBeforeTheNextCheckpoint() {
        assertThat(names(judge(ALICE.event(11, 42), ALICE.event(25, 43)))).containsExactly("REORDERED 43..44 @25");
        next = Optional.empty();
        assertThat(names(judge(ALICE.event(11, 42), ALICE.event(25, 43)))).containsExactly("REORDERED 43..44 @25");
    }

    @Test
    void theNextCheckpointShowsWhatCameEarly() {
        Event[] events = {ALICE.event(11, 42), ALICE.event(12, 43), ALICE.event(13, 44)};
        assertThat(names(judge(events))).containsExactly("REORDERED 44..45 @13");

        next = Optional.empty();
        target = ALICE.checkpoint(5, 42, 44).after(four).closing().at(20);
        assertThat(names(judge(events))).as("nothing comes after an end").containsExactly("FOREIGN 44..45 @13");
    }

    @Test
    void anEarlierEventIsACopyUnlessItMayBeMissingThere() {
        Event[] events = {ALICE.event(11, 42), ALICE.event(12, 43), ALICE.event(13, 7)};
        assertThat(names(judge(events))).containsExactly("DUPLICATED 7..8 @13");
        flawed = true;
        assertThat(names(judge(events))).containsExactly("OUT_OF_REACH 7..8 @13");
        beforeNext = 7;
        assertThat(names(judge(events))).as("the range shows where it belongs").containsExactly("REORDERED 7..8 @13");
    }

    @Test
    void whatIsMissingMayBeAmongRecordsThatWereNotRead() {
        range.unread = 1;

        Result one = judge(ALICE.event(11, 42));
        assertThat(one.finding()).isEqualTo(Inconclusive.oversized(IntervalId.of(five), 1));
        assertThat(one.missing()).isFalse();
        assertThat(names(judge())).as("two are missing").containsExactly("LOST 42..44");
        assertThat(names(judge(ALICE.event(11, 42), ALICE.event(12, 42))))
                .as("what else differs is named")
                .containsExactly("DUPLICATED 42..43 @12");
        assertThat(reason(judge(ALICE.event(11, 42), ALICE.event(12, 43))))
                .as("or it is a copy")
                .isEqualTo(Reason.OVERSIZED_RECORD);
    }

    @Test
    void whatIsMissingMayBeLeftInDoubtByTheEndOfTheStream() {
        takenBackBy = Optional.of(end(5, 42, 46).at(40).checkpoint());

        Result result = judge(ALICE.event(11, 42));
        assertThat(result.finding())
                .isEqualTo(Inconclusive.takenBack(
                        IntervalId.of(five), takenBackBy.orElseThrow(), List.of(new SequenceRange(43, 44))));
        assertThat(result.isOpen()).isFalse();
        assertThat(names(judge(ALICE.event(11, 42), ALICE.event(12, 42))))
                .as("what else differs is named")
                .containsExactly("DUPLICATED 42..43 @12");
        assertThat(names(judge(ALICE.event(11, 42), ALICE.event(12, 43), ALICE.event(13, 42))))
                .as("nothing is missing")
                .containsExactly("DUPLICATED 42..43 @13");
        assertThat(names(judge(ALICE.event(11, 42), ALICE.event(12, 43)))).containsExactly("UNLOCATED 42..44 @20");
    }

    @Test
    void fromItsNumberOnAndNotBefore() {
        takenBackBy = Optional.of(end(5, 42, 46).at(40).checkpoint());
        continues = false;
        previousNumber = 2;
        previousNext = 38;

        assertThat(names(judge(ALICE.event(11, 43)))).containsExactly("CHECKPOINT_LOST 3..5 @20", "LOST 38..42");
        takenBackBy = Optional.of(end(4, 40, 46).at(40).checkpoint());
        assertThat(names(judge(ALICE.event(11, 43)))).containsExactly("CHECKPOINT_LOST 3..4 @20", "LOST 38..40");
        takenBackBy = Optional.of(end(3, 38, 46).at(40).checkpoint());
        assertThat(reason(judge(ALICE.event(11, 43)))).isEqualTo(Reason.UNCERTAIN);
    }

    @Test
    void whatIsLeftInDoubtNeedsNoRecordThatWasNotRead() {
        takenBackBy = Optional.of(end(5, 42, 46).at(40).checkpoint());
        continues = false;
        previousNumber = 3;
        range.unread = 1;

        Result result = judge(ALICE.event(11, 43));

        assertThat(result.finding()).isEqualTo(Inconclusive.oversized(IntervalId.of(five), 1));
        assertThat(result.isOpen()).isFalse();
        takenBackBy = Optional.empty();
        assertThat(names(judge(ALICE.event(11, 43)))).containsExactly("CHECKPOINT_LOST 4..5 @20", "LOST 42..43");
    }

    @Test
    void whatLostItsHeaderAloneIsAlteredAndNotLost() {
        range.headerless = List.of(headerless(13, 43), headerless(14, 43), headerless(15, 99));

        Result result = judge(ALICE.event(11, 42));
        assertThat(names(result)).containsExactly("ALTERED 43..44 @13");
        assertThat(((Violated) result.finding()).anomalies().get(0).differs())
                .containsExactly(Anomaly.Part.HEADER_MISSING);
        assertThat(result.missing())
                .as("the same content may have been sent again elsewhere, if the emitter gives this one up")
                .isTrue();
        assertThat(names(judge())).containsExactly("LOST 42..43", "ALTERED 43..44 @13");

        range.headerless = List.of(headerless(13, 42));
        assertThat(names(judge())).containsExactly("ALTERED 42..43 @13", "LOST 43..44");
        assertThat(names(judge(ALICE.event(11, 42)))).as("it is there").containsExactly("LOST 43..44");
        target = ALICE.checkpoint(5, 42, 44).after(four).withoutLeaves().at(20);
        assertThat(names(judge())).containsExactly("LOST 42..44");
    }

    private static Event headerless(long offset, long sequence) {
        return ALICE.event(offset, Event.NO_SEQUENCE, Hash.empty(), signature(sequence));
    }

    @Test
    void whatUpstreamDoesNotKnowIsUncertain() {
        target = ALICE.checkpoint(5, 42, 44)
                .after(four)
                .uncertainOf(new SequenceRange(43, 44))
                .at(20);

        assertThat(judge(ALICE.event(11, 42)).finding())
                .isEqualTo(Inconclusive.uncertain(IntervalId.of(target), List.of(new SequenceRange(43, 44))));
        range.unread = 1;
        assertThat(reason(judge(ALICE.event(11, 42)))).isEqualTo(Reason.OVERSIZED_RECORD);
        range.unread = 0;
        assertThat(names(judge())).containsExactly("LOST 42..43");
    }

    @Test
    void whatBrokersRefusedIsNotMissedAndIsInDoubtIfItIsThere() {
        SequenceRange refused = new SequenceRange(42, 43);
        target = ALICE.checkpoint(5, 42, 44).after(four).refusedOf(refused).at(20);

        assertThat(judge(ALICE.event(11, 43)).finding()).isEqualTo(new Verified(IntervalId.of(target), Basis.LOG, 11));
        assertThat(judge(ALICE.event(11, 42), ALICE.event(12, 43)).finding())
                .isEqualTo(Inconclusive.refused(IntervalId.of(target), List.of(refused)));
        assertThat(names(judge())).containsExactly("LOST 43..44");
        assertThat(names(judge(ALICE.altered(11, 43)))).containsExactly("ALTERED 43..44 @11");
    }

    @Test
    void anUnknownSignatureAlgorithmIsUnsupported() {
        Hash unknown = Hash.empty();
        Result result = judge(ALICE.event(11, 42, signature(42), unknown), ALICE.event(12, 43, signature(43), unknown));

        assertThat(result.finding())
                .isEqualTo(new Inconclusive(
                        IntervalId.of(five),
                        Reason.UNSUPPORTED,
                        "signature algorithm " + EventSigners.SHA256_KEY_VALUE + ", of the checkpoint and its events"));
        takenBackBy = Optional.of(end(5, 42, 46).at(40).checkpoint());
        assertThat(reason(judge(ALICE.event(11, 42, signature(42), unknown))))
                .as("what is missing is in doubt")
                .isEqualTo(Reason.UNCERTAIN);
    }

    @Test
    void ifNothingShowsWhatDiffersItIsStillViolated() {
        Result result = judge(ALICE.event(11, 42), ALICE.event(12, 43));

        assertThat(names(result)).containsExactly("UNLOCATED 42..44 @20");
        assertThat(((Violated) result.finding()).anomalies().get(0).expected())
                .isEqualTo(five.checkpoint().root());
        assertThat(result.isOpen()).isFalse();
    }

    @Test
    void onlyTheCheckpointsBesideItCount() {
        Anomaly altered = ((Violated)
                        judge(ALICE.event(11, 42), ALICE.altered(12, 43)).finding())
                .anomalies()
                .get(0);

        assertThat(altered.kind()).isEqualTo(Kind.ALTERED);
        assertThat(altered.differs()).containsExactly(Anomaly.Part.KEY_OR_VALUE);
        assertThat(altered.hop()).isEqualTo(Hop.LOG);
        assertThat(altered.observed()).isEqualTo(otherSignature(43));
    }

    // Format 1

    private static final CheckpointRecord PLAIN_FIVE = PLAIN.plainCheckpoint(20, 1, 2);
    private static final CheckpointRecord PLAIN_SIX = PLAIN.plainCheckpoint(30, 3, 4);

    private Result judgePlain(List<CheckpointRecord> checkpoints, Event... events) {
        range.events = List.of(events);
        return RangeCase.judge(IntervalId.of(PLAIN_FIVE), PLAIN_FIVE, 10, range, checkpoints);
    }

    private static List<CheckpointRecord> plain(CheckpointRecord... later) {
        return Stream.concat(Stream.of(PLAIN.plainCheckpoint(10, 8, 9), PLAIN_FIVE), Stream.of(later))
                .toList();
    }

    @Test
    void format1IsComparedByItsLeaves() {
        Event[] events = {PLAIN.plainEvent(11, 1), PLAIN.plainEvent(12, 2)};
        assertThat(judgePlain(plain(), events))
                .isEqualTo(new Result(new Verified(IntervalId.of(PLAIN_FIVE), Basis.LOG, 11), false, false));

        Result lost = judgePlain(plain(PLAIN_SIX), events[0]);
        assertThat(lost.isOpen()).isFalse();
        Violated violated = (Violated) lost.finding();
        assertThat(violated.anomalies())
                .extracting(Anomaly::kind, Anomaly::hop)
                .containsExactly(tuple(Kind.LOST, Hop.LOG));
        assertThat(judgePlain(plain(), events[0]).unnamed())
                .as("before the next one")
                .isTrue();
        assertThat(judgePlain(plain(), events[0]).missing()).isFalse();
    }

    @Test
    void besideACopyOfFormat1NothingShowsWhereTheEventsBegin() {
        Event[] events = {PLAIN.plainEvent(11, 1), PLAIN.plainEvent(12, 2)};
        CheckpointRecord original = PLAIN.plainCheckpoint(5, 8, 9);

        assertThat(reason(judgePlain(List.of(original, PLAIN.plainCheckpoint(10, 8, 9), PLAIN_FIVE), events)))
                .as("the last one is a copy")
                .isEqualTo(Reason.UNANCHORED);
        assertThat(reason(judgePlain(List.of(PLAIN.plainCheckpoint(10, 1, 2), PLAIN_FIVE), PLAIN.plainEvent(11, 7))))
                .as("it is a copy itself")
                .isEqualTo(Reason.UNANCHORED);
        range.unread = 1;
        assertThat(reason(judgePlain(List.of(original, PLAIN.plainCheckpoint(10, 8, 9), PLAIN_FIVE), events)))
                .isEqualTo(Reason.UNANCHORED);
    }

    @Test
    void ofFormat1WhatWasNotReadMayBeAnything() {
        range.unread = 1;
        assertThat(judgePlain(plain(), PLAIN.plainEvent(11, 1), PLAIN.plainEvent(12, 2))
                        .finding())
                .isEqualTo(Inconclusive.oversized(IntervalId.of(PLAIN_FIVE), 1));

        range.tooLarge = true;
        assertThat(reason(judgePlain(plain()))).isEqualTo(Reason.TOO_LARGE);
    }

    // What no range is needed for

    private static IntervalId open(long offset) {
        return Intervals.interval(ALICE.stream(), 0, offset, 42, 7);
    }

    @Test
    void openEventsAreUnsealedWithWhatIsKnownOfThem() {
        Inconclusive unsealed = (Inconclusive) RangeCase.unsealed(
                open(12), "no checkpoint", List.of(ALICE.event(9, 41), ALICE.event(11, 43), ALICE.event(12, 45)));

        assertThat(unsealed.reason()).isEqualTo(Reason.UNSEALED);
        assertThat(unsealed.detail()).isEqualTo("no checkpoint");
        assertThat(unsealed.interval().eventCount()).isEqualTo(2);
        assertThat(unsealed.interval().checkpointOffset()).isEqualTo(12);
        assertThat(unsealed.interval().tail().leastMissing()).isEqualTo(2);
    }

    @Test
    void openEventsWhoseContentContradictsTheirHeadersAreViolated() {
        Violated violated = (Violated) RangeCase.unsealed(
                open(14),
                "",
                List.of(
                        ALICE.altered(11, 41),
                        ALICE.altered(12, 42),
                        ALICE.event(13, 43),
                        ALICE.altered(14, 43),
                        transformed(ALICE.event(15, 44)),
                        transformed(ALICE.altered(16, 45))));

        assertThat(violated.isOpen()).isTrue();
        assertThat(violated.anomalies())
                .extracting(Anomaly::kind, Anomaly::begin, Anomaly::differs, Anomaly::hop)
                .containsExactly(
                        tuple(Kind.FOREIGN, 41L, List.of(), Hop.LOG),
                        tuple(Kind.ALTERED, 42L, List.of(Anomaly.Part.KEY_OR_VALUE), Hop.LOG),
                        tuple(Kind.FOREIGN, 43L, List.of(), Hop.LOG),
                        tuple(Kind.ALTERED, 44L, List.of(), Hop.AFTER_TRANSFORM),
                        tuple(Kind.ALTERED, 45L, List.of(Anomaly.Part.KEY_OR_VALUE), Hop.AFTER_TRANSFORM));
    }

    /** The event as a transform stated another content for it. */
    private static Event transformed(Event event) {
        return new Event(
                event.offset(),
                event.emitter(),
                event.sequence(),
                event.treeHash(),
                event.signatureAlgorithm(),
                event.stated(),
                event.observed(),
                Event.Content.ALTERED,
                event.writtenMillis());
    }

    @Test
    void aCheckpointOfTheHeadsNumberIsForkedAnyOtherLate() {
        StrayRecord forked = RangeCase.behind(five, 5, 18);
        StrayRecord late = RangeCase.behind(five, 7, 18);

        assertThat(forked.kind()).isEqualTo(UnattributedRecord.Kind.FORKED_CHECKPOINT);
        assertThat(late.kind()).isEqualTo(UnattributedRecord.Kind.LATE_CHECKPOINT);
        assertThat(late.offset()).isEqualTo(20);
        assertThat(late.detail()).contains("comes after checkpoint 7 of its stream, at offset 18");
    }

    @Test
    void ofAnEndThatContinuesNothingNothingIsCertain() {
        CheckpointRecord end = end(5, 42, 44).at(20);

        assertThat(RangeCase.uncertainEnd(end))
                .isEqualTo(Inconclusive.uncertain(IntervalId.of(end).statedBy(end.chainHash()), List.of(OWN)));
    }

    @Test
    void aCheckpointThatNothingContinuesIsOffTheChain() {
        IntervalId interval = IntervalId.of(five).statedBy(five.chainHash());

        Violated violated = (Violated) RangeCase.offTheChain(five);
        assertThat(violated.interval()).isEqualTo(interval);
        assertThat(violated.isOpen()).isFalse();
        assertThat(violated.minimal()).isTrue();
        assertThat(violated.anomalies())
                .containsExactly(new Anomaly(
                        Kind.CHAIN_BROKEN,
                        ALICE.stream(),
                        5,
                        6,
                        20,
                        0,
                        five.checkpoint().previousHash(),
                        Hash.empty()));
    }

    @Test
    void theFirstOneThatIsKnownIsUnanchored() {
        String why = "neither a checkpoint nor the events before it are known";

        assertThat(RangeCase.unanchored(five)).isEqualTo(new Inconclusive(IntervalId.of(five), Reason.UNANCHORED, why));
        assertThat(RangeCase.unanchoredEnd(five))
                .isEqualTo(new Inconclusive(IntervalId.of(five).statedBy(five.chainHash()), Reason.UNANCHORED, why));
        assertThat(RangeCase.undecided(IntervalId.of(five)).isOpen()).isTrue();
        assertThat(RangeCase.expired(IntervalId.of(five), "gone"))
                .isEqualTo(new Result(new Inconclusive(IntervalId.of(five), Reason.EXPIRED, "gone"), false, false));
    }
}
