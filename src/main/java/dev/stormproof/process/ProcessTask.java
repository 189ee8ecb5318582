package dev.stormproof.process;

import dev.stormproof.config.StormproofConfig;
import dev.stormproof.live.DurableVerification;
import dev.stormproof.live.TaskPlacement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One task of the group in a thread of its own: reads its partitions, verifies them, and begins anew from the committed progress when
 * Kafka fails it.
 *
 * <pre>
 *   BEGINS   ──opened────────────────────► VERIFIES
 *   BEGINS, VERIFIES ──Kafka fails───────► WAITS     nothing is open; after a pause: BEGINS
 *                    ──another has the id► FENCED    ended: the group says whose the task is
 *                    ──told to stop──────► STOPPED   ended: what was found is written, and all is closed
 * </pre>
 *
 * <p>Anything else that is thrown is a failure of our own, and goes to the thread's handler.
 */
final class ProcessTask {
    static final long FIRST_PAUSE_MILLIS = 500;
    static final long MAX_PAUSE_MILLIS = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(ProcessTask.class);
    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** After how long without a record a task wakes less often. */
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final Duration IDLE_WAIT = Duration.ofMillis(500);

    private final StormproofConfig config;
    private final String process;
    private final int index;
    private final Thread thread;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private volatile State state = State.BEGINS;
    private volatile @Nullable DurableVerification open;

    /** What a task does. */
    enum State {
        BEGINS,
        VERIFIES,
        WAITS,
        FENCED,
        STOPPED
    }

    /**
     * @param process names this process in the notes beside the progress
     * @param failed takes a failure of our own
     */
    ProcessTask(StormproofConfig config, String process, int index, Thread.UncaughtExceptionHandler failed) {
        this.config = config;
        this.process = process;
        this.index = index;
        this.thread = new Thread(this::run, "stormproof-task-" + index);
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler(failed);
    }

    void start() {
        thread.start();
    }

    State state() {
        return state;
    }

    /** How many partitions it verifies. */
    long covered() {
        DurableVerification verification = open;
        return verification == null ? 0 : verification.covered();
    }

    /** True if it is told to stop, or has ended. */
    boolean isStopping() {
        return stopping.getCount() == 0 || isOver();
    }

    /** True if its thread has ended. */
    boolean isOver() {
        return thread.getState() == Thread.State.TERMINATED;
    }

    /** Has it write what it found and end; does not wait for that. */
    void stop() {
        stopping.countDown();
    }

    /** Waits for the end at most that long; what does not end then is interrupted, and writes nothing more that counts. */
    void awaitEnd(long timeoutMillis) throws InterruptedException {
        thread.join(Math.max(1, timeoutMillis));
        thread.interrupt();
    }

    private void run() {
        long pauseMillis = FIRST_PAUSE_MILLIS;
        while (stopping.getCount() > 0) {
            state = State.BEGINS;
            long begunNanos = System.nanoTime();
            try {
                verify();
                break;
            } catch (InterruptException e) {
                LOG.debug("task {} is interrupted", index, e);
                break;
            } catch (KafkaException e) {
                if (isFenced(e)) {
                    LOG.warn(
                            "task {} of group {} is verified by another process now; this one leaves it to that",
                            index,
                            config.groupId());
                    state = State.FENCED;
                    return;
                }
                state = State.WAITS;
                boolean lasted = System.nanoTime() - begunNanos >= TimeUnit.MILLISECONDS.toNanos(MAX_PAUSE_MILLIS);
                pauseMillis = lasted ? FIRST_PAUSE_MILLIS : pauseAfter(pauseMillis);
                LOG.info("task {} begins again in {} ms", index, pauseMillis, e);
                pause(pauseMillis);
            }
        }
        state = State.STOPPED;
    }

    private void verify() {
        DurableVerification.Task task = new DurableVerification.Task(
                process,
                index,
                index,
                partition -> TaskPlacement.taskIndex(partition, config.verifyingTasks()) == index);
        try (DurableVerification verification =
                        new DurableVerification(config, task, type -> {}, error -> LOG.info("task {}", index, error));
                TaskReading reading = new TaskReading(config, verification)) {
            open = verification;
            state = State.VERIFIES;
            Duration wait = Duration.ofMillis(config.flushIntervalMillis());
            Pace pace = new Pace(verification, wait.toNanos());
            long followedNanos = System.nanoTime() - SECOND_NANOS;
            long broughtNanos = System.nanoTime();
            while (stopping.getCount() > 0) {
                if (System.nanoTime() - followedNanos >= SECOND_NANOS) {
                    followedNanos = System.nanoTime();
                    reading.follow();
                }
                // A poll ends with the first record; only what is read from the log meanwhile waits for its end.
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

    /** Hands on what records brought, and notes the time as often as output and alerts may wait. */
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

    private void pause(long millis) {
        try {
            boolean unused = stopping.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            stopping.countDown();
        }
    }

    /** How long to wait after a failure that follows a pause. */
    static long pauseAfter(long pauseMillis) {
        return Math.min(MAX_PAUSE_MILLIS, 2 * pauseMillis);
    }

    /** True if another producer has the task's transactional id: by the failure, what caused it, or what came of it. */
    static boolean isFenced(Throwable failure) {
        Deque<Throwable> open = new ArrayDeque<>(List.of(failure));
        Set<Throwable> seen = new HashSet<>();
        while (!open.isEmpty()) {
            Throwable one = open.pop();
            if (one instanceof ProducerFencedException || one instanceof InvalidProducerEpochException) {
                return true;
            }
            if (seen.add(one)) {
                open.addAll(List.of(one.getSuppressed()));
                if (one.getCause() != null) {
                    open.add(one.getCause());
                }
            }
        }
        return false;
    }
}
