package dev.stormproof.emit;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.apache.kafka.common.errors.InterruptException;

/** A close timeout runs from the moment at which it is made. */
final class CloseTimeout {
    private final long startNanos = System.nanoTime();
    private final long timeoutMillis;

    /** @param timeout may be as long as a duration can be */
    CloseTimeout(Duration timeout) {
        this.timeoutMillis = TimeUnit.MILLISECONDS.convert(timeout);
    }

    /** The time that is left, at least 0. */
    long remainingMillis() {
        return Math.max(0, timeoutMillis - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos));
    }

    /** Takes a lock; false if the time is over before it is free. */
    boolean lock(Lock lock) {
        try {
            return lock.tryLock(remainingMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    /** Waits for this to happen; false if the time is over before. */
    boolean await(CountDownLatch latch) {
        try {
            return latch.await(remainingMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    /** Takes the next element; empty if the time is over before there is one. */
    <T> Optional<T> poll(BlockingQueue<T> queue) {
        try {
            return Optional.ofNullable(queue.poll(remainingMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }
}
