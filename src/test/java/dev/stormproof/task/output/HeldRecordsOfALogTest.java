package dev.stormproof.task.output;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.AllowedEmitters;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.checkpoint.TransformedHeader;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.task.transform.TransformRunner;
import dev.stormproof.task.transform.TransformRunner.TransformFailure;
import dev.stormproof.task.transform.Transformed;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.EpochEnd;
import dev.stormproof.verify.feed.HeaderBytes;
import dev.stormproof.verify.feed.LogPiece;
import dev.stormproof.verify.feed.Read;
import dev.stormproof.verify.feed.RecordContent;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.MissedRecords;
import dev.stormproof.verify.judge.PartitionId;
import dev.stormproof.verify.judge.Undelivered;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Inconclusive.Reason;
import dev.stormproof.verify.judge.Verdict.Verified;
import dev.stormproof.verify.judge.Verdict.Verified.Basis;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A held output whose log changes under what it holds: each letter is an event, of emitter A but where it says otherwise. */
class HeldRecordsOfALogTest {
    private static final PartitionId PARTITION = new PartitionId("orders", 0);
    private static final int EPOCH = 4;
    private static final long A = 0xaL;
    private static final long B = 0xbL;

    private boolean full;
    private final StringBuilder written = new StringBuilder();
    private final List<RecordContent> records = new ArrayList<>();
    private final TransformRunner transform =
            new TransformRunner(event -> Transformed.of(Objects.requireNonNull(event.value())), 0, 60_000);
    private HoldBudget budget = new HoldBudget(1 << 20);
    private final List<String> told = new ArrayList<>();
    private final List<Finding> found = new ArrayList<>();
    private boolean due;
    private PartitionOutput output = newOutput();
    private HeldOutput held = newHeld();

    @AfterEach
    void close() {
        transform.close();
    }

    /** Of old records nobody knows which leader wrote them. */
    @Test
    void norIsWhatWasCutOffOfAnUnknownLeader() {
        take(0, DeliveryLink.NO_EPOCH, "ab");
        held.truncated(1);
        take(1, DeliveryLink.NO_EPOCH, "x");
        verify(2, 3, DeliveryLink.NO_EPOCH);

        assertThat(written).hasToString("ax");
    }

    @Test
    void whatWasCutOffIsNotWrittenThoughWhatStandsInItsPlaceIsVerified() {
        take(0, EPOCH, "ab");
        held.truncated(1);
        take(1, EPOCH + 1, "x");
        verify(2, 3, EPOCH + 1);

        assertThat(written).hasToString("a");
        assertThat(held.heldFrom()).isEqualTo(1);
    }

    @Test
    void whatExpiredBeforeItWasVerifiedIsHeldNoMoreAndToldByTheVerifierAlone() {
        take(0, EPOCH, "ab");
        held.expired(0, 7);
        assertThat(held.heldFrom()).isEqualTo(7);
        verify(2, 9, EPOCH);

        assertThat(written).isEmpty();
        assertThat(found).isEmpty();
        assertThat(budget.isUsedUp()).isFalse();
    }

    @Test
    void whatWasVerifiedByThenIsWritten() {
        take(0, EPOCH, "abc");
        seal(A, EPOCH, interval(1, 3, 2));
        held.expired(2, 7);
        held.verified(7);

        assertThat(written).hasToString("ab");
        assertThat(held.heldFrom()).isEqualTo(7);
        assertThat(found).isEmpty();
    }

    /** Of the letters the log keeps the last one alone. */
    @Test
    void whatTheVerifierAloneHasReadIsToldIfItExpiresAndWhatIsHeldIsWritten() {
        take(0, EPOCH, "ab");
        held.feed().readOn();
        LogPiece piece = held.feed().ask().orElseThrow();
        take(2, EPOCH, "cde");
        held.feed()
                .answer(
                        piece,
                        new LogPiece.Found(
                                List.of(read(A, 4, EPOCH, "e")),
                                Optional.of(new LogPiece.End(5, 5)),
                                EpochEnd.WHOLE,
                                4,
                                true));
        assertThat(held.heldFrom()).isZero();
        verify(5, 5, EPOCH);

        assertThat(written).hasToString("abe");
        assertThat(found).containsExactly(new MissedRecords(PARTITION, 2, 4));
        assertThat(held.heldFrom()).isEqualTo(6);
    }

