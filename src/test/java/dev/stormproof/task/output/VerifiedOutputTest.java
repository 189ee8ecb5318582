package dev.stormproof.task.output;

import static dev.stormproof.task.output.VerifiedLog.A;
import static dev.stormproof.task.output.VerifiedLog.B;
import static dev.stormproof.task.output.VerifiedLog.EPOCH;
import static dev.stormproof.task.output.VerifiedLog.PARTITION;
import static dev.stormproof.task.output.VerifiedLog.checkpoint;
import static dev.stormproof.task.output.VerifiedLog.event;
import static dev.stormproof.task.output.VerifiedLog.read;
import static dev.stormproof.task.output.VerifiedLog.unsealed;
import static dev.stormproof.task.output.VerifiedLog.verified;
import static dev.stormproof.task.output.VerifiedLog.violated;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.AllowedEmitters;
import dev.stormproof.proof.checkpoint.TransformedHeader;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.task.transform.TransformRunner;
import dev.stormproof.task.transform.TransformRunner.TransformFailure;
import dev.stormproof.task.transform.Transformed;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.EpochEnd;
import dev.stormproof.verify.feed.HeaderBytes;
import dev.stormproof.verify.feed.LogPiece;
import dev.stormproof.verify.feed.Read;
import dev.stormproof.verify.feed.RecordContent;
import dev.stormproof.verify.fold.Bounds;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.MissedRecords;
import dev.stormproof.verify.judge.Undelivered;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A verified topic that trails a verifier which is drawn: letters are events of emitter A, digits its checkpoints.
 *
 * <pre>
 *   offset   0 1 2 3 4 5
 *            a b 1 c d 2
 * </pre>
 */
class VerifiedOutputTest {
    private static final long END = 6;

    private final List<Read> log = new ArrayList<>();
    private final StringBuilder written = new StringBuilder();
    private final List<RecordContent> records = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private final List<Finding> found = new ArrayList<>();
    private final TransformRunner transform =
            new TransformRunner(event -> Transformed.of(Objects.requireNonNull(event.value())), 0, 60_000);
    private boolean full;
    private boolean due;
    private @Nullable String unavailable;
    private long logBegin;
    private PartitionOutput output = newOutput(Written.before(0));
    private VerifiedOutput topic = newTopic(OnViolation.HALT, 100);

    VerifiedOutputTest() {
        log.add(read(event(A, 0, 0), EPOCH, "a"));
        log.add(read(event(A, 1, 1), EPOCH, "b"));
        log.add(read(checkpoint(A, 1, 2), EPOCH, "1"));
        log.add(read(event(A, 3, 2), EPOCH, "c"));
        log.add(read(event(A, 4, 3), EPOCH, "d"));
        log.add(read(checkpoint(A, 2, 5), EPOCH, "2"));
    }

    @AfterEach
    void close() {
        transform.close();
    }

    @Test
    void nothingIsReadBeforeTheProgressHasPassedIt() {
        takeAll();
        assertThat(topic.ask()).isEmpty();
        assertThat(topic.takesContent()).isFalse();
        assertThat(topic.room()).as("for the verifier").isEqualTo(Integer.MAX_VALUE);

        topic.found(verified(A, 1, 0, 2, 0, 2));
        topic.verified(3);
        assertThat(topic.ask()).contains(new LogPiece(0, DeliveryLink.NO_EPOCH, 3, 1_000, true));
        assertThat(topic.ask()).as("at once again").isEmpty();
    }

    @Test
    void whatIsVerifiedIsWrittenInTheOrderOfTheLog() {
        takeAll();
        verifyFirst();
        assertThat(written).hasToString("ab1");
        assertThat(topic.nextOffset()).isEqualTo(3);

        verifySecond();
        assertThat(written).hasToString("ab1cd2");
        assertThat(topic.isBehind()).isFalse();
    }

    @Test
    void atAViolatedIntervalTheOutputHalts() {
        takeAll();
        verifyFirst();
        violateSecond();

        assertThat(written).hasToString("ab1");
        assertThat(output.haltedAt()).hasValue(3);
        assertThat(topic.nextOffset()).isEqualTo(3);
        assertThat(topic.mayGoOn()).isFalse();
        assertThat(found)
                .singleElement()
                .satisfies(
                        halt -> assertThat(((Undelivered) halt).detail()).startsWith("it is not verified: violated"));
    }

