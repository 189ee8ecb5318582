package dev.stormproof.verify.fold;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static dev.stormproof.testing.StreamRecords.BOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.OversizedRecords;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.testing.ChainLog;
import dev.stormproof.testing.FindingText;
import dev.stormproof.testing.StreamRecords;
import dev.stormproof.verify.feed.Read;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.MissedRecords;
import dev.stormproof.verify.judge.PartitionId;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Tail;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Verified;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The fold over a partition: its bounds, its groups of strays, its progress, and what changes of the log do to it. */
class ChainFoldTest {
    private static final PartitionId PARTITION = new PartitionId("orders", 0);
    private static final InactivityTimeouts TIMEOUTS = new InactivityTimeouts(1_000, 5_000, 3_600_000);
    private static final Bounds SMALL = new Bounds(1, 2, 100, 1 << 20);
    private static final long T = 1_700_000_000_000L;

    private final CheckpointRecord zero = ALICE.checkpoint(0, 0, 0).at(0);
    private final ChainFold fold = fold(SMALL, 0, SavedHeads.NOTHING);

    private static ChainFold fold(Bounds bounds, long beginOffset, SavedHeads saved) {
        return new ChainFold(PARTITION, beginOffset, saved, TIMEOUTS, bounds);
    }

    private void take(LogRecord... records) {
        for (LogRecord record : records) {
            fold.take(new Read(record, 0, LogRecord.NO_TIME, null));
        }
    }

    private static UnattributedRecord stray(long offset, long writtenMillis) {
        return new UnattributedRecord(offset, UnattributedRecord.Kind.UNSIGNED, "x", writtenMillis);
    }

    private static OversizedRecords unread(long offset) {
        return new OversizedRecords(offset, offset, 1, "?", LogRecord.NO_TIME);
    }

    /** A range in which only these records lie. */
    private boolean answer(RangeQuery query, LogRecord... records) {
        LogRange range = new LogRange(query, query.beginOffset());
        for (LogRecord record : records) {
            range.add(record);
        }
        return fold.answered(query, range);
    }

    private RangeQuery ask() {
        return fold.nextQuery().orElseThrow();
    }

    // Bounds

    @Test
    void beyondItsBoundsAStreamIsVerifiedFromTheLog() {
        assertThat(ChainLog.played(SMALL, """
                        #0 b#0
                        e0 be0 e1 be1
                        #1 b#1
                        e2 e3 #2
                        """)).isEqualTo("""
                        #0 b#0 ► Verified 0 @0..0 ► Verified b0 @1..1 · 2
                        e0 be0 e1 be1 · 2
                        #1 b#1 ► Verified 1 @2..6 by the log ► Verified b1 @3..7 · 8
                        e2 e3 #2 ► Verified 2 @8..10 · 11
                        """);
    }

    @Test
    void ofAStreamWhoseHeadsAreForgottenNumber0IsNoBeginning() {
        String intervals = LongStream.rangeClosed(1, 33)
                .mapToObj(number -> " e" + (2 * number - 2) + " e" + (2 * number - 1) + " #" + number)
                .collect(Collectors.joining());
        ChainLog log = ChainLog.of("#0" + intervals).verify().tick();
        assertThat(log.findings()).hasSize(34).allMatch(found -> found.startsWith("Verified"));
        log.truncate(1).readOn();
        log.append("#0 e0 e1 #1").verify().tick();
        assertThat(log.findings()).containsExactly("UNANCHORED 0 @1", "Verified 1 @2..4");
    }

    @Test
    void aTreeMakesRoomWithItsCheckpointAndWithWhatWasNotRead() {
        take(zero, ALICE.event(1, 0), ALICE.checkpoint(1, 0, 1).after(zero).at(2));
        assertThat(fold.trees()).isZero();
        take(ALICE.event(3, 1));
        assertThat(fold.trees()).isEqualTo(1);
        take(unread(4));
        assertThat(fold.trees()).isZero();
        take(BOB.event(5, 0));
        assertThat(fold.trees()).isEqualTo(1);
    }

