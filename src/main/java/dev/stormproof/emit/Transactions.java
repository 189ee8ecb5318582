package dev.stormproof.emit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transactions of a producer: the application's, and own ones between them, for heartbeats.
 *
 * <pre>
 *   FRESH ── init ──▶ IDLE ── begin ──▶ OPEN ── seal all, commit ──▶ IDLE
 *                      │ ▲               │  └── abort: writers roll back ──▶ IDLE
 *                      │ │               └── commit failed ──▶ UNKNOWN ── commit again ──▶ IDLE
 *                      │ │                                        ├── abort: writers roll back ──▶ IDLE
 *                      │ │                                        └── begin: streams end in doubt ──▶ OPEN
 *                      ├─┴── an own transaction, begun and ended by one tick, begin or close
 *                      ├── its commit timed out ──▶ OWN_COMMIT_PENDING ── tick, begin or close commit again ──▶ IDLE
 *                      ├── its abort timed out ───▶ OWN_ABORT_PENDING ─── tick, begin or close abort again ───▶ IDLE
 *                      └── it could be neither committed nor aborted ──▶ BROKEN ── no heartbeats any more
 *                   OPEN, UNKNOWN ── close ──▶ OWN_ABORT_PENDING; after a commit that timed out OWN_COMMIT_PENDING
 * </pre>
 *
 * <p>The inner producer, which knows of fatal errors, gets a commit or abort in IDLE, which it has to refuse, and begin, commit and abort in
 * BROKEN; if it accepts one, this takes its state. Any other transition throws an {@link IllegalStateException} that names both states.
 *
 * <p>Sending holds the gate's read lock, everything else the write lock, so nothing is sent between the last checkpoint and the commit, and no
 * own transaction overlaps the application's.
 *
 * <p>An own transaction waits for the end of the application's, and goes before its next one: some applications begin that at once. If an own
 * transaction times out, the application's next {@code beginTransaction} throws a TimeoutException and may be retried. The next own transactions
 * leave out the partitions that held it up, for a while.
 */
final class Transactions {
    private static final Logger LOG = LoggerFactory.getLogger(Transactions.class);

    private enum State {
        FRESH,
        IDLE,
        OPEN,
        UNKNOWN,
        /** Kafka's rule: only the same commit again can follow. */
        OWN_COMMIT_PENDING,
        /** The same, for an abort. */
        OWN_ABORT_PENDING,
        BROKEN
    }

    private final Producer<byte[], byte[]> inner;
    private final Collection<PartitionWriter> writers;
    private final LongSupplier clock;
    private final ReentrantReadWriteLock gate = new ReentrantReadWriteLock();
    /** The writers that may get heartbeats, as of the last tick. */
    private volatile Collection<PartitionWriter> reachable = List.of();

    /** Written under the write lock. */
    private volatile State state = State.FRESH;
    /** The application's thread that is beginning or ending a transaction; else null. */
    private volatile @Nullable Thread changing;
    /** Why the OPEN transaction must not be committed, or null; or why the state is UNKNOWN, or an own transaction is pending. */
    private volatile @Nullable RuntimeException failure;

    /** @param writers a live view */
    Transactions(Producer<byte[], byte[]> inner, Collection<PartitionWriter> writers, LongSupplier clock) {
        this.inner = inner;
        this.writers = writers;
        this.clock = clock;
    }

    void init() {
        alone(() -> {
            inner.initTransactions();
            state = State.IDLE;
        });
    }

    void begin() {
        alone(() -> {
            runWaiting();
            requireEndOfOwn();
            require("OPEN", State.IDLE, State.UNKNOWN, State.BROKEN);
            inner.beginTransaction();
            if (state == State.UNKNOWN) {
                writers.forEach(PartitionWriter::endInDoubt);
            }
            failure = null;
            state = State.OPEN;
        });
    }

    void commit() {
        alone(() -> {
            require("IDLE by a commit", State.OPEN, State.UNKNOWN, State.IDLE, State.BROKEN);
            if (state == State.OPEN) {
                sealAll();
            }
            try {
                inner.commitTransaction();
            } catch (RuntimeException e) { // Any failure leaves the outcome unknown.
                if (isBegun()) {
                    failure = e;
                    state = State.UNKNOWN;
                }
                throw e;
            }
            writers.forEach(PartitionWriter::committed);
            state = State.IDLE;
        });
    }

    void abort() {
        alone(() -> {
            if (isOwnPending()) {
                // An application may abort after a begin that threw, too: then it has no transaction.
                endPending();
                requireEndOfOwn();
                return;
            }
            require("IDLE by an abort", State.OPEN, State.UNKNOWN, State.IDLE, State.BROKEN);
            inner.abortTransaction();
            writers.forEach(PartitionWriter::rolledBack);
            state = State.IDLE;
        });
    }

