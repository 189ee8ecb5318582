package dev.stormproof.emit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import org.apache.kafka.common.errors.InterruptException;
import org.junit.jupiter.api.Test;

/** How long an emitter waits at most, and how many threads it has. */
class EmitterBoundsTest {
    @Test
    void thereAreSixtyFourBackgroundThreadsAndWhatFindsNoneIsRejected() {
        CountDownLatch ended = new CountDownLatch(1);
        ExecutorService threads = BackgroundThreads.start();
        try {
            for (int i = 0; i < 64; i++) {
                Future<?> unused = threads.submit(() -> await(ended));
            }
            assertThatThrownBy(() -> threads.submit(() -> await(ended))).isInstanceOf(RejectedExecutionException.class);
        } finally {
            ended.countDown();
            threads.shutdownNow();
        }
    }

    @Test
    void aFirstSendWaitsFiveSecondsAtMostForTheTopicsLimit() {
        assertThat(MaxMessageBytes.waitMillis(60_000)).isEqualTo(5_000);
        assertThat(MaxMessageBytes.waitMillis(100)).isEqualTo(100);
    }

    @Test
    void theTimerLooksOnceASecondAtLeast() {
        assertThat(tickMillis(3_600_000)).isEqualTo(1_000);
        assertThat(tickMillis(2_000)).isEqualTo(500);
        assertThat(tickMillis(1)).isEqualTo(5);
    }

    @Test
    void betweenTwoAttemptsToCloseAStreamLiesASecondAtMost() {
        assertThat(StreamClosing.pauseAfter(50)).isEqualTo(100);
        assertThat(StreamClosing.pauseAfter(800)).isEqualTo(1_000);
        assertThat(StreamClosing.pauseAfter(1_000)).isEqualTo(1_000);
    }

    private static long tickMillis(long maxIntervalMillis) {
        return CheckpointingProducer.tickMillis(new EmitterConfig(Map.of(
                EmitterConfig.MAX_INTERVAL_MS, maxIntervalMillis, EmitterConfig.DEADLINE_MS, 100 * maxIntervalMillis)));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }
}
