package dev.stormproof.emit;

import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * A record in flight knows its own end, and calls the application back.
 *
 * <pre>
 *   in flight ── failed before send returned, on the sending thread ──▶ REFUSED   nothing was appended
 *             ── failed otherwise ────────────────────────────────────▶ IN DOUBT  {@link InFlight} keeps it
 *             ── acknowledged ────────────────────────────────────────▶ ARRIVED
 * </pre>
 *
 * <p>KafkaProducer reports the records that it could not append on the sending thread and all others on its own. In an error state it
 * appends one, lets send throw, and reports it all the same, before or after: the first word counts. The
 * application's callback runs only while the writer's lock is free: if the end comes before send returns, it waits for
 * {@link #callApplication()}.
 */
final class InFlightRecord implements Callback {
    private static final ThreadLocal<Boolean> INSIDE_CALLBACK = ThreadLocal.withInitial(() -> false);

    private final InFlight inFlight;
    private final @Nullable PendingCheckpoint checkpoint;
    private final long sequence;
    private final @Nullable Callback application;

    /** True once the end is known; a second one changes nothing. */
    private final AtomicBoolean over = new AtomicBoolean();

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

    /** True on a thread that runs an application's callback. */
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

    /** The end that the sending thread has seen counts, unless another one has seen one before. */
    private void endHere() {
        boolean isRefused = future == null || refusal != null;
        if (!isRefused && !ended) {
            return;
        }
        if (!isFirst()) {
            // The application was called by then.
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

    /** Calls the application back for an end that came before send returned. */
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

    private boolean isFirst() {
        return over.compareAndSet(false, true);
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
