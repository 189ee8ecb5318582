package dev.stormproof.proof.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.compare.RecordLog.LeftOut;
import org.junit.jupiter.api.Test;

class RecordLogTest {
    @Test
    void recordsThatAreLeftOutAreCountedOnceThoughALogIsReadTwice() {
        LeftOut first = LeftOut.NONE.and(3, 5, 2, "too large");
        assertThat(first).isEqualTo(new LeftOut(3, 5, 2, "too large"));
        assertThat(first.and(3, 5, 2, "again")).isEqualTo(first);
        assertThat(first.and(4, 7, 3, "more")).isEqualTo(new LeftOut(3, 7, 4, "too large"));
        assertThat(first.and(8, 10, 1, "later")).isEqualTo(new LeftOut(3, 10, 3, "too large"));
    }
}
