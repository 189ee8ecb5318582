package dev.stormproof.task.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.AllowedEmitters;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.OversizedRecords;
import dev.stormproof.proof.checkpoint.Protection;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.task.output.Judgements.Unproven;
import dev.stormproof.testing.CheckpointFields;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.PartitionId;
import dev.stormproof.verify.judge.Seal;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Tail;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Inconclusive.Reason;
import dev.stormproof.verify.judge.Verdict.Verified;
import dev.stormproof.verify.judge.Verdict.Verified.Basis;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is known of events whose intervals are judged: two emitters, whose intervals have two events each. */
class JudgementsTest {
    private static final PartitionId PARTITION = new PartitionId("orders", 0);
    private static final long A = 0xaL;
    private static final long B = 0xbL;

    private final Judgements judgements = judgements(1_000);

    @Test
    void anEventOfAVerifiedIntervalIsVerifiedAndOneBehindItIsNot() {
        verified(A, 1, 0, 5);

        assertThat(of(A, 0, 3)).isNull();
        assertThat(of(A, 1, 4)).isNull();
        assertThat(why(of(A, 2, 6))).isEqualTo("no checkpoint of its stream states it, up to the verified progress");
        assertThat(why(of(B, 0, 3))).isEqualTo("no checkpoint of its stream states it, up to the verified progress");
    }

    @Test
    void manyVerifiedIntervalsThatFollowOnAreOneEntry() {
        for (int number = 1; number <= 4_160; number++) {
            verified(A, number, 2L * (number - 1), 3L * number - 2, 3L * number);
        }

        assertThat(judgements.size()).isEqualTo(4_160 / Intervals.MOST);
        for (int sequence = 0; sequence < 1_000; sequence++) {
            assertThat(of(A, sequence, sequence / 2 * 3 + 1)).isNull();
        }
    }

    @Test
    void ofThoseThatWereHandedOnNothingIsKept() {
        for (int number = 1; number <= 500; number++) {
            long offset = 3L * number;
            judgements.add(
                    new Verified(interval(A, number, 2L * (number - 1), offset), Basis.MATCH, offset - 2), offset - 2);
        }

        assertThat(judgements.size()).isEqualTo(1);
        assertThat(of(A, 998, 1_498)).isNull();
    }

    /** It lies before a checkpoint of its stream that its interval continues, and was not in the log any more when that was verified. */
    @Test
    void aCopyAmongTheEventsOfAnotherIntervalIsNotVerifiedThoughBothAre() {
        verified(A, 1, 0, 5);
        verified(A, 2, 2, 10);

        assertThat(of(A, 2, 3)).isNotNull();
        assertThat(of(A, 1, 7)).isNotNull();
        assertThat(of(A, 0, 3)).isNull();
        assertThat(of(A, 3, 8)).isNull();
    }

    @Test
    void aViolatedIntervalBetweenVerifiedOnesIsTheFirstBehindItsEvents() {
        verified(A, 1, 0, 5);
        verified(A, 3, 4, 15);
        violated(A, 2, 2, 10);

        assertThat(of(A, 1, 4)).isNull();
        assertThat(Objects.requireNonNull(of(A, 2, 7)).alertId()).isEqualTo("orders/0/000000000000000a/2");
        assertThat(of(A, 4, 12)).isNull();
    }

    @Test
    void anEventWhoseSequenceTheIntervalDoesNotStateIsNotVerified() {
        verified(A, 2, 2, 10);

        assertThat(why(of(A, 1, 7))).startsWith("its sequence 1 is none of those");
        assertThat(why(of(A, 4, 7)))
                .isEqualTo("its sequence 4 is none of those that the next checkpoints of its stream state, [2, 4)");
    }

    @Test
    void anEventThatAForgedCheckpointDoesNotStateIsOfTheIntervalThatDoes() {
        violated(A, 1_000, 8, 7);
        verified(A, 2, 2, 10);

        assertThat(of(A, 2, 6)).isNull();
        assertThat(Objects.requireNonNull(of(A, 8, 6)).alertId()).isEqualTo("orders/0/000000000000000a/1000");
    }

