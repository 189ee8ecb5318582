package dev.stormproof.task.live.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.log.audit.Auditor;
import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.log.audit.SearchBudget;
import dev.stormproof.log.audit.SearchedLog;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.testing.MadeLog;
import dev.stormproof.testing.StreamRecords;
import dev.stormproof.verify.fold.LogQuery;
import dev.stormproof.verify.judge.IntervalId;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class LogCacheTest {
    /** Enough for a third of all that may be kept. */
    private static final int RECORDS = 95_000;

    private final LogCache kept = new LogCache();

    /** Events of one stream. */
    private static final class Events extends MadeLog {
        @Override
        protected long endOffset() {
            return RECORDS;
        }

        @Override
        protected LogRecord record(long offset) {
            return StreamRecords.ALICE.event(offset, offset);
        }
    }

    private SearchedLog read(int partition) throws ExpiredRangeException {
        TopicPartition of = new TopicPartition("orders", partition);
        SearchedLog log = kept.of(of).on(new Events());
        IntervalId open = IntervalId.of(StreamRecords.ALICE.checkpoint(0, 0, 0).at(RECORDS));
        new Auditor(log, SearchBudget.unlimited()).audit(new LogQuery.OfTail(open, -1, RECORDS));
        kept.read(of);
        return log;
    }

    @Test
    void aPartitionsNextJobFindsWhatItsLastOneRead() throws Exception {
        SearchedLog first = read(0);

        assertThat(kept.of(new TopicPartition("orders", 0))).isSameAs(first);
        assertThat(kept.sizeBytes()).isEqualTo(first.sizeBytes()).isPositive();
        kept.remove(new TopicPartition("orders", 0));
        assertThat(kept.of(new TopicPartition("orders", 0))).isNotSameAs(first);
        assertThat(kept.sizeBytes()).isZero();
    }

    @Test
    void thePartitionThatWasReadLeastRecentlyMakesRoom() throws Exception {
        SearchedLog first = read(0);
        SearchedLog second = read(1);
        kept.read(new TopicPartition("orders", 0));
        for (int partition = 2; kept.of(new TopicPartition("orders", 1)) == second; partition++) {
            assertThat(partition).isLessThan(8);
            read(partition);
            assertThat(kept.sizeBytes()).isLessThanOrEqualTo(LogCache.MOST_BYTES);
        }

        assertThat(kept.of(new TopicPartition("orders", 0))).isSameAs(first);
    }
}