    @Test
    void aTreeMakesRoomOnceItsEventsAreReportedAsUnsealed() {
        take(ALICE.event(0, 0));
        fold.tick(0);
        fold.tick(100_000);
        fold.caughtUp(100_000);
        assertThat(fold.trees()).isEqualTo(1);
        RangeQuery query = ask();
        assertThat(query).isEqualTo(new RangeQuery(ALICE.stream(), 0, 0, 1, 1, 0));
        assertThat(answer(query, ALICE.event(0, 0))).isFalse();

        assertThat(fold.trees()).isZero();
        assertThat(fold.drainFindings()).hasSize(1);
    }

    @Test
    void unsealedEventsThatAreTooManyToBeKeptAreThoseThatWereRead() {
        take(ALICE.event(0, 0), ALICE.event(1, 1));
        fold.tick(0);
        fold.tick(100_000);
        fold.caughtUp(100_000);
        RangeQuery query = ask();
        LogRange range = new LogRange(query, 0);
        range.dropRecords();
        fold.answered(query, range);

        assertThat(fold.drainFindings())
                .singleElement()
                .isInstanceOfSatisfying(
                        Inconclusive.class,
                        unsealed -> assertThat(unsealed.interval().eventCount()).isEqualTo(2));
        assertThat(fold.progressOffset()).isEqualTo(2);
    }

    @Test
    void ofTooManyStreamsTheOneOfWhichNothingCameForLongestIsForgotten() {
        take(StreamRecords.of(1).event(0, 0), StreamRecords.of(2).event(1, 0));
        for (long emitter = 3; emitter <= 1_000; emitter++) {
            take(StreamRecords.of(emitter).checkpoint(0, 0, 0).at(emitter - 1));
        }
        take(StreamRecords.of(1).event(1_000, 1));
        assertThat(fold.drainFindings()).hasSize(998).allMatch(Verified.class::isInstance);
        assertThat(fold.streams()).isEqualTo(1_000);
        assertThat(fold.savedAt(fold.progressOffset()).complete()).isTrue();

        take(StreamRecords.of(5_000).event(1_001, 0));

        assertThat(fold.streams()).isEqualTo(1_000);
        List<Finding> found = fold.drainFindings();
        assertThat(found).singleElement().isInstanceOfSatisfying(Inconclusive.class, unsealed -> {
            assertThat(unsealed.reason()).isEqualTo(Inconclusive.Reason.UNSEALED);
            assertThat(unsealed.detail()).isEqualTo("more than 1000 streams at once");
            assertThat(unsealed.interval().stream().emitter()).isEqualTo(2);
            assertThat(unsealed.interval().eventCount()).isEqualTo(1);
            assertThat(unsealed.interval().tail()).as("nobody read it again").isEqualTo(Tail.NONE);
        });
        assertThat(fold.savedAt(2).complete()).isFalse();
        take(StreamRecords.of(5_000).checkpoint(0, 0, 1).at(1_002));
        assertThat(fold.drainFindings())
                .as("its tree has the room")
                .singleElement()
                .isInstanceOf(Verified.class);
        take(StreamRecords.of(2).checkpoint(4, 5, 5).at(1_003));
        assertThat(fold.drainFindings())
                .filteredOn(finding ->
                        finding instanceof Inconclusive other && other.reason() == Inconclusive.Reason.UNANCHORED)
                .hasSize(1);
    }

    @Test
    void aStreamInDoubtIsNotForgotten() {
        take(StreamRecords.of(1).checkpoint(0, 0, 1).at(0));
        for (long emitter = 2; emitter <= 1_001; emitter++) {
            take(StreamRecords.of(emitter).checkpoint(0, 0, 0).at(emitter - 1));
        }

        assertThat(fold.undecided()).hasSize(1);
        assertThat(fold.streams()).isEqualTo(1_000);
        assertThat(answer(ask(), StreamRecords.of(1).checkpoint(0, 0, 1).at(0))).isFalse();
        assertThat(fold.undecided()).hasSize(1);
    }

