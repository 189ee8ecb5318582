package dev.stormproof.verify.fold;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.testing.StreamRecords.Draft;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.RangeCase.Result;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Inconclusive.Reason;
import dev.stormproof.verify.judge.Verdict.Verified;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The states of {@link Doubt}: of interval 5, (10, 20), after which 6 may lie at 30. */
class DoubtTest {
    private final CheckpointRecord three = ALICE.checkpoint(3, 38, 40).at(4);
    private final CheckpointRecord four =
            ALICE.checkpoint(4, 40, 42).after(three).at(10);
    private final CheckpointRecord five =
            ALICE.checkpoint(5, 42, 44).after(four).madeAt(7).at(20);
    private final Head before = Head.of(three);
    private final Head previous = Head.of(four);
    private final Doubt doubt = new Doubt(five, previous, before, 11, true, false);

    private Draft six() {
        return ALICE.checkpoint(6, 44, 46).after(five);
    }

    private static LogRange range(RangeQuery query, LogRecord... records) {
        return range(query, query.beginOffset(), records);
    }

    private static LogRange range(RangeQuery query, long beginOffset, LogRecord... records) {
        LogRange range = new LogRange(query, beginOffset);
        for (LogRecord record : records) {
            range.add(record);
        }
        return range;
    }

    private Optional<Result> answer(LogRecord... records) {
        return doubt.answered(range(doubt.ask(ALICE.stream()), records), false);
    }

    /** The answer that lacks event 43. */
    private Optional<Result> answerWithout43(LogRecord... later) {
        List<LogRecord> records = new ArrayList<>(List.of(three, four, ALICE.event(11, 42), five));
        records.addAll(List.of(later));
        return answer(records.toArray(LogRecord[]::new));
    }

    private static List<String> names(Optional<Result> result) {
        return ((Violated) result.orElseThrow().finding())
                .anomalies().stream()
                        .map(anomaly -> anomaly.kind() + " " + anomaly.begin())
                        .toList();
    }

    private static Inconclusive inconclusive(Optional<Result> result) {
        return (Inconclusive) result.orElseThrow().finding();
    }

    private void isInState(boolean due, boolean asked, boolean missed) {
        assertThat(doubt.isDue()).isEqualTo(due);
        assertThat(doubt.isAsked()).isEqualTo(asked);
        assertThat(doubt.isMissed()).isEqualTo(missed);
        assertThat(doubt.isBusy()).isEqualTo(due || asked);
    }

    @Test
    void itIsDueAtFirstAndAsksForARangeWithTwoKnownEnds() {
        isInState(true, false, false);
        assertThat(doubt.interval()).isEqualTo(IntervalId.of(five));
        assertThat(doubt.holdOffset()).isEqualTo(11);

        RangeQuery query = doubt.ask(ALICE.stream());

        assertThat(query).isEqualTo(new RangeQuery(ALICE.stream(), 4, 11, 20, 21, 42));
        isInState(false, true, false);
        assertThat(doubt.expects(query)).isTrue();
        assertThat(doubt.expects(new RangeQuery(ALICE.stream(), 4, 11, 20, 21, 42)))
                .as("another one that is alike")
                .isFalse();
    }

    @Test
    void ifItsStreamEndsItIsAskedOnceMoreUpToThere() {
        assertThat(answerWithout43()).isEmpty();
        doubt.end(28);
        isInState(true, false, false);

        RangeQuery query = doubt.ask(ALICE.stream());
        assertThat(query.endOffset()).isEqualTo(28);
        assertThat(names(doubt.answered(range(query, three, four, five), false)))
                .containsExactly("LOST 42");
    }

    @Test
    void anEndOfWhatWasReadAlreadyAsksForNothingMore() {
        doubt.end(15);

        assertThat(names(answerWithout43())).containsExactly("LOST 43");
    }