    @Test
    void aViolatedIntervalIsLeftOutWithItsCheckpoint() {
        topic = newTopic(OnViolation.SKIP, 100);
        takeAll();
        verifyFirst();
        violateSecond();

        assertThat(written).hasToString("ab1");
        assertThat(topic.nextOffset()).isEqualTo(END);
        assertThat(output.written().endOffset()).isEqualTo(END);
        assertThat(topic.unverified()).isEqualTo(3);
        assertThat(told).singleElement().asString().startsWith("the record at offset 3 is left out of the output");
    }

    @Test
    void aViolatedIntervalIsMarkedWithItsCheckpoint() {
        topic = newTopic(OnViolation.MARK, 100);
        takeAll();
        verifyFirst();
        violateSecond();

        assertThat(written).hasToString("ab1cd2");
        String id = violated(A, 2, 5, 2, 2).id();
        assertThat(records).extracting(VerifiedOutputTest::mark).containsExactly(null, null, null, id, id, id);
        assertThat(told).singleElement().asString().startsWith("the record at offset 3 is marked in the output");
    }

    @Test
    void aMarkThatUpstreamWroteHasNoMeaning() {
        HeaderBytes forged = HeaderBytes.NONE.plus(TransformedHeader.UNVERIFIED, new byte[] {1});
        log.set(0, read(event(A, 0, 0), EPOCH, "a", forged));
        takeAll();
        verifyFirst();

        assertThat(records).extracting(VerifiedOutputTest::mark).containsOnlyNulls();
    }

    @Test
    void noRecordOfNobodyGetsThroughUnmarked() {
        log.set(1, read(new UnattributedRecord(1, UnattributedRecord.Kind.UNSIGNED, "why", 0), EPOCH, "x"));
        topic = newTopic(OnViolation.SKIP, 100);
        takeAll();
        topic.found(verified(A, 1, 0, 2, 0, 1));
        trail(3);

        assertThat(written).hasToString("a1");
    }

    @Test
    void aRepeatedCheckpointDoesNotEither() {
        log.set(3, read(checkpoint(A, 1, 3), EPOCH, "1"));
        topic = newTopic(OnViolation.SKIP, 100);
        takeAll();
        verifyFirst();
        topic.found(verified(A, 2, 4, 5, 2, 1));
        trail(END);

        assertThat(written).hasToString("ab12");
    }

    @Test
    void aReleaseAppliesToItsWholeInterval() {
        takeAll();
        verifyFirst();
        violateSecond();
        topic.release(3, false);
        assertThat(topic.goOn()).isTrue();
        trail(END);

        assertThat(written).hasToString("ab1cd2");
        assertThat(mark(records.get(5))).isNotNull();
        assertThat(found)
                .extracting(one -> ((Undelivered) one).kind())
                .containsExactly(Undelivered.Kind.HALTED, Undelivered.Kind.RESUMED);
    }

    @Test
    void aReleaseLeavesItsWholeIntervalOut() {
        takeAll();
        verifyFirst();
        violateSecond();
        topic.release(3, true);
        assertThat(topic.goOn()).isTrue();
        trail(END);

        assertThat(written).hasToString("ab1");
        assertThat(topic.nextOffset()).isEqualTo(END);
    }

    @Test
    void whatAnotherLeaderWroteInThePlaceOfAReleasedRecordIsNotReleased() {
        takeAll();
        verifyFirst();
        violateSecond();
        topic.release(3, false);
        cutAndWrite(3, EPOCH + 1, "x");
        topic.found(violated(A, 2, 4, 2, 2));
        trail(4);

        assertThat(written).hasToString("ab1");
        assertThat(output.haltedAt()).hasValue(3);
    }

    @Test
    void anOutputThatHaltedGoesOnIfTheEventIsVerifiedAfterAll() {
        takeAll();
        topic.found(unsealed(A, 1, 0, 2));
        trail(2);
        assertThat(output.haltedAt()).hasValue(0);
        assertThat(topic.mayGoOn()).isFalse();

        topic.found(verified(A, 1, 0, 2, 0, 2));
        assertThat(topic.mayGoOn()).isTrue();
        assertThat(topic.goOn()).isTrue();
        trail(3);
        assertThat(written).hasToString("ab1");
        assertThat(topic.mayGoOn()).isFalse();
    }

