package dev.stormproof.task.live.run;

import dev.stormproof.task.config.TransactionTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
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
 *          ──abort─────────► CLOSED    what was appended is kept for the next transaction, but for what is taken out
 *            if offsets of a deleted topic hold it up, another producer takes the place of this one
 * </pre>
 *
 * <p>A record that cannot be sent fails the commit; after the abort {@link #refusals} names it. For one thread; any may call
 * {@link #close}.
 */
public final class TaskTransaction implements AutoCloseable {
    /** How often the coordinator is asked for one thing: three minutes, as each attempt lasts as long as the producer waits. */
    static final int MAX_ATTEMPTS = 36;

    /** About how many records of output a transaction holds. */
    static final int MOST_APPENDED = 50_000;

    static final long MOST_APPENDED_BYTES = 16 << 20;

    /** For how long output is added to one, so that brokers do not end it before the slowest event and the commit. */
    public static final long MOST_OPEN_MILLIS = TransactionTime.MOST_OPEN_MILLIS;

    /** About how many bytes of offsets one request has: a broker writes it as one batch, of at most 1 MB by default. */
    static final long MOST_OFFSETS_BYTES = 256 << 10;

    /** What an offset takes there besides the names of its group and topic and its metadata. */
    private static final int OFFSET_BYTES = 100;

    /** How long the end of an open transaction is waited for. The next task ends it as well. */
    private static final Duration CLOSE = Duration.ofSeconds(1);

    /** Any thread closes it; only the owner's replaces it. */
    private volatile Producer<byte[], byte[]> producer;

    private volatile boolean closed;
    private final ConsumerGroupMetadata group;
    private final LongSupplier elapsedMillis;
    private final List<Appended> appended = new ArrayList<>();
    private long appendedBytes;
    /** The first record of this transaction that failed. Others may have failed because of it. */
    private final AtomicReference<Sending> firstFailed = new AtomicReference<>();

    private boolean open;
    private long beganMillis;
    private @Nullable KafkaException failure;
    private Renewal renewal = Renewal.NONE;
    /** The topics of offsets that the brokers did not take in time. */
    private Set<String> untaken = Set.of();

    private Set<String> unknown = Set.of();

    /**
     * The way out if a topic of the offsets was deleted. The client retries such offsets forever (KAFKA-5269) and would abort only after them,
     * until the brokers end the transaction by themselves and the producer counts as fenced.
     */
    public interface Renewal {
        Renewal NONE = new Renewal() {
            @Override
            public Set<String> unknown(Set<String> topics) {
                return Set.of();
            }

            @Override
            public Producer<byte[], byte[]> producer() {
                throw new IllegalStateException("no topic is unknown");
            }
        };

        /** The topics that the brokers do not know. */
        Set<String> unknown(Set<String> topics);

        /** Another producer, which aborts for the one that cannot. Throws if another task has taken over. */
        Producer<byte[], byte[]> producer();
    }

    /** The outcome of a commit is unknown; the next task reads it from Kafka. */
    static final class OutcomeUnknownException extends KafkaException {
        private static final long serialVersionUID = 1L;

        OutcomeUnknownException(TimeoutException cause) {
            super("no answer to the commit of a transaction", cause);
        }
    }

    /** A record of the output, and the place of the record that it was made of. */
    private static final class Appended extends Sending {
        private final TopicPartition input;
        private final long offset;
        private final ProducerRecord<byte[], byte[]> record;
        private final long sizeBytes;
        private boolean refusedAtOnce;

        Appended(TopicPartition input, long offset, ProducerRecord<byte[], byte[]> record, long sizeBytes) {
            this.input = input;
            this.offset = offset;
            this.record = record;
            this.sizeBytes = sizeBytes;
        }

        ProduceErrorKind refusal(ProduceErrorKind.Cause cause, String why) {
            return new ProduceErrorKind(
                    input, offset, Objects.requireNonNullElse(record.timestamp(), -1L), place(), cause, why);
        }

        TopicPartition place() {
            return new TopicPartition(
                    record.topic(), Objects.requireNonNullElse(record.partition(), ProduceErrorKind.ANY_PARTITION));
        }
    }

    /**
     * @param producer transactional and initialized; closed with this
     * @param group the topology's group, which has no members
     * @param elapsedMillis a monotonic clock
     */
    public TaskTransaction(Producer<byte[], byte[]> producer, ConsumerGroupMetadata group, LongSupplier elapsedMillis) {
        this.producer = producer;
        this.group = group;
        this.elapsedMillis = elapsedMillis;
    }

    public void renewBy(Renewal way) {
        renewal = way;
    }

    /**
     * Appends a record of the output, which is sent again after an abort.
     *
     * @param input with {@code offset}, the record that it was made of
     */
    public void append(TopicPartition input, long offset, ProducerRecord<byte[], byte[]> record, long sizeBytes) {
        Appended one = new Appended(input, offset, record, sizeBytes);
        appended.add(one);
        appendedBytes += sizeBytes;
        if (failure != null) {
            return;
        }
        if (open) {
            send(one);
            return;
        }
        try {
            begin();
        } catch (InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            failure = e;
        }
    }

    int appended() {
        return appended.size();
    }

    Set<TopicPartition> places() {
        return appended.stream().map(Appended::place).collect(Collectors.toSet());
    }

    /** True if it should be committed before more is appended. */
    boolean isFull() {
        return appended.size() >= MOST_APPENDED || appendedBytes >= MOST_APPENDED_BYTES || isDue();
    }

    /** True if it should be committed before anything else that takes long. */
    boolean isDue() {
        return open && elapsedMillis.getAsLong() - beganMillis >= MOST_OPEN_MILLIS;
    }

    /** Begins, unless a transaction is open; throws if a record could not be sent. */
    void begin() {
        if (!open && failure == null) {
            beganMillis = elapsedMillis.getAsLong();
            open = true; // Even if that fails: the abort shows whether the producer is still usable.
            producer.beginTransaction();
            firstFailed.set(null);
            for (Appended one : appended) {
                one.reset();
            }
            for (Appended one : appended) {
                if (failure == null) {
                    send(one);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Sends a record that the caller keeps until the commit; its outcome is known after a {@link #flush}. */
    void send(ProducerRecord<byte[], byte[]> record, Sending sending) {
        begin();
        sending.in(firstFailed);
        var unused = producer.send(record, sending);
    }

    boolean hasPartition(TopicPartition place) {
        return producer.partitionsFor(place.topic()).stream().anyMatch(one -> one.partition() == place.partition());
    }

    /** True if this record was the first of the transaction to fail. */
    boolean failedFirst(Sending sending) {
        return sending.equals(firstFailed.get());
    }

    /** Sends a record whose failure the commit throws. */
    private void send(Appended one) {
        one.in(firstFailed);
        try {
            var unused = producer.send(one.record, one);
        } catch (InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            one.onCompletion(null, e);
            failure = e;
        } catch (IllegalArgumentException e) {
            one.onCompletion(null, e);
            failure = new KafkaException("a record cannot be sent", e);
        }
        one.refusedAtOnce = one.failure() != null;
    }

    /** Waits until all that was sent has been written or refused. */
    public void flush() {
        producer.flush();
    }

    /** Ends the transaction with these offsets of the group. */
    public void commit(Map<TopicPartition, OffsetAndMetadata> offsets) {
        begin();
        Map<TopicPartition, OffsetAndMetadata> part = new HashMap<>();
        long partBytes = 0;
        for (Map.Entry<TopicPartition, OffsetAndMetadata> one : offsets.entrySet()) {
            if (partBytes >= MOST_OFFSETS_BYTES) {
                sendOffsets(part);
                part = new HashMap<>();
                partBytes = 0;
            }
            part.put(one.getKey(), one.getValue());
            partBytes += OFFSET_BYTES
                    + one.getKey().topic().length()
                    + one.getValue().metadata().length();
        }
        if (!part.isEmpty()) {
            sendOffsets(part);
        }
        // After a timeout it may have been committed, and only another commit is allowed.
        insist(producer::commitTransaction, OutcomeUnknownException::new);
        open = false;
        appended.clear();
        appendedBytes = 0;
    }

    /** Ends the transaction without effect. Throws if the producer can do nothing more: it is fenced, forbidden, or broken. */
    public void abort() {
        if (open) {
            insist(this::abortUnlessUnknown, late -> late);
            if (!unknown.isEmpty()) {
                renew();
            }
        }
        open = false;
        failure = null;
        untaken = Set.of();
    }

    private void abortUnlessUnknown() {
        if (!untaken.isEmpty()) {
            unknown = renewal.unknown(untaken);
        }
        if (unknown.isEmpty()) {
            producer.abortTransaction();
        }
    }

    private void renew() {
        producer.close(Duration.ZERO);
        producer = renewal.producer();
        if (closed) {
            producer.close(Duration.ZERO);
        }
    }

    /** The unknown topics that held up the last transaction, since the last call. */
    Set<String> drainUnknown() {
        Set<String> drained = unknown;
        unknown = Set.of();
        return drained;
    }

    private void sendOffsets(Map<TopicPartition, OffsetAndMetadata> offsets) {
        try {
            producer.sendOffsetsToTransaction(offsets, group);
        } catch (TimeoutException e) {
            untaken = offsets.keySet().stream().map(TopicPartition::topic).collect(Collectors.toSet());
            throw e;
        }
    }

    /**
     * The records that were not written because of themselves or their partitions, with the reasons; to be called after an abort.
     *
     * <p>If other records were written, a timeout is due to the record's partition: it has no leader, or the client splits and sends one batch
     * forever.
     *
     * @param reachable whether the brokers are known to answer, even if no record was written
     */
    public List<ProduceErrorKind> refusals(boolean reachable) {
        boolean answered = reachable || appended.stream().anyMatch(one -> one.written() != null);
        List<ProduceErrorKind> refusals = new ArrayList<>();
        for (Appended one : appended) {
            Exception why = one.failure();
            if (why != null && !isOfAnother(one, why)) {
                ProduceErrorKind.Cause cause = ProduceErrorKind.causeOf(why, answered || one.refusedAtOnce);
                if (cause != ProduceErrorKind.Cause.OTHER) {
                    refusals.add(one.refusal(cause, one.record.topic() + ": " + why.getMessage()));
                }
            }
        }
        return refusals;
    }

    /**
     * True if a record may have failed because of another one. After a failure the client fails all unsent records with the same exception, or
     * one of the same kind; a record that is at fault itself fails again in the next transaction.
     */
    private boolean isOfAnother(Appended one, Exception why) {
        Sending first = firstFailed.get();
        if (first == null || first.equals(one)) {
            return false;
        }
        boolean batch = first instanceof Appended other && !other.refusedAtOnce && other.input.equals(one.input);
        return !batch
                && (why == first.failure() || ProduceErrorKind.causeOf(why, true) == ProduceErrorKind.Cause.RECORD);
    }

    /**
     * The records for the next transaction whose place takes nothing.
     *
     * @param unavailable why nothing can be written to a place; null if something can
     */
    List<ProduceErrorKind> unavailable(Function<TopicPartition, @Nullable String> unavailable) {
        List<ProduceErrorKind> refusals = new ArrayList<>();
        for (Appended one : appended) {
            String why = unavailable.apply(one.place());
            if (why != null) {
                refusals.add(one.refusal(ProduceErrorKind.Cause.PARTITION, why));
            }
        }
        return refusals;
    }

    /** Removes from the next transaction what was made of a partition from an offset; to be called after an abort. */
    public void takeOut(TopicPartition input, long offset) {
        appended.removeIf(one -> {
            boolean out = one.offset >= offset && one.input.equals(input);
            appendedBytes -= out ? one.sizeBytes : 0;
            return out;
        });
    }

    @Override
    public void close() {
        closed = true;
        // Without a limit it would wait until there is a coordinator.
        producer.close(CLOSE);
    }

    /** Repeats a call after timeouts, at most {@value #MAX_ATTEMPTS} times in all. */
    static void insist(Runnable call, Function<TimeoutException, KafkaException> late) {
        for (int attempt = 1; ; attempt++) {
            try {
                call.run();
                return;
            } catch (TimeoutException e) {
                if (attempt == MAX_ATTEMPTS) {
                    throw late.apply(e);
                }
            }
        }
    }
}
