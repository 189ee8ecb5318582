package dev.stormproof.cli.input;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A source that hands out another one's events at a steady rate.
 *
 * @param perSecond how many events a second
 */
public record PacedEvents(EventSource.Counted events, int perSecond) implements EventSource.Counted {
    @Override
    public long count() {
        return events.count();
    }

    @Override
    public void forEach(Visitor visitor) throws IOException {
        long beganNanos = System.nanoTime();
        long nanosOfOne = TimeUnit.SECONDS.toNanos(1) / perSecond;
        events.forEach((index, value) -> {
            long dueNanos = beganNanos + index * nanosOfOne;
            for (long left = dueNanos - System.nanoTime();
                    left > 0 && !Thread.currentThread().isInterrupted();
                    left = dueNanos - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            return visitor.visit(index, value);
        });
    }

    @Override
    public String title() {
        return events.title();
    }

    @Override
    public String unit() {
        return events.unit();
    }
}
