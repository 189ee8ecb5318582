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
 * The closing of a producer without transactions ends all of its streams.
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
    private final Collection<PartitionWriter> writers;
    private final long promiseMillis;

    /** @param promiseMillis after how long verifiers raise the alarm; until then closing checkpoints are restated */
    StreamClosing(Producer<byte[], byte[]> inner, Collection<PartitionWriter> writers, long promiseMillis) {
        this.inner = inner;
        this.writers = writers;
        this.promiseMillis = promiseMillis;
    }

    void close(CloseTimeout timeout) {
        if (!flushWithin(timeout)) {
            LOG.warn("records are still in flight; the last events stay without a checkpoint");
            return;
        }
        CloseTimeout restating =
                new CloseTimeout(Duration.ofMillis(Math.min(timeout.remainingMillis(), promiseMillis)));
        for (long pause = MIN_PAUSE_MILLIS; ; pause = pauseAfter(pause)) {
            boolean flushed = closeWithin(timeout) && flushWithin(timeout);
            if (flushed && writers.stream().allMatch(PartitionWriter::isClosed)) {
                return;
            }
            if (!flushed || restating.remainingMillis() == 0) {
                LOG.warn("closing checkpoints did not arrive; the last events stay without one");
                return;
            }
            // A broker that refuses at once is asked more seldom; no signal says when it would accept.
            Utils.sleep(Math.min(pause, restating.remainingMillis()));
        }
    }

    static long pauseAfter(long pauseMillis) {
        return Math.min(2 * pauseMillis, MAX_PAUSE_MILLIS);
    }

    /** Closes each topic's writers on a thread of its own, since one that is gone blocks; true if all ended in time. */
    private boolean closeWithin(CloseTimeout timeout) {
        return endWithin(
                timeout,
                writers.stream().collect(Collectors.groupingBy(PartitionWriter::topic)).values().stream()
                        .<Runnable>map(ofTopic -> () -> ofTopic.forEach(writer -> close(writer, timeout)))
                        .toList());
    }

    private static void close(PartitionWriter writer, CloseTimeout timeout) {
        try {
            writer.close(timeout);
        } catch (KafkaException | IllegalStateException e) {
            LOG.debug("closing a partition's streams has to wait", e);
        }
    }

    /** Flushes on another thread, since a flush cannot be bounded; true if it ended in time. */
    private boolean flushWithin(CloseTimeout timeout) {
        return endWithin(timeout, List.of(inner::flush));
    }

    private static boolean endWithin(CloseTimeout timeout, List<Runnable> works) {
        try {
            CompletableFuture.allOf(works.stream()
                            .map(work -> CompletableFuture.runAsync(work, StreamClosing::startThread))
                            .toArray(CompletableFuture<?>[]::new))
                    .get(timeout.remainingMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new KafkaException(e.getCause());
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    private static void startThread(Runnable work) {
        Thread thread = new Thread(work, "stormproof-emitter-closing");
        thread.setDaemon(true);
        thread.start();
    }
}