    /** Sends in the application's open transaction. */
    <T> T inside(Supplier<T> sending) {
        while (!gate.readLock().tryLock()) {
            // Waiting could be a deadlock: a callback may send while its transaction is being committed.
            if (changing != null) {
                throw new IllegalStateException("Cannot send while a transaction begins or ends");
            }
            if (state != State.OPEN) {
                throw new IllegalStateException("Cannot send outside of a transaction");
            }
            // A late tick is about to notice the open transaction.
            Thread.onSpinWait();
        }
        try {
            if (state != State.OPEN) {
                throw new IllegalStateException("Cannot send outside of a transaction");
            }
            return sending.get();
        } finally {
            gate.readLock().unlock();
        }
    }

    /** Forbids the commit of the open transaction: a send failed before it reached the inner producer. */
    void poison(RuntimeException cause) {
        failure = cause;
    }

    /** True if {@link #tick} may write: the application has no transaction. */
    boolean mayTick() {
        return state == State.IDLE || isOwnPending();
    }

    /**
     * Writes the checkpoints that are due in a transaction of its own; if the application has one, before its next one.
     *
     * @param reachable the writers whose topics are known to exist, so that none holds up the others
     */
    void tick(Collection<PartitionWriter> reachable) {
        this.reachable = reachable;
        if (!mayTick() || !gate.writeLock().tryLock()) {
            return;
        }
        try {
            runWaiting();
        } finally {
            gate.writeLock().unlock();
        }
    }

    private void runWaiting() {
        if (isOwnPending()) {
            // A tick that has waited for the end of one transaction does not wait for another.
            endPending();
            return;
        }
        long now = clock.getAsLong();
        List<PartitionWriter> due =
                reachable.stream().filter(writer -> writer.isDue(now)).toList();
        if (state == State.IDLE && !due.isEmpty()) {
            runOwn(() -> due.forEach(writer -> writer.tickInTransaction(now)));
        }
    }

    /**
     * Aborts the application's transaction, as closing a KafkaProducer does, and closes the writers in own ones. A transaction whose end timed
     * out is ended again.
     *
     * @param timeout how long to wait for threads that are sending, for metadata, and for transactions to end; the last attempt at an end may
     *     take {@code max.block.ms} longer
     */
    void close(CloseTimeout timeout) {
        if (!timeout.lock(gate.writeLock())) {
            LOG.warn("a thread is still sending; the last events stay without a checkpoint");
            return;
        }
        try {
            if (isBegun()) {
                state = hasCommitTimedOut() ? State.OWN_COMMIT_PENDING : State.OWN_ABORT_PENDING;
            }
            endWithin(timeout);
            if (state == State.IDLE) {
                closeStreams(timeout);
            }
        } finally {
            gate.writeLock().unlock();
        }
    }

    /**
     * Closes each topic's writers in a transaction of its own, as soon as its metadata are known. Partitions without a leader come last, because
     * they may hold up a transaction.
     */
    private void closeStreams(CloseTimeout timeout) {
        Map<String, List<PartitionWriter>> topics =
                writers.stream().collect(Collectors.groupingBy(PartitionWriter::topic));
        BlockingQueue<Map<Boolean, List<PartitionWriter>>> found = new LinkedBlockingQueue<>();
        topics.forEach((topic, ofTopic) -> StreamClosing.startThread(() -> found.add(byLeader(topic, ofTopic))));
        List<List<PartitionWriter>> last = new ArrayList<>();
        for (int i = 0; i < topics.size(); i++) {
            Map<Boolean, List<PartitionWriter>> next = timeout.poll(found).orElse(Map.of());
            closeTogether(next.getOrDefault(true, List.of()), timeout);
            last.add(next.getOrDefault(false, List.of()));
        }
        last.forEach(leaderless -> closeTogether(leaderless, timeout));
    }

    /** The writers of a topic by whether their partition has a leader; empty without metadata. */
    private Map<Boolean, List<PartitionWriter>> byLeader(String topic, List<PartitionWriter> ofTopic) {
        try {
            Set<TopicPartition> led = WritablePartitions.of(inner, topic);
            return ofTopic.stream().collect(Collectors.partitioningBy(writer -> led.contains(writer.partition())));
        } catch (RuntimeException e) { // After any failure: waits for its end.
            LOG.warn("{}: there is no metadata; the last events stay without a checkpoint", topic, e);
            return Map.of();
        }
    }

