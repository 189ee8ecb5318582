package dev.stormproof.emit;

import java.util.Objects;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * A record in flight, which reports its outcome, and calls the application back.
 *
 * <pre>
 *   in flight ── failed before send returned, on the sending thread ──▶ REFUSED   nothing was appended
 *             ── failed otherwise ────────────────────────────────────▶ IN DOUBT  {@link InFlight} keeps it
 *             ── acknowledged ────────────────────────────────────────▶ ARRIVED
 * </pre>
 *
 * <p>KafkaProducer reports records that it could not append in the sending thread, and all others in its own. In an error state it may append a
 * record, throw from send, and report the record as well, before or after: the first report counts. The application's callback runs only without
 * the writer's lock: if the outcome is known before send returns, it waits for {@link #callApplication()}.
 */
final class InFlightRecord implements Callback {
    private static final ThreadLocal<Boolean> INSIDE_CALLBACK = ThreadLocal.withInitial(() -> false);

    private final InFlight inFlight;
    private final @Nullable PendingCheckpoint checkpoint;
    private final long sequence;
    private final @Nullable Callback application;

    /** True once the outcome is known; a second report changes nothing. */
    private boolean over;

    // Only the sending thread reads and writes these.
    private final Thread sender = Thread.currentThread();
    private boolean sending;
    private boolean ended;
    private @Nullable Future<RecordMetadata> future;
    private @Nullable RecordMetadata metadata;
    private @Nullable Exception refusal;

    private InFlightRecord(
            InFlight inFlight, @Nullable PendingCheckpoint checkpoint, long sequence, @Nullable Callback application) {
        this.inFlight = inFlight;
        this.checkpoint = checkpoint;
        this.sequence = sequence;
        this.application = application;
    }

    static InFlightRecord ofEvent(InFlight inFlight, long sequence, @Nullable Callback application) {
        return new InFlightRecord(inFlight, null, sequence, application);
    }

    static InFlightRecord ofCheckpoint(InFlight inFlight, PendingCheckpoint checkpoint) {
        return new InFlightRecord(inFlight, checkpoint, -1, null);
    }

    /** True in a thread that runs an application's callback. */
    static boolean isInsideCallback() {
        return INSIDE_CALLBACK.get();
    }

    /** Sends the record; if this throws, nothing was appended, or the producer is in an error state. */
    void send(Producer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> record) {
        inFlight.started(checkpoint);
        sending = true;
        try {
            future = producer.send(record, this);
        } finally {
            sending = false;
            endHere();
        }
    }

    /** Takes the outcome that the sending thread saw, unless another thread was first. */
    private void endHere() {
        boolean isRefused = future == null || refusal != null;
        if (!isRefused && !ended) {
            return;
        }
        if (!isFirst()) {
            // The other thread has called the application.
            ended = false;
        } else if (isRefused) {
            inFlight.refused(checkpoint);
        } else {
            conclude(metadata, null);
        }
    }

    Future<RecordMetadata> future() {
        return Objects.requireNonNull(future, "nothing was sent");
    }

    /** The reason why the record was refused; null if it was appended. */
    @Nullable
    Exception refusal() {
        return refusal;
    }

    /** Calls the application back if the outcome was known before send returned. */
    void callApplication() {
        if (ended) {
            call(metadata, refusal);
        }
    }

    @Override
    public void onCompletion(@Nullable RecordMetadata metadata, @Nullable Exception exception) {
        if (Thread.currentThread() == sender && sending) {
            this.ended = true;
            this.metadata = metadata;
            this.refusal = exception;
            return;
        }
        if (isFirst()) {
            conclude(metadata, exception);
            call(metadata, exception);
        }
    }

    private synchronized boolean isFirst() {
        boolean first = !over;
        over = true;
        return first;
    }

    private void conclude(@Nullable RecordMetadata metadata, @Nullable Exception exception) {
        if (checkpoint == null) {
            inFlight.ended(sequence, exception);
        } else {
            long offset = metadata != null && metadata.hasOffset() ? metadata.offset() : -1;
            inFlight.ended(checkpoint, offset, exception);
        }
    }

    private void call(@Nullable RecordMetadata metadata, @Nullable Exception exception) {
        if (application == null) {
            return;
        }
        boolean before = INSIDE_CALLBACK.get();
        INSIDE_CALLBACK.set(true);
        try {
            application.onCompletion(metadata, exception);
        } finally {
            INSIDE_CALLBACK.set(before);
        }
    }
}
