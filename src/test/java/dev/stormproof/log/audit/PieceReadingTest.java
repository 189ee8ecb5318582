package dev.stormproof.log.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.testing.ChainLog;
import dev.stormproof.testing.WatchedReader;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.EpochEnd;
import dev.stormproof.verify.feed.LogPiece;
import dev.stormproof.verify.feed.LogPiece.Found;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A piece of the log: its bounds, and the order of the questions. */
class PieceReadingTest {
    private static final long MANY_BYTES = 1 << 20;

    private ChainLog log = ChainLog.of("x x x x x");

    private Found read(long begin, int epoch, int maxRecords, long maxBytes) throws ExpiredRangeException {
        return PieceReading.read(log.log(), new LogPiece(begin, epoch, maxRecords, maxBytes, false));
    }

    private Found read(long begin, int epoch) throws ExpiredRangeException {
        return read(begin, epoch, 100, MANY_BYTES);
    }

    private static List<Long> offsets(Found found) {
        return found.records().stream().map(read -> read.record().offset()).toList();
    }

    @Test
    void theRecordsUpToTheEnd() throws ExpiredRangeException {
        Found found = read(2, 0);
        assertThat(offsets(found)).containsExactly(2L, 3L, 4L);
        assertThat(found.atEnd()).isTrue();
        assertThat(found.beginOffset()).isEqualTo(2);
        assertThat(found.epochEnd()).isEqualTo(EpochEnd.WHOLE);
        assertThat(found.expiredBefore()).isFalse();
        assertThat(found.records().get(0).leaderEpoch()).isZero();
    }

    @Test
    void noMoreRecordsThanWanted() throws ExpiredRangeException {
        Found found = read(1, 0, 2, MANY_BYTES);
        assertThat(offsets(found)).containsExactly(1L, 2L);
        assertThat(found.atEnd()).isFalse();
    }

    @Test
    void asManyAsWantedMayBeTheLast() throws ExpiredRangeException {
        assertThat(read(3, 0, 2, MANY_BYTES).atEnd()).isTrue();
    }

    @Test
    void noMoreBytesThanWantedButTheRecordThatExceedsThem() throws ExpiredRangeException {
        Found found = read(0, 0, 100, RecordSizes.RECORD_BYTES + 1);
        assertThat(offsets(found)).containsExactly(0L, 1L);
        assertThat(found.atEnd()).isFalse();
        assertThat(offsets(read(0, 0, 100, 1))).as("one at least").containsExactly(0L);
    }

    @Test
    void markersAreNoRecords() throws ExpiredRangeException {
        log.append("| |");
        assertThat(offsets(read(4, 0))).containsExactly(4L);
        Found found = read(5, 0);
        assertThat(found.records()).isEmpty();
        assertThat(found.atEnd()).isTrue();
    }

    @Test
    void behindATruncationOnlyWhereItIs() throws ExpiredRangeException {
        log.truncate(3).append("x x x x");
        assertThat(read(5, 0)).isEqualTo(Found.truncated(new EpochEnd(0, 3), 0));
    }

    /** It has the offset, and an earlier leader wrote what lies before. */
    @Test
    void ofALogThatHoldsNothingOfTheLeaderOnlyWhereItParts() throws ExpiredRangeException {
        log.log().elect();
        log.log().elect();
        log.append("x x");
        assertThat(read(5, 1)).isEqualTo(Found.truncated(new EpochEnd(0, 5), 0));
    }

    @Test
    void atATruncationTheNewRecords() throws ExpiredRangeException {
        log.truncate(3).append("x x");
        Found found = read(3, 0);
        assertThat(found.epochEnd()).isEqualTo(EpochEnd.WHOLE);
        assertThat(offsets(found)).containsExactly(3L, 4L);
        assertThat(found.records().get(0).leaderEpoch()).isEqualTo(1);
    }

    @Test
    void ofALogThatIsShorterNow() throws ExpiredRangeException {
        log.truncate(3);
        assertThat(read(5, 0)).isEqualTo(Found.truncated(new EpochEnd(0, 3), 0));
    }

    @Test
    void withoutAnEpochATruncationIsNotAskedFor() throws ExpiredRangeException {
        log.truncate(3).append("x x x x");
        assertThat(offsets(read(5, DeliveryLink.NO_EPOCH))).containsExactly(5L, 6L);
    }

    @Test
    void ofALogThatBeginsBehindItsRecordsFromThere() throws ExpiredRangeException {
        log.log().expireBefore(4);
        Found found = read(2, 0);
        assertThat(offsets(found)).containsExactly(4L);
        assertThat(found.beginOffset()).isEqualTo(4);
        assertThat(found.expiredBefore()).isTrue();
    }

    @Test
    void whatIsTruncatedAfterTheRecordsWereReadIsSeen() throws ExpiredRangeException {
        PartitionReader changing =
                WatchedReader.behind(log.log(), () -> log.truncate(1).append("x x x x x x"));
        Found found = PieceReading.read(changing, new LogPiece(2, 0, 100, MANY_BYTES, false));
        assertThat(found).isEqualTo(Found.truncated(new EpochEnd(0, 1), 0));
    }

    @Test
    void whatExpiresAfterTheRecordsWereReadIsSeen() throws ExpiredRangeException {
        PartitionReader changing =
                WatchedReader.behind(log.log(), () -> log.log().expireBefore(2));
        Found found = PieceReading.read(changing, new LogPiece(2, 0, 100, MANY_BYTES, false));
        assertThat(offsets(found)).containsExactly(2L, 3L, 4L);
        assertThat(found.expiredBefore()).isTrue();
    }

    @Test
    void whatExpiresBeforeTheRecordsWereReadIsReadAnotherTime() {
        PartitionReader changing =
                WatchedReader.before(log.log(), () -> log.log().expireBefore(4));
        assertThatThrownBy(() -> PieceReading.read(changing, new LogPiece(2, 0, 100, MANY_BYTES, false)))
                .isInstanceOf(ExpiredRangeException.class);
    }

    @Test
    void theQuestionsComeInTheirOrder() throws ExpiredRangeException {
        WatchedReader asked = new WatchedReader(log.log());
        PieceReading.read(asked, new LogPiece(2, 0, 100, MANY_BYTES, false));
        assertThat(asked.questions()).containsExactly("bounds", "records", "end of epoch", "begin");
    }
}