    @Test
    void whatATransactionHasNoRoomForIsHandedOnInTheNext() {
        take(0, EPOCH, "ab");
        full = true;
        verify(2, 2, EPOCH);
        assertThat(written).isEmpty();
        assertThat(held.isBehind()).isTrue();
        assertThat(held.heldFrom()).isZero();

        full = false;
        held.verified(3);
        assertThat(written).hasToString("ab");
        assertThat(held.isBehind()).isFalse();
    }

    @Test
    void whatIsReadAgainForAnEventWaitsUntilThatIsVerifiedAgain() {
        standAndGoOn();

        take(0, EPOCH, "abc");
        giveUp();
        held.verified(2);
        assertThat(written).isEmpty();
        assertThat(held.heldFrom()).isZero();

        seal(A, EPOCH, interval(1, 3, 3));
        held.verified(2);
        assertThat(written).hasToString("ab");
    }

    /** What was found while it stood is known no more. */
    @Test
    void whatFollowsARecordThatExpiredWhileTheOutputStoodAtItIsReadAgain() {
        take(0, EPOCH, "abc");
        giveUp();
        held.verified(2);
        assertThat(held.mayGoOn()).isFalse();

        held.expired(3, 7);
        assertThat(found).contains(new MissedRecords(PARTITION, 0, 3));
        take(7, EPOCH, "de");
        seal(A, EPOCH, interval(1, 9, 9));
        held.verified(10);
        assertThat(written).isEmpty();
        assertThat(held.heldFrom()).isEqualTo(7);
        assertThat(held.mayGoOn()).isTrue();

        HeldOutput before = held;
        held = newHeld();
        held.goOnFrom(before);
        take(7, EPOCH, "de");
        seal(A, EPOCH, interval(1, 9, 9));
        held.verified(10);
        assertThat(written).hasToString("de");
    }

    @Test
    void whatTakesThePlaceOfWhatTheOutputStoodAtIsReadFromWhereTheLogWasCut() {
        take(0, EPOCH, "a");
        seal(A, EPOCH, interval(1, 1, 1));
        take(2, EPOCH, "b");
        giveUp();
        held.verified(3);
        assertThat(written).hasToString("a");
        assertThat(held.mayGoOn()).isFalse();

        held.truncated(1);
        assertThat(held.mayGoOn()).isTrue();
        assertThat(held.heldFrom()).isEqualTo(1);
    }

    @Test
    void anEventThatWasCutOffMeanwhileIsNotWaitedFor() {
        standAndGoOn();

        held.take(read(B, 0, EPOCH + 1, "x"));
        seal(B, EPOCH + 1, new IntervalId(new StreamId("orders", 0, B), 1, 1, 0, 1));
        held.verified(2);
        assertThat(written).hasToString("x");
    }

    @Test
    void whatCameBetweenAReadingOfTheLogsEndAndItsAnswerIsReadAsWell() {
        take(0, EPOCH, "a");
        // A later leader's record has the log read.
        take(1, EPOCH + 1, "b");
        LogPiece piece = held.feed().ask().orElseThrow();
        take(2, EPOCH + 1, "c");
        held.feed().answer(piece, upToTheEnd(read(A, 1, EPOCH + 1, "b")));
        assertThat(held.feed().ask()).isEmpty();

        held.tick(1_000);
        assertThat(held.feed().ask()).map(LogPiece::beginOffset).contains(2L);
    }

    /** The verifier read what a later leader wrote in the place of what had been asked for by then. */
    @Test
    void aRecordThatWasCutOffBetweenQuestionAndAnswerIsReadAgain() {
        take(0, EPOCH, "a");
        take(1, EPOCH + 1, "x");
        LogPiece stale = held.feed().ask().orElseThrow();
        held.feed().answer(stale, upToTheEnd(read(A, 1, EPOCH, "b")));
        verify(2, 3, EPOCH + 1);
        assertThat(written).hasToString("a");

        LogPiece again = held.feed().ask().orElseThrow();
        held.feed().answer(again, upToTheEnd(read(A, 1, EPOCH + 1, "x")));
        held.verified(4);
        assertThat(written).hasToString("ax");
    }

    /** It was asked for before the verifier noticed that the log was cut and written anew. */
    @Test
    void aRecordOfALeaderThatTheVerifierHasNotSeenWaitsThoughWhatStoodInItsPlaceIsVerified() {
        take(0, EPOCH, "a");
        // A later leader's record has the log read.
        held.feed().readOn();
        take(1, EPOCH, "b");
        LogPiece piece = held.feed().ask().orElseThrow();
        held.feed().answer(piece, upToTheEnd(read(A, 1, EPOCH + 1, "x")));
        verify(2, 2, EPOCH);
        assertThat(written).hasToString("a");

        cutAndWrittenAnew(1, EPOCH + 1);
        verify(2, 2, EPOCH + 1);
        assertThat(written).hasToString("ax");
    }

