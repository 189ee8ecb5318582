package dev.stormproof.verify.fold;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How long a stream may be silent. */
class InactivityTimeoutsTest {
    @Test
    void thePatienceOfAPromiseIsItsTimeAndTheGrace() {
        InactivityTimeouts timeouts = new InactivityTimeouts(1_000, 5_000, 3_600_000);
        assertThat(timeouts.limitMillis(0)).isEqualTo(5_000);
        assertThat(timeouts.limitMillis(1)).isEqualTo(1_001);
    }

    @Test
    void aPromiseBeyondTheBoundCountsAsTheBound() {
        InactivityTimeouts timeouts = new InactivityTimeouts(1_000, 5_000, 60_000);
        assertThat(timeouts.limitMillis(Long.MAX_VALUE)).isEqualTo(61_000);
    }
}