    /** The interval where it lies is violated by it, and its own one verifies as well. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(textBlock = """
            before the checkpoint that its interval continues,                     2, 2, 10, 6
            several intervals before its own: the one in between is not judged,    3, 4, 20, 16
            """)
    void aCopyOfAnEventIsNotVerified(String where, long number, long sequence, long checkpoint, long original) {
        violated(A, 1, 0, 5);
        verified(A, number, sequence, checkpoint);

        assertThat(why(of(A, sequence, 4))).isEqualTo("violated: orders/0/000000000000000a/1");
        assertThat(of(A, sequence, original)).isNull();
    }

    /** Nobody judges it where the stream is known to be further, say, and it is none that was written twice. */
    @Test
    void norIsOneThatLiesBeforeTheCheckpointThatIsContinuedWhereNobodyJudgesThat() {
        verified(A, 2, 2, 10);
        verified(A, 3, 4, 15);

        assertThat(why(of(A, 2, 4)))
                .isEqualTo("it lies before the events of the next checkpoint of its stream, which begin at offset 6");
        assertThat(of(A, 2, 6)).isNull();
        assertThat(of(A, 4, 12)).isNull();
    }

    /** It has no sequences, and the interval in between is not judged yet. */
    @Test
    void anEventOfFormat1IsOfTheNextIntervalIfThatBeginsBeforeIt() {
        verified(StreamId.NO_EMITTER, 6, 0, 4, 6);

        assertThat(why(of(StreamId.NO_EMITTER, -1, 1))).startsWith("it lies before the events of the next checkpoint");
        assertThat(of(StreamId.NO_EMITTER, -1, 4)).isNull();
        assertThat(of(StreamId.NO_EMITTER, -1, 5)).isNull();
    }

    @Test
    void beyondTheBoundOfJudgementsThatAreLookedThroughAnEventIsNotVerified() {
        verified(A, 2, 2, 6, 1_000);
        for (int forged = 0; forged < JudgedStream.MOST_PASSED; forged++) {
            violated(A, 1_000 + 2 * forged, 8, 100 + forged);
        }
        assertThat(of(A, 2, 6)).isNull();

        violated(A, 5_000, 8, 500);
        assertThat(of(A, 2, 6)).isNotNull();
    }

    @Test
    void whatAnEmitterWritesThatMayNotIsNotVerifiedThoughItsIntervalsAre() {
        unlisted(A, 1, 0, 5);
        verified(B, 1, 0, 6);

        assertThat(why(of(A, 0, 3))).isEqualTo("emitters.allowed does not name its emitter");
        assertThat(of(B, 0, 4)).isNull();
    }

    /** Somebody may write it with the emitter's id, which every event has. */
    @Test
    void aCheckpointUnderAnUnlistedNameKeepsNoEventBackThatItDoesNotState() {
        unlisted(A, 7, 12, 3);
        verified(A, 1, 0, 5);
        unlisted(A, 9, 16, 8);
        verified(A, 2, 2, 10);

        assertThat(of(A, 0, 2)).isNull();
        assertThat(of(A, 1, 4)).isNull();
        assertThat(of(A, 2, 7)).isNull();
    }

    @Test
    void anEndThatNobodySealedIsVerifiedOnceItIsSealedAfterAll() {
        IntervalId open = interval(A, 1, 0, 4);
        judgements.add(new Inconclusive(open, Reason.UNSEALED, "silent"), 0);
        assertThat(Objects.requireNonNull(of(A, 1, 4)).alertId()).isEqualTo("orders/0/000000000000000a/1");

        verified(A, 1, 0, 5);
        assertThat(of(A, 1, 4)).isNull();
    }

    @Test
    void aRecordOfNoStreamBearsTheAlertOfItsGroup() {
        UnattributedRecord first =
                new UnattributedRecord(3, UnattributedRecord.Kind.UNSIGNED, "no header", LogRecord.NO_TIME);
        UnattributedRecord second =
                new UnattributedRecord(7, UnattributedRecord.Kind.UNSIGNED, "no header", LogRecord.NO_TIME);
        judgements.add(StrayRecord.of(PARTITION, first).and(StrayRecord.of(PARTITION, second)), 0);

        assertThat(Objects.requireNonNull(judgements.of(second)).alertId()).isEqualTo("orders/0/@3/unsigned");
    }

