package dev.stormproof.task.live.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BackoffTest {
    @Test
    void pausesDoubleUpToABound() {
        Backoff backoff = new Backoff(500, 10_000);

        assertThat(LongStream.iterate(backoff.after(0), backoff::after).limit(100))
                .startsWith(500L, 1_000L, 2_000L, 4_000L, 8_000L, 10_000L, 10_000L)
                .endsWith(10_000L);
    }
}
