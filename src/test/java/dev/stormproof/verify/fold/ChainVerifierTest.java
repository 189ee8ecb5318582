package dev.stormproof.verify.fold;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.testing.ChainLog;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.EpochEnd;
import dev.stormproof.verify.feed.Leaders;
import dev.stormproof.verify.feed.LogPiece;
import dev.stormproof.verify.feed.LogSink;
import dev.stormproof.verify.feed.Read;
import dev.stormproof.verify.judge.MissedRecords;
import dev.stormproof.verify.judge.PartitionId;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChainVerifierTest {
    private static final PartitionId PARTITION = new PartitionId("orders", 0);
    private static final InactivityTimeouts TIMEOUTS = new InactivityTimeouts(1_000, 5_000, 3_600_000);

    private final CheckpointRecord zero = ALICE.checkpoint(0, 0, 0).at(0);
    private final Output output = new Output();
    private final ChainVerifier verifier = new ChainVerifier(
            PARTITION, 0, Leaders.NONE, SavedHeads.NOTHING, TIMEOUTS, Bounds.DEFAULT, Optional.of(output));

    /** An output that notes what it is given. */
    private static final class Output implements LogSink {
        private final List<String> heard = new ArrayList<>();
        private int room = Integer.MAX_VALUE;
        private boolean contents = true;

        @Override
        public void take(Read read) {
            heard.add(String.valueOf(read.record().offset()));
        }

        @Override
        public boolean takesContent() {
            return contents;
        }

        @Override
        public long truncated(long offset) {
            heard.add("truncated " + offset);
            return offset;
        }

        @Override
        public void expired(long beginOffset, long endOffset) {
            heard.add("expired " + beginOffset + ".." + endOffset);
        }

        @Override
        public void caughtUp(long asOfMillis) {}

        @Override
        public int room() {
            return room;
        }
    }

    private void take(LogRecord record) {
        verifier.take(
                new DeliveryLink(record.offset(), record.offset() - 1, 3),
                new Read(record, 3, LogRecord.NO_TIME, null));
    }

    private void answer(LogPiece.Found found) {
        verifier.readOn();
        LogPiece piece = verifier.feed().ask().orElseThrow();
        assertThat(piece.contents()).isEqualTo(output.contents);
        verifier.feed().answer(piece, found);
    }

    private static final String[] DRAWN = {
        "#0 e0 e1 #1 e2 e3 #2. e4",
        "#0 e0 #1 e1 e2 e2 ~e3 #2 e5 e4 #3 e6",
        "#0 e0 e1 #1 e2 e3 e4 e5 #3 e6 e7 #4",
        "#0 #2 e0 be0 e1 b#0 #1 be1 b#1 e2 e3 e4 e5 #3 e6 e7 #4",
        "#0 b#0 e0 e1 #1 #3' be0 #1 e2 e3 #2 be1 b#1 #3' e4 e5 #3 #2! e6 #4",
        "#0 e0 e1 #1 e2 #2 e4 e5 #3<3 #2?3",
        "#0 e0 e1 #1 e4 e5 #3 #2?3",
        "pe0 pe1 p#1 #0 e0 pe2 p#1 e1 #1 pe3 p#2 p#2",
        "#0 e0 e1 #1 e2 e3 #2 e0 e1 #1 e2 e3 #2 e4 e5 #3 e6 e7 #4 #4",
        "#0 e0 x e1 #1 ? e2 e3 #2 ^e4 e5 #3 #4\" e8 e9 #5"
    };

    /** The findings on a log whose verifier dies after some records, and then has time enough. */
    private static Set<String> found(String drawn, int restartAfter, boolean answered) {
        String[] words = drawn.split(" ");
        ChainLog log = ChainLog.of(String.join(" ", Arrays.copyOf(words, restartAfter)));
        if (answered) {
            log.verify();
        } else {
            log.deliver();
        }
        List<String> found = new ArrayList<>(log.findings());
        log.restart(log.verifier().saved());
        log.append(String.join(" ", Arrays.copyOfRange(words, restartAfter, words.length)));
        log.verify();
        for (int step = 0; step < 6; step++) {
            log.passTime();
        }
        found.addAll(log.findings());
        // On what basis an interval is verified depends on what was read when.
        return found.stream()
                .map(text -> text.replace(" by the log", ""))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    void aRestartAfterAnyRecordChangesNothing(int number) {
        String drawn = DRAWN[number];
        Set<String> whole = found(drawn, 0, true);
        int length = drawn.split(" ").length;
        for (int after = 1; after <= length; after++) {
            assertThat(found(drawn, after, true)).as(drawn + " after " + after).isEqualTo(whole);
            assertThat(found(drawn, after, false))
                    .as(drawn + " after " + after + ", without answers")
                    .isEqualTo(whole);
        }
    }

    @Test
    void theOutputTakesEachRecordToo() {
        take(zero);
        take(ALICE.event(1, 0));

        assertThat(output.heard).containsExactly("0", "1");
        assertThat(verifier.drainFindings()).hasSize(1);
        assertThat(verifier.feed().nextOffset()).isEqualTo(2);
        assertThat(verifier.events()).isEqualTo(1);
    }

    @Test
    void theOutputIsToldWhatTheLogLost() {
        output.contents = false;
        take(zero);
        take(ALICE.event(1, 0));
        answer(LogPiece.Found.truncated(new EpochEnd(3, 1), 0));
        assertThat(verifier.feed().nextOffset()).isEqualTo(1);
        answer(new LogPiece.Found(List.of(), Optional.empty(), EpochEnd.WHOLE, 5, true));

        assertThat(output.heard).endsWith("truncated 1", "expired 1..5");
        assertThat(verifier.drainWhole()).contains(new MissedRecords(PARTITION, 1, 5));
    }

    @Test
    void progressStopsWhereTheOutputHasStopped() {
        take(zero);
        take(ALICE.checkpoint(1, 0, 0).after(zero).at(1));
        verifier.holdAt(1);

        assertThat(verifier.progressOffset()).isEqualTo(1);
        assertThat(verifier.judgedOffset(false)).isEqualTo(2);
        assertThat(verifier.saved().streams().get(0).heads()).hasSize(2);
        assertThat(verifier.progressEpoch()).isEqualTo(3);
        assertThat(verifier.progressLeaders().last()).isEqualTo(3);
        verifier.holdAt(Long.MAX_VALUE);
        assertThat(verifier.progressOffset()).isEqualTo(2);
    }

    @Test
    void neitherMayTheOutputBeginBetweenACheckpointThatCameEarlyAndItsPredecessor() {
        take(zero);
        CheckpointRecord one = ALICE.checkpoint(1, 0, 0).after(zero).at(2);
        take(ALICE.checkpoint(2, 0, 0).after(one).at(1));
        take(one);
        verifier.holdAt(2);

        assertThat(verifier.progressOffset()).isEqualTo(1);
    }

    @Test
    void aFullOutputLeavesTheRestToBeRead() {
        output.room = 0;
        take(zero);

        assertThat(output.heard).isEmpty();
        assertThat(verifier.feed().isReading()).isTrue();
        assertThat(verifier.feed().ask()).isEmpty();
        output.room = 1;
        LogPiece piece = verifier.feed().ask().orElseThrow();
        assertThat(piece.contents()).isTrue();
    }

    @Test
    void itReadsOnOnceAStreamIsOverdue() {
        take(zero);
        verifier.tick(0);
        take(ALICE.event(1, 0));
        verifier.tick(900);
        take(ALICE.event(2, 1));
        verifier.tick(5_900);
        assertThat(verifier.feed().isReading())
                .as("it owes nothing before its first event")
                .isFalse();
        take(ALICE.event(3, 2));
        verifier.tick(5_901);
        assertThat(verifier.feed().isReading()).isTrue();
        answer(new LogPiece.Found(List.of(), Optional.of(new LogPiece.End(4, 4)), EpochEnd.WHOLE, 4, false));
        assertThat(verifier.nextRange()).as("it is given up at the log's end").isPresent();
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "9, 7", "-1, 40"})
    void aWaitBeginsWhenTheHeadWasWrittenOrElseWhenItIsSet(long writtenMillis, long since) {
        CheckpointRecord promising = ALICE.checkpoint(0, 0, 0).promising(1_000).at(0);
        take(new CheckpointRecord(0, promising.checkpoint(), promising.chainHash(), writtenMillis, false));
        assertThat(verifier.firstMillis()).isEqualTo(writtenMillis);
        assertThat(verifier.lastMillis()).isEqualTo(writtenMillis);
        verifier.waitsSinceHeads(7);
        verifier.waitsSince(40);

        verifier.tick(since + 2_000);
        assertThat(verifier.feed().isReading()).isFalse();
        verifier.tick(since + 2_001);
        assertThat(verifier.feed().isReading()).isTrue();
    }

    // With a log

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            '#0 e0 e1 #1.' | e2 | records came after the closing checkpoint
            '#0'           | b#0. | no checkpoint within the promised 60 s
            '#0 e0'        | e1 | no checkpoint within the promised 60 s
            e0             | b#0. | no checkpoint for too long
            """)
    void ofASilentStreamItReportsWhy(String drawn, String later, String why) {
        ChainLog log = ChainLog.of(drawn).verify().tick().append(later).verify();
        log.drain();
        Inconclusive unsealed = (Inconclusive) log.passTime().passTime().drain().get(0);

        assertThat(unsealed.detail()).isEqualTo(why);
        assertThat(unsealed.interval().tail().events())
                .isEqualTo(unsealed.interval().eventCount());
        assertThat(log.verifier().silentStreams()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"#0 e0 e1 #1 b#0, 3", "#0 e0 b#0, 2", "#0. b#0, 1"})
    void aStreamThatHasEndedOrGoneOnOwesNothing(String drawn, long owedSince) {
        ChainLog log = ChainLog.of(drawn).verify();
        assertThat(log.verifier().owedSince()).isEqualTo(owedSince);

        log.tick().passTime().passTime();
        assertThat(log.verifier().owedSince()).as("given up").isEqualTo(Long.MAX_VALUE);
    }

    @ParameterizedTest
    @CsvSource({"e0, 1", "#0 e0, 1", "#0 e0 #1, 1", "pe0, 0"})
    void whereCheckpointsAreSignedNothingWaitsForEventsOfAStreamWithoutOne(String drawn, long judgedOffset) {
        ChainLog log = ChainLog.of(drawn).verify();
        assertThat(log.verifier().judgedOffset(true)).isEqualTo(judgedOffset);
        assertThat(log.verifier().judgedOffset(false)).isEqualTo(log.progress());
    }

    @Test
    void eachStreamTreeHeadAndDoubtTakesItsBytes() {
        ChainLog log = ChainLog.of("#0 e0").verify();
        assertThat(log.verifier().sizeBytes()).isEqualTo(400 + 2 * 160 + 1_600);
        log.append("#1").deliver();
        assertThat(log.verifier().sizeBytes()).isEqualTo(400 + 3 * 160 + 600);
        assertThat(log.verifier().undecided()).hasSize(1);
    }

    @Test
    void aRunUpKnowsTheHeadsButNotWhetherTheirIntervalsWereVerified() {
        RunUp runUp = new RunUp(PARTITION, 0);
        List.of(zero, ALICE.event(1, 0)).forEach(runUp::take);

        SavedHeads heads = runUp.headsAt(1);
        assertThat(heads.complete()).isTrue();
        assertThat(heads.streams().get(0).heads()).contains(Head.of(zero));
        assertThat(heads.streams().get(0).flawed()).isTrue();
    }

    @Test
    void whatWasAlteredOnItsWayFromTheLogIsNoViolation() {
        ChainLog log = ChainLog.of("#0 e0 e1 #1").verify().append("e2");
        Read altered = new Read(ALICE.altered(4, 2), DeliveryLink.NO_EPOCH, LogRecord.NO_TIME, null);
        log.verifier().take(new DeliveryLink(4, 3, DeliveryLink.NO_EPOCH), altered);
        log.skip().tick().passTime();

        assertThat(log.findings()).last().isEqualTo("UNSEALED 2 @4 of 1");
    }

    @Test
    void aStreamIsNotGivenUpWhileAnotherProducersTransactionHidesWhatItWrites() {
        ChainLog log = ChainLog.of("#0 e0").verify().tick();
        log.log().beginTransaction();
        log.append("e1 #1").passTime().passTime();
        assertThat(log.findings()).containsExactly("Verified 0 @0..0");

        log.log().endTransaction();
        log.passTime();
        assertThat(log.findings()).containsExactly("Verified 1 @1..3");
    }

    @Test
    void anAnswerThatFindsAnotherRecordInTheCheckpointsPlaceJudgesNothing() {
        // The range of #1 is read once the log was cut, of which nobody knows yet.
        ChainLog log = ChainLog.of("#0 e0 #1").deliver();
        RangeQuery query = log.ask().get(0);
        log.truncate(1);
        log.append("b#0 be0");
        log.verifier().answer(query, log.read(query));
        assertThat(log.findings()).containsExactly("Verified 0 @0..0");
        assertThat(log.progress()).isEqualTo(1);

        log.answer();
        assertThat(log.findings()).containsExactly("Verified b0 @1..1");
        assertThat(log.progress()).isEqualTo(2);
    }

    /** A replica that lost its end, and one that has it all, lead in turn. */
    @Test
    void aCheckpointThatIsMissingWhileAnotherReplicaLeadsIsJudged() {
        ChainLog log = ChainLog.of("#0 e0 #1 x").deliver();
        RangeQuery query = log.ask().get(0);
        log.verifier().answer(query, ChainLog.of("b#0 be0 b#1 x").read(query));
        assertThat(log.progress()).isEqualTo(1);

        log.tick().append("e2 e3 #2").verify();
        assertThat(log.findings())
                .containsExactly("Verified 0 @0..0", "UNSIGNED @3", "Verified 2 @4..6", "Violated 1 @2: LOST 1");
    }

    @Test
    void oneThatIsMissingForGoodIsLookedForOnceMoreAndToldThen() {
        ChainLog log = ChainLog.of("#0 e0 #1 x").deliver();
        ChainLog without = ChainLog.of("#0 e0 x x");
        RangeQuery query = log.ask().get(0);
        log.verifier().answer(query, without.read(query));
        log.verifier().tick(0);
        PieceQuery end = (PieceQuery) log.verifier().nextQuery().orElseThrow();
        assertThat(end.beginOffset()).isEqualTo(4);
        log.verifier().answer(end, log.read(end.piece()));
        RangeQuery again = log.ask().get(0);
        log.verifier().answer(again, without.read(again));

        assertThat(log.findings()).containsExactly("Verified 0 @0..0", "UNSIGNED @3", "EXPIRED 1 @2");
        assertThat(log.progress()).isEqualTo(4);
    }
}
