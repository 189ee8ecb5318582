package dev.stormproof.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.checkpoint.LogRecord;
import dev.stormproof.checkpoint.UnattributedRecord;
import dev.stormproof.feed.LogPiece.Found;
import dev.stormproof.feed.LogPiece.Read;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Every transition of the feed, and what the simulation found on the way. */
class LogFeedTest {
    private static final int EPOCH = 3;
    private static final int PIECE_RECORDS = 100;
    private static final long PIECE_BYTES = 1 << 20;
    private static final long INACTIVITY_MILLIS = 1_000;

    private final Sink sink = new Sink();
    private LogFeed feed = feed(0, EPOCH);

    /** A sink that notes what it hears. */
    private static final class Sink implements LogSink {
        private final List<String> heard = new ArrayList<>();
        private long progress = Long.MAX_VALUE;
        private int room = 1_000;

        @Override
        public void record(LogRecord record) {
            heard.add("record " + record.offset());
        }

        @Override
        public long truncated(long offset) {
            heard.add("truncated " + offset);
            return Math.min(progress, offset);
        }

        @Override
        public void expired(long beginOffset, long endOffset) {
            heard.add("expired " + beginOffset + " to " + endOffset);
        }

        @Override
        public void caughtUp(long asOfMillis) {
            heard.add("caught up " + asOfMillis);
        }

        @Override
        public int room() {
            return room;
        }

        private List<String> drain() {
            List<String> drained = List.copyOf(heard);
            heard.clear();
            return drained;
        }
    }

    private LogFeed feed(long nextOffset, int epoch) {
        return new LogFeed(sink, nextOffset, epoch, PIECE_RECORDS, PIECE_BYTES);
    }

    private static LogRecord record(long offset) {
        return new UnattributedRecord(offset, UnattributedRecord.Kind.UNSIGNED, "");
    }

    private void deliver(long... offsets) {
        for (long offset : offsets) {
            deliverAt(offset, offset - 1, EPOCH);
        }
    }

    private void deliverAt(long offset, long previous, int epoch) {
        feed.deliver(new Link(offset, previous, epoch), record(offset));
    }

    private LogPiece ask() {
        return feed.ask().orElseThrow();
    }

    private static List<Read> reads(int epoch, long... offsets) {
        return LongStream.of(offsets)
                .mapToObj(offset -> new Read(record(offset), epoch, 0))
                .toList();
    }

    private static List<Read> concat(List<Read> reads, List<Read> more) {
        List<Read> all = new ArrayList<>(reads);
        all.addAll(more);
        return all;
    }

    /** What a log says that was neither truncated nor overtaken by retention. */
    private static Found found(LogPiece piece, List<Read> reads, boolean atEnd) {
        return new Found(reads, atEnd, Found.NOT_TRUNCATED, piece.beginOffset(), false);
    }

    private void readToTheEnd(long... offsets) {
        LogPiece piece = ask();
        feed.answer(piece, found(piece, reads(EPOCH, offsets), true));
    }

    @Nested
    class Following {
        @Test
        void deliveryBehindTheLastRecordToARecord() {
            deliver(0, 1);
            assertThat(sink.drain()).containsExactly("record 0", "record 1");
            assertThat(feed.isReading()).isFalse();
            assertThat(feed.nextOffset()).isEqualTo(2);
        }

        @Test
        void deliveryOverOffsetsWithoutARecordToARecord() {
            deliver(0);
            deliverAt(4, 0, EPOCH);
            assertThat(sink.drain()).containsExactly("record 0", "record 4");
        }

        @Test
        void deliveryOfAReaderThatBeginsInTheMiddleOfWhatIsKnownToARecord() {
            deliver(0, 1);
            deliverAt(2, -1, EPOCH);
            assertThat(sink.drain()).last().isEqualTo("record 2");
        }

        @Test
        void replayToNothing() {
            deliver(0, 1);
            sink.drain();
            deliver(0, 1);
            assertThat(sink.drain()).isEmpty();
            assertThat(feed.isReading()).isFalse();
            deliver(2);
            assertThat(sink.drain()).containsExactly("record 2");
        }

        @Test
        void deliveryOfAnOlderEpochToNothingWhereverItLies() {
            deliverAt(1, 0, EPOCH - 1);
            deliverAt(7, 6, EPOCH - 1);
            assertThat(sink.drain()).isEmpty();
            assertThat(feed.isReading()).isFalse();
        }

