package dev.stormproof.chaos.testing;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A limit ends the waiting for something. */
public final class WaitLimit {
    private static final long POLL_MILLIS = 100;

    private final long seconds;
    private final long endNanos;

    private WaitLimit(long seconds) {
        this.seconds = seconds;
        this.endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    }

    public static WaitLimit inSeconds(long seconds) {
        return new WaitLimit(seconds);
    }

    /** Throws if it is over, and tells which thing is missing. */
    public void check(Supplier<String> missing) {
        if (isOver()) {
            throw new NotInTimeException("after " + seconds + " s: " + missing.get());
        }
    }

    public boolean isOver() {
        return System.nanoTime() > endNanos;
    }

    /** Waits until it is worth looking again. */
    public void pause() throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }

    /** The time is over, and the awaited thing is missing. */
    public static final class NotInTimeException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NotInTimeException(String message) {
            super(message);
        }
    }
}
