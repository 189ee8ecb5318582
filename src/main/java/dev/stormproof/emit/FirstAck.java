package dev.stormproof.emit;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * The first acknowledgement of a partition, which is a checkpoint's: events wait for it.
 *
 * <pre>
 *   NotSent ── a stream's number 0 was sent ──▶ Sent ── it arrived ──▶ Arrived
 *      ▲                                        │ ▲ └── another stream's was sent, or the wait timed out ──┐
 *      └──────────── it failed ─────────────────┘ └────────────────────────────────────────────────────────┘
 * </pre>
 *
 * <p>While a partition is being created, a broker may refuse a producer's first request and accept a second one that is in flight already; the
 * first can then never follow, and is lost when its delivery times out (KAFKA-15591). A single first request is safe. In format 1, which has no
 * number 0, it stays NotSent.
 *
 * <p>Guarded by the lock of the partition's writer.
 */
final class FirstAck {
    private final TopicPartition partition;
    private final long maxBlockMillis;
    private State state = new NotSent();

    private sealed interface State {}

    private record NotSent() implements State {}

    private record Sent(Future<RecordMetadata> future) implements State {}

    private record Arrived() implements State {}

    /** @param maxBlockMillis how long {@link #await} may take */
    FirstAck(TopicPartition partition, long maxBlockMillis) {
        this.partition = partition;
        this.maxBlockMillis = maxBlockMillis;
    }

    /** True once a checkpoint was acknowledged. */
    boolean isOver() {
        return state instanceof Arrived;
    }

    /**
     * The number 0 of a stream was sent.
     *
     * @throws IllegalStateException if one was acknowledged before
     */
    void sent(Future<RecordMetadata> number0) {
        if (state instanceof Arrived) {
            throw new IllegalStateException("cannot go from Arrived to Sent in " + partition);
        }
        state = new Sent(number0);
    }

    /** True while the first number 0 is in flight. */
    boolean isPending() {
        return state instanceof Sent sent && !sent.future().isDone();
    }

    /**
     * Waits for the number 0 that was sent; false at once if there is none to wait for. The lock is released meanwhile, because Kafka's thread,
     * which brings the answer, may be waiting for it in a callback.
     *
     * @param lock the lock of the partition's writer, which this thread holds once
     * @throws RuntimeException the failure of number 0, or a {@link TimeoutException} while it is in flight
     */
    boolean await(Lock lock) {
        if (!(state instanceof Sent sent)) {
            return false;
        }
        State next = sent;
        lock.unlock();
        try {
            sent.future().get(maxBlockMillis, TimeUnit.MILLISECONDS);
            next = new Arrived();
            return true;
        } catch (ExecutionException e) {
            next = new NotSent();
            throw e.getCause() instanceof RuntimeException cause ? cause : new KafkaException(e.getCause());
        } catch (java.util.concurrent.TimeoutException e) {
            throw new TimeoutException(
                    "the first checkpoint of " + partition + " did not arrive within " + maxBlockMillis + " ms");
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        } finally {
            lock.lock();
            // Another thread that waited as well may have changed the state.
            state = state.equals(sent) ? next : state;
        }
    }
}