        @Test
        void deliveryOverAGapToReading() {
            deliver(0);
            deliverAt(2, 1, EPOCH);
            assertThat(sink.drain()).containsExactly("record 0");
            assertThat(feed.isReading()).isTrue();
            assertThat(ask()).isEqualTo(new LogPiece(1, EPOCH, PIECE_RECORDS, PIECE_BYTES));
        }

        @Test
        void deliveryOfANewerEpochToReading() {
            deliver(0);
            deliverAt(1, 0, EPOCH + 1);
            assertThat(sink.drain()).containsExactly("record 0");
            assertThat(feed.isReading()).isTrue();
        }

        @Test
        void deliveryOfANewerEpochBeforeTheNextOffsetToReading() {
            deliver(0, 1, 2);
            deliverAt(1, 0, EPOCH + 1);
            assertThat(feed.isReading()).isTrue();
        }

        @Test
        void deliveryWithoutRoomToReading() {
            sink.room = 0;
            deliver(0);
            assertThat(sink.drain()).isEmpty();
            assertThat(feed.isReading()).isTrue();
            assertThat(feed.ask()).as("later").isEmpty();
            sink.room = 7;
            assertThat(ask().beginOffset()).isZero();
        }

        @Test
        void readOnToReading() {
            assertThat(feed.ask()).as("while nothing is amiss").isEmpty();
            feed.readOn();
            assertThat(feed.isReading()).isTrue();
            assertThat(feed.ask()).isPresent();
        }

        @Test
        void tickAfterLongInactivityToReading() {
            feed.tick(5_000, INACTIVITY_MILLIS);
            feed.tick(6_000, INACTIVITY_MILLIS);
            assertThat(feed.isReading()).as("within its time").isFalse();
            feed.tick(6_001, INACTIVITY_MILLIS);
            assertThat(feed.isReading()).isTrue();
        }

        @Test
        void tickAfterARecordCountsFromThere() {
            feed.tick(0, INACTIVITY_MILLIS);
            deliver(0);
            feed.tick(900, INACTIVITY_MILLIS);
            feed.tick(1_900, INACTIVITY_MILLIS);
            assertThat(feed.isReading()).isFalse();
            feed.tick(1_901, INACTIVITY_MILLIS);
            assertThat(feed.isReading()).isTrue();
        }

        @Test
        void anAnswerThatWasNotAskedForToNothing() {
            LogPiece piece = new LogPiece(0, EPOCH, PIECE_RECORDS, PIECE_BYTES);
            feed.answer(piece, found(piece, reads(EPOCH, 0), true));
            assertThat(sink.drain()).isEmpty();
        }
    }

    @Nested
    class Reading {
        @Test
        void deliveryToNothing() {
            feed.readOn();
            deliver(0);
            assertThat(sink.drain()).isEmpty();
        }

        @Test
        void oneIsAskedForAtATime() {
            feed.readOn();
            ask();
            assertThat(feed.ask()).isEmpty();
        }

        @Test
        void pieceBeforeTheEndToRecordsAndTheNextPiece() {
            feed.readOn();
            LogPiece piece = ask();
            feed.answer(piece, found(piece, reads(EPOCH, 0, 3), false));
            assertThat(sink.drain()).containsExactly("record 0", "record 3");
            assertThat(feed.isReading()).isTrue();
            assertThat(ask().beginOffset()).isEqualTo(4);
        }

        @Test
        void pieceAtTheEndToFollowing() {
            feed.tick(70, INACTIVITY_MILLIS);
            feed.readOn();
            LogPiece piece = ask();
            feed.tick(80, INACTIVITY_MILLIS);
            feed.answer(piece, found(piece, reads(EPOCH, 0, 1), true));
            assertThat(sink.drain())
                    .as("what the log held when it was asked")
                    .containsExactly("record 0", "record 1", "caught up 70");
            assertThat(feed.isReading()).isFalse();
            deliver(1, 2);
            assertThat(sink.drain()).containsExactly("record 2");
        }

        @Test
        void pieceAtTheEndBeforeTheFirstTickCatchesUpWithNoTime() {
            feed.readOn();
            readToTheEnd(0);
            assertThat(sink.drain()).containsExactly("record 0");
            assertThat(feed.isReading()).isFalse();
        }

        @Test
        void pieceAtTheEndStartsTheInactivityAnew() {
            feed.tick(0, INACTIVITY_MILLIS);
            feed.tick(1_001, INACTIVITY_MILLIS);
            readToTheEnd();
            feed.tick(2_001, INACTIVITY_MILLIS);
            assertThat(feed.isReading()).isFalse();
            feed.tick(2_002, INACTIVITY_MILLIS);
            assertThat(feed.isReading()).isTrue();
        }