    @Test
    void whatATruncationLeavesStaysJudgedAndWhatItTakesDoesNot() {
        verified(A, 1, 0, 5);
        verified(A, 2, 2, 10);
        judgements.truncated(7);

        assertThat(of(A, 2, 6)).isNull();
        assertThat(of(A, 3, 8)).isNotNull();
    }

    /** They have expired in the log: who verified the interval found its events behind them. */
    @Test
    void eventsThatExpiredBeforeTheirIntervalWasVerifiedAreNotVerifiedWithThoseThatAreLeft() {
        verified(A, 1, 0, 5, 7);

        assertThat(of(A, 0, 3)).isNotNull();
        assertThat(of(A, 1, 4)).isNotNull();
        assertThat(of(A, 0, 5)).isNull();
    }

    @Test
    void whatIsLeftOfSeveralIntervalsThatWereCutEndsAtTheCut() {
        verified(A, 1, 0, 5);
        verified(A, 2, 2, 10);
        verified(A, 3, 4, 15);
        judgements.truncated(8);

        assertThat(of(A, 1, 4)).isNull();
        assertThat(of(A, 2, 7)).isNull();
        assertThat(of(A, 4, 7)).isNotNull();
        assertThat(of(A, 4, 12)).isNotNull();
    }

    /** Behind a cut the verifier reads from its own progress on, which an output may be far behind. */
    @Test
    void intervalsThatFollowOnAreKeptThoughOnlyTheLastOnesAreJudgedAgain() {
        verified(A, 1, 0, 5);
        verified(A, 2, 2, 10);
        verified(A, 3, 4, 15);

        verified(A, 2, 2, 10);
        verified(A, 3, 4, 15);

        assertThat(of(A, 0, 3)).isNull();
        assertThat(of(A, 2, 8)).isNull();
        assertThat(of(A, 4, 13)).isNull();
    }

    @Test
    void whatContinuesWhatIsLeftOfACutBeginsBehindIt() {
        verified(A, 1, 0, 5);
        verified(A, 2, 2, 10);
        verified(A, 3, 4, 15);
        judgements.truncated(11);
        verified(A, 3, 4, 18);

        assertThat(of(A, 4, 17)).isNull();
        assertThat(of(A, 4, 8)).as("a copy further up").isNotNull();
        assertThat(of(A, 3, 9)).isNull();
    }

    @Test
    void ofFormat1AnIntervalThatWasCutEndsAtTheCut() {
        verified(StreamId.NO_EMITTER, 4, 0, 1, 4);
        judgements.truncated(3);

        assertThat(of(StreamId.NO_EMITTER, -1, 2)).isNull();
        assertThat(of(StreamId.NO_EMITTER, -1, 1)).isNull();
        assertThat(of(StreamId.NO_EMITTER, -1, 0)).isNotNull();
        assertThat(of(StreamId.NO_EMITTER, -1, 3)).isNotNull();
    }

    @Test
    void beyondTheBoundNothingCountsAsVerified() {
        Judgements few = judgements(2);
        for (long emitter = 1; emitter <= 3; emitter++) {
            few.add(new Verified(interval(emitter, 1, 0, 10 * emitter), Basis.MATCH, 0), 0);
        }

        assertThat(few.size()).isEqualTo(2);
        assertThat(why(few.of(event(3, 0, 29)))).isEqualTo("more intervals wait for the output than are kept, 2");
    }

    @Test
    void whatIsBehindTheOutputIsForgotten() {
        Judgements many = judgements(Judgements.MOST);
        for (long emitter = 1; emitter <= 50_000; emitter++) {
            many.add(new Verified(interval(emitter, 1, 0, 10 * emitter), Basis.MATCH, 0), 10 * emitter - 100);
        }

        assertThat(many.size()).isLessThan(2_100);
    }

