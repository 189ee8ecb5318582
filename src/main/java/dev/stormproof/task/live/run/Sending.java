package dev.stormproof.task.live.run;

import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * What became of a record that was sent. The producer's own futures are not asked: where it splits a batch again and again they are
 * chained, and overflow the stack of who asks.
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

    /** Has the first one that fails of a transaction noted there. */
    final void in(AtomicReference<Sending> transactionsFirst) {
        firstFailed = transactionsFirst;
    }

    /** Where it was written; null if it was not, or not yet. */
    public final @Nullable RecordMetadata written() {
        return written;
    }

    /** What kept it from being written; null if nothing is known to have. */
    final @Nullable Exception failure() {
        return failure;
    }

    /** Forgets what became of it, for another attempt. */
    final void reset() {
        written = null;
        failure = null;
    }
}