    @Test
    void asMuchIsHandedOnAsATransactionTakes() {
        takeAll();
        topic.found(verified(A, 1, 0, 2, 0, 2));
        topic.verified(3);
        LogPiece piece = topic.ask().orElseThrow();
        full = true;
        topic.answer(piece, found(piece));
        assertThat(written).isEmpty();
        assertThat(topic.ask()).isEmpty();
        assertThat(topic.isBehind()).isTrue();

        full = false;
        due = true;
        assertThat(topic.ask()).isEmpty();

        due = false;
        trail(3);
        assertThat(written).hasToString("ab1");
    }

    @Test
    void whatTheTransactionTookBackIsReadAgain() {
        takeAll();
        verifyFirst();
        unavailable = "no leader";
        output.unavailable(1, 0, "no leader");
        verifySecond();
        assertThat(written).hasToString("ab1");

        unavailable = null;
        assertThat(topic.goOn()).isTrue();
        written.setLength(0);
        trail(END);
        assertThat(written).hasToString("b1cd2");
    }

    @Test
    void ofWhatWasForgottenThePartitionIsVerifiedAgain() {
        takeAll();
        verifyFirst();
        topic.tick(0);
        topic.tick(1_000);
        output.unavailable(1, 0, "no leader");

        assertThat(topic.goOn()).isFalse();
    }

    @Test
    void verdictsOnWhatIsCommittedTakeNoRoom() {
        topic = newTopic(OnViolation.SKIP, 1);
        takeAll();
        verifyFirst();
        topic.tick(0);
        topic.tick(1_000);
        topic.found(verified(A, 2, 4, 5, 3, 1));
        trail(END);

        assertThat(written).hasToString("ab1d2");
    }

    @Test
    void withoutRoomForAllVerdictsThePartitionIsVerifiedAgainBehindThoseThatAreKept() {
        topic = newTopic(OnViolation.HALT, 1);
        takeAll();
        topic.found(verified(A, 1, 0, 2, 0, 2));
        topic.found(verified(A, 2, 3, 5, 2, 2));
        trail(3);
        assertThat(topic.mayGoOn()).as("no further than the progress").isFalse();
        trail(END);
        assertThat(written).hasToString("ab1");
        assertThat(topic.mayGoOn()).isTrue();
        assertThat(topic.goOn()).isFalse();

        VerifiedOutput before = topic;
        topic = newTopic(OnViolation.HALT, 1);
        topic.goOnFrom(before);
        takeAll();
        topic.found(verified(A, 2, 3, 5, 2, 2));
        trail(END);
        assertThat(written).hasToString("ab1cd2");
    }

    @Test
    void releasesAreTakenOverByTheNextInstance() {
        takeAll();
        verifyFirst();
        violateSecond();
        topic.release(3, false);
        assertThat(topic.goOn()).isTrue();
        trail(4);
        VerifiedOutput before = topic;
        output = newOutput(output.written());
        topic = newTopic(OnViolation.HALT, 100, 3);
        topic.goOnFrom(before);
        takeAll();
        violateSecond();

        assertThat(written).hasToString("ab1cd2");
        assertThat(told).hasSize(1);
    }

    @Test
    void aReleaseHasARefusedRecordTriedAgain() {
        takeAll();
        verifyFirst();
        output.refused(1, 0, "too large");
        topic.release(1, false);
        assertThat(topic.goOn()).isTrue();
        trail(3);

        assertThat(written).hasToString("ab1b1");
    }

    @Test
    void aRecordOfALeaderThatWasCutOffWaits() {
        topic = newTopic(OnViolation.SKIP, 100);
        log.set(5, read(checkpoint(A, 2, 5), EPOCH + 1, "2"));
        takeAll();
        topic.truncated(4);
        log.set(4, read(event(A, 4, 3), EPOCH + 2, "d"));
        log.add(read(event(A, 6, 4), EPOCH + 2, "e"));
        topic.take(log.get(4));
        topic.take(log.get(6));
        trail(7);

        assertThat(topic.nextOffset()).isEqualTo(5);
    }