    /** The output itself notices that the log was cut where it was, when it reads on. */
    @Test
    void soDoesOneFartherUpThanTheVerifiersLeadersAreRemembered() {
        take(0, EPOCH, "a");
        verify(1, 1, EPOCH);
        take(2, EPOCH + 1, "b");
        held.tick(1_000);
        // A later leader's record has the log read.
        held.feed().readOn();
        LogPiece piece = held.feed().ask().orElseThrow();
        held.feed().answer(piece, LogPiece.Found.truncated(new EpochEnd(EPOCH, 0), 0));
        LogPiece anew = held.feed().ask().orElseThrow();
        held.feed().answer(anew, upToTheEnd(read(A, 0, EPOCH + 2, "x")));
        held.verified(2);
        assertThat(written).hasToString("a");

        cutAndWrittenAnew(0, EPOCH + 2);
        verify(1, 1, EPOCH + 2);
        assertThat(written).hasToString("ax");
    }

    /** The verifier reads again what lies before the first cut, and is told of no second one before where it is. */
    @Test
    void whatALaterLeaderWroteWhileTheVerifierReadAgainIsNotVerifiedByWhatLayThere() {
        take(0, EPOCH, "abc");
        seal(A, EPOCH, interval(1, 3, 3));
        held.truncated(2);
        take(0, EPOCH, "a");
        take(1, EPOCH + 1, "x");
        giveUp();
        held.verified(2);
        LogPiece again = held.feed().ask().orElseThrow();
        held.feed().answer(again, upToTheEnd(read(A, 1, EPOCH + 1, "x")));
        held.verified(2);

        assertThat(written).hasToString("a");
    }

    /** Of two emitters that write in turns. */
    @Test
    void eachOfTwoViolatedIntervalsThatLieInEachOtherIsReleasedOnceAndToldOnce() {
        takeTwoViolated();
        assertThat(written).isEmpty();

        goOnReleasedAt(0);
        takeTwoViolated();
        assertThat(written).hasToString("a");

        goOnReleasedAt(1);
        written.setLength(0);
        takeTwoViolated();
        assertThat(written).hasToString("abcd");
        assertThat(told).hasSize(2);
    }

    @Test
    void anIntervalIsToldAgainOnceSoManyOthersLieInIt() {
        held = newHeld(OnViolation.MARK);
        for (int i = 0; i <= 1_001; i++) {
            long emitter = i % 1_001 == 0 ? A : 100 + i;
            held.take(read(emitter, i, EPOCH, "x"));
            held.found(new Violated(
                    new IntervalId(new StreamId("orders", 0, emitter), 1, 2_000, 0, 1_002), true, 1, List.of()));
        }
        held.verified(1_002);
        assertThat(told).hasSize(1_002);
    }

    @Test
    void whatAnotherLeaderWroteInThePlaceOfAReleasedEventIsNotReleased() {
        takeTwoViolated();
        goOnReleasedAt(0);
        held.take(read(A, 0, EPOCH + 1, "x"));
        held.found(new Violated(new IntervalId(new StreamId("orders", 0, A), 1, 9, 0, 4), true, 1, List.of()));
        held.verified(1);

        assertThat(written).isEmpty();
    }

    @Test
    void memoryIsUsedByWhatIsHeldAndGivenBackWithWhatIsHandedOn() {
        holdOneRecordAtMost();
        take(0, EPOCH, "ab");
        assertThat(held.heldRecords()).isEqualTo(1);
        assertThat(budget.isUsedUp()).isTrue();
        seal(A, EPOCH, interval(1, 2, 2));
        held.verified(1);

        assertThat(written).hasToString("a");
        assertThat(budget.isUsedUp()).isFalse();
    }

    @Test
    void ofWhatExpiredTheMemoryIsGivenBackAndTheRestStaysHeld() {
        budget = new HoldBudget(500);
        held = newHeld();
        take(0, EPOCH, "ab");
        assertThat(budget.isUsedUp()).as("by two records").isTrue();

        held.expired(0, 1);
        assertThat(held.heldRecords()).isEqualTo(1);
        assertThat(budget.isUsedUp()).as("by one").isFalse();
    }

