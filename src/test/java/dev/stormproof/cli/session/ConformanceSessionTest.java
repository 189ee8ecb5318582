package dev.stormproof.cli.session;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.log.audit.PartitionReader;
import org.junit.jupiter.api.Test;

class ConformanceSessionTest {
    private static final long BEGIN = 5_000_000_000L;

    private static PartitionReader.Bounds bounds(long records) {
        return new PartitionReader.Bounds(BEGIN, BEGIN + records, BEGIN + records);
    }

    @Test
    void aLogOfMoreThanAMillionOffsetsIsNoTrial() {
        assertThatCode(() -> ConformanceSession.demandTrial(3, bounds(ConformanceSession.MOST_OFFSETS)))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> ConformanceSession.demandTrial(3, bounds(ConformanceSession.MOST_OFFSETS + 1)))
                .hasMessageContaining("partition 3 has more than 1000000 offsets");
    }
}
