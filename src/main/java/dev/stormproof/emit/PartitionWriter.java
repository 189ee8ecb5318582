package dev.stormproof.emit;

import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands the events and checkpoints of one partition to the inner producer, one by one.
 *
 * <pre>
 *              ┌ lock ───────────────────────────────────────────────────────────────────┐
 *   event ───▶ │ number 0 or a due checkpoint, if any ─▶ event ─▶ a checkpoint, if now due │ ──▶ inner producer
 *   tick  ───▶ │ closing checkpoints of ended streams ─▶ a checkpoint, if due              │
 *              └──────────────────────────────────────────────────────────────────────────┘
 *   callbacks ──▶ {@link InFlight}, which is read under the lock at the next event or tick
 * </pre>
 *
 * <p>Without transactions, the first failure seen ends the current stream: a new one begins at once, and the ended one joins the {@link
 * EndedStreams}, whose closing checkpoints the ticks write. In a transaction a failure does not end the stream, because Kafka then commits
 * nothing; an abort restores the savepoint from the transaction's first record here.
 *
 * <p>The lock guards all state except the numbers of {@link #stats()}.
 */
final class PartitionWriter {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionWriter.class);

    private final TopicPartition partition;
    private final Producer<byte[], byte[]> inner;
    private final Supplier<CheckpointEmitter> emitters;
    private final LongSupplier clock;
    private final boolean transactional;
    private final ReentrantLock lock = new ReentrantLock();
    private final EmittedStream.Totals totals = new EmittedStream.Totals();
    private final FirstAck firstArrival;
    private final EndedStreams ended;
    private final MaxMessageBytes limit;
    private final long maxBlockMillis;

    private EmittedStream current;
    private int streamsEnded;
    private boolean closed;
    private @Nullable Savepoint savepoint;

    private volatile EmitterStats stats;
    private volatile boolean owes;
    /** When the partition was first seen to owe a checkpoint. */
    private volatile long owesSinceMillis;
    /** When an own transaction last failed here; long ago if none did. */
    private volatile long pausedMillis = Long.MIN_VALUE / 2;

    /** The streams and totals before the open transaction, which an abort restores. */
    private record Savepoint(
            EmittedStream current, List<EmittedStream> ended, boolean closed, long events, long checkpoints) {}

    /** @param maxBlockMillis how long sending may wait for the first acknowledgement */
    PartitionWriter(
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
        this.firstArrival = new FirstAck(partition, maxBlockMillis);
        this.ended = new EndedStreams(partition, transactional);
        this.current = new EmittedStream(emitters.get(), partition, inner, totals);
        this.limit = current.emitter.limit;
        this.maxBlockMillis = maxBlockMillis;
        this.stats = currentStats();
    }

    /** Sends an event, and the checkpoints that are due before and after it. Throws as the inner producer does. */
    Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> event, byte[] signature, @Nullable Callback callback) {
        InFlightRecord record;
        // A callback runs in the thread that would bring the answer.
        boolean mayWait = !InFlightRecord.isInsideCallback();
        if (mayWait) {
            limit.awaitAnswer(maxBlockMillis);
        }
        limit.demandCheckpoints();
        lock.lock();
        try {
            long now = sealBeforeEvent();
            while (mayWait && firstArrival.await(lock)) {
                now = sealBeforeEvent();
            }
            record = current.send(event, signature, callback, now);
            sealIfDue(now);
        } catch (InvalidRecordException e) {
            // It has number 0, and the topic's limits may not be known yet.
            limit.demandCheckpoints();
            throw e;
        } finally {
            lock.unlock();
        }
        record.callApplication();
        return record.future();
    }

    private long sealBeforeEvent() {
        if (closed) {
            throw new IllegalStateException("Cannot perform operation after producer has been closed");
        }
        joinTransaction();
        long now = clock.getAsLong();
        endAfterFailure();
        // If this checkpoint is refused, the event is not sent, so its sender does not wait for a second refusal.
        if (current.emitter.needsOpening() || current.isDue(now)) {
            seal(now);
        }
        return now;
    }

    /** Writes the checkpoints that are due, unless an event is being sent: that call writes them. */
    void tick(long nowMillis) {
        if (!lock.tryLock()) {
            return;
        }
        try {
            if (!closed && !firstArrival.isPending()) {
                endAfterFailure();
                sealIfDue(nowMillis);
                ended.close(nowMillis);
            }
        } catch (KafkaException | IllegalStateException e) {
            LOG.debug("{}: closing an ended stream has to wait", partition, e);
        } finally {
            stats = currentStats();
            lock.unlock();
        }
    }

    String topic() {
        return partition.topic();
    }

    TopicPartition partition() {
        return partition;
    }

    /** True if {@link #tickInTransaction} should write something; false while an event is being sent, and in a pause. */
    boolean isDue(long nowMillis) {
        if (!lock.tryLock()) {
            return false;
        }
        try {
            return !closed && !isPaused(nowMillis) && (!ended.isEmpty() || current.emitter.isDue(nowMillis));
        } finally {
            lock.unlock();
        }
    }

    /** Writes the checkpoints that are due into the open transaction. Throws as the inner producer does. */
    void tickInTransaction(long nowMillis) {
        inTransaction(() -> {
            try {
                ended.close(nowMillis);
                if (current.emitter.isDue(nowMillis)) {
                    seal(nowMillis);
                }
            } catch (RuntimeException e) { // After any failure: the next own transactions leave this partition out.
                pause();
                throw e;
            }
        });
    }

    /** Own transactions leave this partition out for a while, which still lets a second heartbeat come before the deadline. */
    void pause() {
        pausedMillis = clock.getAsLong();
    }

    private boolean isPaused(long nowMillis) {
        long pausedFor = nowMillis - pausedMillis;
        // If the clock jumps back, the pause ends.
        return pausedFor >= 0 && pausedFor < current.emitter.config.deadlineMillis / 4;
    }

    /** True if the open transaction has a record here. */
    boolean isInTransaction() {
        lock.lock();
        try {
            return savepoint != null;
        } finally {
            lock.unlock();
        }
    }

    /** True if the open transaction has a record here that was not acknowledged, or has failed. */
    boolean isTransactionLate() {
        lock.lock();
        try {
            return savepoint != null
                    && Stream.concat(Stream.of(savepoint.current), savepoint.ended.stream())
                            .anyMatch(stream -> stream.hasInFlight() || stream.hasFailed());
        } finally {
            lock.unlock();
        }
    }

    /** Writes a checkpoint over the unsealed events. Throws as the inner producer does. */
    void sealBeforeCommit() {
        inTransaction(() -> {
            if (current.emitter.hasUnsealed()) {
                seal(clock.getAsLong());
            }
        });
    }

    void committed() {
        locked(() -> savepoint = null);
    }

    /** The transaction is aborted: readers of committed records see none of its records. */
    void rolledBack() {
        locked(() -> {
            Savepoint from = savepoint;
            if (from != null) {
                totals.events = from.events;
                totals.checkpoints = from.checkpoints;
                current = from.current;
                closed = from.closed;
                ended.setTo(from.ended);
                current.rollback();
                from.ended.forEach(EmittedStream::rollback);
                savepoint = null;
            }
        });
    }

    /** The outcome of the commit is unknown: the stream ends, and all that the transaction wrote is in doubt. */
    void endInDoubt() {
        locked(() -> {
            if (savepoint != null) {
                current.inDoubtSinceSaved();
                savepoint = null;
                endCurrent();
            }
        });
    }

    /**
     * Writes the closing checkpoints and accepts no more events; called again, writes those that failed. To be called when nothing is in flight,
     * so that every failure is known; a stream with records in flight gets no closing checkpoint.
     *
     * @param timeout how long to wait for a thread that is sending
     */
    void close(CloseTimeout timeout) {
        if (!timeout.lock(lock)) {
            LOG.warn("{}: a thread is still sending; its last events stay without a checkpoint", partition);
            return;
        }
        try {
            joinTransaction();
            if (!closed) {
                closed = true;
                ended.addLast(current);
            }
            ended.close(clock.getAsLong());
        } finally {
            stats = currentStats();
            lock.unlock();
        }
    }

    /** True while records are in flight, or if a thread is sending all the time. */
    boolean hasInFlight(CloseTimeout timeout) {
        if (!timeout.lock(lock)) {
            return true;
        }
        try {
            return current.hasInFlight() || ended.hasInFlight();
        } finally {
            lock.unlock();
        }
    }

    /** How long verifiers have waited for a checkpoint; 0 if they wait for none. While a thread sends, as of the last look. */
    long waitingMillis(long nowMillis) {
        EmitterStats seen = stats();
        return owes ? Math.max(0, nowMillis - Math.max(seen.lastCheckpointMillis(), owesSinceMillis)) : 0;
    }

    /** True if the writer is closed, and each stream has its closing checkpoint, committed; false while a thread is sending. */
    boolean isSealed() {
        if (!lock.tryLock()) {
            return false;
        }
        try {
            return closed && savepoint == null && ended.isOver() && !ended.anyUnsealed();
        } finally {
            lock.unlock();
        }
    }

    /** True if all closing checkpoints that can be written were acknowledged. */
    boolean isClosed() {
        lock.lock();
        try {
            return ended.isOver();
        } finally {
            lock.unlock();
        }
    }

    /** The numbers of this partition, all of one moment: of now, or, while a thread is sending, of the last look. */
    EmitterStats stats() {
        if (lock.tryLock()) {
            try {
                stats = currentStats();
            } finally {
                lock.unlock();
            }
        }
        return stats;
    }

    private void locked(Runnable work) {
        lock.lock();
        try {
            work.run();
        } finally {
            stats = currentStats();
            lock.unlock();
        }
    }

    private void inTransaction(Runnable work) {
        locked(() -> {
            if (!closed) {
                joinTransaction();
                work.run();
            }
        });
    }

    /** Makes a savepoint before the transaction's first record here. */
    private void joinTransaction() {
        if (transactional && savepoint == null) {
            savepoint = new Savepoint(current, ended.toList(), closed, totals.events, totals.checkpoints);
            current.save();
            savepoint.ended.forEach(EmittedStream::save);
        }
    }

    private void endAfterFailure() {
        if (transactional) {
            return;
        }
        current.takeBackRefused();
        if (!current.hasFailed()) {
            return;
        }
        if (current.emitter.isFormat2()) {
            LOG.warn("{}: records failed, a new stream begins", partition);
            endCurrent();
        } else {
            LOG.warn(
                    "{}: records failed; format 1 cannot state that, so verifiers will report them as lost", partition);
            current.forgetFailures();
        }
    }

    private void endCurrent() {
        ended.addFailed(current);
        streamsEnded++;
        current = new EmittedStream(emitters.get(), partition, inner, totals);
    }

    private void sealIfDue(long nowMillis) {
        try {
            if (current.isDue(nowMillis)) {
                seal(nowMillis);
            }
        } catch (KafkaException | IllegalStateException e) {
            // The event was sent all the same; the next event or tick tries again.
            LOG.debug("{}: a checkpoint has to wait", partition, e);
        }
    }

    private void seal(long nowMillis) {
        boolean opens = current.emitter.needsOpening();
        current.seal(nowMillis).filter(first -> opens && !firstArrival.isOver()).ifPresent(firstArrival::sent);
    }

    private EmitterStats currentStats() {
        CheckpointEmitter emitter = current.emitter;
        boolean owed = owes;
        owes = !closed && (emitter.owesCheckpoint() || !ended.isEmpty());
        if (owes && !owed) {
            owesSinceMillis = clock.getAsLong();
        }
        return new EmitterStats(
                emitter.id,
                totals.events,
                totals.checkpoints,
                emitter.lastNumber(),
                streamsEnded,
                totals.refusedCheckpoints,
                emitter.openEvents(),
                totals.arrivedMillis.get());
    }
}
