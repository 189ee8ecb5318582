package dev.stormproof.underfire;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** When waiting ends. */
final class Deadline {
    private static final long POLL_MILLIS = 100;

    private final long seconds;
    private final long endNanos;

    private Deadline(long seconds) {
        this.seconds = seconds;
        this.endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    }

    static Deadline inSeconds(long seconds) {
        return new Deadline(seconds);
    }

    /** Throws if it is over: what was waited for has not come. */
    void check(Supplier<String> missing) {
        if (System.nanoTime() > endNanos) {
            throw new NotInTimeException("after " + seconds + " s: " + missing.get());
        }
    }

    /** Waits until it is worth looking again. */
    void pause() throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }

    /** What was waited for did not come. */
    static final class NotInTimeException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NotInTimeException(String message) {
            super(message);
        }
    }
}
