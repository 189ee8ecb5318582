package dev.stormproof.transform;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The runner of a transform: tries again what fails, and interrupts what takes too long.
 *
 * <pre>
 *   attempt ──result──────────────────────────► result
 *           ──exception, null, or interrupted
 *             after the timeout───────────────► the next attempt; after the last one: TransformFailure
 * </pre>
 *
 * <p>Belongs to one thread. A thread of its own watches the time.
 */
public final class TransformRunner implements AutoCloseable {
    private static final long NOT_RUNNING = Long.MIN_VALUE;

    private final EventTransform transform;
    private final int attempts;
    private final long timeoutNanos;
    private final Thread watchdog;
    private final Object turn = new Object();
    private volatile long startedNanos = NOT_RUNNING;
    private @Nullable Thread runningIn;
    private boolean interrupted;

    /** A transform failed on an event in every attempt. */
    public static final class TransformFailure extends Exception {
        private static final long serialVersionUID = 1L;

        TransformFailure(Exception cause) {
            super(cause.toString(), cause);
        }
    }

    /**
     * @param retries how often a failed call is made again
     * @param timeoutMillis how long a call may take
     */
    public TransformRunner(EventTransform transform, int retries, long timeoutMillis) {
        this.transform = transform;
        this.attempts = retries + 1;
        this.timeoutNanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        this.watchdog = new Thread(this::watch, "stormproof-transform-watchdog");
        watchdog.setDaemon(true);
        watchdog.start();
    }

    /** Makes the event to come from the event that was read. */
    public Transformed run(InputEvent event) throws TransformFailure {
        for (int attempt = 1; ; attempt++) {
            try {
                return once(event);
            } catch (Exception e) {
                if (attempt == attempts || watchdog.isInterrupted()) {
                    throw new TransformFailure(e);
                }
            }
        }
    }

    @Override
    public void close() {
        watchdog.interrupt();
    }

    private Transformed once(InputEvent event) throws Exception {
        synchronized (turn) {
            runningIn = Thread.currentThread();
            interrupted = false;
            startedNanos = System.nanoTime();
        }
        try {
            Transformed made = transform.apply(event);
            if (made == null) {
                throw new IllegalStateException("the transform returned null");
            }
            return made;
        } catch (Exception e) {
            synchronized (turn) {
                if (interrupted) {
                    TimeoutException late = new TimeoutException(
                            "the transform took longer than " + TimeUnit.NANOSECONDS.toMillis(timeoutNanos) + " ms");
                    late.addSuppressed(e);
                    throw late;
                }
            }
            throw e;
        } finally {
            synchronized (turn) {
                startedNanos = NOT_RUNNING;
                runningIn = null;
                if (interrupted) {
                    Thread.interrupted();
                }
            }
        }
    }

    private void watch() {
        long pauseMillis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(timeoutNanos) / 4);
        try {
            while (true) {
                Thread.sleep(pauseMillis);
                long started = startedNanos;
                if (started != NOT_RUNNING && System.nanoTime() - started > timeoutNanos) {
                    interrupt(started);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void interrupt(long started) {
        synchronized (turn) {
            if (startedNanos == started && runningIn != null) {
                interrupted = true;
                runningIn.interrupt();
            }
        }
    }
}