    @Test
    void whatNobodySealedStandsAgainstItsEventsAloneAndOnlyUntilItIsSealed() {
        judgements.add(new Inconclusive(interval(A, 2, 2, 9), Reason.UNSEALED, "silent"), 0);
        verified(A, 1, 0, 5);
        assertThat(Objects.requireNonNull(of(A, 2, 8)).alertId()).isEqualTo("orders/0/000000000000000a/2");
        assertThat(Objects.requireNonNull(of(A, 1, 8)).alertId()).isEmpty();

        verified(A, 2, 2, 10);
        assertThat(Objects.requireNonNull(of(A, 5, 20)).alertId()).isEmpty();
    }

    @Test
    void whatLiesWhereItsIntervalBeginsAndIsNotStatedHasAnotherSequence() {
        verified(A, 2, 2, 6, 10);

        assertThat(why(of(A, 9, 6))).startsWith("its sequence 9 is none of those");
    }

    @Test
    void recordsThatWereNotReadAreNotVerified() {
        OversizedRecords unread = new OversizedRecords(3, 5, 2, "too large", LogRecord.NO_TIME);

        assertThat(Objects.requireNonNull(judgements.of(unread)).alertId()).isEqualTo("orders/0/@3/oversized");
    }

    @Test
    void beyondTheBoundARecordOfNoStreamBearsItsOwnAlert() {
        Judgements one = judgements(1);
        one.add(strays(3, 7), 7);
        one.add(strays(10, 12), 7);

        assertThat(alert(one, 7)).isEqualTo("orders/0/@3/unsigned");
        assertThat(alert(one, 12)).isEqualTo("orders/0/@12/unsigned");
    }

    @Test
    void atTheBoundAnIntervalThatIsKeptIsJudgedAnew() {
        Judgements one = judgements(1);
        one.add(new Verified(interval(A, 1, 0, 5), Basis.MATCH, 0), 0);
        one.add(new Violated(interval(A, 1, 0, 5), true, 0, List.of()), 0);

        assertThat(why(one.of(event(A, 0, 3)))).startsWith("violated");
    }

    @Test
    void aGroupOfRecordsThatTheOutputHasPassedIsNotKept() {
        judgements.add(strays(3, 7), 8);

        assertThat(alert(judgements, 7)).isEqualTo("orders/0/@7/unsigned");
    }

    @Test
    void aCutTakesTheGroupsThatBeginBehindIt() {
        judgements.add(strays(3, 7), 0);
        verified(A, 1, 0, 5);
        verified(B, 1, 0, 6);
        judgements.truncated(3);

        assertThat(alert(judgements, 7)).isEqualTo("orders/0/@7/unsigned");
        assertThat(judgements.size()).isEqualTo(2);
    }

    @Test
    void whileTheOutputStandsAtAnEventItsStreamAloneIsKept() {
        verified(A, 1, 0, 5);
        verified(B, 1, 0, 6);
        judgements.add(strays(3, 7), 0);
        judgements.keep(event(A, 0, 3));

        assertThat(judgements.size()).isEqualTo(1);
        assertThat(of(A, 0, 3)).isNull();
        assertThat(of(B, 0, 3)).isNotNull();
        assertThat(alert(judgements, 7)).isEqualTo("orders/0/@7/unsigned");

        judgements.keep(event(B, 0, 3));
        assertThat(judgements.size()).as("of a stream that nobody judged").isZero();
        assertThat(of(A, 0, 3)).isNotNull();
    }

    @Test
    void fewThatTheOutputHasPassedAreKeptUntilThereAreMany() {
        judgements.add(new Verified(interval(1, 1, 0, 10), Basis.MATCH, 6), 0);
        judgements.add(strays(3, 7), 0);
        judgements.add(strays(990, 1_000), 0);
        judgements.add(new Inconclusive(interval(700, 1, 0, 999), Reason.UNSEALED, "silent"), 0);
        judgements.add(new Inconclusive(interval(701, 1, 0, 1_000), Reason.UNSEALED, "silent"), 0);
        judgements.add(new Verified(interval(2, 1, 0, 2_000), Basis.MATCH, 6), 1_000);
        assertThat(judgements.size()).isEqualTo(2);

        for (long emitter = 3; emitter < 600; emitter++) {
            judgements.add(new Verified(interval(emitter, 1, 0, 2_000), Basis.MATCH, 6), 1_000);
        }
        assertThat(judgements.size()).isEqualTo(598);
        assertThat(alert(judgements, 7)).isEqualTo("orders/0/@7/unsigned");
        assertThat(alert(judgements, 1_000)).isEqualTo("orders/0/@990/unsigned");
        assertThat(Objects.requireNonNull(of(700, 0, 998)).alertId()).isEmpty();
        assertThat(Objects.requireNonNull(of(701, 0, 999)).alertId()).isNotEmpty();
    }

