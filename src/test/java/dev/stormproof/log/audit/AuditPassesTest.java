package dev.stormproof.log.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.log.audit.OfflineVerifier.Range;
import dev.stormproof.testing.SimulatedLog;
import dev.stormproof.testing.StreamRecords;
import dev.stormproof.testing.WatchedReader;
import dev.stormproof.verify.judge.Finding;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** How often an audit reads a log in which many streams end at once. */
class AuditPassesTest {
    private final SimulatedLog log = new SimulatedLog();
    private final List<Finding> found = new ArrayList<>();

    private long passes(int streams) {
        for (long emitter = 1; emitter <= streams; emitter++) {
            StreamRecords stream = StreamRecords.of(emitter);
            log.append(offset -> stream.event(offset, 0));
        }
        WatchedReader back = new WatchedReader(log);
        var unused = SimulatedLog.audit(
                        log,
                        back,
                        new Range(new TopicPartition("orders", 0), 0, streams, streams, streams, Long.MAX_VALUE / 2),
                        found::add)
                .run();
        assertThat(found).hasSize(streams);
        return back.questions().stream().filter("records"::equals).count();
    }

    @Test
    void aThousandRangesAreReadInOnePass() {
        assertThat(passes(1_000)).isEqualTo(1);
    }

    @Test
    void moreAreReadInSeveral() {
        assertThat(passes(1_001)).isEqualTo(2);
    }
}
