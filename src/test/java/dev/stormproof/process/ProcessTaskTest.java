package dev.stormproof.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.guards.Guards;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProcessTaskTest {
    @Test
    void pausesGrowUpToABound() {
        long pause = ProcessTask.FIRST_PAUSE_MILLIS;
        for (int failure = 0; failure < 100; failure++) {
            long next = ProcessTask.pauseAfter(pause);
            assertThat(next).isBetween(pause, ProcessTask.MAX_PAUSE_MILLIS);
            pause = next;
        }
        assertThat(pause).isEqualTo(ProcessTask.MAX_PAUSE_MILLIS);
    }

    @Test
    @Guards("fence-of-long-ago-is-forgotten")
    void aTaskThatRanForLongSinceItWasFencedPausesShortlyAgain() {
        long nowNanos = 1;
        Replica.Fence fence = Replica.Fence.behind(null, nowNanos);
        for (int again = 0; again < 10; again++) {
            nowNanos = fence.untilNanos() + TimeUnit.MILLISECONDS.toNanos(Replica.MAX_FENCED_PAUSE_MILLIS);
            fence = Replica.Fence.behind(fence, nowNanos);
        }
        assertThat(fence.pauseMillis()).as("two systems in turns").isEqualTo(Replica.MAX_FENCED_PAUSE_MILLIS);

        nowNanos = fence.untilNanos() + TimeUnit.MILLISECONDS.toNanos(Replica.FORGOTTEN_MILLIS) + 1;
        fence = Replica.Fence.behind(fence, nowNanos);
        assertThat(fence.pauseMillis()).isEqualTo(Replica.FIRST_FENCED_PAUSE_MILLIS);
        assertThat(fence.untilNanos() - nowNanos)
                .isEqualTo(TimeUnit.MILLISECONDS.toNanos(Replica.FIRST_FENCED_PAUSE_MILLIS));
    }

    @Test
    void pausesOfAFencedTaskGrowUpToABound() {
        long pause = 1;
        for (int fence = 0; fence < 100; fence++) {
            pause = Replica.pauseAfter(pause);
        }
        assertThat(pause).isEqualTo(Replica.MAX_FENCED_PAUSE_MILLIS);
    }
}
