package dev.stormproof.process;

import static org.assertj.core.api.Assertions.assertThat;

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
    void pausesOfAFencedTaskGrowUpToABound() {
        long pause = 1;
        for (int fence = 0; fence < 100; fence++) {
            pause = Replica.pauseAfter(pause);
        }
        assertThat(pause).isEqualTo(Replica.MAX_FENCED_PAUSE_MILLIS);
    }
}
