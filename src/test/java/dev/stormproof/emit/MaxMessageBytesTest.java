package dev.stormproof.emit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class MaxMessageBytesTest {
    private static final int ASSUMED_BYTES = 900_000;
    private static final int SIZE_BYTES = 10_000;

    private int inquiries;
    private final MaxMessageBytes limit = new MaxMessageBytes("orders", ASSUMED_BYTES, () -> inquiries++);

    @Test
    void aSizeThatIsNotProvenAndIsRefusedIsHalved() {
        limit.refused(SIZE_BYTES);
        assertThat(limit.maxBytes()).isEqualTo(SIZE_BYTES / 2);
        assertThat(inquiries).isOne();
    }

    /** As a checkpoint fails in a transaction in which an event is too large. */
    @Test
    void aSizeThatIsProvenMayFailForAnotherRecordHoweverOften() {
        for (int transaction = 0; transaction < 20; transaction++) {
            limit.arrived(SIZE_BYTES);
            limit.refused(SIZE_BYTES);
        }
        assertThat(limit.maxBytes()).isEqualTo(ASSUMED_BYTES);
        assertThat(limit.isProven(SIZE_BYTES)).isFalse();
    }

    @Test
    void ifItIsRefusedAgainItIsHalvedThoughTheClusterSaysOtherwise() {
        setKnown(ASSUMED_BYTES + MaxMessageBytes.RECORD_OVERHEAD_BYTES);
        limit.refused(SIZE_BYTES);
        assertThat(limit.maxBytes()).isEqualTo(ASSUMED_BYTES);
        setKnown(ASSUMED_BYTES + MaxMessageBytes.RECORD_OVERHEAD_BYTES);
        limit.arrived(SIZE_BYTES / 10);
        limit.refused(SIZE_BYTES);
        assertThat(limit.maxBytes()).isEqualTo(SIZE_BYTES / 2);
        assertThat(inquiries).isEqualTo(2);
    }

    @Test
    void whatTheClusterTellsLowersItAndNeverRaisesIt() {
        setKnown(50_000);
        assertThat(limit.maxBytes()).isEqualTo(50_000 - MaxMessageBytes.RECORD_OVERHEAD_BYTES);
        setKnown(ASSUMED_BYTES);
        assertThat(limit.maxBytes()).isEqualTo(50_000 - MaxMessageBytes.RECORD_OVERHEAD_BYTES);
    }

    private void setKnown(int maxMessageBytes) {
        limit.setKnown(Map.of("max.message.bytes", Integer.toString(maxMessageBytes)));
    }
}