    @Test
    void aRecordOfALeaderThatTheVerifierHasNotSeenWaits() {
        takeAll();
        topic.found(verified(A, 1, 0, 2, 0, 2));
        log.set(1, read(event(A, 1, 1), EPOCH + 1, "x"));
        trail(3);
        assertThat(written).hasToString("a");
        assertThat(topic.nextOffset()).isEqualTo(1);
        assertThat(topic.ask()).as("before the next tick").isEmpty();
        topic.tick(0);
        assertThat(topic.ask()).isPresent();
    }

    @Test
    void aRecordThatWasCutOffBetweenQuestionAndAnswerIsReadAgain() {
        takeAll();
        topic.found(verified(A, 1, 0, 2, 0, 2));
        topic.verified(3);
        LogPiece stale = topic.ask().orElseThrow();
        LogPiece.Found before = found(stale);
        topic.truncated(1);
        topic.answer(stale, before);
        assertThat(written).isEmpty();

        trail(1);
        assertThat(written).hasToString("a");
    }

    @Test
    void whatTakesThePlaceOfWhatIsWrittenIsWrittenBehindIt() {
        takeAll();
        verifyFirst();
        cutAndWrite(1, EPOCH + 1, "x");
        topic.found(verified(A, 1, 0, 2, 0, 2));
        log.add(read(checkpoint(A, 1, 2), EPOCH + 1, "1"));
        topic.take(log.get(2));
        trail(3);

        assertThat(written).hasToString("ab1x1");
    }

    @Test
    void aVerdictIsOnNothingThatTookThePlaceOfWhatItWasOn() {
        takeAll();
        topic.found(verified(A, 1, 0, 2, 0, 2));
        cutAndWrite(1, EPOCH + 1, "x");
        trail(2);

        assertThat(written).hasToString("a");
    }

    @Test
    void aCutAtWhatItStandsAtEndsTheHalt() {
        takeAll();
        verifyFirst();
        violateSecond();
        cutAndWrite(3, EPOCH + 1, "x");
        assertThat(output.standsAt()).isEmpty();
        topic.found(verified(A, 2, 3, 4, 2, 1));
        trail(4);

        assertThat(written).hasToString("ab1x");
    }

    @Test
    void aCutAfterWhatItStandsAtLeavesItStanding() {
        takeAll();
        verifyFirst();
        violateSecond();
        assertThat(topic.truncated(5)).isEqualTo(5);
        assertThat(output.haltedAt()).hasValue(3);
        assertThat(topic.mayGoOn()).isFalse();
        topic.found(verified(A, 2, 3, 4, 2, 1));
        assertThat(topic.mayGoOn()).isTrue();
    }

    @Test
    void whatExpiredBeforeItWasReadAgainIsMissed() {
        takeAll();
        topic.found(verified(A, 1, 0, 2, 0, 2));
        logBegin = 3;
        trail(3);

        assertThat(written).isEmpty();
        assertThat(output.written().endOffset()).isEqualTo(3);
        assertThat(found).containsExactly(new MissedRecords(PARTITION, 0, 3));
    }

    @Test
    void whatTheVerifierDidNotReadEitherIsToldByItAlone() {
        takeAll();
        topic.found(verified(A, 1, 0, 2, 0, 2));
        topic.verified(3);
        topic.expired(3, 9);
        topic.expired(9, 9);

        assertThat(found).containsExactly(new MissedRecords(PARTITION, 0, 3));
        assertThat(topic.nextOffset()).isEqualTo(9);
        assertThat(topic.trailing()).isZero();
    }

    @Test
    void whatFollowsARecordThatExpiredWhileTheOutputStoodAtItIsWritten() {
        takeAll();
        verifyFirst();
        violateSecond();
        topic.expired(6, 9);
        log.add(read(event(B, 9, 0), EPOCH, "y"));
        topic.take(log.get(6));
        topic.found(verified(B, 1, 9, 10, 0, 1));
        trail(10);

        assertThat(written).hasToString("ab1y");
        assertThat(found).contains(new MissedRecords(PARTITION, 3, 6));
    }

