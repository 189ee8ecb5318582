package dev.stormproof.storm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The notary's thread beside a verifying task. */
class NotaryThreadTest {
    @Test
    void pausesGrowUpToABound() {
        assertThat(NotaryThread.pauseAfter(1_000)).isEqualTo(2_000);
        assertThat(NotaryThread.pauseAfter(40_000)).isEqualTo(NotaryThread.MAX_PAUSE_MILLIS);
    }
}
