package dev.stormproof.emit;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A transactional producer's transactions: the application's, and own ones for heartbeats between them.
 *
 * <pre>
 *   FRESH ── init ──▶ IDLE ── begin ──▶ OPEN ── seal all, commit ──▶ IDLE
 *                      │ ▲               │  └── abort: lanes roll back ──▶ IDLE
 *                      │ │               └── commit failed ──▶ UNKNOWN ── commit again ──▶ IDLE
 *                      │ │                                        ├── abort: lanes roll back ──▶ IDLE
 *                      │ │                                        └── begin: streams end in doubt ──▶ OPEN
 *                      └─┴── an own transaction, begun and ended by one tick;
 *                            if its commit times out, the next tick or begin commits again
 * </pre>
 *
 * <p>Sending holds the gate's read lock, everything else the write lock, so that nothing is sent between the last
 * checkpoint and the commit, and no own transaction meets the application's.
 */
final class Transactions {
    private static final Logger LOG = LoggerFactory.getLogger(Transactions.class);

    private enum Phase {
        FRESH,
        IDLE,
        OPEN,
        UNKNOWN,
        /** The inner producer can do nothing more: an own transaction could neither be committed nor aborted. */
        BROKEN
    }

    private final Producer<byte[], byte[]> inner;
    private final Collection<PartitionLane> lanes;
    private final ReentrantReadWriteLock gate = new ReentrantReadWriteLock();

    private Phase phase = Phase.FRESH;
    private boolean ownCommitPending;
    /** Why the open transaction must not be committed. */
    private volatile @Nullable RuntimeException failure;

    /**
     * Transactions that have not been initialized.
     *
     * @param lanes a live view
     */
    Transactions(Producer<byte[], byte[]> inner, Collection<PartitionLane> lanes) {
        this.inner = inner;
        this.lanes = lanes;
    }

    void init() {
        alone(() -> {
            inner.initTransactions();
            phase = Phase.IDLE;
        });
    }

    void begin() {
        alone(() -> {
            commitOwnAgain();
            inner.beginTransaction();
            if (phase == Phase.UNKNOWN) {
                lanes.forEach(PartitionLane::endInDoubt);
            }
            phase = Phase.OPEN;
            failure = null;
        });
    }

    void commit() {
        alone(() -> {
            if (phase == Phase.OPEN) {
                sealAll();
            }
            boolean ours = phase == Phase.OPEN || phase == Phase.UNKNOWN;
            try {
                inner.commitTransaction();
            } catch (RuntimeException e) { // Whatever it is, the outcome is unknown.
                phase = ours ? Phase.UNKNOWN : phase;
                throw e;
            }
            lanes.forEach(PartitionLane::committed);
            phase = Phase.IDLE;
        });
    }

    void abort() {
        alone(() -> {
            inner.abortTransaction();
            lanes.forEach(PartitionLane::rolledBack);
            phase = Phase.IDLE;
            failure = null;
        });
    }

    /** Sends in the application's open transaction. */
    <T> T inside(Supplier<T> sending) {
        // Waiting here could be waiting for oneself: a callback may send while its transaction is being committed.
        if (!gate.readLock().tryLock()) {
            throw new IllegalStateException("Cannot send while a transaction begins or ends");
        }
        try {
            if (phase != Phase.OPEN) {
                throw new IllegalStateException("Cannot send outside of a transaction");
            }
            return sending.get();
        } finally {
            gate.readLock().unlock();
        }
    }

    /** A send failed before the inner producer heard of it: the open transaction must not be committed. */
    void poison(RuntimeException cause) {
        failure = cause;
    }

    /** Writes what is due in a transaction of its own, unless the application has one. */
    void tick(long nowMillis) {
        if (!gate.writeLock().tryLock()) {
            return;
        }
        try {
            if (phase == Phase.IDLE) {
                commitOwnAgain();
                List<PartitionLane> due =
                        lanes.stream().filter(lane -> lane.isDue(nowMillis)).toList();
                if (!ownCommitPending && !due.isEmpty()) {
                    runOwn(due, lane -> lane.tickInTransaction(nowMillis));
                }
            }
        } finally {
            gate.writeLock().unlock();
        }
    }

    /**
     * Aborts the application's transaction, as closing a KafkaProducer does, and closes the lanes in an own one.
     *
     * @param timeoutMillis how long to wait for those who are sending
     */
    void close(long timeoutMillis) {
        if (!lockWithin(timeoutMillis)) {
            LOG.warn("somebody is still sending; the last events stay without a checkpoint");
            return;
        }
        try {
            if (phase == Phase.OPEN || phase == Phase.UNKNOWN) {
                inner.abortTransaction();
                lanes.forEach(PartitionLane::rolledBack);
                phase = Phase.IDLE;
            }
            if (phase == Phase.IDLE && !lanes.isEmpty()) {
                commitOwnAgain();
                runOwn(List.copyOf(lanes), lane -> lane.close(timeoutMillis));
            }
        } finally {
            gate.writeLock().unlock();
        }
    }

    private void sealAll() {
        if (failure != null) {
            throw new KafkaException("Cannot commit: a send failed; abort the transaction", failure);
        }
        try {
            lanes.forEach(PartitionLane::sealBeforeCommit);
        } catch (RuntimeException e) { // Whatever it is, a commit would leave events without a checkpoint.
            failure = e;
            throw new KafkaException("Cannot commit: a checkpoint could not be written; abort the transaction", e);
        }
    }

    private void runOwn(List<PartitionLane> due, Consumer<PartitionLane> work) {
        inner.beginTransaction();
        try {
            due.forEach(work);
        } catch (RuntimeException e) { // Whatever it is, the transaction must end.
            LOG.warn("a transaction of checkpoints failed", e);
            abortOwn();
            return;
        }
        commitOwn();
    }

    private void commitOwnAgain() {
        if (ownCommitPending) {
            ownCommitPending = false;
            commitOwn();
        }
    }

    private void commitOwn() {
        try {
            inner.commitTransaction();
            lanes.forEach(PartitionLane::committed);
        } catch (TimeoutException | InterruptException e) {
            // Kafka's rule: nothing but the same commit again can follow.
            ownCommitPending = true;
        } catch (KafkaException e) {
            LOG.warn("a transaction of checkpoints could not be committed", e);
            abortOwn();
        }
    }

    private void abortOwn() {
        try {
            inner.abortTransaction();
            lanes.forEach(PartitionLane::rolledBack);
        } catch (KafkaException | IllegalStateException e) {
            LOG.warn("a transaction of checkpoints could not be aborted; there will be no more of them", e);
            phase = Phase.BROKEN;
        }
    }

    private void alone(Runnable work) {
        gate.writeLock().lock();
        try {
            work.run();
        } finally {
            gate.writeLock().unlock();
        }
    }

    private boolean lockWithin(long timeoutMillis) {
        try {
            return gate.writeLock().tryLock(timeoutMillis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }
}