    @Test
    void asManyAreHeldAsTheMemoryThatWasGivenBackAllows() {
        budget = new HoldBudget(700);
        held = newHeld();
        take(0, EPOCH, "abc");
        assertThat(held.heldRecords()).isEqualTo(3);
        held.expired(0, 2);
        held.feed().readOn();
        LogPiece piece = held.feed().ask().orElseThrow();
        assertThat(piece.contents()).isTrue();
        held.feed()
                .answer(
                        piece,
                        new LogPiece.Found(
                                List.of(read(A, 3, EPOCH, "d"), read(A, 4, EPOCH, "e"), read(A, 5, EPOCH, "f")),
                                Optional.of(new LogPiece.End(6, 6)),
                                EpochEnd.WHOLE,
                                3,
                                false));

        assertThat(held.heldRecords()).isEqualTo(3);
    }

    @Test
    void ofWhatWasCutOffTheMemoryIsGivenBack() {
        budget = new HoldBudget(500);
        held = newHeld();
        take(0, EPOCH, "ab");
        held.truncated(1);

        assertThat(held.heldRecords()).isEqualTo(1);
        assertThat(budget.isUsedUp()).isFalse();
    }

    @Test
    void theBudgetIsUsedUpByAllOfIt() {
        HoldBudget five = new HoldBudget(5);
        five.use(4);
        assertThat(five.isUsedUp()).isFalse();
        five.use(1);
        assertThat(five.isUsedUp()).isTrue();
    }

    @Test
    void withoutMemoryWhatIsVerifiedIsReadAndHandedOnAsFarAsTheTransactionTakesIt() {
        budget = new HoldBudget(0);
        held = newHeld();
        take(0, EPOCH, "a");
        assertThat(held.feed().ask()).isEmpty();

        seal(A, EPOCH, interval(1, 1, 1));
        held.verified(1);
        due = true;
        assertThat(held.feed().ask()).isEmpty();
        due = false;
        held.feed().answer(held.feed().ask().orElseThrow(), upToTheEnd(read(A, 0, EPOCH, "a")));
        assertThat(written).hasToString("a");

        held.feed().readOn();
        assertThat(held.feed().ask()).as("of what is not verified").isEmpty();
    }

    @Test
    void whatIsClosedOrStandsOrGoesOnInAnotherHoldsNothing() {
        holdOneRecordAtMost();
        take(0, EPOCH, "a");
        held.close();
        assertThat(budget.isUsedUp()).isFalse();
        assertThat(held.heldRecords()).isZero();

        budget = new HoldBudget(500);
        held = newHeld();
        take(0, EPOCH, "ab");
        giveUp();
        held.verified(1);
        assertThat(found).isNotEmpty();
        assertThat(held.heldRecords()).as("where it stands").isZero();

        holdOneRecordAtMost();
        take(0, EPOCH, "a");
        HeldOutput before = held;
        held = newHeld();
        held.goOnFrom(before);
        assertThat(budget.isUsedUp()).as("by the one before").isFalse();
    }

    @Test
    void forHowLongTheFirstRecordIsHeldIsTold() {
        take(0, EPOCH, "ab");
        held.tick(1_000);
        assertThat(held.heldMillis()).isZero();
        held.tick(1_700);
        assertThat(held.heldMillis()).isEqualTo(700);
        assertThat(held.heldRecords()).isEqualTo(2);

        seal(A, EPOCH, interval(1, 2, 2));
        held.verified(1);
        held.tick(2_000);
        assertThat(held.heldMillis()).as("of another one").isZero();
        held.verified(3);
        held.tick(3_000);
        held.tick(4_000);
        assertThat(held.heldMillis()).as("of none").isZero();
    }

    @Test
    void theVerifierNeverWaitsAndHandsOverContents() {
        assertThat(held.room()).isEqualTo(Integer.MAX_VALUE);
        assertThat(held.takesContent()).isTrue();
        assertThat(held.truncated(5)).isEqualTo(5);
    }

    @Test
    void whatIsLeftOutIsCountedAndToldOnceForItsInterval() {
        held = newHeld(OnViolation.SKIP);
        take(0, EPOCH, "abc");
        giveUp();
        held.verified(2);

        assertThat(written).isEmpty();
        assertThat(held.unverified()).isEqualTo(2);
        assertThat(output.written().endOffset()).isEqualTo(2);
        assertThat(held.heldFrom()).isEqualTo(2);
        assertThat(told).singleElement().asString().startsWith("the record at offset 0 is left out of the output");
    }

