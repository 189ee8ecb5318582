package dev.stormproof.emit;

import dev.stormproof.checkpoint.Format2Checkpoint;
import java.util.Optional;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One stream on its way into the inner producer: what its {@link CheckpointEmitter} says is sent, and only what was
 * appended is reported back to it.
 *
 * <p>Guarded by the lock of its partition's lane.
 */
final class EmittedStream {
    private static final Logger LOG = LoggerFactory.getLogger(EmittedStream.class);

    private final CheckpointEmitter emitter;
    private final TopicPartition partition;
    private final Producer<byte[], byte[]> inner;
    private Outstanding outstanding = new Outstanding();
    private boolean closing;
    private boolean nothingToClose;

    EmittedStream(CheckpointEmitter emitter, TopicPartition partition, Producer<byte[], byte[]> inner) {
        this.emitter = emitter;
        this.partition = partition;
        this.inner = inner;
    }

    /** Its state; whoever sends tells it by the methods here. */
    CheckpointEmitter emitter() {
        return emitter;
    }

    /** True if a record was appended and may not have arrived. */
    boolean hasFailed() {
        return outstanding.anyFailed();
    }

    /** Sends an event; the delivery tells whether it was refused. If this throws, nothing was appended. */
    Delivery send(SerializedEvent event, @Nullable Callback callback, long nowMillis) {
        event.headers.add(emitter.eventHeaderName(), emitter.eventHeader(event.signature));
        Delivery delivery = Delivery.ofEvent(outstanding, emitter.eventCount(), callback);
        delivery.send(
                inner,
                new ProducerRecord<>(
                        partition.topic(),
                        partition.partition(),
                        event.timestamp,
                        event.key,
                        event.value,
                        event.headers));
        if (delivery.refusal() == null) {
            emitter.eventSent(event.signature, nowMillis);
        }
        return delivery;
    }

    /**
     * Sends the next checkpoint; empty if there is none to send.
     *
     * @throws RuntimeException if the inner producer refuses it; nothing was appended then
     */
    Optional<Future<RecordMetadata>> seal(long nowMillis) {
        return emitter.seal(nowMillis, outstanding.arrivedOffset()).map(draft -> write(draft, nowMillis));
    }

    /**
     * Sends the closing checkpoint if the fate of all records is known, and again if it is known to have failed.
     *
     * @throws RuntimeException if the inner producer refuses it; nothing was appended then
     */
    void close(long nowMillis) {
        if (!outstanding.isSettled() || isDone()) {
            return;
        }
        Optional<Draft> draft = emitter.closing(nowMillis, outstanding.arrivedOffset(), outstanding.doubt());
        if (closing) {
            LOG.warn(
                    "{}: the last checkpoint failed{}",
                    partition,
                    draft.isPresent() ? " and is stated again" : "; format 1 cannot state it again");
        }
        if (draft.isPresent()) {
            Future<RecordMetadata> unused = write(draft.get(), nowMillis);
        }
        closing = true;
        nothingToClose = draft.isEmpty();
    }

    /** True once the closing checkpoint was sent, or there was none to send. */
    boolean isClosing() {
        return closing;
    }

    /** True once the closing checkpoint has arrived or will never arrive, or there was none to send. */
    boolean isDone() {
        return nothingToClose || outstanding.isClosed() || outstanding.isHopeless();
    }

    /** True if the closing checkpoint will never arrive. */
    boolean isRefused() {
        return outstanding.isHopeless();
    }

    /** Returns to the state that the emitter has marked. */
    void rollback() {
        emitter.rollback();
        closing = false;
        nothingToClose = false;
        forgetFailures();
    }

    /** Puts everything since the emitter's mark in doubt. */
    void doubtSinceMark() {
        outstanding.doubt(emitter.restatement());
    }

    /** Takes no more notice of what is under way or has failed. */
    void forgetFailures() {
        // Callbacks that still come find the old one.
        outstanding = new Outstanding();
    }

    private Future<RecordMetadata> write(Draft draft, long nowMillis) {
        Delivery delivery = Delivery.ofCheckpoint(outstanding, draft);
        RecordHeaders headers = new RecordHeaders();
        if (emitter.checkpointsInHeader()) {
            headers.add(Format2Checkpoint.HEADER, draft.bytes);
        }
        byte[] value = emitter.checkpointsInHeader() ? null : draft.bytes;
        delivery.send(
                inner, new ProducerRecord<>(partition.topic(), partition.partition(), null, null, value, headers));
        Exception refusal = delivery.refusal();
        if (refusal != null) {
            throw refusal instanceof RuntimeException e ? e : new KafkaException(refusal);
        }
        emitter.checkpointSent(draft, nowMillis);
        return delivery.future();
    }
}
