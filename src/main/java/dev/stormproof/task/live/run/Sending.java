package dev.stormproof.task.live.run;

import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a record that was sent. The producer's own futures cannot be used: if it splits a batch again and again they are
 * chained, and overflow the caller's stack.
 */
public class Sending implements Callback {
    private volatile @Nullable AtomicReference<Sending> firstFailed;
    private volatile @Nullable RecordMetadata written;
    private volatile @Nullable Exception failure;

    @Override
    public final void onCompletion(@Nullable RecordMetadata metadata, @Nullable Exception exception) {
        if (exception == null) {
            written = metadata;
        } else {
            failure = exception;
            AtomicReference<Sending> first = firstFailed;
            if (first != null) {
                first.compareAndSet(null, this);
            }
        }
    }

    /** @param transactionsFirst takes the first record of the transaction that fails */
    final void in(AtomicReference<Sending> transactionsFirst) {
        firstFailed = transactionsFirst;
    }

    /** The place in the log; null if it is not written (yet). */
    public final @Nullable RecordMetadata written() {
        return written;
    }

    /** The failure; null if none is known. */
    final @Nullable Exception failure() {
        return failure;
    }

    /** Forgets the outcome, for another attempt. */
    final void reset() {
        written = null;
        failure = null;
    }
}