    /** Else its verdict would differ with the time at which the log answers. */
    @Test
    void whatComesOnceTheStreamWasGivenUpIsNotInItsRangeHoweverLateItIsAsked() {
        CheckpointRecord end = ALICE.checkpoint(5, 42, 44).after(four).closing().at(20);
        Doubt last = new Doubt(end, previous, before, 11, true, false);

        last.end(28);
        last.end(35);

        assertThat(last.ask(ALICE.stream()).endOffset()).isEqualTo(28);
    }

    @Test
    void whatIsMissingBeforeAnEndMayComeAfterIt() {
        CheckpointRecord end = ALICE.checkpoint(5, 42, 44).after(four).closing().at(20);
        Doubt last = new Doubt(end, previous, before, 11, true, false);
        Event first = ALICE.event(11, 42);

        assertThat(last.answered(range(last.ask(ALICE.stream()), three, four, first, end), false))
                .isEmpty();
        last.end(22);
        assertThat(names(last.answered(
                        range(last.ask(ALICE.stream()), three, four, first, end, ALICE.event(21, 43)), false)))
                .containsExactly("REORDERED 43");
    }

    @Test
    void theNextCheckpointShowsThatItsEmitterKnowsThatItArrived() {
        doubt.followedBy(six().hinting(19).at(30));

        assertThat(answerWithout43(six().hinting(19).at(30))).as("unknown").isEmpty();
        isInState(false, false, false);
        doubt.followedBy(ALICE.checkpoint(7, 46, 48).hinting(20).at(40));
        isInState(true, false, false);
        assertThat(doubt.ask(ALICE.stream()).endOffset())
                .as("up to the next one, not further")
                .isEqualTo(31);
    }

    @Test
    void whatIsNotMissingNeedsNotBeKnownToHaveArrived() {
        answer(three, four, ALICE.event(11, 42), ALICE.event(12, 43), ALICE.event(13, 43), five);
        isInState(false, false, false);
        doubt.followedBy(six().hinting(19).at(30));
        isInState(true, false, false);

        assertThat(names(answer(
                        three,
                        four,
                        ALICE.event(11, 42),
                        ALICE.event(12, 43),
                        ALICE.event(13, 43),
                        five,
                        six().hinting(19).at(30))))
                .containsExactly("DUPLICATED 43");
    }

    @ParameterizedTest
    @CsvSource({"16, 150008, true", "15, 150008, false", "16, 150007, false", "255, 0, false", "256, 0, true"})
    void soManyCheckpointsLaterItIsKnown(int later, long madeAt, boolean known) {
        for (int number = 6; number < 6 + later; number++) {
            doubt.followedBy(
                    ALICE.checkpoint(number, 44, 44).hinting(0).madeAt(madeAt).at(number * 5L));
        }

        assertThat(answerWithout43(six().hinting(0).at(30)).isPresent()).isEqualTo(known);
    }

