package dev.stormproof.emit;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A close timeout runs from the moment at which it is made. */
final class CloseTimeout {
    private static final Duration FOREVER = Duration.ofDays(365);

    private final long startNanos = System.nanoTime();
    private final long timeoutMillis;

    /** @param timeout may be as long as a duration can be */
    CloseTimeout(Duration timeout) {
        this.timeoutMillis = timeout.compareTo(FOREVER) < 0 ? timeout.toMillis() : Long.MAX_VALUE;
    }

    /** The time that is left, at least 0. */
    long remainingMillis() {
        return timeoutMillis == Long.MAX_VALUE
                ? Long.MAX_VALUE
                : Math.max(0, timeoutMillis - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos));
    }
}
