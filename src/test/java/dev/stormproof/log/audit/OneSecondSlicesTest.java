package dev.stormproof.log.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.testing.ChainLog;
import dev.stormproof.verify.feed.EpochEnd;
import dev.stormproof.verify.feed.LogPiece;
import dev.stormproof.verify.feed.LogPiece.Found;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pieces in portions of one second. */
class OneSecondSlicesTest {
    private static final long NOW = 100_000;

    private final ChainLog log = ChainLog.of("");
    private final OneSecondSlices ahead = new OneSecondSlices(log.log(), NOW);
    private final List<Long> dropped = new ArrayList<>();
    private long next;

    private void writtenAt(long millis, String records) {
        log.log().setTime(millis);
        log.append(records);
    }

    private Found read(int maxRecords, int epoch) throws ExpiredRangeException {
        return ahead.read(new LogPiece(next, epoch, maxRecords, 1 << 20, false));
    }

    private List<Long> take(int maxRecords) throws ExpiredRangeException {
        Found found = read(maxRecords, 0);
        List<Long> offsets =
                found.records().stream().map(read -> read.record().offset()).toList();
        next = offsets.isEmpty() ? next : offsets.get(offsets.size() - 1) + 1;
        return offsets;
    }

    private long drop() {
        return ahead.dropBefore(next, record -> dropped.add(record.offset())).orElse(-1);
    }

    @Test
    void aPortionHoldsOneSecond() throws ExpiredRangeException {
        writtenAt(0, "x");
        writtenAt(999, "x");
        writtenAt(1_000, "x x");
        writtenAt(5_000, "x");
        assertThat(take(100)).containsExactly(0L, 1L);
        assertThat(drop()).isEqualTo(999);
        assertThat(take(100)).containsExactly(2L, 3L);
        assertThat(drop()).isEqualTo(1_000);
        assertThat(take(100)).containsExactly(4L);
        assertThat(drop()).isEqualTo(5_000);
        assertThat(dropped).containsExactly(0L, 1L, 2L, 3L, 4L);
    }

    @Test
    void aProducerWhoseClockIsBehindChangesNothing() throws ExpiredRangeException {
        writtenAt(5_000, "#0");
        writtenAt(1_000, "b#0");
        writtenAt(5_999, "e0 e1 #1");
        writtenAt(2_000, "b#1");
        assertThat(take(100)).hasSize(6);
        assertThat(drop()).isEqualTo(5_999);
    }

    @Test
    void aProducerWhoseClockIsAheadIsOnlyAheadUpToNow() throws ExpiredRangeException {
        writtenAt(NOW + 1, "#0");
        writtenAt(5_000, "b#0");
        assertThat(take(100)).hasSize(2);
        assertThat(drop()).isEqualTo(NOW);
    }

    @Test
    void theTimesOfEventsAreTheApplicationsOnceThereIsACheckpoint() throws ExpiredRangeException {
        writtenAt(70_000, "e0");
        writtenAt(5_000, "#0");
        writtenAt(90_000, "e1");
        writtenAt(5_500, "#1");
        assertThat(take(1)).containsExactly(0L);
        assertThat(drop()).isEqualTo(70_000);
        assertThat(take(1)).containsExactly(1L);
        assertThat(drop()).isEqualTo(5_000);
        assertThat(take(100)).containsExactly(2L, 3L);
        assertThat(drop()).isEqualTo(5_500);
    }

    @Test
    void onlyTheLastPortionIsAtTheEnd() throws ExpiredRangeException {
        writtenAt(0, "x");
        writtenAt(1_000, "x");
        assertThat(read(100, 0).atEnd()).isFalse();
        take(100);
        drop();
        assertThat(read(100, 0).atEnd()).isTrue();
    }

    @Test
    void aPortionHoldsNoMoreThanThereIsRoomFor() throws ExpiredRangeException {
        writtenAt(0, "x x x");
        assertThat(take(100)).hasSize(3);
        next = 0;
        assertThat(take(2)).containsExactly(0L, 1L);
        assertThat(read(2, 0).atEnd()).isFalse();
    }

    @Test
    void whileSomethingIsLeftTheLogIsNotRead() throws ExpiredRangeException {
        writtenAt(0, "x");
        writtenAt(1_000, "x");
        take(100);
        drop();
        log.log().expireBefore(2);
        assertThat(take(100)).as("what was read before").containsExactly(1L);
        drop();
        assertThat(take(100)).isEmpty();
    }

    @Test
    void underAnotherLeaderItIsReadAgain() throws ExpiredRangeException {
        writtenAt(0, "x");
        writtenAt(1_000, "x");
        take(100);
        drop();
        log.truncate(1).append("x");
        Found found = read(100, 1);
        assertThat(found.records().get(0).leaderEpoch()).isEqualTo(1);
    }

    @Test
    void whereALaterLeaderBeginsItIsReadAgain() throws ExpiredRangeException {
        writtenAt(0, "x x");
        log.truncate(2).append("x x");
        assertThat(read(100, 0).records()).hasSize(4);
        next = 2;
        drop();
        log.log().expireBefore(3);
        assertThat(read(100, 0).beginOffset()).as("the log's, as of now").isEqualTo(3);
        next = 3;
        drop();
        log.log().expireBefore(4);
        assertThat(read(100, 1).records()).as("what was read before").hasSize(1);
    }

    @Test
    void whatWasReadBeforeSaysNothingMoreOfTruncationAndRetention() throws ExpiredRangeException {
        writtenAt(0, "x x");
        writtenAt(1_000, "x");
        log.log().expireBefore(1);
        Found first = read(100, 0);
        assertThat(first.beginOffset()).isEqualTo(1);
        assertThat(first.expiredBefore()).isTrue();
        next = 2;
        drop();
        Found second = read(100, 0);
        assertThat(second.beginOffset()).isEqualTo(2);
        assertThat(second.expiredBefore()).isFalse();
        assertThat(second.epochEnd()).isEqualTo(EpochEnd.WHOLE);
        assertThat(second.records()).hasSize(1);
    }
}
