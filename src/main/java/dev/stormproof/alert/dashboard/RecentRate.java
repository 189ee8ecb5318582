package dev.stormproof.alert.dashboard;

import java.util.ArrayDeque;

/** The events that were proven in the last minute, and the longest delay until a verdict came, by seconds. */
final class RecentRate {
    private static final long SECONDS = 60;

    private final ArrayDeque<Second> seconds = new ArrayDeque<>();
    private long begunMillis = Long.MAX_VALUE;

    private record Second(long second, long events, long longestDelayMillis) {}

    /** Adds a verdict, unless it is older than a minute. */
    void add(long foundMillis, long events, long delayMillis) {
        begunMillis = Math.min(begunMillis, foundMillis);
        long second = foundMillis / 1_000;
        Second last = seconds.peekLast();
        if (last != null && second <= last.second()) {
            seconds.removeLast();
            seconds.addLast(new Second(
                    last.second(), last.events() + events, Math.max(last.longestDelayMillis(), delayMillis)));
        } else {
            seconds.addLast(new Second(second, events, delayMillis));
            drop(foundMillis);
        }
    }

    /** Forgets what is older than a minute; true if there was anything. */
    boolean drop(long nowMillis) {
        boolean dropped = false;
        while (!seconds.isEmpty() && seconds.peekFirst().second() <= nowMillis / 1_000 - SECONDS) {
            seconds.removeFirst();
            dropped = true;
        }
        return dropped;
    }

    double perSecond(long nowMillis) {
        double period = Math.min(SECONDS, Math.max(1, (nowMillis - begunMillis) / 1_000.0));
        return seconds.stream().mapToLong(Second::events).sum() / period;
    }

    long longestDelayMillis() {
        return seconds.stream().mapToLong(Second::longestDelayMillis).max().orElse(0);
    }
}
