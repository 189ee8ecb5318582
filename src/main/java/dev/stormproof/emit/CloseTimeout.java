package dev.stormproof.emit;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.apache.kafka.common.errors.InterruptException;

/** The timeout of a close, which starts when this is made. */
final class CloseTimeout {
    private final long startNanos = System.nanoTime();
    private final long timeoutMillis;

    /** @param timeout of any length */
    CloseTimeout(Duration timeout) {
        this.timeoutMillis = TimeUnit.MILLISECONDS.convert(timeout);
    }

    /** The remaining time, at least 0. */
    long remainingMillis() {
        return Math.max(0, timeoutMillis - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos));
    }

    /** Takes a lock; false if that takes too long. */
    boolean lock(Lock lock) {
        try {
            return lock.tryLock(remainingMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    /** Waits for the latch; false if that takes too long. */
    boolean await(CountDownLatch latch) {
        try {
            return latch.await(remainingMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    /** Takes the next element; empty if that takes too long. */
    <T> Optional<T> poll(BlockingQueue<T> queue) {
        try {
            return Optional.ofNullable(queue.poll(remainingMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }
}
