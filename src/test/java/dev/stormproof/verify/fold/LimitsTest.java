package dev.stormproof.verify.fold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.testing.DrawnLog;
import org.junit.jupiter.api.Test;

/** Limits of docs/DETECTION.md that belong to no other theme. */
class LimitsTest {
    @Test
    void aLossInTheOpenEndShowsWithTheNextCheckpoint() {
        // #0 e0 e1 #1 e3   with e2 lost   ► nothing, until #2 comes
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1 e3").verify();
        assertThat(log.findings()).containsExactly("Verified 0", "Verified 1");
        log.append("#2").verify();
        assertThat(log.findings()).containsExactly("Violated 2? LOST 2..3");
    }
}
