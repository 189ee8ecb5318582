package dev.stormproof.task.transform;

import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs a transform: repeats failed calls, and interrupts calls that take too long.
 *
 * <pre>
 *   attempt ──result in time──────────────────► result
 *           ──exception, error, null, or
 *             interrupted after the timeout───► the next attempt; after the last one: TransformFailure
 *           ──InternalError, UnknownError: the
 *             JVM is broken───────────────────► the same error: the task ends
 *           ──interrupted by others: the task
 *             ends────────────────────────────► IllegalStateException, caused by the interruption
 *           ──an InterruptedException without
 *             an interruption─────────────────► like any exception
 *           ──the thread is left interrupted──► what else came of it: the interruption is taken back
 *           ──still at work after {@value #TIMEOUTS_UNTIL_STUCK} timeouts, though
 *             interrupted────────────────────► stuck: the thread has failed, and its worker or process ends
 * </pre>
 *
 * <p>An error is a failure of the event like an exception: a value may be nested too deeply for the stack, need a missing class, or state the
 * size of an array that is larger than the heap. Thrown to the task, it would end the worker at each start.
 *
 * <p>Belongs to one thread. Another thread watches the time. Java cannot end a thread from outside, so a call that ignores interruptions ends
 * only with its process.
 */
public final class TransformRunner implements AutoCloseable {
    private static final long NOT_RUNNING = Long.MIN_VALUE;

    private static final int LOOKS_PER_TIMEOUT = 4;

    /** After how many timeouts a call that ignores interruptions is stuck. */
    private static final int TIMEOUTS_UNTIL_STUCK = 3;

    private static final int MOST_CAUSES = 20;

    private final EventTransform transform;
    private final int attempts;
    private final long timeoutNanos;
    private final ScheduledExecutorService watchdog;
    private final BiConsumer<Thread, IllegalStateException> stuck;
    private final Object turn = new Object();
    private volatile long startedNanos = NOT_RUNNING;
    private @Nullable Thread runningIn;
    private @Nullable InputEvent running;
    private boolean interrupted;
    private volatile int interruptions;
    private boolean reported;

    /**
     * A transform failed on an event in every attempt. The message has nothing of the event: no messages of the transform's exceptions, which
     * may quote it, but their classes and where in the application the first was thrown. The cause has the rest.
     */
    public static final class TransformFailure extends Exception {
        private static final long serialVersionUID = 1L;

        private static final int MOST_NAMED = 5;

        private TransformFailure(String text, Throwable cause) {
            super(text, cause);
        }

        /** Describes what a transform threw, which is the application's code as well and may throw when it is logged. */
        static TransformFailure of(Throwable thrown) {
            try {
                Objects.requireNonNull(thrown.toString(), "a log of the cause asks for it");
                return new TransformFailure(thrown instanceof Ours ours ? ours.words() : named(thrown), thrown);
            } catch (RuntimeException | StackOverflowError e) {
                String text = thrown.getClass().getName() + ", which has no words for itself";
                IllegalStateException instead = new IllegalStateException(text);
                instead.setStackTrace(thrown.getStackTrace());
                return new TransformFailure(text, instead);
            }
        }

        private static String named(Throwable failure) {
            StringBuilder names = new StringBuilder(failure.getClass().getName());
            Stream.of(failure.getStackTrace())
                    .filter(frame -> frame.getModuleName() == null)
                    .findFirst()
                    .ifPresent(frame -> names.append(" at ").append(frame));
            Throwable cause = failure.getCause();
            for (int i = 1; cause != null && i < MOST_NAMED; i++) {
                names.append(", caused by ").append(cause.getClass().getName());
                cause = cause.getCause();
            }
            return names.toString();
        }
    }

    /** A failure whose message is ours. */
    private interface Ours {
        String words();
    }

    private static final class Late extends TimeoutException implements Ours {
        private static final long serialVersionUID = 1L;

        private final String words;

        Late(String words) {
            super(words);
            this.words = words;
        }

        @Override
        public String words() {
            return words;
        }
    }

    private static final class NoResult extends IllegalStateException implements Ours {
        private static final long serialVersionUID = 1L;
        private static final String WORDS = "the transform returned null";

        NoResult() {
            super(WORDS);
        }

        @Override
        public String words() {
            return WORDS;
        }
    }

    /**
     * A runner whose watchdog reports a stuck call to the handler of the calling thread, as if that had thrown. Storm ends the worker then and
     * starts another, and a verifying process ends.
     *
     * @param retries how often a failed call is repeated
     * @param timeoutMillis how long a call may take
     */
    public TransformRunner(EventTransform transform, int retries, long timeoutMillis) {
        this(transform, retries, timeoutMillis, TransformRunner::failThread);
    }

    /** @param stuck takes, once, a thread whose call ignores interruptions, with its stack */
    TransformRunner(
            EventTransform transform,
            int retries,
            long timeoutMillis,
            BiConsumer<Thread, IllegalStateException> stuck) {
        this.stuck = stuck;
        this.transform = transform;
        this.attempts = retries + 1;
        this.timeoutNanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        this.watchdog = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "stormproof-transform-watchdog");
            thread.setDaemon(true);
            return thread;
        });
        long pauseNanos = Math.max(1, timeoutNanos / LOOKS_PER_TIMEOUT);
        var unused = watchdog.scheduleWithFixedDelay(this::watch, pauseNanos, pauseNanos, TimeUnit.NANOSECONDS);
    }

    public Transformed run(InputEvent event) throws TransformFailure {
        for (int attempt = 1; ; attempt++) {
            try {
                return once(event);
            } catch (InternalError | UnknownError e) {
                throw e;
            } catch (
                    Throwable
                            e) { // Whatever it is: the code is the application's, maybe of a language with other rules.
                if (Thread.currentThread().isInterrupted() || isOfThisThread(e)) {
                    Thread.currentThread().interrupt();
                    throw new IllegalStateException(e);
                }
                if (attempt == attempts) {
                    throw TransformFailure.of(e);
                }
            }
        }
    }

    private static boolean isOfThisThread(Throwable thrown) {
        try {
            return Stream.iterate(thrown, Objects::nonNull, Throwable::getCause)
                    .limit(MOST_CAUSES)
                    .anyMatch(TransformRunner::isWaitOfThisThread);
        } catch (RuntimeException | StackOverflowError e) { // What was thrown is the application's code as well.
            return false;
        }
    }

    /**
     * True if this thread was interrupted while it waited in the transform: then the JDK threw, and cleared the interruption. Storm silently ends
     * a task for any InterruptedException, also for one that the application made, or got from a thread of its own.
     */
    private static boolean isWaitOfThisThread(Throwable thrown) {
        if (!(thrown instanceof InterruptedException)) {
            return false;
        }
        StackTraceElement[] frames = thrown.getStackTrace();
        return frames.length > 0
                && Object.class.getModule().getName().equals(frames[0].getModuleName())
                && Stream.of(frames).anyMatch(frame -> frame.getClassName().equals(TransformRunner.class.getName()));
    }

    @Override
    public void close() {
        watchdog.shutdownNow();
    }

    /** Throws in another thread, for the handler of a thread that is stuck itself. */
    private static void failThread(Thread hangs, IllegalStateException why) {
        Thread thread = new Thread(
                () -> {
                    throw why;
                },
                "stormproof-transform-stuck");
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler(hangs.getUncaughtExceptionHandler());
        thread.start();
    }

    private Transformed once(InputEvent event) throws Throwable {
        boolean interruptedBefore = Thread.currentThread().isInterrupted();
        synchronized (turn) {
            running = event;
            reported = false;
            interruptions = 0;
            runningIn = Thread.currentThread();
            interrupted = false;
            startedNanos = System.nanoTime();
        }
        Transformed made;
        try {
            made = transform.apply(event);
        } catch (Throwable e) { // It is thrown on.
            if (ended()) {
                TimeoutException late = late();
                late.addSuppressed(e);
                throw late;
            }
            throw e;
        } finally {
            // The transform may have interrupted itself. A caller that ends this thread while the transform does not
            // wait closes this as well.
            if (ended() || !interruptedBefore) {
                Thread.interrupted();
            }
        }
        if (ended()) {
            throw late();
        }
        if (made == null) {
            throw new NoResult();
        }
        return made;
    }

    /** Ends the call for the watchdog; true if it was interrupted before. */
    private boolean ended() {
        synchronized (turn) {
            startedNanos = NOT_RUNNING;
            runningIn = null;
            running = null;
            return interrupted;
        }
    }

    private TimeoutException late() {
        return new Late("the transform took longer than " + TimeUnit.NANOSECONDS.toMillis(timeoutNanos) + " ms");
    }

    private void watch() {
        long started = startedNanos;
        if (started != NOT_RUNNING && System.nanoTime() - started > timeoutNanos) {
            interrupt(started);
        }
    }

    private void interrupt(long started) {
        synchronized (turn) {
            if (startedNanos == started && runningIn != null) {
                interrupted = true;
                runningIn.interrupt();
                interruptions++;
            }
        }
        // Not by the clock: a process that was suspended for long is not stuck when it continues.
        if (interruptions > LOOKS_PER_TIMEOUT * (TIMEOUTS_UNTIL_STUCK - 1)) {
            report(started);
        }
    }

    private void report(long started) {
        IllegalStateException why;
        Thread thread;
        synchronized (turn) {
            thread = runningIn;
            InputEvent event = running;
            if (startedNanos != started || reported || thread == null || event == null) {
                return;
            }
            reported = true;
            why = new IllegalStateException(
                    "the transform has been at the event at " + event.topic() + "-"
                            + event.partition() + "@" + event.offset() + " for more than " + TIMEOUTS_UNTIL_STUCK
                            + " times "
                            + TimeUnit.NANOSECONDS.toMillis(timeoutNanos)
                            + " ms and heeds no interruption: the worker or process ends. Make the transform heed interruptions, or give up by itself");
            why.setStackTrace(thread.getStackTrace());
        }
        stuck.accept(thread, why);
    }
}
