package dev.stormproof.task.process;

import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.open.DurableVerification;
import dev.stormproof.task.live.open.TaskPlacement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The verification of a task's partitions. */
final class VerificationWork implements TaskWork {
    private static final Logger LOG = LoggerFactory.getLogger(VerificationWork.class);
    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** After how long without records a task wakes less often. */
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final Duration IDLE_WAIT = Duration.ofMillis(500);

    private final StormproofConfig config;
    private final String process;
    private final int index;
    private volatile @Nullable DurableVerification open;

    /** @param process names this process in the metadata of the progress */
    VerificationWork(StormproofConfig config, String process, int index) {
        this.config = config;
        this.process = process;
        this.index = index;
    }

    @Override
    public long covered() {
        DurableVerification verification = open;
        return verification == null ? 0 : verification.covered();
    }

    @Override
    public long unwrittenMillis() {
        DurableVerification verification = open;
        return verification == null ? 0 : verification.unwrittenMillis();
    }

    @Override
    public void run(CountDownLatch stopping, Runnable begun) {
        DurableVerification.Task task = new DurableVerification.Task(
                process,
                index,
                index,
                partition -> TaskPlacement.taskIndex(partition, config.tasks.verifying()) == index);
        try (DurableVerification verification =
                        new DurableVerification(config, task, type -> {}, error -> LOG.info("task {}", index, error));
                TaskReading reading = new TaskReading(config, verification)) {
            open = verification;
            begun.run();
            Duration wait = Duration.ofMillis(config.tasks.flushIntervalMillis());
            Pace pace = new Pace(verification, wait.toNanos());
            long followedNanos = System.nanoTime() - SECOND_NANOS;
            long broughtNanos = System.nanoTime();
            while (stopping.getCount() > 0) {
                if (System.nanoTime() - followedNanos >= SECOND_NANOS) {
                    followedNanos = System.nanoTime();
                    reading.follow();
                }
                // A poll ends with the first record; only answers of audits wait for its end.
                boolean idle = System.nanoTime() - broughtNanos >= IDLE_NANOS;
                if (reading.poll(idle && wait.compareTo(IDLE_WAIT) < 0 ? IDLE_WAIT : wait, pace)) {
                    broughtNanos = System.nanoTime();
                }
                pace.run();
            }
            verification.tick();
        } finally {
            open = null;
        }
    }

    /** Polls after each batch of records, and ticks as often as output and alerts may wait. */
    private static final class Pace implements Runnable {
        private final DurableVerification verification;
        private final long everyNanos;
        private long tickedNanos = System.nanoTime();

        Pace(DurableVerification verification, long everyNanos) {
            this.verification = verification;
            this.everyNanos = everyNanos;
        }

        @Override
        public void run() {
            long nowNanos = System.nanoTime();
            if (nowNanos - tickedNanos >= everyNanos) {
                tickedNanos = nowNanos;
                verification.tick();
            } else {
                verification.poll();
            }
        }
    }
}
