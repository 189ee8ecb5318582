package dev.stormproof.log.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.testing.SimulatedLog;
import dev.stormproof.testing.StreamRecords;
import dev.stormproof.testing.WatchedReader;
import dev.stormproof.verify.fold.LogQuery;
import dev.stormproof.verify.fold.RangeQuery;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class LogReadJobTest {
    private static final StreamRecords ALICE = StreamRecords.ALICE;

    private final SimulatedLog log = new SimulatedLog();
    private final WatchedReader reader = new WatchedReader(log);

    private static RangeQuery range(long begin, long end) {
        return new RangeQuery(ALICE.stream(), begin, begin, end, end, 0);
    }

    private LogReadJob.Outcome read(LogQuery... queries) {
        return new LogReadJob(new TopicPartition("orders", 0), List.of(queries)).run(reader);
    }

    private void append(int events) {
        for (int i = 0; i < events; i++) {
            log.append(offset -> ALICE.event(offset, offset));
        }
    }

    private void gap() {
        for (int i = 0; i <= 10_000; i++) {
            log.appendMarker();
        }
    }

    @Test
    void aJobKeepsALittleMoreThanItsBoundAndLeavesTheRestToTheNextOne() {
        append(LogReadJob.MOST_KEPT);
        gap();
        append(1);
        RangeQuery first = range(0, LogReadJob.MOST_KEPT - 1);
        RangeQuery last = range(log.endOffset() - 1, log.endOffset());
        assertThat(read(last, first).answers()).hasSize(2);

        RangeQuery full = range(0, LogReadJob.MOST_KEPT);
        LogReadJob.Outcome outcome = read(last, full);

        assertThat(outcome.answers()).hasSize(1);
        assertThat(outcome.left()).containsExactly(last);
    }

    @Test
    void rangesNearEachOtherAreReadTogetherAndOthersByThemselves() {
        append(100);
        gap();
        append(1);
        assertThat(read(range(0, 10), range(50, 60), range(log.endOffset() - 1, log.endOffset()))
                        .answers())
                .hasSize(3);
        assertThat(reader.questions()).filteredOn("records"::equals).hasSize(2);
    }

    @Test
    void whatExpiresMeanwhileIsLeft() {
        append(10);
        WatchedReader expiring = WatchedReader.before(log, () -> log.expireBefore(5));
        LogReadJob.Outcome outcome =
                new LogReadJob(new TopicPartition("orders", 0), List.of(range(0, 10))).run(expiring);
        assertThat(outcome.expired()).isTrue();
        assertThat(outcome.left()).hasSize(1);
    }
}
