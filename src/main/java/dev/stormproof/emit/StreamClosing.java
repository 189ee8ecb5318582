package dev.stormproof.emit;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes the streams of a producer without transactions.
 *
 * <pre>
 *   for each topic, on a thread of its own:
 *
 *   settle ─▶ closing checkpoints ─▶ settle ─┬─ all arrived, or never will ─▶ done
 *                     ▲                      ├─ the time is over ───────────▶ given up, with a warning
 *                     └────── pause ◀────────┘ some failed, or wait
 *
 *   settle: flush until none of the topic's records is in flight
 * </pre>
 *
 * <p>A deleted topic blocks only its own thread: neither the waits of its sends nor the timeouts of its records keep another topic from
 * restating.
 */
final class StreamClosing {
    private static final Logger LOG = LoggerFactory.getLogger(StreamClosing.class);
    static final long MIN_PAUSE_MILLIS = 50;
    private static final long MAX_PAUSE_MILLIS = 1_000;
    /** How often a topic's records are checked while a flush waits for another topic's. */
    private static final long LOOK_MILLIS = 20;

    private final Producer<byte[], byte[]> inner;
    private final Collection<PartitionWriter> writers;
    private final long deadlineMillis;
    private CompletableFuture<Void> flushing = CompletableFuture.completedFuture(null);

    /** @param deadlineMillis how long closing checkpoints are restated: then verifiers raise the alarm */
    StreamClosing(Producer<byte[], byte[]> inner, Collection<PartitionWriter> writers, long deadlineMillis) {
        this.inner = inner;
        this.writers = writers;
        this.deadlineMillis = deadlineMillis;
    }

    void close(CloseTimeout timeout) {
        endWithin(
                timeout,
                writers.stream().collect(Collectors.groupingBy(PartitionWriter::topic)).values().stream()
                        .<Runnable>map(ofTopic -> () -> close(ofTopic, timeout))
                        .toList());
    }

    private void close(List<PartitionWriter> ofTopic, CloseTimeout timeout) {
        String topic = ofTopic.get(0).topic();
        if (!settle(ofTopic, timeout)) {
            LOG.warn("{}: records are still in flight; the last events stay without a checkpoint", topic);
            return;
        }
        CloseTimeout restating =
                new CloseTimeout(Duration.ofMillis(Math.min(timeout.remainingMillis(), deadlineMillis)));
        for (long pause = MIN_PAUSE_MILLIS; ; pause = pauseAfter(pause)) {
            List<PartitionWriter> hopeful =
                    ofTopic.stream().filter(writer -> close(writer, timeout)).toList();
            boolean settled = settle(ofTopic, timeout);
            if (settled && hopeful.stream().allMatch(PartitionWriter::isClosed)) {
                if (hopeful.size() < ofTopic.size()) {
                    LOG.warn("{}: the producer below is closed; the last events stay without a checkpoint", topic);
                }
                return;
            }
            boolean timeIsOver = !settled || restating.remainingMillis() == 0;
            if (timeIsOver) {
                LOG.warn("{}: closing checkpoints did not arrive; the last events stay without one", topic);
                return;
            }
            // A broker that refuses at once is asked less and less often; no signal shows when it would accept.
            Utils.sleep(Math.min(pause, restating.remainingMillis()));
        }
    }

    static long pauseAfter(long pauseMillis) {
        return Math.min(2 * pauseMillis, MAX_PAUSE_MILLIS);
    }

    /** Closes as many of a partition's streams as possible now; false if it never will be possible, because the inner producer is closed. */
    private static boolean close(PartitionWriter writer, CloseTimeout timeout) {
        try {
            writer.close(timeout);
        } catch (KafkaException e) {
            LOG.debug("closing a partition's streams has to wait", e);
        } catch (IllegalStateException e) {
            LOG.debug("a partition's streams cannot be closed", e);
            return false;
        }
        return true;
    }

    /** Waits until none of the topic's records is in flight; false if that takes too long. */
    private boolean settle(List<PartitionWriter> ofTopic, CloseTimeout timeout) {
        while (ofTopic.stream().anyMatch(writer -> writer.hasInFlight(timeout))) {
            if (timeout.remainingMillis() == 0) {
                return false;
            }
            try {
                // Another topic's records may hold up the flush, so the loop checks its own again.
                flushing().get(Math.min(LOOK_MILLIS, timeout.remainingMillis()), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                LOG.trace("{}: records are in flight", ofTopic.get(0).topic());
            } catch (ExecutionException e) {
                throw new KafkaException(e.getCause());
            } catch (InterruptedException e) {
                throw new InterruptException(e);
            }
        }
        return true;
    }

    private synchronized CompletableFuture<Void> flushing() {
        if (flushing.isDone()) {
            flushing = CompletableFuture.runAsync(inner::flush, StreamClosing::startThread);
        }
        return flushing;
    }

    private static void endWithin(CloseTimeout timeout, List<Runnable> works) {
        try {
            CompletableFuture.allOf(works.stream()
                            .map(work -> CompletableFuture.runAsync(work, StreamClosing::startThread))
                            .toArray(CompletableFuture<?>[]::new))
                    .get(timeout.remainingMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            LOG.warn("the time to close is over; the last events of some partitions may stay without a checkpoint");
        } catch (ExecutionException e) {
            throw new KafkaException(e.getCause());
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    static void startThread(Runnable work) {
        Thread thread = new Thread(work, "stormproof-emitter-closing");
        thread.setDaemon(true);
        thread.start();
    }
}