    @Test
    void anAnswerWithoutItsCheckpointIsMissedOnceThenItIsExpired() {
        assertThat(answer(three, four, ALICE.event(11, 42))).isEmpty();
        isInState(false, false, true);

        doubt.askMissed();
        isInState(true, false, false);
        assertThat(inconclusive(answer(three, four, ALICE.checkpoint(5, 42, 43).at(20))))
                .isEqualTo(new Inconclusive(doubt.interval(), Reason.EXPIRED, "the log holds its checkpoint no more"));
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 20, 21})
    void ifTheLogBeginsInsideItIsExpired(long beginOffset) {
        RangeQuery query = doubt.ask(ALICE.stream());
        LogRange range = range(query, beginOffset, ALICE.event(12, 43), five);

        Optional<Result> result = doubt.answered(range, false);
        if (beginOffset == 11) {
            assertThat(result).as("an event is missing").isEmpty();
        } else {
            assertThat(inconclusive(result))
                    .isEqualTo(new Inconclusive(
                            doubt.interval(), Reason.EXPIRED, "the log begins inside of the interval"));
        }
    }

    @Test
    void anIntervalThatWasReadFromItsFirstRecordOnIsWholeFromThereOn() {
        Doubt whole = new Doubt(five, previous, before, 15, true, false);
        Doubt partly = new Doubt(five, previous, before, 15, false, false);
        Event[] events = {ALICE.event(15, 42), ALICE.event(16, 43)};

        assertThat(whole.answered(range(whole.ask(ALICE.stream()), 15, events[0], events[1], five), false)
                        .orElseThrow()
                        .finding())
                .isInstanceOf(Verified.class);
        assertThat(inconclusive(partly.answered(
                                range(partly.ask(ALICE.stream()), 15, events[0], events[1], five), false))
                        .reason())
                .isEqualTo(Reason.EXPIRED);
        Doubt beside = new Doubt(five, previous, before, 15, true, true);
        assertThat(inconclusive(beside.answered(
                                range(beside.ask(ALICE.stream()), 15, events[0], events[1], five), false))
                        .reason())
                .isEqualTo(Reason.EXPIRED);
    }

    @ParameterizedTest
    @ValueSource(longs = {10, 11})
    void ifNotEveryRecordWasReadTheLogHasToHoldTheHeadToo(long beginOffset) {
        Doubt partly = new Doubt(five, previous, before, 11, false, false);
        LogRange range = range(partly.ask(ALICE.stream()), beginOffset, ALICE.event(11, 42), ALICE.event(12, 43), five);

        Reason reason = partly.answered(range, false).orElseThrow().finding() instanceof Inconclusive expired
                ? expired.reason()
                : null;

        assertThat(reason).as("the head may have been cut off").isEqualTo(beginOffset == 10 ? null : Reason.EXPIRED);
    }

    @Test
    void ofTheIntervalBeforeItEveryEventIsThereIfAllOfItWasRead() {
        doubt.followedBy(six().at(30));
        LogRecord[] records = {four, ALICE.event(11, 42), ALICE.event(12, 43), ALICE.event(13, 41), five, six().at(30)};

        assertThat(names(doubt.answered(range(doubt.ask(ALICE.stream()), 4, records), true)))
                .containsExactly("REORDERED 41");
        assertThat(names(doubt.answered(range(doubt.ask(ALICE.stream()), 5, records), true)))
                .as("some of it expired")
                .containsExactly("OUT_OF_REACH 41");
        for (Doubt unread : List.of(
                new Doubt(five, Head.of(four, 10, 10, true, false), before, 11, true, false),
                new Doubt(five, previous, null, 11, true, false))) {
            unread.followedBy(six().at(30));
            assertThat(names(unread.answered(range(unread.ask(ALICE.stream()), records), true)))
                    .containsExactly("OUT_OF_REACH 41");
        }
    }

    @Test
    void whatAnEndLeavesInDoubt() {
        SequenceRange all = new SequenceRange(42, 46);
        Head arrived = Head.of(five);

        assertThat(leaves(ALICE.checkpoint(5, 42, 46).closing().uncertainOf(all), arrived))
                .isTrue();
        assertThat(leaves(ALICE.checkpoint(5, 42, 46).closing().refusedOf(all), arrived))
                .as("brokers refused all of it")
                .isFalse();
        assertThat(leaves(ALICE.checkpoint(4, 40, 44).closing().uncertainOf(new SequenceRange(40, 44)), arrived))
                .isTrue();
        assertThat(leaves(ALICE.checkpoint(4, 40, 43).closing().uncertainOf(new SequenceRange(40, 43)), arrived))
                .as("it ends before")
                .isFalse();
        assertThat(leaves(ALICE.checkpoint(6, 42, 46).closing().uncertainOf(all), arrived))
                .as("a later one")
                .isFalse();
        assertThat(leaves(ALICE.checkpoint(5, 42, 46).uncertainOf(all), arrived))
                .as("no end")
                .isFalse();
        assertThat(leaves(ALICE.checkpoint(5, 42, 46).closing().uncertainOf(new SequenceRange(43, 46)), arrived))
                .as("it states an event")
                .isFalse();
        assertThat(leaves(ALICE.checkpoint(5, 44, 44).closing(), arrived))
                .as("it leaves nothing in doubt")
                .isFalse();
    }

    private static boolean leaves(Draft end, Head arrived) {
        return Doubt.leavesInDoubt(end.at(40).checkpoint(), arrived);
    }
}