    @Test
    void itAsksForSoManyRangesAtOnce() {
        assertThat(fold.room()).isEqualTo(2);
        CheckpointRecord a = ALICE.checkpoint(0, 0, 1).at(0);
        CheckpointRecord b = BOB.checkpoint(0, 0, 1).at(1);
        CheckpointRecord c = StreamRecords.of(7).checkpoint(0, 0, 1).at(2);
        take(a, b, c);
        assertThat(fold.room()).isZero();
        assertThat(fold.undecided()).hasSize(3);

        RangeQuery first = ask();
        assertThat(fold.asked()).isEqualTo(1);
        ask();
        assertThat(fold.asked()).isEqualTo(2);
        assertThat(fold.nextQuery()).isEmpty();
        answer(first, a);
        assertThat(fold.nextQuery()).isPresent();
        assertThat(fold.nextQuery()).isEmpty();
    }

    @Test
    void anIntervalIsJudgedOnceItsStreamIsOverdueThoughNothingIsOpenOrPromised() {
        CheckpointRecord one = ALICE.checkpoint(1, 0, 1).after(zero).at(1);
        take(zero, one);
        answer(ask(), zero, one);
        fold.tick(0);
        assertThat(fold.tick(5_001)).isTrue();
        fold.caughtUp(5_001);
        assertThat(fold.trees()).isZero();
        answer(ask(), zero, one);
        assertThat(fold.progressOffset()).isEqualTo(2);
    }

    @Test
    void anAnswerThatACheckpointOvertookDoesNotCount() {
        take(zero, ALICE.event(1, 0));
        fold.tick(0);
        fold.caughtUp(100_000);
        RangeQuery query = ask();
        take(ALICE.checkpoint(1, 0, 1).promising(1_000).after(zero).at(2));
        fold.drainFindings();
        answer(query, ALICE.event(1, 0));

        assertThat(fold.drainFindings()).isEmpty();
    }

    @Test
    void whileACheckpointIsMissedThereIsRoomToReadOn() {
        CheckpointRecord a = ALICE.checkpoint(0, 0, 1).at(0);
        take(
                a,
                BOB.checkpoint(0, 0, 1).at(1),
                StreamRecords.of(7).checkpoint(0, 0, 1).at(2));
        assertThat(fold.tick(0)).isFalse();
        RangeQuery query = ask();
        assertThat(answer(query)).as("the log may be another one").isTrue();

        assertThat(fold.room()).isEqualTo(1);
        assertThat(fold.tick(0)).as("the end of the log is to be read").isTrue();
        fold.caughtUp(0);
        assertThat(fold.room()).isZero();
        assertThat(fold.tick(0)).isFalse();
    }

    // Strays

    @Test
    void straysOfOneKindAreOneFindingAndHoldTheProgressUntilThen() {
        assertThat(fold.firstMillis()).isEqualTo(LogRecord.NO_TIME);
        take(stray(0, T), stray(1, T + 1), zeroAt(2));
        assertThat(fold.progressOffset()).isZero();
        assertThat(fold.drainFindings()).hasSize(1);

        take(stray(3, T + 5_000));
        assertThat(fold.drainFindings())
                .containsExactly(new StrayRecord(PARTITION, 0, UnattributedRecord.Kind.UNSIGNED, "x", T, 1, 2));
        assertThat(fold.progressOffset()).isEqualTo(3);
        assertThat(fold.firstMillis()).isEqualTo(T);
        assertThat(fold.lastMillis()).isEqualTo(T + 5_000);
        take(new CheckpointRecord(4, zero.checkpoint(), zero.chainHash(), T + 6_000, false));
        assertThat(fold.drainFindings()).hasSize(2);
        assertThat(fold.progressOffset()).isEqualTo(5);
        take(stray(5, T + 7_000));
        fold.tick(0);
        fold.tick(3_000);
        assertThat(fold.progressOffset()).isEqualTo(6);
    }

