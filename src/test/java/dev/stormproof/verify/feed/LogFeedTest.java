package dev.stormproof.verify.feed;

import static dev.stormproof.verify.feed.DrivenFeed.found;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every transition of the feed, in the words of {@link DrivenFeed}. */
class LogFeedTest {
    private final DrivenFeed driven = DrivenFeed.from("0/3");
    private final LogFeed feed = driven.feed();

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            behind the last record: a record              | d0 d1                    | 0 1              | following 2
            over offsets without a record: a record       | d0 d4<0                  | 0 4              | following 5
            of a reader that begins further up: a record  | d0 d1 d2<-1              | 0 1 2            | following 3
            replay: nothing                               | d0 d1 d0 d1              | 0 1              | following 2
            behind replays: a record                      | d0 d1 d0 d1 d2           | 0 1 2            | following 3
            of an older epoch: nothing, wherever it lies  | d1/2<0 d7/2              | ''               | following 0
            over a gap: reading                           | d0 d2                    | 0                | reading 1/3
            of a newer epoch: reading                     | d0 d1/4                  | 0                | reading 1/3
            of a newer epoch further up: reading          | d0 d1 d2 d1/4            | 0 1 2            | reading 3/3
            without room: reading, later                  | room:0 d0                | ''               | reading later
            without room, then with: reading              | room:0 d0 room:7         | ''               | reading 0/3
            while the log is read: nothing                | on d0                    | ''               | reading 0/3
            """)
    void delivery(String transition, String steps, String heard, String state) {
        check(driven, steps, heard, state);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            readOn: reading                               | on                       | ''               | reading 0/3
            tick, inactive within its time: following     | t5000 t6000              | ''               | following 0
            tick, inactive for longer: reading            | t5000 t6000 t6001        | ''               | reading 0/3
            tick counts from the last record: following   | t0 d0 t900 t1900         | 0                | following 1
            tick counts from the last record: reading     | t0 d0 t900 t1900 t1901   | 0                | reading 1/3
            tick counts from the end of the log: following | t0 t1001 end: t2001      | caughtUp@1001    | following 0
            tick counts from the end of the log: reading | t0 t1001 end: t2001 t2002 | caughtUp@1001   | reading 0/3
            """)
    void readingOn(String transition, String steps, String heard, String state) {
        check(driven, steps, heard, state);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            before the end: its records, the next piece   | on more:0,3              | 0 3              | reading 4/3
            at the end, as of the question: caught up     | t70 on ask t80 end:0,1   | 0 1 caughtUp@70  | following 2
            behind the end deliveries count again         | on end:0,1 d1 d2         | 0 1 2            | following 3
            at the end before the first tick: its records | on end:0                 | 0                | following 1
            of a log truncated before: where the sink says | d0 d1 d2 d3 progress:1 on cut:2,0 | 0 1 2 3 truncated@2 | reading 1/3
            of a log that begins behind: expired          | d0 on late:5=5           | 0 expired@1..5 5 | following 6
            the same, read again                          | d0 on ask again late:5=5 | 0 expired@1..5 5 | following 6
            of one that begins there, under a later leader: expired | d0 on late:1=1/4 | 0 expired@1..1 1 | following 2
            of one that begins there, under the same leader: its records | d0 on late:1=1 | 0 1         | following 2
            of one that begins there and holds nothing    | d0 on late:1=            | 0                | following 1
            where a transaction is open: its records      | t70 on held:2,5=0,1      | 0 1              | following 2
            the same, as long as it is open               | t70 on held:2,5=0,1 t80 on held:2,6= | 0 1  | following 2
            once it has ended: caught up                  | t70 on held:2,5=0,1 t80 on held:6,6=4 | 0 1 4 caughtUp@80 | following 5
            once another is open behind it: caught up as of then | t70 on held:2,5=0,1 t80 on held:6,8=4 | 0 1 4 caughtUp@70 | following 5
            when that has ended: caught up                | t70 on held:2,5=0,1 t80 on held:6,8=4 t90 on held:8,9=7 | 0 1 4 caughtUp@70 7 caughtUp@80 | following 8
            without room for all: the rest again          | t0 room:2 on more:0,1 room:0 t5000 | 0 1    | reading later
            the same, with room again                     | t0 room:2 on more:0,1 room:0 t5000 room:1 | 0 1 | reading 2/3
            of a piece as many as there is room for       | room:2 on end:0,1,2,3,4  | 0 1              | reading later
            the same, with room again: those behind them  | room:2 on end:0,1,2,3,4 room:3 end:2,3,4 | 0 1 2 3 4 | following 5
            """)
    void piece(String transition, String steps, String heard, String state) {
        check(driven, steps, heard, state);
    }

    private static void check(DrivenFeed driven, String steps, String heard, String state) {
        assertThat(String.join(" ", driven.drive(steps).drain())).isEqualTo(heard);
        assertThat(driven.state()).isEqualTo(state);
    }

    @Test
    void aTransactionIsOpenUntilWhatWasWrittenByThenIsRead() {
        driven.drive("t70 on held:2,5=0,1 t170");
        assertThat(feed.heldBackMillis()).isEqualTo(100);
        driven.drive("d2 d3");
        assertThat(feed.heldBackMillis()).isEqualTo(100);
        driven.drive("d4");
        assertThat(feed.heldBackMillis()).isZero();
    }

    @Test
    void ofALogThatWasTruncatedNoTransactionIsKnown() {
        driven.drive("t70 d0 d1 on held:2,5= t170 on cut:1,0");
        assertThat(feed.heldBackMillis()).isZero();
    }

    @Test
    void whatWasDeliveredAndIsStillToBeReadIsItsLag() {
        driven.drive("d0");
        assertThat(feed.lag()).isZero();
        driven.drive("d4");
        assertThat(feed.lag()).isEqualTo(4);
        driven.drive("cut:0,0");
        assertThat(feed.lag()).isZero();
    }

    @Test
    void nothingIsAskedForInTheBeginning() {
        assertThat(feed.ask()).isEmpty();
        assertThat(feed.epochBefore(feed.nextOffset())).isNotEqualTo(DeliveryLink.NO_EPOCH);
    }

    @Test
    void oneIsAskedForAtATime() {
        driven.drive("on ask");
        assertThat(feed.ask()).isEmpty();
    }

    @Test
    void noMoreIsAskedForThanAPieceHolds() {
        assertThat(driven.drive("on").ask()).isEqualTo(DrivenFeed.piece("0/3"));
        assertThat(driven.drive("again room:3").ask().maxRecords()).isBetween(4, DrivenFeed.PIECE_RECORDS);
    }

    @Test
    void anAnswerThatWasNotAskedForToNothing() {
        LogPiece piece = DrivenFeed.piece("0/3");
        feed.answer(piece, found(piece, "0", true));
        assertThat(driven.drain()).isEmpty();
    }

    @Test
    void anAnswerCountsOnce() {
        LogPiece piece = driven.drive("on").ask();
        feed.answer(piece, found(piece, "0", false));
        feed.answer(piece, found(piece, "0", false));
        assertThat(driven.drain()).containsExactly("0");
    }

    @Test
    void ofEqualPiecesOnlyTheLastAnswerCounts() {
        LogPiece first = driven.drive("on").ask();
        LogPiece second = driven.drive("again").ask();
        assertThat(second).isEqualTo(first);
        feed.answer(first, found(first, "0", true));
        assertThat(driven.drain()).isEmpty();
        feed.answer(second, found(second, "0", true));
        assertThat(driven.drain()).containsExactly("0");
    }
}
