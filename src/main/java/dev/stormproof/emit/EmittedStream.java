package dev.stormproof.emit;

import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One stream, written through the inner producer: sends the records that its {@link CheckpointEmitter} makes, and reports to it those that were
 * appended.
 *
 * <pre>
 *   OPEN ── closing checkpoint sent ──▶ CLOSING ── it arrived, or was refused finally ──▶ done
 *    ▲ │                                │ │  ▲ └── it failed, and is restated ──┐
 *    │ │                                │ │  └─────────────────────────────────┘
 *    │ └── there is none to send ──┐    │ └── it failed in format 1, which cannot restate ──┐
 *    │                             ▼    │                                                   ▼
 *    ├─────────── rollback ──── NOTHING_TO_CLOSE, so done ◀─────────────────────────────────┘
 *    └─────────── rollback ─────────────┘
 * </pre>
 *
 * <p>Guarded by the lock of its partition's writer.
 */
final class EmittedStream {
    private static final Logger LOG = LoggerFactory.getLogger(EmittedStream.class);

    private enum Phase {
        OPEN,
        CLOSING,
        NOTHING_TO_CLOSE
    }

    /** The events and checkpoints that all streams of a partition have sent. */
    static final class Totals {
        long events;
        long checkpoints;
        long refusedCheckpoints;
        /** When the last acknowledged checkpoint was made; -1 before the first. */
        final AtomicLong arrivedMillis = new AtomicLong(-1);
    }

    /** For reading; only the methods here change it. */
    final CheckpointEmitter emitter;

    private final TopicPartition partition;
    private final Producer<byte[], byte[]> inner;
    private final Totals totals;
    private InFlight inFlight;
    private Phase phase = Phase.OPEN;
    /** The state to which an abort returns. */
    private StreamState saved;
    /** After a commit with an unknown outcome, the position from which all records are in doubt, even acknowledged ones. */
    private Optional<CheckpointPosition> uncommitted = Optional.empty();

    EmittedStream(CheckpointEmitter emitter, TopicPartition partition, Producer<byte[], byte[]> inner, Totals totals) {
        this.emitter = emitter;
        this.partition = partition;
        this.inner = inner;
        this.totals = totals;
        this.saved = emitter.savedState();
        this.inFlight = new InFlight(emitter.limit, totals.arrivedMillis);
    }

    /** True if a record was appended and may not have arrived. */
    boolean hasFailed() {
        return inFlight.anyFailed();
    }

    /** Sends an event; the record says whether it was refused. If this throws, nothing was appended. */
    InFlightRecord send(
            ProducerRecord<byte[], byte[]> event, byte[] signature, @Nullable Callback callback, long nowMillis) {
        requireOpen();
        Header header = emitter.eventHeader(signature);
        event.headers().add(header);
        InFlightRecord record = InFlightRecord.ofEvent(inFlight, emitter.eventCount(), callback);
        record.send(inner, event);
        if (record.refusal() == null) {
            emitter.eventSent(header.value(), nowMillis);
            totals.events++;
        }
        return record;
    }

    /**
     * Sends the next checkpoint; empty if there is none to send.
     *
     * @throws RuntimeException if the inner producer refuses it; nothing was appended then
     */
    Optional<Future<RecordMetadata>> seal(long nowMillis) {
        requireOpen();
        return emitter.seal(nowMillis, hint()).map(pending -> {
            try {
                return write(pending, nowMillis);
            } catch (RecordTooLargeException e) {
                // The limit is lower now, so this one leaves its leaves out.
                PendingCheckpoint smaller = emitter.seal(nowMillis, hint()).orElseThrow();
                return write(smaller, nowMillis);
            }
        });
    }

    private long hint() {
        boolean nothing = emitter.isFormat2() && !emitter.needsOpening() && !inFlight.anyArrived();
        return nothing ? 0 : inFlight.arrivedOffset();
    }

