package dev.stormproof.live;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of one task, one after the other: output, findings and progress in each.
 *
 * <pre>
 *   CLOSED ──append, send──► OPEN      the records that were appended before an abort go first
 *   OPEN   ──commit────────► CLOSED    nothing is kept
 *          ──abort─────────► CLOSED    what was appended is kept for the next transaction
 * </pre>
 *
 * <p>A record that cannot be sent fails the commit. For one thread; {@link #close} may be called from any.
 */
final class TaskTransaction implements AutoCloseable {
    private static final int MAX_COMMIT_ATTEMPTS = 3;

    /** How much output a transaction holds, about. */
    static final int MOST_APPENDED = 50_000;

    static final long MOST_APPENDED_BYTES = 16 << 20;

    private final Producer<byte[], byte[]> producer;
    private final ConsumerGroupMetadata group;
    private final List<ProducerRecord<byte[], byte[]>> appended = new ArrayList<>();
    private long appendedBytes;
    private boolean open;
    private @Nullable KafkaException failure;

    /** The outcome of a commit is unknown; a task that starts again reads it from the log. */
    static final class OutcomeUnknownException extends KafkaException {
        private static final long serialVersionUID = 1L;

        OutcomeUnknownException(TimeoutException cause) {
            super("no answer to the commit of a transaction", cause);
        }
    }

    /**
     * @param producer transactional and initialized; closed with this
     * @param group the spout's group, without members
     */
    TaskTransaction(Producer<byte[], byte[]> producer, ConsumerGroupMetadata group) {
        this.producer = producer;
        this.group = group;
    }

    /** Appends a record, which is sent again after an abort. */
    void append(ProducerRecord<byte[], byte[]> record, long sizeBytes) {
        if (failure == null) {
            try {
                begin();
                sendUnobserved(record);
            } catch (InterruptException e) {
                throw e;
            } catch (KafkaException e) {
                failure = e;
            }
        }
        appended.add(record);
        appendedBytes += sizeBytes;
    }

    /** How many records were appended since the last commit. */
    int appended() {
        return appended.size();
    }

    /** How many bytes these are, about. */
    long appendedBytes() {
        return appendedBytes;
    }

    /** True if it should be committed before more is appended. */
    boolean isFull() {
        return appended.size() >= MOST_APPENDED || appendedBytes >= MOST_APPENDED_BYTES;
    }

    /** Begins, unless a transaction is open; throws what has kept a record from being sent. */
    void begin() {
        if (failure != null) {
            throw failure;
        }
        if (!open) {
            open = true;
            producer.beginTransaction();
            appended.forEach(this::sendUnobserved);
        }
    }

    /** Sends a record that its sender keeps until the commit. */
    Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record) {
        begin();
        return producer.send(record);
    }

    /** Sends a record whose failure the commit throws. */
    private void sendUnobserved(ProducerRecord<byte[], byte[]> record) {
        var unused = producer.send(record);
    }

    /** Waits until all that was sent has been written or refused. */
    void flush() {
        producer.flush();
    }

    /** Ends the transaction with these offsets of the group. */
    void commit(Map<TopicPartition, OffsetAndMetadata> offsets) {
        begin();
        if (!offsets.isEmpty()) {
            producer.sendOffsetsToTransaction(offsets, group);
        }
        for (int attempt = 1; ; attempt++) {
            try {
                producer.commitTransaction();
                break;
            } catch (TimeoutException e) {
                // It may have been committed; nothing but another commit is allowed now.
                if (attempt == MAX_COMMIT_ATTEMPTS) {
                    throw new OutcomeUnknownException(e);
                }
            }
        }
        open = false;
        appended.clear();
        appendedBytes = 0;
    }

    /** Ends the transaction without effect. Throws if the producer can do nothing more: it is fenced, forbidden, or broken. */
    void abort() {
        if (open) {
            producer.abortTransaction();
        }
        open = false;
        failure = null;
    }

    @Override
    public void close() {
        producer.close();
    }
}