    /** Between the last record and the progress lie the marks of transactions alone. */
    @Test
    void whereNoRecordIsLeftNothingIsAskedAgain() {
        takeAll();
        topic.found(verified(A, 1, 0, 2, 0, 2));
        log.subList(3, 6).clear();
        trail(5);

        assertThat(topic.nextOffset()).isEqualTo(5);
        assertThat(topic.ask()).isEmpty();
        topic.verified(6);
        assertThat(topic.ask()).map(LogPiece::maxRecords).contains(1);
    }

    @Test
    void forHowLongTheOutputTrailsIsTold() {
        takeAll();
        topic.tick(1_000);
        assertThat(topic.trailsMillis()).isZero();
        topic.tick(1_700);
        assertThat(topic.trailsMillis()).isEqualTo(700);
        assertThat(topic.trailing()).isEqualTo(6);

        verifyFirst();
        topic.tick(2_000);
        assertThat(topic.trailsMillis()).as("of another one").isZero();
        assertThat(topic.trailing()).isEqualTo(3);
        verifySecond();
        topic.tick(3_000);
        topic.tick(4_000);
        assertThat(topic.trailsMillis()).as("of none").isZero();
    }

    @Test
    void anIntervalIsToldAgainOnceSoManyOthersLieInIt() {
        topic = newTopic(OnViolation.MARK, 2_000);
        log.clear();
        for (int i = 0; i <= 1_002; i++) {
            long emitter = i == 0 || i == 1_000 || i == 1_002 ? A : 100 + i;
            log.add(read(event(emitter, i, 0), EPOCH, "x"));
            topic.found(unsealed(emitter, i, 0, 1));
        }
        takeAll();
        trail(1_001);
        assertThat(told).hasSize(1_000);
        trail(1_003);
        assertThat(told).hasSize(1_002);
    }

    private void verifyFirst() {
        topic.found(verified(A, 1, 0, 2, 0, 2));
        trail(3);
    }

    private void verifySecond() {
        topic.found(verified(A, 2, 3, 5, 2, 2));
        trail(END);
    }

    private void violateSecond() {
        topic.found(violated(A, 2, 5, 2, 2));
        trail(END);
    }

    private void cutAndWrite(int offset, int epoch, String letter) {
        log.subList(offset, log.size()).clear();
        log.add(read(event(A, offset, offset == 1 ? 1 : 2), epoch, letter));
        topic.truncated(offset);
        topic.take(log.get(offset));
    }

    /** The verifier reads the log. */
    private void takeAll() {
        log.forEach(topic::take);
    }

    /** The progress comes to an offset, and what is asked of the log is answered as long as something is. */
    private void trail(long progress) {
        topic.verified(progress);
        for (Optional<LogPiece> piece = topic.ask(); piece.isPresent(); piece = topic.ask()) {
            topic.answer(piece.get(), found(piece.get()));
        }
    }

    private LogPiece.Found found(LogPiece piece) {
        long from = Math.max(piece.beginOffset(), logBegin);
        List<Read> all =
                log.stream().filter(read -> read.record().offset() >= from).toList();
        List<Read> some = all.subList(0, Math.min(piece.maxRecords(), all.size()));
        return new LogPiece.Found(
                some,
                some.size() < all.size() ? Optional.empty() : Optional.of(new LogPiece.End(100, 100)),
                EpochEnd.WHOLE,
                from,
                false);
    }

    private static @Nullable String mark(RecordContent record) {
        byte[] mark = record.headers().last(TransformedHeader.UNVERIFIED);
        return mark == null ? null : new String(mark, UTF_8);
    }

    private PartitionOutput newOutput(Written before) {
        return new PartitionOutput(
                PARTITION,
                before,
                new Paper(),
                Optional.empty(),
                transform,
                content -> false,
                OnError.HALT,
                found::add);
    }

    private VerifiedOutput newTopic(OnViolation onViolation, int mostVerdicts) {
        return newTopic(onViolation, mostVerdicts, 0);
    }

    private VerifiedOutput newTopic(OnViolation onViolation, int mostVerdicts, long begin) {
        return new VerifiedOutput(
                PARTITION,
                AllowedEmitters.ALL,
                output,
                begin,
                new Bounds(10, 10, 4, 1_000),
                mostVerdicts,
                onViolation,
                told::add);
    }

    private final class Paper implements OutputLog {
        @Override
        public @Nullable String unavailable() {
            return unavailable;
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
        public void logFailure(long offset, TransformFailure failure) {}
    }
}