    @Test
    void whatIsMarkedBearsItsAlertOrTheReasonAndNothingThatItsUpstreamSaid() {
        held = newHeld(OnViolation.MARK);
        held.take(read(A, 0, EPOCH, "a", HeaderBytes.NONE.plus(TransformedHeader.UNVERIFIED, new byte[] {1})));
        held.take(read(B, 1, EPOCH, "b", HeaderBytes.NONE));
        held.found(new Inconclusive(interval(-1, 1, 1), Reason.UNSEALED, "made room"));
        held.verified(2);

        assertThat(written).hasToString("ab");
        assertThat(records)
                .extracting(HeldRecordsOfALogTest::mark)
                .containsExactly(
                        "orders/0/000000000000000a/-1@1",
                        "no checkpoint of its stream states it, up to the verified progress");
        assertThat(told).first().asString().startsWith("the record at offset 0 is marked in the output");
    }

    @Test
    void whatIsVerifiedBearsNoMarkThoughItsUpstreamWroteOne() {
        held.take(read(A, 0, EPOCH, "a", HeaderBytes.NONE.plus(TransformedHeader.UNVERIFIED, new byte[] {1})));
        verify(1, 1, EPOCH);

        assertThat(written).hasToString("a");
        assertThat(mark(records.get(0))).isNull();
    }

    /** Of old records nobody knows which leader wrote them. */
    @Test
    void whatWasVerifiedBeforeACutIsNotWhatAnUnknownLeaderWroteThere() {
        take(0, DeliveryLink.NO_EPOCH, "ab");
        seal(A, DeliveryLink.NO_EPOCH, interval(1, 2, 2));
        held.truncated(1);
        take(1, DeliveryLink.NO_EPOCH, "x");
        held.verified(2);

        assertThat(written).hasToString("a");
    }

    @Test
    void whatFollowsACutWithoutAGapIsHeldAtOnce() {
        take(0, DeliveryLink.NO_EPOCH, "ab");
        held.truncated(1);
        take(2, DeliveryLink.NO_EPOCH, "x");

        assertThat(held.heldRecords()).isEqualTo(2);
    }

    @Test
    void afterWhatExpiredNothingIsReadThatDidNotCome() {
        take(0, EPOCH, "ab");
        held.expired(0, 7);
        held.tick(1_000);

        assertThat(held.feed().ask()).isEmpty();
    }

    @Test
    void aRecordThatWasCutOffIsReadAgainThoughTheLogWasReadUpToItsEndSince() {
        take(0, EPOCH, "a");
        take(1, EPOCH + 1, "x");
        LogPiece stale = held.feed().ask().orElseThrow();
        seal(A, EPOCH + 1, interval(1, 3, 2));
        held.feed().answer(stale, upToTheEnd(read(A, 1, EPOCH, "b")));
        assertThat(held.feed().ask()).isEmpty();
        held.verified(4);

        assertThat(written).hasToString("a");
        assertThat(held.feed().ask()).map(LogPiece::beginOffset).contains(1L);
    }

    @Test
    void whereAnEarlierLeadersRecordsCameBackTheLogIsRead() {
        take(0, EPOCH, "a");
        take(1, EPOCH + 2, "x");
        held.feed().answer(held.feed().ask().orElseThrow(), upToTheEnd(read(A, 1, EPOCH + 2, "x")));
        assertThat(held.feed().ask()).isEmpty();

        take(1, EPOCH + 1, "y");
        assertThat(held.feed().ask()).isPresent();
    }

    @Test
    void anEventIsWaitedForUpToWhereItWasJudgedAndNoFurther() {
        standAndGoOn();
        take(0, EPOCH, "abc");
        giveUp();
        held.verified(3);
        assertThat(found).filteredOn(Undelivered.class::isInstance).hasSize(1);

        held.verified(4);
        assertThat(found).filteredOn(Undelivered.class::isInstance).hasSize(2);
    }

    @Test
    void aCutAfterWhatItStandsAtLeavesItStanding() {
        take(0, EPOCH, "abc");
        giveUp();
        held.verified(2);
        held.truncated(3);
        assertThat(held.mayGoOn()).isFalse();

        seal(A, EPOCH, interval(1, 3, 3));
        assertThat(held.mayGoOn()).isTrue();
    }

    private void holdOneRecordAtMost() {
        budget = new HoldBudget(1);
        held = newHeld();
    }

    private static @Nullable String mark(RecordContent record) {
        byte[] mark = record.headers().last(TransformedHeader.UNVERIFIED);
        return mark == null ? null : new String(mark, UTF_8);
    }