        @Test
        void pieceOfATruncatedLogToTruncatedAndWhereTheSinkSays() {
            deliver(0, 1, 2, 3);
            sink.drain();
            sink.progress = 1;
            feed.readOn();
            feed.answer(ask(), Found.truncated(2, 0));
            assertThat(sink.drain()).containsExactly("truncated 2");
            assertThat(feed.isReading()).isTrue();
            assertThat(feed.nextOffset()).isEqualTo(1);
            assertThat(ask()).isEqualTo(new LogPiece(1, EPOCH, PIECE_RECORDS, PIECE_BYTES));
        }

        @Test
        void pieceOfALogWhoseTruncationExpiredToTruncatedAndExpiredSinceTheBeginning() {
            deliver(0, 1, 2, 3);
            sink.drain();
            feed.readOn();
            feed.answer(ask(), Found.truncated(2, 2));
            assertThat(sink.drain()).containsExactly("truncated 2", "expired 0 to 2");
            assertThat(feed.nextOffset()).isEqualTo(2);
            assertThat(feed.isReading()).isTrue();
            // A second time everything since then was read.
            feed.answer(ask(), new Found(reads(EPOCH + 1, 2, 3), true, Found.NOT_TRUNCATED, 2, true));
            feed.readOn();
            feed.answer(ask(), Found.truncated(3, 3));
            assertThat(sink.drain()).containsExactly("record 2", "record 3", "truncated 3", "expired 2 to 3");
        }

        @Test
        void pieceOfALogThatWasTruncatedRightBehindTheLastRecordToItsRecords() {
            deliver(0);
            feed.readOn();
            LogPiece piece = ask();
            feed.answer(piece, new Found(reads(EPOCH + 1, 1), true, 1, 1, false));
            assertThat(sink.drain()).containsExactly("record 0", "record 1");
        }

        @Test
        void pieceOfALogThatBeginsBehindToExpiredAndItsRecords() {
            deliver(0);
            feed.readOn();
            ask();
            feed.readAgain();
            feed.answer(ask(), new Found(reads(EPOCH, 5), true, Found.NOT_TRUNCATED, 5, true));
            assertThat(sink.drain()).containsExactly("record 0", "expired 1 to 5", "record 5");
            assertThat(feed.nextOffset()).isEqualTo(6);
        }

        @Test
        void pieceOfALogThatBeginsRightThereUnderALaterLeaderToExpired() {
            deliver(0);
            feed.readOn();
            feed.answer(ask(), new Found(reads(EPOCH + 1, 1), true, Found.NOT_TRUNCATED, 1, true));
            assertThat(sink.drain())
                    .as("it may have been truncated below")
                    .containsExactly("record 0", "expired 1 to 1", "record 1");
        }

        @Test
        void pieceOfALogThatBeginsRightThereUnderTheSameLeaderToItsRecords() {
            deliver(0);
            feed.readOn();
            feed.answer(ask(), new Found(reads(EPOCH, 1), true, Found.NOT_TRUNCATED, 1, true));
            assertThat(sink.drain()).containsExactly("record 0", "record 1");
        }

        @Test
        void pieceOfALogThatBeginsRightThereAndHoldsNothingToNothing() {
            deliver(0);
            feed.readOn();
            feed.answer(ask(), new Found(List.of(), true, Found.NOT_TRUNCATED, 1, true));
            assertThat(sink.drain()).containsExactly("record 0");
        }

        @Test
        void anAnswerCountsOnce() {
            feed.readOn();
            LogPiece piece = ask();
            feed.answer(piece, found(piece, reads(EPOCH, 0), false));
            feed.answer(piece, found(piece, reads(EPOCH, 0), false));
            assertThat(sink.drain()).containsExactly("record 0");
        }

        @Test
        void ofEqualPiecesOnlyTheLastAnswerCounts() {
            feed.readOn();
            LogPiece first = ask();
            feed.readAgain();
            LogPiece second = ask();
            assertThat(second).isEqualTo(first);
            feed.answer(first, found(first, reads(EPOCH, 0), true));
            assertThat(sink.drain()).isEmpty();
            feed.answer(second, found(second, reads(EPOCH, 0), true));
            assertThat(sink.drain()).containsExactly("record 0");
        }

        @Test
        void noMoreIsAskedForThanAPieceHolds() {
            feed.readOn();
            sink.room = 3;
            assertThat(ask().maxRecords()).isLessThanOrEqualTo(PIECE_RECORDS);
        }
    }