    private void closeTogether(List<PartitionWriter> some, CloseTimeout timeout) {
        if (!some.isEmpty() && state == State.IDLE) {
            runOwn(() -> some.forEach(writer -> writer.close(timeout)));
            endWithin(timeout);
        }
    }

    /** Kafka's rule: a commit or an abort that timed out may be called again, and nothing else may. */
    private void endWithin(CloseTimeout timeout) {
        for (long pause = StreamClosing.MIN_PAUSE_MILLIS; isOwnPending(); pause = StreamClosing.pauseAfter(pause)) {
            endPending();
            boolean timeIsOver = timeout.remainingMillis() == 0;
            if (timeIsOver || failure instanceof InterruptException) {
                requireEndOfOwn();
                return;
            }
            if (isOwnPending()) {
                Utils.sleep(Math.min(pause, timeout.remainingMillis()));
            }
        }
    }

    private boolean hasCommitTimedOut() {
        return state == State.UNKNOWN && (failure instanceof TimeoutException || failure instanceof InterruptException);
    }

    private boolean isBegun() {
        return state == State.OPEN || state == State.UNKNOWN;
    }

    private boolean isOwnPending() {
        return state == State.OWN_COMMIT_PENDING || state == State.OWN_ABORT_PENDING;
    }

    private void requireEndOfOwn() {
        if (isOwnPending() && failure != null) {
            throw failure;
        }
    }

    private void require(String to, State... from) {
        if (!List.of(from).contains(state)) {
            throw new IllegalStateException("Cannot go from " + state + " to " + to);
        }
    }

    private void sealAll() {
        if (failure != null) {
            throw unsealable("a send failed", failure);
        }
        try {
            writers.forEach(PartitionWriter::sealBeforeCommit);
        } catch (RuntimeException e) { // After any failure a commit would leave events without a checkpoint.
            failure = e;
            throw unsealable("a checkpoint could not be written", e);
        }
    }

    /** The exception of a commit, as KafkaProducer throws it: a fatal error as it is, otherwise one that demands an abort. */
    private static RuntimeException unsealable(String what, RuntimeException cause) {
        boolean isFatal = cause instanceof ProducerFencedException
                || cause instanceof InvalidProducerEpochException
                || cause instanceof OutOfOrderSequenceException
                || cause instanceof AuthorizationException
                || cause instanceof UnsupportedVersionException;
        return isFatal ? cause : new KafkaException("Cannot commit: " + what + "; abort the transaction", cause);
    }

    private void runOwn(Runnable work) {
        inner.beginTransaction();
        try {
            work.run();
        } catch (RuntimeException e) { // After any failure the transaction must end.
            LOG.warn("a transaction of checkpoints failed", e);
            abortOwn();
            return;
        }
        commitOwn();
    }

    private void endPending() {
        if (state == State.OWN_COMMIT_PENDING) {
            commitOwn();
        } else if (state == State.OWN_ABORT_PENDING) {
            abortOwn();
        }
    }

    private void commitOwn() {
        try {
            inner.commitTransaction();
            writers.forEach(PartitionWriter::committed);
            state = State.IDLE;
        } catch (TimeoutException | InterruptException e) {
            pauseAfterFailure();
            pending(State.OWN_COMMIT_PENDING, e);
        } catch (KafkaException e) {
            LOG.warn("a transaction of checkpoints could not be committed", e);
            pauseAfterFailure();
            abortOwn();
        }
    }

    private void abortOwn() {
        try {
            inner.abortTransaction();
            writers.forEach(PartitionWriter::rolledBack);
            state = State.IDLE;
        } catch (TimeoutException | InterruptException e) {
            pending(State.OWN_ABORT_PENDING, e);
        } catch (KafkaException | IllegalStateException e) {
            LOG.warn("a transaction could not be aborted; there will be no more checkpoints", e);
            state = State.BROKEN;
        }
    }

    private void pending(State pending, RuntimeException cause) {
        LOG.debug("a transaction of checkpoints has no end yet", cause);
        failure = cause;
        state = pending;
    }

    /** Pauses the writers whose records were not acknowledged; if there are none, all of the transaction. */
    private void pauseAfterFailure() {
        List<PartitionWriter> taking =
                writers.stream().filter(PartitionWriter::isInTransaction).toList();
        List<PartitionWriter> late =
                taking.stream().filter(PartitionWriter::isTransactionLate).toList();
        (late.isEmpty() ? taking : late).forEach(PartitionWriter::pause);
    }

    private void alone(Runnable work) {
        gate.writeLock().lock();
        try {
            changing = Thread.currentThread();
            work.run();
        } finally {
            changing = null;
            gate.writeLock().unlock();
        }
    }
}
