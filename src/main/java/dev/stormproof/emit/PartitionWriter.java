package dev.stormproof.emit;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
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
 * gets its closing checkpoint from a tick, when the fate of all its records is known, and again until one has arrived. In a
 * transaction a failure ends nothing,
 * since Kafka then commits nothing; the abort rolls the lane back to where the transaction began.
 *
 * <p>All state is guarded by the lock, but for the numbers that {@link #stats()} shows.
 */
final class PartitionLane {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionLane.class);

    /** How many ended streams wait for their closing checkpoint at most; the oldest gives way, those without events first. */
    private static final int MAX_ENDED = 16;

    private final TopicPartition partition;
    private final Producer<byte[], byte[]> inner;
    private final Supplier<CheckpointEmitter> emitters;
    private final LongSupplier clock;
    private final boolean transactional;
    private final long maxBlockMillis;
    private final ReentrantLock lock = new ReentrantLock();

    private EmittedStream current;
    private final Deque<EmittedStream> ended = new ArrayDeque<>();
    private boolean closed;
    private @Nullable Mark mark;

    /** True once a checkpoint of this producer has arrived here. */
    private boolean reached;
    /** The first checkpoint, while it is under way. */
    private @Nullable Future<RecordMetadata> opening;

    private long earlierEvents;
    private long earlierCheckpoints;
    private int streamsEnded;

    private volatile long emitterShown;
    private volatile long eventsShown;
    private volatile long checkpointsShown;
    private volatile long numberShown = -1;
    private volatile int endedShown;

    /** Where the current transaction found the lane; the streams' emitters remember their own part. */
    private record Mark(EmittedStream current, List<EmittedStream> ended, long earlierCheckpoints) {}

    /**
     * A lane without events so far.
     *
     * @param emitters makes the emitter of a new stream, with a new emitter id
     * @param clock milliseconds since 1970
     * @param maxBlockMillis how long sending may wait for the first checkpoint to arrive
     */
    PartitionLane(
            TopicPartition partition,
            Producer<byte[], byte[]> inner,
            Supplier<CheckpointEmitter> emitters,
            LongSupplier clock,
            boolean transactional,
            long maxBlockMillis) {
        this.partition = partition;
        this.inner = inner;
        this.emitters = emitters;
        this.clock = clock;
        this.transactional = transactional;
        this.maxBlockMillis = maxBlockMillis;
        this.current = newStream();
        show();
    }

    /** Sends an event, and the checkpoints that belong before and after it; throws what the inner producer throws. */
    Future<RecordMetadata> send(SerializedEvent event, @Nullable Callback callback) {
        Delivery delivery;
        lock.lock();
        try {
            requireOpen();
            joinTransaction();
            long now = clock.getAsLong();
            if (!transactional) {
                endAfterFailure();
            }
            makeRoom(now);
            awaitOpening();
            delivery = current.send(event, callback, now);
            sealIfDue(now);
        } finally {
            show();
            lock.unlock();
        }
        delivery.tellApplication();
        return delivery.future();
    }

    /** Writes what is due, unless somebody is sending just now: then sending does it. */
    void tick(long nowMillis) {
        if (!lock.tryLock()) {
            return;
        }
        try {
            if (!closed) {
                endAfterFailure();
                sealIfDue(nowMillis);
                closeEnded(nowMillis);
            }
        } catch (KafkaException | IllegalStateException e) {
            LOG.debug("{}: closing an ended stream has to wait", partition, e);
        } finally {
            show();
            lock.unlock();
        }
    }

    /** True if {@link #tickInTransaction} would write something. */
    boolean isDue(long nowMillis) {
        lock.lock();
        try {
            return !closed && (!ended.isEmpty() || current.emitter().isDue(nowMillis));
        } finally {
            lock.unlock();
        }
    }

    /** Writes what is due into the open transaction; throws what the inner producer throws. */
    void tickInTransaction(long nowMillis) {
        inTransaction(() -> {
            closeEnded(nowMillis);
            if (current.emitter().isDue(nowMillis)) {
                seal(nowMillis);
            }
        });
    }

    /** Writes a checkpoint over the events that have none yet; throws what the inner producer throws. */
    void sealBeforeCommit() {
        inTransaction(() -> {
            if (mark != null && current.emitter().hasUnsealed()) {
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
                current.rollback();
                ended.forEach(EmittedStream::rollback);
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
                current.doubtSinceMark();
                endCurrent();
                show();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Writes the closing checkpoints and accepts nothing more; called again, those that failed. To be called when nothing is
     * under way, so that every failure is known; a stream whose fate is not known gets no closing checkpoint.
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
            if (!closed) {
                closed = true;
                ended.add(current);
            }
            closeEnded(clock.getAsLong());
            if (!ended.stream().allMatch(EmittedStream::isClosing)) {
                LOG.warn("{}: records are still on their way; the last events stay without a checkpoint", partition);
            }
        } finally {
            show();
            lock.unlock();
        }
    }

    /** True if all closing checkpoints that can be written have arrived. */
    boolean isClosed() {
        lock.lock();
        try {
            return forgetClosed();
        } finally {
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
            current.emitter().mark();
            ended.forEach(stream -> stream.emitter().mark());
        }
    }

    private void endAfterFailure() {
        if (!current.hasFailed()) {
            return;
        }
        if (current.emitter().endsWithFailure()) {
            LOG.warn("{}: records failed, a new stream begins", partition);
            endCurrent();
        } else {
            LOG.warn("{}: records failed; format 1 cannot say so, verifiers will find them lost", partition);
            current.forgetFailures();
        }
    }

    private void endCurrent() {
        if (ended.size() == MAX_ENDED) {
            EmittedStream least = ended.stream()
                    .filter(stream -> stream.emitter().eventCount() == 0)
                    .findFirst()
                    .orElse(ended.getFirst());
            ended.remove(least);
            LOG.warn("{}: an ended stream gets no closing checkpoint, too many wait for theirs", partition);
        }
        ended.addLast(current);
        earlierEvents += current.emitter().eventCount();
        earlierCheckpoints += current.emitter().checkpointCount();
        streamsEnded++;
        current = newStream();
    }

    private EmittedStream newStream() {
        return new EmittedStream(emitters.get(), partition, inner);
    }

    /** Writes the closing checkpoint of each ended stream of which nothing is under way, unless it has arrived. */
    private void closeEnded(long nowMillis) {
        for (EmittedStream stream : ended) {
            long before = stream.emitter().checkpointCount();
            stream.close(nowMillis);
            earlierCheckpoints += stream == current ? 0 : stream.emitter().checkpointCount() - before;
        }
        forgetClosed();
    }

    /**
     * Forgets the ended streams whose closing checkpoint has arrived; in a transaction once it was sent, since nothing is
     * committed if it fails. True if that was all of them.
     */
    private boolean forgetClosed() {
        for (Iterator<EmittedStream> streams = ended.iterator(); streams.hasNext(); ) {
            EmittedStream stream = streams.next();
            if (stream.isRefused()) {
                LOG.warn("{}: a closing checkpoint was refused for good; the last events stay without one", partition);
            }
            if (stream.isDone() || (transactional && stream.isClosing())) {
                streams.remove();
            }
        }
        return ended.isEmpty();
    }

    /**
     * Before an event: the checkpoint that should be there by now. If it is refused, so is the event, which spares its
     * sender to wait for a second refusal.
     */
    private void makeRoom(long nowMillis) {
        if (current.emitter().needsOpening() || current.emitter().isDue(nowMillis)) {
            seal(nowMillis);
        }
    }

    /**
     * Waits until the first record of this producer in this partition has arrived.
     *
     * <p>While a partition is being created, a broker may refuse a producer's first request and accept a second one that
     * is under way already; the first can then never follow, and is lost when its delivery times out (KAFKA-15591). A
     * first request that is alone is safe.
     */
    private void awaitOpening() {
        if (opening == null || Delivery.isInsideCallback()) {
            return;
        }
        try {
            opening.get(maxBlockMillis, TimeUnit.MILLISECONDS);
            opening = null;
            reached = true;
        } catch (ExecutionException e) {
            opening = null;
            throw e.getCause() instanceof RuntimeException cause ? cause : new KafkaException(e.getCause());
        } catch (java.util.concurrent.TimeoutException e) {
            throw new TimeoutException(
                    "the first checkpoint of " + partition + " did not arrive within " + maxBlockMillis + " ms");
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    private void sealIfDue(long nowMillis) {
        try {
            if (current.emitter().isDue(nowMillis)) {
                seal(nowMillis);
            }
        } catch (KafkaException | IllegalStateException e) {
            // What was sent is sent all the same; the next event or tick tries again.
            LOG.debug("{}: a checkpoint has to wait", partition, e);
        }
    }

    private void seal(long nowMillis) {
        boolean opens = current.emitter().needsOpening();
        Optional<Future<RecordMetadata>> sealed = current.seal(nowMillis);
        if (opens && !reached) {
            opening = sealed.orElse(null);
        }
    }

    private void show() {
        emitterShown = current.emitter().emitter();
        eventsShown = earlierEvents + current.emitter().eventCount();
        checkpointsShown = earlierCheckpoints + current.emitter().checkpointCount();
        numberShown = current.emitter().lastNumber();
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
