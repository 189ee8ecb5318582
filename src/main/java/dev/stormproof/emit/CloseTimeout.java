package dev.stormproof.emit;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A moment that is a given time away. */
final class Deadline {
    private static final Duration FOREVER = Duration.ofDays(365);

    private final long startNanos = System.nanoTime();
    private final long timeoutMillis;

    /** The moment after {@code timeout}, which may be as long as a duration can be. */
    Deadline(Duration timeout) {
        this.timeoutMillis = timeout.compareTo(FOREVER) < 0 ? timeout.toMillis() : Long.MAX_VALUE;
    }

    /** How long it is until then, at least 0. */
    long remainingMillis() {
        return timeoutMillis == Long.MAX_VALUE
                ? Long.MAX_VALUE
                : Math.max(0, timeoutMillis - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos));
    }
}
