package dev.stormproof.log.audit;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static dev.stormproof.testing.StreamRecords.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.testing.SimulatedLog;
import dev.stormproof.verify.chain.LogRange;
import dev.stormproof.verify.chain.RangeQuery;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RangeReadingTest {
    private static final int MOST_RECORDS = (64 << 20) / RecordSizes.RECORD_BYTES;

    private final SimulatedLog log = new SimulatedLog();

    private LogRange read(long begin, long end) throws PartitionReader.ExpiredRangeException {
        return RangeReading.read(log, new RangeQuery(ALICE.stream(), begin, begin, end, end, 0));
    }

    private static List<Long> offsets(LogRange range) {
        return range.evidence(List.of()).events().stream().map(Event::offset).toList();
    }

    @Test
    void whatTheLogHoldsOfTheRangeIsRead() throws Exception {
        for (long sequence = 0; sequence < 5; sequence++) {
            long next = sequence;
            log.append(offset -> ALICE.event(offset, next));
        }
        assertThat(offsets(read(1, 3))).containsExactly(1L, 2L);
        assertThat(offsets(read(3, 9))).containsExactly(3L, 4L);
        log.expireBefore(2);
        assertThat(offsets(read(1, 4))).containsExactly(2L, 3L);
        assertThat(read(1, 4).evidence(List.of()).beginOffset()).isEqualTo(2);
        assertThat(offsets(read(0, 2))).isEmpty();
        assertThat(offsets(read(7, 9))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"0, false", "1, true"})
    void beyondSixtyFourMebibytesNoRecordIsKept(int more, boolean tooLarge) throws Exception {
        for (int i = 0; i < MOST_RECORDS + more; i++) {
            log.append(offset -> ALICE.event(offset, offset / 2));
            log.append(offset -> BOB.event(offset, 0));
        }

        LogRange range = read(0, 2L * MOST_RECORDS + 2);
        assertThat(range.isTooLarge()).isEqualTo(tooLarge);
        assertThat(range.matches(ALICE.checkpoint(1, 0, MOST_RECORDS + more).at(0)))
                .isTrue();
    }
}