    /** Cases that the simulation found, each by the seed of the run that broke. */
    @Nested
    class FoundBySimulation {
        @Test
        void behindMarkersOfALaterLeaderTheNextOffsetIsStillRightBehindTheLastRecord() {
            // x0 x1 |2 |3: the markers are a later leader's. Behind them it could be asked for ever where they end.
            feed.readOn();
            readToTheEnd(0, 1);
            assertThat(feed.nextOffset()).isEqualTo(2);
            feed.readOn();
            assertThat(ask()).isEqualTo(new LogPiece(2, EPOCH, PIECE_RECORDS, PIECE_BYTES));
        }

        @Test
        void recordsOfALaterLeaderAreLeftToTheNextPiece() {
            feed.readOn();
            LogPiece piece = ask();
            feed.answer(piece, found(piece, concat(reads(EPOCH, 0, 1), reads(EPOCH + 1, 2, 3)), true));
            assertThat(sink.drain()).containsExactly("record 0", "record 1");
            assertThat(feed.isReading()).isTrue();
            LogPiece next = ask();
            assertThat(next).as("asks where the earlier leader ended").isEqualTo(piece(2, EPOCH));
            feed.answer(next, found(next, reads(EPOCH + 1, 2, 3), true));
            assertThat(sink.drain()).containsExactly("record 2", "record 3");
            assertThat(feed.isReading()).isFalse();
        }

        @Test
        void theFirstRecordOfAPieceMayBeALaterLeaders() {
            feed.readOn();
            LogPiece piece = ask();
            feed.answer(piece, found(piece, reads(EPOCH + 1, 0, 1), false));
            assertThat(sink.drain()).containsExactly("record 0", "record 1");
            assertThat(ask().leaderEpoch()).isEqualTo(EPOCH + 1);
        }

        @Test
        void retentionPastATruncationIsExpired() {
            // The log was truncated at 1, then everything before 5 expired: it says the epoch ended where it begins.
            deliver(0, 1, 2);
            sink.drain();
            feed.readOn();
            feed.answer(ask(), new Found(reads(EPOCH + 1, 5), true, Found.NOT_TRUNCATED, 5, true));
            assertThat(sink.drain()).containsExactly("expired 3 to 5", "record 5");
            assertThat(feed.epochBefore(5))
                    .as("nothing is known of what lay there")
                    .isEqualTo(EPOCH + 1);
            assertThat(feed.epochBefore(6)).isEqualTo(EPOCH + 1);
        }

        @Test
        void retentionBetweenTheQuestionsOfAPieceShowsInItsBeginning() {
            // 3 and 4 were read, then everything before 4 expired, so that nothing is known of a truncation before.
            deliver(0, 1, 2);
            sink.drain();
            feed.readOn();
            feed.answer(ask(), new Found(reads(EPOCH + 1, 3, 4), true, Found.NOT_TRUNCATED, 3, true));
            assertThat(sink.drain()).containsExactly("expired 3 to 3", "record 3", "record 4");
        }

        @Test
        void aPieceThatWasAskedBeforeATruncationAndIsAnsweredAfterItIsReadAgain() {
            deliver(0, 1, 2, 3);
            feed.readOn();
            LogPiece before = ask();
            feed.readAgain();
            LogPiece again = ask();
            feed.answer(again, Found.truncated(2, 0));
            sink.drain();
            feed.answer(before, found(before, reads(EPOCH, 4), true));
            assertThat(sink.drain()).as("of the log as it was").isEmpty();
            assertThat(feed.nextOffset()).isEqualTo(2);
        }

        @Test
        void withoutAKnownEpochOnlyOffsetsTell() {
            feed = feed(5, Link.NO_EPOCH);
            assertThat(feed.knowsEpoch()).isFalse();
            deliverAt(5, 4, Link.NO_EPOCH);
            deliverAt(4, 3, Link.NO_EPOCH);
            deliverAt(6, 5, Link.NO_EPOCH);
            assertThat(sink.drain()).containsExactly("record 5", "record 6");
            deliverAt(9, 8, Link.NO_EPOCH);
            assertThat(ask()).isEqualTo(piece(7, Link.NO_EPOCH));
        }

        @Test
        void theFirstKnownEpochIsNoNewerLeader() {
            feed = feed(5, Link.NO_EPOCH);
            deliverAt(5, 4, EPOCH);
            assertThat(sink.drain()).containsExactly("record 5");
            assertThat(feed.knowsEpoch()).isTrue();
            deliverAt(6, 5, Link.NO_EPOCH);
            assertThat(sink.drain()).containsExactly("record 6");
            assertThat(feed.epochBefore(7)).isEqualTo(EPOCH);
        }

