package dev.stormproof.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.log.RangeAudit.Range;
import dev.stormproof.verify.InactivityTimeouts;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

/** A log whose records expire each time that they are read. */
class ExpiringLogTest implements PartitionReader {
    private int reads;

    @Override
    public Bounds bounds() {
        return new Bounds(0, 10, 10);
    }

    @Override
    public long offsetForTime(long millis) {
        return 0;
    }

    @Override
    public long scan(long begin, long end, Taker taker) throws ExpiredRangeException {
        reads++;
        throw new ExpiredRangeException("expired");
    }

    @Override
    public long endOffsetOfEpoch(long offset, int leaderEpoch) {
        return offset;
    }

    @Test
    void isReadTenTimesAndThenTheAuditFails() {
        Range range = new Range(new TopicPartition("orders", 0), 0, 10, 10, 1, false);
        RangeAudit audit = new RangeAudit(
                this, this, range, InactivityTimeouts.DEFAULT, finding -> {}, further -> {}, (offset, bytes) -> {});

        assertThatThrownBy(audit::run)
                .isInstanceOf(TimeoutException.class)
                .hasMessageContaining("expire faster than they can be read");
        assertThat(reads).isEqualTo(10);
    }
}