    private static StrayRecord strays(long first, long last) {
        return StrayRecord.of(PARTITION, unsigned(first)).and(StrayRecord.of(PARTITION, unsigned(last)));
    }

    private static UnattributedRecord unsigned(long offset) {
        return new UnattributedRecord(offset, UnattributedRecord.Kind.UNSIGNED, "no header", LogRecord.NO_TIME);
    }

    private static String alert(Judgements judgements, long offset) {
        return Objects.requireNonNull(judgements.of(unsigned(offset))).alertId();
    }

    private static Judgements judgements(int most) {
        return new Judgements(PARTITION, new AllowedEmitters(Map.of("orders", List.of("shop"))), most);
    }

    private @Nullable Unproven of(long emitter, long sequence, long offset) {
        return judgements.of(event(emitter, sequence, offset));
    }

    private static String why(@Nullable Unproven unproven) {
        assertThat(unproven).as("what is not proven of it").isNotNull();
        return Objects.requireNonNull(unproven).why();
    }

    private void verified(long emitter, long number, long firstSequence, long offset) {
        verified(emitter, number, firstSequence, offset - 4, offset);
    }

    private void verified(long emitter, long number, long firstSequence, long begin, long offset) {
        judgements.add(new Verified(interval(emitter, number, firstSequence, offset), Basis.MATCH, begin), 0);
    }

    private void unlisted(long emitter, long number, long firstSequence, long offset) {
        IntervalId interval = interval(emitter, "mallory", number, firstSequence, 2, offset);
        judgements.add(new Verified(interval, Basis.MATCH, offset - 4), 0);
    }

    private void violated(long emitter, long number, long firstSequence, long offset) {
        judgements.add(new Violated(interval(emitter, number, firstSequence, offset), true, 0, List.of()), 0);
    }

    private static IntervalId interval(long emitter, long number, long firstSequence, long offset) {
        return interval(emitter, "shop", number, firstSequence, 2, offset);
    }

    private static IntervalId interval(
            long emitter, String name, long number, long firstSequence, int events, long offset) {
        Seal seal = new Seal(Protection.ACCIDENTS, Hash.empty(), hashOf(number), "");
        StreamId stream = new StreamId("orders", 0, emitter);
        return new IntervalId(stream, number, offset, firstSequence, events, Hash.empty(), name, -1, seal, Tail.NONE);
    }

    private static Event event(long emitter, long sequence, long offset) {
        return new Event(
                offset,
                emitter,
                sequence,
                TreeHash.XXH3,
                EventSigners.XXH3_KEY_VALUE,
                Hash.empty(),
                Hash.empty(),
                Event.Content.UNTRANSFORMED,
                LogRecord.NO_TIME);
    }

    /** One that continues the one with the number before its own. */
    static CheckpointRecord checkpoint(long emitter, long number, long offset) {
        Format2Checkpoint stated = CheckpointFields.checkpoint(new StreamId("orders", 0, emitter), c -> {
            c.emitterName = "shop";
            c.number = number;
            c.signatureAlgorithm = EventSigners.XXH3_KEY_VALUE;
            c.signatureSizeBytes = EventSigners.sizeOf(EventSigners.XXH3_KEY_VALUE);
            c.root = Hash.copyOf(new byte[8]);
            c.previousHash = number == 0 ? Hash.empty() : hashOf(number - 1);
        });
        return new CheckpointRecord(offset, stated, hashOf(number), 0);
    }

    private static Hash hashOf(long number) {
        return Hash.copyOf(ByteBuffer.allocate(Long.BYTES).putLong(number).array());
    }
}
