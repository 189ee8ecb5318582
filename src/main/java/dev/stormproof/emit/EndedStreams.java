package dev.stormproof.emit;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ended streams of a partition, which wait until their closing checkpoints are acknowledged.
 *
 * <pre>
 *   a failure ended it ──┐            ┌── some of its records are in flight ──▶ waits
 *                        ├──▶ waits ──┼── closing checkpoint sent ────────────▶ waits; in a transaction: leaves
 *   close ended it ──────┘            ├── closing checkpoint failed ──────────▶ restated, waits
 *                                     └── it arrived, or will never arrive ───▶ leaves
 * </pre>
 *
 * <p>In a transaction a stream leaves once its closing checkpoint was sent, since Kafka commits nothing if that fails; an abort brings it back.
 *
 * <p>At most {@value #MAX_STREAMS} wait after failures: beyond that the oldest is dropped, those without events first. Guarded by the lock of
 * the partition's writer.
 */
final class EndedStreams {
    private static final Logger LOG = LoggerFactory.getLogger(EndedStreams.class);
    private static final int MAX_STREAMS = 16;

    private final TopicPartition partition;
    private final boolean transactional;
    private final Deque<EmittedStream> streams = new ArrayDeque<>();
    private boolean anyUnsealed;

    EndedStreams(TopicPartition partition, boolean transactional) {
        this.partition = partition;
        this.transactional = transactional;
    }

    void addFailed(EmittedStream stream) {
        if (streams.size() == MAX_STREAMS) {
            EmittedStream least = streams.stream()
                    .filter(ended -> ended.emitter.eventCount() == 0)
                    .findFirst()
                    .orElse(streams.getFirst());
            streams.remove(least);
            anyUnsealed = true;
            LOG.warn("{}: an ended stream gets no closing checkpoint, too many wait for theirs", partition);
        }
        streams.addLast(stream);
    }

    /** Adds the stream that ends because its writer is closed, even beyond the bound. */
    void addLast(EmittedStream stream) {
        streams.addLast(stream);
    }

    /**
     * Sends the closing checkpoint of each stream that has no record in flight, and again if it failed.
     *
     * @throws RuntimeException if the inner producer refuses one; later streams then wait for the next call
     */
    void close(long nowMillis) {
        streams.forEach(stream -> stream.close(nowMillis));
        removeDone();
    }

    /** Removes the streams that need not wait any more; true if none is left. */
    boolean isOver() {
        removeDone();
        return streams.isEmpty();
    }

    private void removeDone() {
        for (Iterator<EmittedStream> waiting = streams.iterator(); waiting.hasNext(); ) {
            EmittedStream stream = waiting.next();
            if (stream.isRefused()) {
                anyUnsealed = true;
                LOG.warn("{}: a closing checkpoint was refused finally; the last events stay without one", partition);
            }
            if (stream.isDone() || (transactional && stream.isClosing())) {
                waiting.remove();
            }
        }
    }

    /** True if a stream was removed without its closing checkpoint. */
    boolean anyUnsealed() {
        return anyUnsealed;
    }

    boolean hasInFlight() {
        return streams.stream().anyMatch(EmittedStream::hasInFlight);
    }

    boolean isEmpty() {
        return streams.isEmpty();
    }

    List<EmittedStream> toList() {
        return List.copyOf(streams);
    }

    void setTo(Collection<EmittedStream> waiting) {
        streams.clear();
        streams.addAll(waiting);
    }
}
