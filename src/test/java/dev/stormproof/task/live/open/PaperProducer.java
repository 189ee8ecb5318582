package dev.stormproof.task.live.open;

import dev.stormproof.task.heads.PaperHeads;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TransactionAbortedException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Kafka's mock producer with the errors of the real one: a record that fails puts its whole transaction into an error state. */
class PaperProducer extends MockProducer<byte[], byte[]> {
    private final Map<TopicPartition, OffsetAndMetadata> offsets;
    private final Map<TopicPartition, OffsetAndMetadata> sentOffsets = new HashMap<>();
    private final List<Sent> pending = new ArrayList<>();
    private @Nullable RuntimeException broken;
    Function<ProducerRecord<byte[], byte[]>, @Nullable RuntimeException> faults = record -> null;
    Way way = Way.LATER;
    /** Runs before each record is sent, but for heads. */
    Runnable sending = () -> {};

    /** False if a topic of the offsets is unknown. */
    boolean takesOffsets = true;

    /** Runs before each call about the transaction. */
    Runnable step = () -> {};

    /** When a record's failure is known. */
    enum Way {
        /** It is thrown. */
        THROWN,
        /** The future has failed when it is returned. */
        AT_ONCE,
        /** The future fails before the transaction ends. */
        LATER
    }

    private record Sent(Callback callback, RuntimeException failure) {}

    /** @param offsets takes the offsets that are committed */
    PaperProducer(Map<TopicPartition, OffsetAndMetadata> offsets) {
        super(true, null, new ByteArraySerializer(), new ByteArraySerializer());
        this.offsets = offsets;
        initTransactions();
    }

    @Override
    public synchronized void beginTransaction() {
        try {
            step.run();
        } catch (KafkaException e) {
            broken = e; // The real one throws it for that reason alone.
            throw e;
        }
        super.beginTransaction();
    }

    @Override
    public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
        if (!record.topic().equals(PaperHeads.TOPIC)) {
            sending.run();
        }
        failIfBroken();
        RuntimeException fault = faults.apply(record);
        if (fault == null) {
            return super.send(record, callback);
        }
        if (way == Way.THROWN) {
            // Of others than its own the real one does not know that a transaction is spoilt.
            broken = fault instanceof KafkaException ? fault : null;
            throw fault;
        }
        Sent sent = new Sent(callback, fault);
        if (way == Way.AT_ONCE) {
            complete(sent);
        } else {
            pending.add(sent);
        }
        return CompletableFuture.failedFuture(fault);
    }

    @Override
    public synchronized void flush() {
        step.run();
        pending.forEach(this::complete);
        pending.clear();
        super.flush();
    }

    @Override
    public synchronized void sendOffsetsToTransaction(
            Map<TopicPartition, OffsetAndMetadata> committed, ConsumerGroupMetadata group) {
        step.run();
        failIfBroken();
        if (!takesOffsets) {
            throw new TimeoutException("the offsets are sent again and again");
        }
        sentOffsets.putAll(committed);
        super.sendOffsetsToTransaction(committed, group);
    }

    @Override
    public synchronized void commitTransaction() {
        step.run();
        pending.forEach(this::complete);
        pending.clear();
        failIfBroken();
        super.commitTransaction();
        offsets.putAll(sentOffsets);
        sentOffsets.clear();
    }

    @Override
    public synchronized void abortTransaction() {
        step.run();
        if (isFatal(broken)) {
            throw new KafkaException("in a fatal error state", broken);
        }
        pending.forEach(sent -> sent.callback().onCompletion(null, new TransactionAbortedException()));
        pending.clear();
        sentOffsets.clear();
        broken = null;
        if (transactionInFlight()) {
            super.abortTransaction();
        }
    }

    /** True of an error after which the real one can do nothing more. */
    static boolean isFatal(@Nullable RuntimeException failure) {
        return failure instanceof ClusterAuthorizationException
                || failure instanceof TransactionalIdAuthorizationException
                || failure instanceof ProducerFencedException
                || failure instanceof UnsupportedVersionException
                || failure instanceof InvalidPidMappingException;
    }

    private void complete(Sent sent) {
        broken = broken == null ? sent.failure() : broken;
        sent.callback().onCompletion(null, sent.failure());
    }

    private void failIfBroken() {
        if (broken != null) {
            throw new KafkaException("in an error state", broken);
        }
    }
}
