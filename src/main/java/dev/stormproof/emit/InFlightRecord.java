package dev.stormproof.emit;

import java.util.Objects;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * The way of one record to the log, and the callback that hears of its end.
 *
 * <pre>
 *   under way ── failed before send returned, on the sending thread ──▶ REFUSED   nothing was appended
 *             ── failed otherwise ────────────────────────────────────▶ IN DOUBT  {@link Outstanding} keeps it
 *             ── acknowledged ────────────────────────────────────────▶ ARRIVED
 * </pre>
 *
 * <p>KafkaProducer reports what it could not append on the sending thread and everything else on its own. The
 * application's callback never runs while the lane's lock is held: if the end comes before send returns, it waits for
 * {@link #tellApplication()}.
 */
final class Delivery implements Callback {
    private static final ThreadLocal<Boolean> INSIDE_CALLBACK = ThreadLocal.withInitial(() -> false);

    private final Outstanding outstanding;
    private final @Nullable Draft checkpoint;
    private final long sequence;
    private final @Nullable Callback application;

    // Of the sending thread; no other looks at them.
    private final Thread sender = Thread.currentThread();
    private boolean sending;
    private boolean ended;
    private @Nullable Future<RecordMetadata> future;
    private @Nullable RecordMetadata metadata;
    private @Nullable Exception refusal;

    private Delivery(
            Outstanding outstanding, @Nullable Draft checkpoint, long sequence, @Nullable Callback application) {
        this.outstanding = outstanding;
        this.checkpoint = checkpoint;
        this.sequence = sequence;
        this.application = application;
    }

    static Delivery ofEvent(Outstanding outstanding, long sequence, @Nullable Callback application) {
        return new Delivery(outstanding, null, sequence, application);
    }

    static Delivery ofCheckpoint(Outstanding outstanding, Draft checkpoint) {
        return new Delivery(outstanding, checkpoint, -1, null);
    }

    /** True on a thread that runs an application's callback. */
    static boolean isInsideCallback() {
        return INSIDE_CALLBACK.get();
    }

    /** Sends the record; if this throws, nothing was appended. */
    void send(Producer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> record) {
        outstanding.started();
        sending = true;
        try {
            future = producer.send(record, this);
        } finally {
            sending = false;
            if (future == null || refusal != null) {
                outstanding.done();
            } else if (ended) {
                settle(metadata, null);
            }
        }
    }

    /** What the inner producer returned. */
    Future<RecordMetadata> future() {
        return Objects.requireNonNull(future, "nothing was sent");
    }

    /** Why nothing was appended; null if the record was. */
    @Nullable
    Exception refusal() {
        return refusal;
    }

    /** Tells the application of an end that came before send returned. */
    void tellApplication() {
        if (ended) {
            tell(metadata, refusal);
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
        settle(metadata, exception);
        tell(metadata, exception);
    }

    private void settle(@Nullable RecordMetadata metadata, @Nullable Exception exception) {
        Draft draft = checkpoint;
        if (draft == null) {
            if (exception == null) {
                outstanding.done();
            } else {
                outstanding.failed(sequence);
            }
        } else if (exception == null) {
            outstanding.arrived(draft, metadata == null || !metadata.hasOffset() ? -1 : metadata.offset());
        } else {
            outstanding.failed(draft, exception);
        }
    }

    private void tell(@Nullable RecordMetadata metadata, @Nullable Exception exception) {
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