    private static CheckpointRecord zeroAt(long offset) {
        return ALICE.checkpoint(0, 0, 0).at(offset);
    }

    // Progress

    @Test
    void aContinuationBeginsAtTheSequenceWhereTheHeadEnds() {
        take(zero, ALICE.checkpoint(1, 3, 3).after(zero).at(1));
        assertThat(fold.drainFindings())
                .as("what comes before its sequence is lost")
                .hasSize(1);
    }

    @Test
    void nothingIsKnownOfWhatLiesBeforeTheBeginning() {
        ChainFold later = fold(SMALL, 7, SavedHeads.NOTHING);
        assertThat(later.progressOffset()).isEqualTo(7);
        assertThat(later.savedAt(7)).isEqualTo(SavedHeads.NOTHING);
        assertThat(fold.savedAt(0)).isEqualTo(new SavedHeads(List.of(), true));
        assertThat(fold(SMALL, 7, new SavedHeads(List.of(), true)).savedAt(7).complete())
                .isTrue();
    }

    @Test
    void aRecordThatWasNotReadHidesStreamsAfterItAlone() {
        take(zero, ALICE.event(1, 0), unread(2), BOB.checkpoint(1, 0, 0).at(3));

        assertThat(fold.savedAt(1).complete()).isTrue();
        assertThat(fold.savedAt(2).complete()).isTrue();
        assertThat(fold.savedAt(3).complete()).isFalse();
        assertThat(fold.drainFindings())
                .filteredOn(finding ->
                        finding instanceof Inconclusive other && other.reason() == Inconclusive.Reason.UNANCHORED)
                .hasSize(1);

        fold.truncated(2);
        take(BOB.checkpoint(1, 0, 0).at(2));
        assertThat(fold.drainFindings()).as("the record is gone").isEmpty();
    }

    @Test
    void openEventsAreCountedForEachStreamAndSoIsOneThatHasOnlyBegun() {
        ChainLog log = ChainLog.of("#0 e0 e1 #1 e2 e3 #1 be0 c#0 de7").verify();

        assertThat(log.verifier().openEnds(Long.MAX_VALUE))
                .extracting(
                        UnsealedTail::checkpoint,
                        UnsealedTail::checkpointOffset,
                        UnsealedTail::sinceOffset,
                        UnsealedTail::events)
                .containsExactly(
                        tuple(1L, 3L, 4L, 2L), tuple(-1L, -1L, 7L, 1L), tuple(0L, 8L, 8L, 0L), tuple(-1L, -1L, 9L, 1L));
        assertThat(log.verifier().openStreams()).isEqualTo(3);
        assertThat(log.verifier().openEvents()).isEqualTo(4);
        log.append("#2.").verify();
        assertThat(log.verifier().openEnds(Long.MAX_VALUE)).hasSize(3);
        assertThat(log.verifier().openEnds(8)).hasSize(1);
    }

    @Test
    void openEventsThatContradictTheirHeadersAreToldAtTheEndOfARangeUnlessTheStreamIsOverdue() {
        ChainLog log = ChainLog.of("be0 #0 e0 e1 #1 e2 ~e3").verify();
        assertThat(log.verifier().contradicted()).hasSize(1);
        RangeQuery open = log.verifier().contradicted().get(0);
        assertThat(log.verifier().contradiction(open, log.read(open)).map(FindingText::placed))
                .contains("Violated 2 @6? ALTERED 3 @6");

        log.tick().passTime();
        assertThat(log.verifier().contradicted()).isEmpty();
    }

    // Changes of the log

    @Test
    void anAnswerFromBeforeATruncationDoesNotCount() {
        CheckpointRecord one = ALICE.checkpoint(1, 0, 1).after(zero).at(1);
        take(zero, one, ALICE.checkpoint(2, 1, 1).after(one).at(2));
        RangeQuery query = ask();
        assertThat(fold.truncated(1)).isEqualTo(1);
        fold.drainFindings();

        assertThat(answer(query, zero, one)).isFalse();
        assertThat(fold.drainFindings()).isEmpty();
        assertThat(fold.asked()).isZero();
    }

