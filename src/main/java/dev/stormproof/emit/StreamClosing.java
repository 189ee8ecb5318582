package dev.stormproof.emit;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of all streams of a producer without transactions.
 *
 * <pre>
 *   flush ─▶ closing checkpoints ─▶ flush ─┬─ all arrived, or never will ─▶ done
 *                     ▲                    ├─ the time is over ───────────▶ given up, with a warning
 *                     └────── pause ◀──────┘ some failed
 * </pre>
 */
final class StreamClosing {
    private static final Logger LOG = LoggerFactory.getLogger(StreamClosing.class);
    private static final long MIN_PAUSE_MILLIS = 50;
    private static final long MAX_PAUSE_MILLIS = 1_000;

    private final Producer<byte[], byte[]> inner;
    private final Collection<PartitionLane> lanes;
    private final long promiseMillis;

    /** @param promiseMillis after how long verifiers raise the alarm, so that nothing is stated again any more */
    StreamClosing(Producer<byte[], byte[]> inner, Collection<PartitionLane> lanes, long promiseMillis) {
        this.inner = inner;
        this.lanes = lanes;
        this.promiseMillis = promiseMillis;
    }

    void close(Deadline deadline) {
        if (!flushWithin(deadline)) {
            LOG.warn("records are still on their way; the last events stay without a checkpoint");
            return;
        }
        Deadline patience = new Deadline(Duration.ofMillis(Math.min(deadline.remainingMillis(), promiseMillis)));
        for (long pause = MIN_PAUSE_MILLIS; ; pause = Math.min(2 * pause, MAX_PAUSE_MILLIS)) {
            lanes.forEach(lane -> close(lane, deadline));
            boolean flushed = flushWithin(deadline);
            if (flushed && lanes.stream().allMatch(PartitionLane::isClosed)) {
                return;
            }
            if (!flushed || patience.remainingMillis() == 0) {
                LOG.warn("closing checkpoints did not arrive; the last events stay without one");
                return;
            }
            pause(Math.min(pause, patience.remainingMillis()));
        }
    }

    private static void close(PartitionLane lane, Deadline deadline) {
        try {
            lane.close(deadline.remainingMillis());
        } catch (KafkaException | IllegalStateException e) {
            LOG.debug("closing a partition's streams has to wait", e);
        }
    }

    /** Spares a broker that refuses at once from being asked again at once; there is nothing to wait for. */
    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    /** Flushes on another thread, since a flush cannot be bounded; true if it ended in time. */
    private boolean flushWithin(Deadline deadline) {
        CompletableFuture<Void> flushed = new CompletableFuture<>();
        Thread flushing = new Thread(
                () -> {
                    try {
                        inner.flush();
                        flushed.complete(null);
                    } catch (RuntimeException e) { // Whatever it is, the waiting thread must learn of it.
                        flushed.completeExceptionally(e);
                    }
                },
                "stormproof-emitter-flush");
        flushing.setDaemon(true);
        flushing.start();
        try {
            flushed.get(deadline.remainingMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new KafkaException(e.getCause());
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }
}
