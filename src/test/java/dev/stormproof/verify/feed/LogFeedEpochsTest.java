package dev.stormproof.verify.feed;

import static dev.stormproof.verify.feed.DrivenFeed.EPOCH;
import static dev.stormproof.verify.feed.DrivenFeed.found;
import static dev.stormproof.verify.feed.DrivenFeed.piece;
import static dev.stormproof.verify.feed.DrivenFeed.reads;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.verify.feed.LogPiece.Found;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What leader epochs, truncations and retention do to a feed; most of it was found by the simulation. */
class LogFeedEpochsTest {
    private final DrivenFeed driven = DrivenFeed.from("0/3");
    private final LogFeed feed = driven.feed();

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            the first record may be of a later leader     | 0/3 | on more:0/4,1/4          | 0 1           | reading 2/4
            retention between the questions of a piece    | 0/3 | d0 d1 d2 on late:3=3/4,4/4 | 0 1 2 expired@3..3 3 4 | following 5
            an unknown epoch: only offsets count          | 5/- | d5/- d4/- d6/- d9/-      | 5 6           | reading 7/-
            after an unknown epoch a known one is read    | 5/- | d5 on                    | ''            | reading 5/-
            at the log's beginning it is taken            | 0/- | d0 d1/- on               | 0 1           | reading 2/3
            an unknown epoch: several leaders, one piece  | 0/- | on end:0/-,1/-           | 0 1           | following 2
            an unknown epoch: what begins there           | 5/- | on late:5=5              | 5             | following 6
            an earlier leader in a piece leads not back   | 0/3 | d0 on end:1/-,2 on       | 0 1 2         | reading 3/3
            """)
    void aPieceOrADelivery(String what, String begin, String steps, String heard, String state) {
        DrivenFeed other = DrivenFeed.from(begin);
        assertThat(String.join(" ", other.drive(steps).drain())).isEqualTo(heard);
        assertThat(other.state()).isEqualTo(state);
    }

    @Test
    void behindMarkersOfALaterLeaderTheNextOffsetIsStillRightBehindTheLastRecord() {
        // x0 x1 |2 |3: the markers are a later leader's. Behind them it could be asked for ever where they end.
        driven.drive("on end:0,1");
        assertThat(feed.nextOffset()).isEqualTo(2);
        assertThat(driven.drive("on").ask()).isEqualTo(piece("2/3"));
    }

    @Test
    void recordsOfALaterLeaderAreLeftToTheNextPiece() {
        assertThat(driven.drive("on end:0,1,2/4,3/4").drain()).containsExactly("0", "1");
        assertThat(feed.isReading()).isTrue();
        assertThat(driven.ask()).as("asks where the earlier leader ended").isEqualTo(piece("2/3"));
        assertThat(driven.drive("end:2/4,3/4").drain()).containsExactly("2", "3");
        assertThat(feed.isReading()).isFalse();
    }

    /** What somebody else read there was cut off. */
    @Test
    void aLaterLeaderBeginsBehindTheLastRecordThoughItsOwnLiesFurtherOn() {
        driven.drive("d0 d1 on end:5/4");
        assertThat(driven.drain()).containsExactly("0", "1", "5");
        assertThat(feed.leadersBefore(6)).hasToString("0/3,2/4");
    }

    @Test
    void aTruncationRightBehindTheLastRecordTookNothing() {
        driven.drive("d0 on");
        feed.answer(
                driven.ask(), new Found(reads("1/4"), Optional.of(DrivenFeed.WHOLE), new EpochEnd(EPOCH, 1), 1, false));
        assertThat(driven.drain()).containsExactly("0", "1");
    }

    @Test
    void aTruncationThatExpiredIsReportedSinceTheBeginningOfWhatWasRead() {
        assertThat(driven.drive("d0 d1 d2 d3 on cut:2,2").drain())
                .endsWith("truncated@2", "expired@0..2")
                .hasSize(6);
        assertThat(feed.nextOffset()).isEqualTo(2);
        assertThat(feed.isReading()).isTrue();
        // A second time everything since then was read.
        assertThat(driven.drive("late:2=2/4,3/4 on cut:3/4,3").drain())
                .containsExactly("2", "3", "truncated@3", "expired@2..3");
    }

    /** Two elections: one that cut off what an earlier leader wrote, and one that brought that back. */
    @Test
    void aLogThatHoldsNothingOfTheLastLeaderPartsWhereThatOneBegan() {
        driven.drive("d0 d1 on end:2/5,3/5 on cut:4/4,0");
        assertThat(driven.drain()).endsWith("3", "truncated@2");
        assertThat(driven.ask()).isEqualTo(piece("2/3"));
    }

    @Test
    void soItDoesWhereThatOneBeganBeforeTheFeed() {
        DrivenFeed later = DrivenFeed.from(4, "0/3,2/5").drive("on cut:4/4,0");
        assertThat(later.drain()).containsExactly("truncated@2");
        assertThat(later.ask()).isEqualTo(piece("2/3"));
    }

    /** The record before the beginning is gone; of those before that nothing is known. */
    @Test
    void whereNothingIsKnownOfTheLeadersBeforeItPartsAtTheLastRecordAndIsReadOnAsItIs() {
        DrivenFeed later = DrivenFeed.from("4/5").drive("on cut:4/4,0");
        assertThat(later.drain()).containsExactly("truncated@3");
        assertThat(later.ask()).isEqualTo(piece("3/4"));
        assertThat(later.drive("end:3/3").drain()).containsExactly("3");
        assertThat(later.feed().epochBefore(4)).isEqualTo(EPOCH);
    }

    @Test
    void behindARecordOfALaterLeaderThoseOfAnEarlierOneAreLeftToTheNextPiece() {
        assertThat(driven.drive("d0 on end:1/5,2/4").drain()).containsExactly("0", "1");
        assertThat(driven.ask()).isEqualTo(piece("2/5"));
    }

    @Test
    void retentionPastATruncationIsExpired() {
        // The log was truncated at 1, then everything before 5 expired: it says the epoch ended where it begins.
        assertThat(driven.drive("d0 d1 d2 on late:5=5/4").drain()).endsWith("expired@3..5", "5");
        assertThat(feed.epochBefore(5)).as("nothing is known of what lay there").isEqualTo(EPOCH + 1);
        assertThat(feed.epochBefore(6)).isEqualTo(EPOCH + 1);
    }

    @Test
    void aPieceThatWasAskedBeforeATruncationAndIsAnsweredAfterItIsReadAgain() {
        LogPiece before = driven.drive("d0 d1 d2 d3 on").ask();
        driven.drive("again cut:2,0").drain();
        feed.answer(before, found(before, "4", true));
        assertThat(driven.drain()).as("of the log as it was").isEmpty();
        assertThat(feed.nextOffset()).isEqualTo(2);
    }

    @Test
    void theEpochBeforeTheBeginningIsTheOneThatWasCommitted() {
        LogFeed later = DrivenFeed.from("5/7").feed();
        assertThat(later.epochBefore(5)).isEqualTo(7);
        assertThat(later.epochBefore(4)).isEqualTo(7);
    }

    @Test
    void theFirstKnownEpochIsKnownFromThereOn() {
        LogFeed unknown = DrivenFeed.from("5/-").feed();
        assertThat(unknown.epochBefore(unknown.nextOffset())).isEqualTo(DeliveryLink.NO_EPOCH);
        LogFeed known = DrivenFeed.from("5/-").drive("on end:5").feed();
        assertThat(known.epochBefore(known.nextOffset())).isNotEqualTo(DeliveryLink.NO_EPOCH);
        assertThat(known.epochBefore(7)).isEqualTo(EPOCH);
    }

    @Test
    void theEpochBeforeAnOffsetIsTheOneOfTheRecordBefore() {
        driven.drive("d0 on end:1/4");
        assertThat(feed.epochBefore(1)).isEqualTo(EPOCH);
        assertThat(feed.epochBefore(2)).isEqualTo(EPOCH + 1);
    }

    @Test
    void anEarlierLeaderInAPieceDoesNotChangeTheEpoch() {
        driven.drive("d0 on end:1/-,2");
        assertThat(feed.epochBefore(3)).isEqualTo(EPOCH);
    }

    @Test
    void recordsOfOneEpochTakeNoRoomAmongTheEpochs() {
        theEpochBeforeAnOffsetIsTheOneOfTheRecordBefore();
        for (int offset = 2; offset < 200; offset++) {
            driven.drive("d" + offset + "/4");
        }
        assertThat(feed.epochBefore(1)).isEqualTo(EPOCH);
    }

    @Test
    void behindATruncationItIsTheOneFromBefore() {
        theEpochBeforeAnOffsetIsTheOneOfTheRecordBefore();
        driven.drive("progress:1 on cut:1,0");
        assertThat(driven.ask()).isEqualTo(piece("1/3"));
        assertThat(feed.epochBefore(2)).isEqualTo(EPOCH);
    }

    @Test
    void behindWhatExpiredItIsUnknown() {
        driven.drive("d0 on late:9=");
        assertThat(feed.epochBefore(feed.nextOffset())).isEqualTo(DeliveryLink.NO_EPOCH);
        assertThat(feed.epochBefore(9)).isEqualTo(DeliveryLink.NO_EPOCH);
        assertThat(driven.drive("on").ask()).isEqualTo(piece("9/-"));
    }

    @Test
    void ofALogThatWasTruncatedNothingThatCameWithTheAnswerIsTaken() {
        driven.drive("d0 d1 d2 on").drain();
        feed.answer(
                driven.ask(), new Found(reads("3/4"), Optional.of(DrivenFeed.WHOLE), new EpochEnd(EPOCH, 1), 0, false));
        assertThat(driven.drain()).containsExactly("truncated@1");
    }

    @Test
    void whereTheLogBeginsAnEarlierLeaderIsBelieved() {
        driven.drive("on cut:0/2,0");
        assertThat(driven.drain()).isEmpty();
        assertThat(feed.epochBefore(0)).isEqualTo(2);
        assertThat(driven.ask()).isEqualTo(piece("0/2"));
    }

    @Test
    void ofTheRecordBeforeAnUnknownBeginningNothingIsKnownLater() {
        assertThat(DrivenFeed.from("5/-").drive("d5").feed().epochBefore(4)).isEqualTo(DeliveryLink.NO_EPOCH);
    }
}