    private void goOnReleasedAt(long offset) {
        HeldOutput before = held;
        held = newHeld();
        held.goOnFrom(before);
        held.release(offset, false);
    }

    private void takeTwoViolated() {
        for (int i = 0; i < 4; i++) {
            held.take(read(i % 2 == 0 ? A : B, i, EPOCH, "abcd".substring(i, i + 1)));
        }
        for (long emitter : List.of(A, B)) {
            StreamId stream = new StreamId("orders", 0, emitter);
            held.found(new Violated(new IntervalId(stream, 1, 9, 0, 4), true, 1, List.of()));
        }
        held.verified(4);
    }

    private void cutAndWrittenAnew(long offset, int epoch) {
        held.truncated(offset);
        take(offset, epoch, "x");
        LogPiece again = held.feed().ask().orElseThrow();
        held.feed().answer(again, upToTheEnd(read(A, offset, epoch, "x")));
    }

    private static LogPiece.Found upToTheEnd(Read last) {
        long end = last.record().offset() + 1;
        return new LogPiece.Found(
                List.of(last), Optional.of(new LogPiece.End(end, end)), EpochEnd.WHOLE, end - 1, false);
    }

    /** The output stands at an event that is given up, and verified after all, and is read again. */
    private void standAndGoOn() {
        take(0, EPOCH, "abc");
        giveUp();
        held.verified(2);
        assertThat(held.mayGoOn()).isFalse();
        seal(A, EPOCH, interval(1, 3, 3));
        assertThat(held.mayGoOn()).isTrue();

        HeldOutput before = held;
        held = newHeld();
        held.goOnFrom(before);
    }

    private void giveUp() {
        held.found(new Inconclusive(interval(-1, 2, 3), Reason.UNSEALED, "made room"));
    }

    private HeldOutput newHeld() {
        return newHeld(OnViolation.HALT);
    }

    private PartitionOutput newOutput() {
        return new PartitionOutput(
                PARTITION,
                Written.before(0),
                new Paper(),
                Optional.empty(),
                transform,
                content -> false,
                OnError.HALT,
                found::add);
    }

    private HeldOutput newHeld(OnViolation onViolation) {
        output = newOutput();
        return new HeldOutput(
                PARTITION,
                AllowedEmitters.ALL,
                output,
                0,
                DeliveryLink.NO_EPOCH,
                100,
                10_000,
                budget,
                onViolation,
                told::add);
    }

    private void take(long first, int epoch, String letters) {
        for (int i = 0; i < letters.length(); i++) {
            held.take(read(A, first + i, epoch, letters.substring(i, i + 1)));
        }
    }

    private static Read read(long emitter, long offset, int epoch, String letter) {
        return read(emitter, offset, epoch, letter, HeaderBytes.NONE);
    }

    private static Read read(long emitter, long offset, int epoch, String letter, HeaderBytes headers) {
        Event event = new Event(
                offset,
                emitter,
                offset,
                TreeHash.XXH3,
                EventSigners.XXH3_KEY_VALUE,
                Hash.empty(),
                Hash.empty(),
                Event.Content.UNTRANSFORMED,
                LogRecord.NO_TIME);
        return new Read(event, epoch, 0, new RecordContent(null, letter.getBytes(UTF_8), headers, 0, false));
    }

    private void verify(int events, long checkpointOffset, int epoch) {
        seal(A, epoch, interval(1, checkpointOffset, events));
        held.verified(checkpointOffset + 1);
    }

    private void seal(long emitter, int epoch, IntervalId interval) {
        RecordContent content = new RecordContent(null, new byte[0], HeaderBytes.NONE, 0, false);
        held.take(new Read(JudgementsTest.checkpoint(emitter, 1, interval.checkpointOffset()), epoch, 0, content));
        held.found(new Verified(interval, Basis.MATCH, 0));
    }

    private static IntervalId interval(long number, long offset, int events) {
        return new IntervalId(new StreamId("orders", 0, A), number, offset, 0, events);
    }

    private final class Paper implements OutputLog {
        @Override
        public @Nullable String unavailable() {
            return null;
        }

        @Override
        public boolean isDue() {
            return due;
        }

        @Override
        public boolean isFull() {
            return full;
        }

        @Override
        public @Nullable String refusal(RecordContent record) {
            return null;
        }

        @Override
        public void append(long inputOffset, RecordContent record) {
            records.add(record);
            written.append(new String(Objects.requireNonNull(record.value()), UTF_8));
        }

        @Override
        public void tell(long offset, TransformFailure failure) {}
    }
}
