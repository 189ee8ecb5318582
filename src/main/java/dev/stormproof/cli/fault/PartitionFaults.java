package dev.stormproof.cli.fault;

import dev.stormproof.proof.checkpoint.EventHeader;
import dev.stormproof.proof.checkpoint.MalformedCheckpointException;
import dev.stormproof.proof.checkpoint.StreamId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TransactionAbortedException;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * The faults of one partition are injected here, each when the event of its site is sent.
 *
 * <pre>
 *   PASSING ── an event to hold ──▶ HOLDING ── its last follower passed, or flush, commit, close ──▶ PASSING
 *                                      └────── abort: the held event fails ──────────────────────────▶ PASSING
 * </pre>
 *
 * <p>Sites are disjoint, so at most one event is held at a time. An event that the delegate refuses changes nothing: its
 * sender sends it, or another one, again in its place.
 *
 * <p>All state is guarded by this object's monitor.
 */
final class PartitionFaults {
    private final TopicPartition partition;
    private final FaultPlan plan;
    private final Map<Long, FaultSite> sites;
    private final Producer<byte[], byte[]> delegate;
    private final List<InjectedFault> injected = new ArrayList<>();

    private long nextOrdinal;
    private @Nullable Held held;
    /** The last acknowledged offset; callbacks write it. */
    private volatile long lastOffset = -1;

    private long markedOrdinal;
    private int markedInjected;

    PartitionFaults(TopicPartition partition, FaultPlan plan, Producer<byte[], byte[]> delegate) {
        this.partition = partition;
        this.plan = plan;
        this.sites = plan.sitesOf(partition);
        this.delegate = delegate;
    }

    /** An event that waits for its place, and how many events have passed it since. */
    private static final class Held {
        final ProducerRecord<byte[], byte[]> record;
        final @Nullable Callback callback;
        final CompletableFuture<RecordMetadata> future = new CompletableFuture<>();
        final int distance;
        int passed;
        /** True if a checkpoint has passed it, too, which may state it. */
        boolean passedByCheckpoint;

        /** The sequence of the first event that passed it. */
        long firstPassed = -1;

        Held(ProducerRecord<byte[], byte[]> record, @Nullable Callback callback, int distance) {
            this.record = record;
            this.callback = callback;
            this.distance = distance;
        }

        void complete(RecordMetadata metadata, @Nullable Exception exception) {
            if (exception == null) {
                future.complete(metadata);
            } else {
                future.completeExceptionally(exception);
            }
            if (callback != null) {
                callback.onCompletion(metadata, exception);
            }
        }
    }

    synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> event, @Nullable Callback callback) {
        FaultSite site = sites.get(nextOrdinal);
        if (site == null) {
            return pass(event, callback);
        }
        return switch (site.kind()) {
            case LOSE -> lose(event, callback);
            case DUPLICATE -> duplicate(event, callback);
            case ALTER -> alter(event, callback);
            case SWAP, MOVE -> hold(event, callback, site.distance());
        };
    }

    /**
     * Sends a checkpoint in its place, past the held event. An event that a checkpoint has passed already is released before
     * the next one, since verifiers look for a missing event one interval further, and then report it lost.
     */
    synchronized Future<RecordMetadata> sendCheckpoint(
            ProducerRecord<byte[], byte[]> checkpoint, @Nullable Callback callback) {
        if (held != null && held.passedByCheckpoint) {
            release();
        }
        Future<RecordMetadata> future = delegate.send(checkpoint, callback);
        if (held != null && !refused(future)) {
            held.passedByCheckpoint = true;
        }
        return future;
    }

    /** Sends the held event now, however many events have passed it. */
    synchronized void release() {
        Held released = held;
        if (released == null) {
            return;
        }
        held = null;
        // The fault is recorded as the log will show it, even if the event was released early.
        if (released.passed > 0 || released.passedByCheckpoint) {
            FaultKind kind = released.passed == 1 ? FaultKind.SWAP : FaultKind.MOVE;
            inject(kind, nextOrdinal - 1 - released.passed, released.record, released.firstPassed);
        }
        try {
            Future<RecordMetadata> unused = delegate.send(released.record, (metadata, exception) -> {
                note(metadata, exception);
                released.complete(metadata, exception);
            });
        } catch (RuntimeException e) { // The held event's sender must learn of any failure.
            released.complete(nowhere(), e);
        }
    }

    /** Remembers this place for {@link #rollback()}. */
    synchronized void mark() {
        markedOrdinal = nextOrdinal;
        markedInjected = injected.size();
    }

    /** Forgets everything since {@link #mark()}: the log's readers will not see it. */
    synchronized void rollback() {
        Held dropped = held;
        held = null;
        nextOrdinal = markedOrdinal;
        injected.subList(markedInjected, injected.size()).clear();
        if (dropped != null) {
            dropped.complete(nowhere(), new TransactionAbortedException());
        }
    }

    synchronized List<InjectedFault> injected() {
        return List.copyOf(injected);
    }

    private Future<RecordMetadata> pass(ProducerRecord<byte[], byte[]> event, @Nullable Callback callback) {
        Future<RecordMetadata> future = sendNow(event, callback);
        if (refused(future)) {
            return future;
        }
        nextOrdinal++;
        Held waiting = held;
        if (waiting != null) {
            waiting.passed++;
            if (waiting.passed == 1) {
                EventHeader header = headerOf(event);
                waiting.firstPassed = header == null ? nextOrdinal - 1 : header.sequence();
            }
            if (waiting.passed == waiting.distance) {
                release();
            }
        }
        return future;
    }

    private Future<RecordMetadata> lose(ProducerRecord<byte[], byte[]> event, @Nullable Callback callback) {
        inject(FaultKind.LOSE, nextOrdinal, event, -1);
        nextOrdinal++;
        RecordMetadata metadata = new RecordMetadata(
                partition,
                lastOffset + 1,
                0,
                event.timestamp() == null ? System.currentTimeMillis() : event.timestamp(),
                event.key() == null ? -1 : event.key().length,
                event.value() == null ? -1 : event.value().length);
        if (callback != null) {
            callback.onCompletion(metadata, null);
        }
        return CompletableFuture.completedFuture(metadata);
    }

    private Future<RecordMetadata> duplicate(ProducerRecord<byte[], byte[]> event, @Nullable Callback callback) {
        Future<RecordMetadata> future = sendNow(event, callback);
        if (!refused(future)) {
            if (!refused(sendNow(event, null))) {
                inject(FaultKind.DUPLICATE, nextOrdinal, event, -1);
            }
            nextOrdinal++;
        }
        return future;
    }

    private Future<RecordMetadata> alter(ProducerRecord<byte[], byte[]> event, @Nullable Callback callback) {
        byte[] value = altered(event.value(), plan.randomFor(partition, nextOrdinal));
        Future<RecordMetadata> future = sendNow(
                new ProducerRecord<>(
                        event.topic(), event.partition(), event.timestamp(), event.key(), value, event.headers()),
                callback);
        if (!refused(future)) {
            inject(FaultKind.ALTER, nextOrdinal, event, -1);
            nextOrdinal++;
        }
        return future;
    }

    private Future<RecordMetadata> hold(
            ProducerRecord<byte[], byte[]> event, @Nullable Callback callback, int distance) {
        Held waiting = new Held(event, callback, distance);
        held = waiting;
        nextOrdinal++;
        return waiting.future;
    }

    private Future<RecordMetadata> sendNow(ProducerRecord<byte[], byte[]> event, @Nullable Callback callback) {
        return delegate.send(event, (metadata, exception) -> {
            note(metadata, exception);
            if (callback != null) {
                callback.onCompletion(metadata, exception);
            }
        });
    }

    private void note(@Nullable RecordMetadata metadata, @Nullable Exception exception) {
        if (exception == null && metadata != null && metadata.hasOffset()) {
            lastOffset = metadata.offset();
        }
    }

    private void inject(FaultKind kind, long ordinal, ProducerRecord<byte[], byte[]> event, long firstPassed) {
        EventHeader header = headerOf(event);
        injected.add(new InjectedFault(
                kind,
                partition.topic(),
                partition.partition(),
                header == null ? ordinal : header.sequence(),
                kind == FaultKind.SWAP ? firstPassed : -1,
                header == null ? StreamId.NO_EMITTER : header.emitter()));
    }

    private RecordMetadata nowhere() {
        return new RecordMetadata(partition, -1, -1, -1, -1, -1);
    }

    private static boolean refused(Future<RecordMetadata> future) {
        if (!future.isDone()) {
            return false;
        }
        try {
            future.get();
            return false;
        } catch (ExecutionException e) {
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static byte[] altered(byte @Nullable [] value, SplittableRandom random) {
        if (value == null || value.length == 0) {
            return new byte[] {(byte) random.nextInt()};
        }
        byte[] other = value.clone();
        other[random.nextInt(other.length)] ^= (byte) random.nextInt(1, 256);
        return other;
    }

    private static @Nullable EventHeader headerOf(ProducerRecord<byte[], byte[]> event) {
        Header header = event.headers().lastHeader(EventHeader.NAME);
        try {
            return header == null ? null : EventHeader.decode(header.value());
        } catch (MalformedCheckpointException e) {
            throw new IllegalArgumentException("the signer before the injector wrote a damaged event header", e);
        }
    }
}