    @Test
    void anAnswerForAStreamThatIsUnknownDoesNotCount() {
        assertThat(answer(new RangeQuery(BOB.stream(), 0, 0, 1, 1, 0))).isFalse();
    }

    @Test
    void aTruncationForgetsGroupsTreesAndQueries() {
        take(zero, ALICE.event(1, 0), stray(2, T));
        fold.tick(0);
        fold.tick(100_000);
        fold.caughtUp(100_000);
        fold.drainFindings();
        take(stray(3, T + 100_000));

        assertThat(fold.truncated(9)).isEqualTo(1);

        assertThat(fold.trees()).isZero();
        assertThat(fold.nextQuery()).isEmpty();
        fold.endOfLog();
        assertThat(fold.drainFindings()).isEmpty();
        assertThat(fold.progressOffset()).isEqualTo(1);
        take(ALICE.event(1, 0));
        assertThat(fold.trees()).isEqualTo(1);
    }

    @Test
    void whatExpiredWasMissedFromTheProgressOn() {
        take(zero, ALICE.event(1, 0), stray(2, T));
        fold.drainFindings();
        fold.expired(3, 9);

        assertThat(fold.drainFindings())
                .containsExactly(new MissedRecords(PARTITION, 1, 9), StrayRecord.of(PARTITION, stray(2, T)));
        assertThat(fold.progressOffset()).isEqualTo(9);
        assertThat(fold.savedAt(9).complete()).isFalse();
        assertThat(fold.trees()).isZero();
    }

    @Test
    void ifNothingExpiredUnreadNothingWasMissed() {
        take(zero);
        fold.drainFindings();
        fold.expired(1, 1);

        assertThat(fold.drainFindings()).isEmpty();
        assertThat(fold.savedAt(1).complete()).isFalse();
    }

    @Test
    void ofADeletedLogWhatIsUndecidedWasMissed() {
        take(zero, ALICE.event(1, 0), stray(2, T));
        fold.drainFindings();
        fold.abandon();

        assertThat(fold.drainFindings())
                .containsExactly(StrayRecord.of(PARTITION, stray(2, T)), new MissedRecords(PARTITION, 1, 3));
        assertThat(fold.streams()).isZero();
    }

    @Test
    void alsoWhatWasCutBeforeItWasDeleted() {
        take(zero, ALICE.checkpoint(1, 0, 0).after(zero).at(1), ALICE.event(2, 0));
        fold.truncated(2);
        fold.truncated(1);
        fold.drainFindings();
        fold.abandon();
        assertThat(fold.drainFindings()).isEmpty();

        ChainFold cut = fold(SMALL, 0, SavedHeads.NOTHING);
        cut.take(new Read(ALICE.event(0, 0), 0, LogRecord.NO_TIME, null));
        cut.take(new Read(ALICE.event(1, 1), 0, LogRecord.NO_TIME, null));
        cut.truncated(1);
        cut.abandon();
        assertThat(cut.drainFindings()).containsExactly(new MissedRecords(PARTITION, 0, 1));
    }

    @Test
    void aStreamWhoseHeadsWereCutOffIsNotNewAfterAnyRestart() {
        SavedHeads kept = afterElevenCheckpoints();
        ChainFold cut = fold(SMALL, 11, kept);
        assertThat(cut.truncated(1)).isEqualTo(1);
        SavedHeads once = cut.savedAt(1);
        assertThat(once.streams()).hasSize(1);

        assertThat(fold(SMALL, 1, once).savedAt(1)).isEqualTo(once);
    }

    /** More heads than are kept, so that none is left before a cut at the second one. */
    private SavedHeads afterElevenCheckpoints() {
        CheckpointRecord last = zero;
        take(last);
        for (int number = 1; number <= 10; number++) {
            last = ALICE.checkpoint(number, 0, 0).after(last).at(number);
            take(last);
        }
        return fold.savedAt(11);
    }
}
