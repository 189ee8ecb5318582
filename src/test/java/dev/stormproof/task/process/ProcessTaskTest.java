package dev.stormproof.task.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.task.config.StormproofConfig;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.event.Level;

class ProcessTaskTest {
    private static final StormproofConfig CONFIG = new StormproofConfig(Map.of(
            "bootstrap.servers", "localhost:9",
            "group.id", "group",
            "input.topics", "events",
            "alerts.topic", "alerts"));
    private static final long WAIT_MILLIS = 1_000;

    @Test
    @Timeout(60)
    void twoWorksThatHeedNothingAreWaitedForAsLongAsOne() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        CountDownLatch atWork = new CountDownLatch(2);
        ProcessTask both = ProcessTask.of(CONFIG, 0, new Deaf(atWork, over), (thread, thrown) -> {})
                .with(new Deaf(atWork, over), (thread, thrown) -> {});
        both.start();
        try {
            atWork.await();
            both.stop();
            long begunNanos = System.nanoTime();
            both.awaitEnd(WAIT_MILLIS);

            assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNanos))
                    .isBetween(WAIT_MILLIS, 2 * WAIT_MILLIS - 1);
            assertThat(both.isOver()).isFalse();
        } finally {
            over.countDown();
            both.awaitEnd(TimeUnit.SECONDS.toMillis(30));
        }
        assertThat(both.isOver()).isTrue();
    }

    /** Work that neither ends when it is told to nor heeds an interruption. */
    private record Deaf(CountDownLatch atWork, CountDownLatch over) implements TaskWork {
        @Override
        public void run(CountDownLatch stopping, Runnable begun) {
            atWork.countDown();
            boolean waits = true;
            while (waits) {
                try {
                    over.await();
                    waits = false;
                } catch (InterruptedException e) {
                    waits = over.getCount() > 0;
                }
            }
        }

        @Override
        public long covered() {
            return 0;
        }

        @Override
        public long unwrittenMillis() {
            return 0;
        }
    }

    @Test
    void aTaskThatFailsForEverWarnsNowAndThen() {
        assertThat(IntStream.rangeClosed(1, 13).filter(failures -> ProcessTask.levelOf(failures) == Level.WARN))
                .containsExactly(6, 12);
    }

    @Test
    void aTaskThatRanForLongSinceItWasFencedPausesShortlyAgain() {
        long nowNanos = 1;
        Replica.Fence fence = Replica.Fence.after(null, nowNanos);
        for (int again = 0; again < 10; again++) {
            nowNanos = fence.untilNanos() + TimeUnit.MILLISECONDS.toNanos(Replica.FENCED.mostMillis());
            fence = Replica.Fence.after(fence, nowNanos);
        }
        assertThat(fence.pauseMillis()).as("two systems in turns").isEqualTo(Replica.FENCED.mostMillis());

        nowNanos = fence.untilNanos() + TimeUnit.MILLISECONDS.toNanos(Replica.FORGOTTEN_MILLIS) + 1;
        fence = Replica.Fence.after(fence, nowNanos);
        assertThat(fence.pauseMillis()).isEqualTo(Replica.FENCED.firstMillis());
        assertThat(fence.untilNanos() - nowNanos)
                .isEqualTo(TimeUnit.MILLISECONDS.toNanos(Replica.FENCED.firstMillis()));
    }
}
