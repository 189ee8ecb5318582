package dev.stormproof.log.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.log.audit.OfflineVerifier.Range;
import dev.stormproof.testing.ChainLog;
import dev.stormproof.testing.SimulatedLog;
import dev.stormproof.testing.WatchedReader;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

/** A log whose first record expires each time that it is about to be read. */
class ExpiringLogTest {
    private final SimulatedLog log =
            ChainLog.of("x x x x x x x x x x x x x x x x x x x x").log();
    private final WatchedReader expiring =
            WatchedReader.before(log, () -> log.expireBefore(log.bounds().begin() + 1));

    @Test
    void isReadTenTimesAndThenTheAuditFails() {
        Range range = new Range(new TopicPartition("orders", 0), 0, 20, 20, 20, 1);
        OfflineVerifier audit = SimulatedLog.audit(expiring, expiring, range, finding -> {});

        assertThatThrownBy(audit::run)
                .isInstanceOf(TimeoutException.class)
                .hasMessageContaining("expire faster than they can be read");
        assertThat(expiring.questions()).filteredOn("records"::equals).hasSize(10);
    }
}