    /** True if a checkpoint is due and may follow those in flight. In format 1, which restates none, it always may. */
    boolean isDue(long nowMillis) {
        return emitter.isDue(nowMillis) && !(emitter.isFormat2() && inFlight.isProving());
    }

    /** Returns the checkpoints that were refused to the emitter, which states their events again. */
    void takeBackRefused() {
        List<PendingCheckpoint> refused = inFlight.takeRefused();
        totals.refusedCheckpoints += refused.size();
        totals.checkpoints -= refused.size();
        if (!refused.isEmpty()) {
            emitter.takeBack(refused);
        }
    }

    /**
     * Sends the closing checkpoint if the outcome of all records is known, and again if it failed.
     *
     * @throws RuntimeException if the inner producer refuses it; nothing was appended then
     */
    void close(long nowMillis) {
        if (hasInFlight() || isDone()) {
            return;
        }
        takeBackRefused();
        UnackedRecords inDoubt = inFlight.inDoubt();
        inDoubt = new UnackedRecords(inDoubt.events(), inDoubt.refused(), uncommitted.or(inDoubt::checkpoint));
        Optional<PendingCheckpoint> pending = emitter.closing(nowMillis, inFlight.arrivedOffset(), inDoubt);
        if (phase == Phase.CLOSING) {
            LOG.warn("{}: the last checkpoint failed; format 2 states it again", partition);
        }
        if (pending.isPresent()) {
            Future<RecordMetadata> unused = write(pending.get(), nowMillis);
        }
        phase = pending.isPresent() ? Phase.CLOSING : Phase.NOTHING_TO_CLOSE;
    }

    boolean hasInFlight() {
        return !inFlight.isEmpty();
    }

    /** True once the closing checkpoint was sent, or there was none to send. */
    boolean isClosing() {
        return phase != Phase.OPEN;
    }

    /** True once the closing checkpoint has arrived or will never arrive, or there was none to send. */
    boolean isDone() {
        return phase == Phase.NOTHING_TO_CLOSE || inFlight.closing() != InFlight.Closing.NONE_ARRIVED;
    }

    /** True if the closing checkpoint will never arrive. */
    boolean isRefused() {
        return inFlight.closing() == InFlight.Closing.REFUSED;
    }

    /** Saves the state, because a transaction has reached this stream. */
    void save() {
        saved = emitter.savedState();
    }

    /** Returns to the saved state. */
    void rollback() {
        emitter.restore(saved);
        phase = Phase.OPEN;
        totals.refusedCheckpoints += inFlight.takeRefused().size();
        forgetFailures();
    }

    /** Everything after the saved state is in doubt from now on. */
    void inDoubtSinceSaved() {
        uncommitted = Optional.of(saved.position());
    }

    /** Forgets the records in flight, and those that have failed. */
    void forgetFailures() {
        // Late callbacks change only the old one.
        inFlight = new InFlight(emitter.limit, totals.arrivedMillis);
    }

    private void requireOpen() {
        if (phase != Phase.OPEN) {
            throw new IllegalStateException("cannot go from " + phase + " to OPEN in " + partition);
        }
    }

    private Future<RecordMetadata> write(PendingCheckpoint pending, long nowMillis) {
        InFlightRecord record = InFlightRecord.ofCheckpoint(inFlight, pending);
        boolean inHeader = emitter.isFormat2();
        List<Header> headers =
                inHeader ? List.of(new RecordHeader(Format2Checkpoint.HEADER, pending.bytes)) : List.of();
        byte[] value = inHeader ? null : pending.bytes;
        record.send(inner, new ProducerRecord<>(partition.topic(), partition.partition(), null, null, value, headers));
        Exception refusal = record.refusal();
        if (refusal != null) {
            if (MaxMessageBytes.isTooLarge(refusal)) {
                emitter.limit.refused(pending.bytes.length);
            }
            throw refusal instanceof RuntimeException e ? e : new KafkaException(refusal);
        }
        emitter.checkpointSent(pending, nowMillis);
        totals.checkpoints++;
        return record.future();
    }
}
