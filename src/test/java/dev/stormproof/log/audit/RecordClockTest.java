package dev.stormproof.log.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.testing.ChainLog;
import dev.stormproof.verify.feed.LogPiece;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a log is read, its seconds pass as they did when it was written. */
class RecordClockTest {
    private static final long NOW = 100_000;

    private final ChainLog log = ChainLog.of("");
    private final List<String> happened = new ArrayList<>();

    private void writtenAt(long millis, String records) {
        log.log().setTime(millis);
        log.append(records);
    }

    /** The offsets that are taken, and the ticks between them. */
    private List<String> happened() throws ExpiredRangeException {
        RecordClock clock = new RecordClock(
                NOW, millis -> happened.add("t" + millis), record -> happened.add("" + record.offset()));
        PieceReading.read(log.log(), new LogPiece(0, 0, 100, 1 << 20, false))
                .records()
                .forEach(clock::take);
        clock.tick();
        clock.tick();
        return happened;
    }

    @Test
    void itTicksBeforeTheFirstRecordOfTheNextSecond() throws ExpiredRangeException {
        writtenAt(0, "x");
        writtenAt(999, "x");
        writtenAt(1_000, "x x");
        writtenAt(5_000, "x");
        assertThat(happened()).containsExactly("0", "1", "t999", "2", "3", "t1000", "4", "t5000");
    }

    @Test
    void aProducerWhoseClockIsBehindChangesNothing() throws ExpiredRangeException {
        writtenAt(5_000, "#0");
        writtenAt(1_000, "b#0");
        writtenAt(5_999, "e0 e1 #1");
        writtenAt(2_000, "b#1");
        assertThat(happened()).containsExactly("0", "1", "2", "3", "4", "5", "t5999");
    }

    @Test
    void aProducerWhoseClockIsAheadIsOnlyAheadUpToNow() throws ExpiredRangeException {
        writtenAt(NOW + 1, "#0");
        writtenAt(5_000, "b#0");
        assertThat(happened()).containsExactly("0", "1", "t" + NOW);
    }

    @Test
    void theTimesOfEventsAreTheApplicationsOnceThereIsACheckpoint() throws ExpiredRangeException {
        writtenAt(70_000, "e0");
        writtenAt(5_000, "#0");
        writtenAt(90_000, "e1");
        writtenAt(5_500, "#1");
        writtenAt(6_500, "#2");
        assertThat(happened()).containsExactly("0", "1", "2", "3", "t5500", "4", "t6500");
    }
}