        @Test
        void withoutAKnownEpochRecordsOfSeveralLeadersAreOnePiece() {
            feed = feed(0, Link.NO_EPOCH);
            feed.readOn();
            LogPiece piece = ask();
            feed.answer(piece, found(piece, concat(reads(Link.NO_EPOCH, 0), reads(Link.NO_EPOCH, 1)), true));
            assertThat(sink.drain()).containsExactly("record 0", "record 1");
        }

        @Test
        void withoutAKnownEpochALogThatBeginsRightThereIsNotExpired() {
            feed = feed(5, Link.NO_EPOCH);
            feed.readOn();
            feed.answer(ask(), new Found(reads(EPOCH, 5), true, Found.NOT_TRUNCATED, 5, true));
            assertThat(sink.drain()).containsExactly("record 5");
        }

        @Test
        void aRecordOfAnEarlierLeaderInAPieceDoesNotLeadBack() {
            deliver(0);
            feed.readOn();
            LogPiece piece = ask();
            feed.answer(piece, found(piece, concat(reads(Link.NO_EPOCH, 1), reads(EPOCH, 2)), true));
            assertThat(sink.drain()).containsExactly("record 0", "record 1", "record 2");
            assertThat(feed.epochBefore(3)).isEqualTo(EPOCH);
        }

        @Test
        void noRoomIsNoEnd() {
            sink.room = 2;
            feed.tick(0, INACTIVITY_MILLIS);
            feed.readOn();
            LogPiece piece = ask();
            feed.answer(piece, found(piece, reads(EPOCH, 0, 1), false));
            sink.room = 0;
            assertThat(feed.ask()).isEmpty();
            feed.tick(5_000, INACTIVITY_MILLIS);
            assertThat(sink.drain()).containsExactly("record 0", "record 1");
            assertThat(feed.isReading()).isTrue();
            sink.room = 1;
            assertThat(ask().beginOffset()).isEqualTo(2);
        }
    }

    @Nested
    class Epochs {
        @Test
        void theEpochBeforeTheBeginningIsTheOneThatWasCommitted() {
            feed = feed(5, 7);
            assertThat(feed.epochBefore(5)).isEqualTo(7);
            assertThat(feed.epochBefore(4)).isEqualTo(7);
        }

        @Test
        void theEpochBeforeAnOffsetIsTheOneOfTheRecordBefore() {
            deliver(0);
            feed.readOn();
            LogPiece piece = ask();
            feed.answer(piece, found(piece, reads(EPOCH + 1, 1), true));
            assertThat(feed.epochBefore(1)).isEqualTo(EPOCH);
            assertThat(feed.epochBefore(2)).isEqualTo(EPOCH + 1);
        }

        @Test
        void recordsOfOneEpochTakeNoRoomAmongTheEpochs() {
            theEpochBeforeAnOffsetIsTheOneOfTheRecordBefore();
            for (long offset = 2; offset < 200; offset++) {
                deliverAt(offset, offset - 1, EPOCH + 1);
            }
            assertThat(feed.epochBefore(1)).isEqualTo(EPOCH);
        }

        @Test
        void behindATruncationItIsTheOneFromBefore() {
            theEpochBeforeAnOffsetIsTheOneOfTheRecordBefore();
            sink.progress = 1;
            feed.readOn();
            feed.answer(ask(), Found.truncated(1, 0));
            assertThat(ask()).isEqualTo(piece(1, EPOCH));
            assertThat(feed.epochBefore(2)).isEqualTo(EPOCH);
        }

        @Test
        void behindWhatExpiredItIsUnknown() {
            deliver(0);
            feed.readOn();
            feed.answer(ask(), new Found(List.of(), true, Found.NOT_TRUNCATED, 9, true));
            assertThat(feed.knowsEpoch()).isFalse();
            assertThat(feed.epochBefore(9)).isEqualTo(Link.NO_EPOCH);
            feed.readOn();
            assertThat(ask()).isEqualTo(piece(9, Link.NO_EPOCH));
        }
    }

    private static LogPiece piece(long beginOffset, int epoch) {
        return new LogPiece(beginOffset, epoch, PIECE_RECORDS, PIECE_BYTES);
    }

    @Test
    void aFeedIsAskedForNothingInTheBeginning() {
        assertThat(feed.ask()).isEqualTo(Optional.empty());
        assertThat(feed.knowsEpoch()).isTrue();
    }
}
