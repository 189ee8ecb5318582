package dev.stormproof.verify.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.verify.feed.LogPiece.Found;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A feed whose sink has room for a few records at a time. */
class LogFeedRoomTest {
    private static final int EPOCH = 3;
    private static final int PIECE_RECORDS = 100;

    private final Narrow sink = new Narrow();
    private final LogFeed feed = new LogFeed(sink, 0, Leaders.of(-1, EPOCH), PIECE_RECORDS, 1 << 20);

    @Test
    void ofAPieceAsManyRecordsAreTakenAsThereIsRoomForAndTheNextOneBeginsBehindThem() {
        sink.room = 2;
        feed.readOn();
        LogPiece first = feed.ask().orElseThrow();
        assertThat(first.maxRecords()).isGreaterThan(5);

        feed.answer(first, found(0, 5));
        assertThat(sink.offsets).containsExactly(0L, 1L);
        assertThat(feed.isReading()).isTrue();
        assertThat(feed.ask()).isEmpty();

        sink.room = 3;
        LogPiece second = feed.ask().orElseThrow();
        assertThat(second.beginOffset()).isEqualTo(2);
        feed.answer(second, found(2, 5));
        assertThat(sink.offsets).containsExactly(0L, 1L, 2L, 3L, 4L);
        assertThat(feed.isReading()).isFalse();
    }

    @Test
    void whatWasDeliveredAndIsStillToBeReadIsItsLag() {
        sink.room = PIECE_RECORDS;
        feed.deliver(new DeliveryLink(0, -1, EPOCH), new Read(record(0), EPOCH, LogRecord.NO_TIME, null));
        assertThat(feed.lag()).isZero();
        feed.deliver(new DeliveryLink(4, 3, EPOCH), new Read(record(4), EPOCH, LogRecord.NO_TIME, null));
        assertThat(feed.lag()).isEqualTo(4);

        feed.answer(feed.ask().orElseThrow(), Found.truncated(new EpochEnd(EPOCH, 0), 0));

        assertThat(feed.lag()).isZero();
    }

    private static Found found(long begin, long end) {
        List<Read> records = LongStream.range(begin, end)
                .mapToObj(offset -> new Read(record(offset), EPOCH, 0, null))
                .toList();
        return new Found(records, Optional.of(DrivenFeed.WHOLE), EpochEnd.WHOLE, begin, false);
    }

    private static LogRecord record(long offset) {
        return new UnattributedRecord(offset, UnattributedRecord.Kind.UNSIGNED, "", LogRecord.NO_TIME);
    }

    private static final class Narrow implements LogSink {
        private final List<Long> offsets = new ArrayList<>();
        private int room;

        @Override
        public void take(Read read) {
            offsets.add(read.record().offset());
            room--;
        }

        @Override
        public boolean takesContent() {
            return false;
        }

        @Override
        public long truncated(long offset) {
            return offset;
        }

        @Override
        public void expired(long beginOffset, long endOffset) {
            throw new AssertionError("nothing expires");
        }

        @Override
        public void caughtUp(long asOfMillis) {}

        @Override
        public int room() {
            return room;
        }
    }
}
