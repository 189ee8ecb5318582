package dev.stormproof.verify;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How long a stream may be silent. */
class PatienceTest {
    @Test
    void thePatienceOfAPromiseIsItsTimeAndTheGrace() {
        Patience patience = new Patience(1_000, 5_000);
        assertThat(patience.limitMillis(0)).isEqualTo(5_000);
        assertThat(patience.limitMillis(1)).isEqualTo(1_001);
    }
}
