package dev.stormproof.task.process;

import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.run.Backoff;
import dev.stormproof.task.live.run.ProducerFailure;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * One task of the group: verifies or notarizes its partitions, each kind of work in a thread of its own, and begins again from the committed
 * progress when Kafka fails.
 *
 * <pre>
 *   BEGINS   ──opened────────────────────► VERIFIES
 *   BEGINS, VERIFIES ──Kafka fails───────► WAITS     nothing is open; after a pause: BEGINS
 *                    ──another has the id► FENCED    ended: the group says whose the task is
 *                    ──asked to stop─────► STOPPED   ended: findings are written, and everything is closed
 * </pre>
 *
 * <p>Any other exception is a failure of our own, and goes to the thread's handler.
 */
final class ProcessTask {
    private static final Backoff BACKOFF = new Backoff(500, 10_000);

    private static final int FAILURES_A_WARNING = 6;

    private static final Logger LOG = LoggerFactory.getLogger(ProcessTask.class);

    private final StormproofConfig config;
    private final int index;
    private final TaskWork work;
    private final CountDownLatch stopping;
    private final Thread thread;
    /** The other work of this task; both begin and stop together, and the task is over when both are. */
    private final @Nullable ProcessTask beside;

    private volatile State state = State.BEGINS;

    enum State {
        BEGINS,
        VERIFIES,
        WAITS,
        FENCED,
        STOPPED
    }

    private ProcessTask(
            StormproofConfig config,
            int index,
            TaskWork work,
            CountDownLatch stopping,
            @Nullable ProcessTask beside,
            Thread.UncaughtExceptionHandler failed) {
        this.config = config;
        this.index = index;
        this.work = work;
        this.stopping = stopping;
        this.beside = beside;
        this.thread = new Thread(this::run, (beside == null ? "stormproof-task-" : "stormproof-notary-") + index);
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler(failed);
    }

    /** @param failed takes a failure of our own */
    static ProcessTask of(StormproofConfig config, int index, TaskWork work, Thread.UncaughtExceptionHandler failed) {
        return new ProcessTask(config, index, work, new CountDownLatch(1), null, failed);
    }

    /** This task, which was not started yet, with one more work. */
    ProcessTask with(TaskWork more, Thread.UncaughtExceptionHandler failed) {
        return new ProcessTask(config, index, more, stopping, this, failed);
    }

    void start() {
        if (beside != null) {
            beside.start();
        }
        thread.start();
    }

    /** The state; of two works, the less advanced one. */
    State state() {
        State other = beside == null ? state : beside.state();
        return state == State.FENCED || other == State.VERIFIES ? state : other;
    }

    long covered() {
        return work.covered() + (beside == null ? 0 : beside.covered());
    }

    long unwrittenMillis() {
        return Math.max(work.unwrittenMillis(), beside == null ? 0 : beside.unwrittenMillis());
    }

    /** True if it is to stop, or has ended. */
    boolean isStopping() {
        return stopping.getCount() == 0 || isOver();
    }

    boolean isOver() {
        return thread.getState() == Thread.State.TERMINATED && (beside == null || beside.isOver());
    }

    /** Has it write its findings and end; does not wait for that. */
    void stop() {
        stopping.countDown();
    }

    /** Waits for the end; then interrupts what has not ended, whose writes do not count any more. */
    void awaitEnd(long timeoutMillis) throws InterruptedException {
        long begunNanos = System.nanoTime();
        thread.join(Math.max(1, timeoutMillis));
        thread.interrupt();
        if (beside != null) {
            long waitedMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNanos);
            beside.awaitEnd(timeoutMillis - waitedMillis);
        }
    }

    private void run() {
        long pauseMillis = 0;
        int failures = 0;
        while (stopping.getCount() > 0) {
            state = State.BEGINS;
            long begunNanos = System.nanoTime();
            try {
                work.run(stopping, () -> state = State.VERIFIES);
                break;
            } catch (InterruptException e) {
                LOG.debug("task {} is interrupted", index, e);
                break;
            } catch (KafkaException e) {
                if (ProducerFailure.isFenced(e)) {
                    LOG.warn(
                            "task {} of group {} is verified by another process now; this one leaves it to that",
                            index,
                            config.groupId());
                    state = State.FENCED;
                    stopping.countDown(); // The group says whose the task is, with all of its works.
                    return;
                }
                state = State.WAITS;
                boolean lasted = System.nanoTime() - begunNanos >= TimeUnit.MILLISECONDS.toNanos(BACKOFF.mostMillis());
                pauseMillis = BACKOFF.after(lasted ? 0 : pauseMillis);
                failures = lasted ? 1 : failures + 1;
                LOG.atLevel(levelOf(failures))
                        .setCause(e)
                        .log("task {} has failed {} times, and begins again in {} ms", index, failures, pauseMillis);
                pause(pauseMillis);
            }
        }
        state = State.STOPPED;
    }

    /** The level of a failure, by how many there were in a row: a warning after 15 s, and then one a minute. */
    static Level levelOf(int failures) {
        return failures % FAILURES_A_WARNING == 0 ? Level.WARN : Level.INFO;
    }

    private void pause(long millis) {
        try {
            boolean unused = stopping.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            stopping.countDown();
        }
    }
}
