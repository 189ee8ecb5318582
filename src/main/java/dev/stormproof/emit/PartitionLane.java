package dev.stormproof.emit;

import dev.stormproof.checkpoint.Format2Checkpoint;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One partition's way into the inner producer: whatever is sent there, events and checkpoints, passes here one by one.
 *
 * <pre>
 *              ┌ lock ───────────────────────────────────────────────────────────────────┐
 *   event ───▶ │ number 0 or a due checkpoint, if any ─▶ event ─▶ a checkpoint, if now due │ ──▶ inner producer
 *   tick  ───▶ │ closing checkpoints of ended streams ─▶ a checkpoint, if due              │
 *              └──────────────────────────────────────────────────────────────────────────┘
 *   callbacks ──▶ {@link Outstanding}, which is read under the lock at the next event or tick
 * </pre>
 *
 * <p>Without transactions, the first failure seen ends the current stream: a new one begins at once, and the ended one
 * gets its closing checkpoint as soon as the fate of all its records is known. In a transaction a failure ends nothing,
 * since Kafka then commits nothing; the abort rolls the lane back to where the transaction began.
 *
 * <p>All state is guarded by the lock, but for the numbers that {@link #stats()} shows.
 */
final class PartitionLane {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionLane.class);

    /** How many ended streams wait for their closing checkpoint at most; the oldest gives way. */
    private static final int MAX_ENDED = 16;

    private final TopicPartition partition;
    private final Producer<byte[], byte[]> inner;
    private final Supplier<CheckpointEmitter> streams;
    private final LongSupplier clock;
    private final boolean transactional;
    private final ReentrantLock lock = new ReentrantLock();

    private Stream current;
    private final Deque<Stream> ended = new ArrayDeque<>();
    private boolean closed;
    private @Nullable Mark mark;

    private long earlierEvents;
    private long earlierCheckpoints;
    private int streamsEnded;

    private volatile long emitterShown;
    private volatile long eventsShown;
    private volatile long checkpointsShown;
    private volatile long numberShown = -1;
    private volatile int endedShown;

    private static final class Stream {
        final CheckpointEmitter emitter;
        Outstanding outstanding = new Outstanding();

        Stream(CheckpointEmitter emitter) {
            this.emitter = emitter;
        }
    }

    /** Where the current transaction found the lane; the streams' emitters remember their own part. */
    private record Mark(Stream current, List<Stream> ended, long earlierCheckpoints) {}

    /**
     * A lane without events so far.
     *
     * @param streams makes a stream with a new emitter id
     * @param clock milliseconds since 1970
     */
    PartitionLane(
            TopicPartition partition,
            Producer<byte[], byte[]> inner,
            Supplier<CheckpointEmitter> streams,
            LongSupplier clock,
            boolean transactional) {
        this.partition = partition;
        this.inner = inner;
        this.streams = streams;
        this.clock = clock;
        this.transactional = transactional;
        this.current = new Stream(streams.get());
        show();
    }

    /** Sends an event, and the checkpoints that belong before and after it; throws what the inner producer throws. */
    Future<RecordMetadata> send(SerializedEvent event, @Nullable Callback callback) {
        Delivery delivery;
        Future<RecordMetadata> future;
        lock.lock();
        try {
            requireOpen();
            joinTransaction();
            long now = clock.getAsLong();
            if (!transactional) {
                endAfterFailure(now);
            }
            makeRoom(now);
            CheckpointEmitter emitter = current.emitter;
            event.headers.add(emitter.eventHeaderName(), emitter.eventHeader(event.signature));
            delivery = Delivery.ofEvent(current.outstanding, emitter.eventCount(), callback);
            future = delivery.send(
                    inner,
                    new ProducerRecord<>(
                            partition.topic(),
                            partition.partition(),
                            event.timestamp,
                            event.key,
                            event.value,
                            event.headers));
            if (delivery.refusal() == null) {
                emitter.eventSent(event.signature, now);
                sealIfDue(now);
            }
        } finally {
            show();
            lock.unlock();
        }
        delivery.tellApplication();
        return future;
    }

    /** Writes what is due, unless somebody is sending just now: then sending does it. */
    void tick(long nowMillis) {
        if (!lock.tryLock()) {
            return;
        }
        try {
            if (!closed) {
                endAfterFailure(nowMillis);
                sealIfDue(nowMillis);
            }
        } finally {
            show();
            lock.unlock();
        }
    }

    /** True if {@link #tickInTransaction} would write something. */
    boolean isDue(long nowMillis) {
        lock.lock();
        try {
            return !closed && (!ended.isEmpty() || current.emitter.isDue(nowMillis));
        } finally {
            lock.unlock();
        }
    }

    /** Writes what is due into the open transaction; throws what the inner producer throws. */
    void tickInTransaction(long nowMillis) {
        inTransaction(() -> {
            closeEnded(nowMillis);
            if (current.emitter.isDue(nowMillis)) {
                seal(nowMillis);
            }
        });
    }

    /** Writes a checkpoint over the events that have none yet; throws what the inner producer throws. */
    void sealBeforeCommit() {
        inTransaction(() -> {
            if (mark != null && current.emitter.hasUnsealed()) {
                seal(clock.getAsLong());
            }
        });
    }

    /** The transaction is committed. */
    void committed() {
        lock.lock();
        try {
            mark = null;
        } finally {
            lock.unlock();
        }
    }

    /** The transaction is aborted: what it wrote is written to nobody. */
    void rolledBack() {
        lock.lock();
        try {
            Mark to = mark;
            mark = null;
            if (to != null) {
                current = to.current;
                ended.clear();
                ended.addAll(to.ended);
                earlierCheckpoints = to.earlierCheckpoints;
                rollback(current);
                ended.forEach(PartitionLane::rollback);
                show();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Nobody knows whether the transaction was committed: the stream ends with all of it in doubt. */
    void endInDoubt() {
        lock.lock();
        try {
            if (mark != null) {
                mark = null;
                current.outstanding.doubt(current.emitter.restatement());
                endCurrent();
                show();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Writes the closing checkpoints and accepts nothing more. To be called when nothing is under way, so that every
     * failure is known; a stream whose fate is not known gets no closing checkpoint.
     *
     * @param timeoutMillis how long to wait for those who are sending
     */
    void close(long timeoutMillis) {
        if (!lockWithin(timeoutMillis)) {
            LOG.warn("{}: somebody is still sending; its last events stay without a checkpoint", partition);
            return;
        }
        try {
            joinTransaction();
            closed = true;
            ended.add(current);
            closeEnded(clock.getAsLong());
            if (!ended.isEmpty()) {
                LOG.warn("{}: records are still on their way; the last events stay without a checkpoint", partition);
            }
        } finally {
            ended.remove(current);
            show();
            lock.unlock();
        }
    }

    /** What was written so far; each number as of some recent moment. */
    EmitterStats stats() {
        return new EmitterStats(emitterShown, eventsShown, checkpointsShown, numberShown, endedShown);
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("Cannot perform operation after producer has been closed");
        }
    }

    private void inTransaction(Runnable work) {
        lock.lock();
        try {
            if (!closed) {
                joinTransaction();
                work.run();
            }
        } finally {
            show();
            lock.unlock();
        }
    }

    /** Remembers this state when a transaction first comes here. */
    private void joinTransaction() {
        if (transactional && mark == null) {
            mark = new Mark(current, List.copyOf(ended), earlierCheckpoints);
            current.emitter.mark();
            ended.forEach(stream -> stream.emitter.mark());
        }
    }

    private static void rollback(Stream stream) {
        stream.emitter.rollback();
        // Callbacks of the aborted records still come, and find the old one.
        stream.outstanding = new Outstanding();
    }

    private void endAfterFailure(long nowMillis) {
        if (current.outstanding.anyFailed()) {
            if (current.emitter.endsWithFailure()) {
                LOG.warn("{}: records failed, a new stream begins", partition);
                endCurrent();
            } else {
                LOG.warn("{}: records failed; format 1 cannot say so, verifiers will find them lost", partition);
                current.outstanding = new Outstanding();
            }
        }
        try {
            closeEnded(nowMillis);
        } catch (KafkaException | IllegalStateException e) {
            LOG.debug("{}: closing an ended stream has to wait", partition, e);
        }
    }

    private void endCurrent() {
        if (ended.size() == MAX_ENDED) {
            ended.removeFirst();
            LOG.warn("{}: the oldest ended stream gets no closing checkpoint", partition);
        }
        ended.addLast(current);
        earlierEvents += current.emitter.eventCount();
        earlierCheckpoints += current.emitter.checkpointCount();
        streamsEnded++;
        current = new Stream(streams.get());
    }

    /** Writes the closing checkpoint of each ended stream of which nothing is under way. */
    private void closeEnded(long nowMillis) {
        for (Iterator<Stream> streams = ended.iterator(); streams.hasNext(); ) {
            Stream stream = streams.next();
            if (stream.outstanding.isSettled()) {
                Optional<Draft> draft = stream.emitter.closing(
                        nowMillis, stream.outstanding.arrivedOffset(), stream.outstanding.doubt());
                if (draft.isPresent()) {
                    write(stream, draft.get(), nowMillis);
                    earlierCheckpoints += stream == current ? 0 : 1;
                }
                streams.remove();
            }
        }
    }

    /** Before an event: the stream's first checkpoint, or one without which the event has no room. */
    private void makeRoom(long nowMillis) {
        if (current.emitter.needsOpening() || current.emitter.isFull()) {
            seal(nowMillis);
        } else {
            sealIfDue(nowMillis);
        }
    }

    private void sealIfDue(long nowMillis) {
        try {
            if (current.emitter.isDue(nowMillis)) {
                seal(nowMillis);
            }
        } catch (KafkaException | IllegalStateException e) {
            // The events are in the log all the same; the next event or tick tries again.
            LOG.debug("{}: a checkpoint has to wait", partition, e);
        }
    }

    private void seal(long nowMillis) {
        Optional<Draft> draft = current.emitter.seal(nowMillis, current.outstanding.arrivedOffset());
        if (draft.isPresent()) {
            write(current, draft.get(), nowMillis);
        }
    }

    private void write(Stream stream, Draft draft, long nowMillis) {
        Delivery delivery = Delivery.ofCheckpoint(stream.outstanding, draft);
        RecordHeaders headers = new RecordHeaders();
        if (stream.emitter.checkpointsInHeader()) {
            headers.add(Format2Checkpoint.HEADER, draft.bytes);
        }
        Future<RecordMetadata> unused = delivery.send(
                inner,
                new ProducerRecord<>(
                        partition.topic(),
                        partition.partition(),
                        null,
                        null,
                        stream.emitter.checkpointsInHeader() ? null : draft.bytes,
                        headers));
        Exception refusal = delivery.refusal();
        if (refusal != null) {
            throw refusal instanceof RuntimeException e ? e : new KafkaException(refusal);
        }
        stream.emitter.checkpointSent(draft, nowMillis);
    }

    private void show() {
        emitterShown = current.emitter.emitter();
        eventsShown = earlierEvents + current.emitter.eventCount();
        checkpointsShown = earlierCheckpoints + current.emitter.checkpointCount();
        numberShown = current.emitter.lastNumber();
        endedShown = streamsEnded;
    }

    private boolean lockWithin(long timeoutMillis) {
        try {
            return lock.tryLock(timeoutMillis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }
}
