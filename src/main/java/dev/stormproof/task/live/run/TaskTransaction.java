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
 *            where it waits behind offsets of a topic that was deleted, another producer takes the place of this one
 * </pre>
 *
 * <p>A record that cannot be sent fails the commit; after the abort it is known which. For one thread; {@link #close} may be called
 * from any.
 */
public final class TaskTransaction implements AutoCloseable {
    /** How often the transaction coordinator is asked for one thing, each time for as long as the producer waits: three minutes. */
    static final int MAX_ATTEMPTS = 36;

    /** How much output a transaction holds, about. */
    static final int MOST_APPENDED = 50_000;

    static final long MOST_APPENDED_BYTES = 16 << 20;

    /** For how long output is added to one, so that with the slowest event and the commit brokers do not end it before. */
    public static final long MOST_OPEN_MILLIS = TransactionTime.MOST_OPEN_MILLIS;

    /** How much of the group's offsets one request has, about: a broker writes it as one batch, of at most 1 MB by default. */
    static final long MOST_OFFSETS_BYTES = 256 << 10;

    /** What an offset takes there beside the names of its group and topic and its metadata. */
    private static final int OFFSET_BYTES = 100;

    /** How long the end of an open transaction is waited for. Who comes next ends it, too. */
    private static final Duration CLOSE = Duration.ofSeconds(1);

    /** Closed by any thread, replaced by the owner's alone. */
    private volatile Producer<byte[], byte[]> producer;

    private volatile boolean closed;
    private final ConsumerGroupMetadata group;
    private final LongSupplier elapsedMillis;
    private final List<Appended> appended = new ArrayList<>();
    private long appendedBytes;
    /** The record of this transaction that failed before all others: these may have failed for it. */
    private final AtomicReference<Sending> firstFailed = new AtomicReference<>();

    private boolean open;
    private long beganMillis;
    private @Nullable KafkaException failure;
    private Renewal renewal = Renewal.NONE;
    /** The topics of offsets that the brokers did not take in time. */
    private Set<String> untaken = Set.of();

    private Set<String> unknown = Set.of();

    /**
     * The way on from offsets of a topic that was deleted. The client sends them again without end (KAFKA-5269), and an abort only behind
     * them; until the brokers end the transaction by themselves, and take the producer for fenced.
     */
    public interface Renewal {
        /** No topic is deleted. */
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

        /** Those of some topics that the brokers do not know. */
        Set<String> unknown(Set<String> topics);

        /** Another producer in the place of the one that cannot abort, which aborts for it. Throws if another task has taken over. */
        Producer<byte[], byte[]> producer();
    }

    /** The outcome of a commit is unknown; a task that starts again reads it from the log. */
    static final class OutcomeUnknownException extends KafkaException {
        private static final long serialVersionUID = 1L;

        OutcomeUnknownException(TimeoutException cause) {
            super("no answer to the commit of a transaction", cause);
        }
    }

    /** A record of the output, and where that stands which it was made of. */
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
     * @param group the spout's group, without members
     * @param elapsedMillis the time by a clock that nobody sets
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
     * @param input the partition, and with the offset the record, that it was made of
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

    /** How many records were appended since the last commit. */
    int appended() {
        return appended.size();
    }

    /** How many bytes these are, about. */
    long appendedBytes() {
        return appendedBytes;
    }

    /** Where these go. */
    Set<TopicPartition> places() {
        return appended.stream().map(Appended::place).collect(Collectors.toSet());
    }

    /** True if it should be committed before more is appended. */
    boolean isFull() {
        return appended.size() >= MOST_APPENDED || appendedBytes >= MOST_APPENDED_BYTES || isDue();
    }

    /** True if it should be committed before anything more is done that takes long. */
    boolean isDue() {
        return open && elapsedMillis.getAsLong() - beganMillis >= MOST_OPEN_MILLIS;
    }

    /** Begins, unless a transaction is open; throws what has kept a record from being sent. */
    void begin() {
        if (!open && failure == null) {
            beganMillis = elapsedMillis.getAsLong();
            open = true; // Also if that fails: whether the producer can do anything more, an abort tells.
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

    /** Sends a record that its sender keeps until the commit; what became of it is known after a {@link #flush}. */
    void send(ProducerRecord<byte[], byte[]> record, Sending sending) {
        begin();
        sending.in(firstFailed);
        var unused = producer.send(record, sending);
    }

    boolean hasPartition(TopicPartition place) {
        return producer.partitionsFor(place.topic()).stream().anyMatch(one -> one.partition() == place.partition());
    }

    /** True of the record that failed before all others of this transaction. */
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
        // It may have been committed when the time is over; nothing but another commit is allowed then.
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
     * The records that were not written and why, as far as it is due to them or their partitions; to be asked after an abort.
     *
     * <p>Where others were written, one that was not in time is due to its partition: it has no leader, or the client splits and sends
     * one batch without end.
     *
     * @param reachable whether the brokers are known to answer, though no record tells it
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
     * True if a record may have failed for another one. Once one has failed, the client fails all that it has not sent with the
     * same exception, or one of the same kind; what is due to itself fails again in the next transaction.
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
     * Those that are to go into the next transaction, and whose place takes nothing.
     *
     * @param unavailable why nothing can be written where a record is to go; null if something can
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

    /** Takes out of the next transaction what was made of a partition from an offset on; to be called after an abort. */
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
        // Else it asks for a coordinator until there is one.
        producer.close(CLOSE);
    }

    /** Makes a call that may be made again when its time is over, until {@value #MAX_ATTEMPTS} were made. */
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
