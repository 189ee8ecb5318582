package dev.stormproof.cli.session;

import dev.stormproof.cli.input.EventSource;
import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.emit.CheckpointingProducer;
import dev.stormproof.emit.EmitterStats;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RecordTooLargeException;

/**
 * An emitter sends the events of a source to a topic, event i to partition i mod N, and seals them at the end.
 *
 * <p>One thread calls {@link #run}; the rest may be called from others.
 */
public final class SourceEmitter implements AutoCloseable {
    private static final Duration ABORT_TIMEOUT = Duration.ofSeconds(5);

    private final EventSource source;
    private final CheckpointingProducer<byte[], byte[]> producer;
    private final String topic;
    private final int partitions;
    private final Duration abortTimeout;
    /** Completes with the first failure. */
    private final CompletableFuture<Failure> failure = new CompletableFuture<>();

    private volatile long sent;
    private volatile boolean stopped;
    private volatile boolean complete;

    public SourceEmitter(
            EventSource source, CheckpointingProducer<byte[], byte[]> producer, String topic, int partitions) {
        this(source, producer, topic, partitions, ABORT_TIMEOUT);
    }

    /** @param abortTimeout how long sealing may take once something has failed, or sending was stopped */
    public SourceEmitter(
            EventSource source,
            CheckpointingProducer<byte[], byte[]> producer,
            String topic,
            int partitions,
            Duration abortTimeout) {
        this.source = source;
        this.producer = producer;
        this.topic = topic;
        this.partitions = partitions;
        this.abortTimeout = abortTimeout;
    }

    /** Runs in a thread of its own, from now on. */
    SourceEmitter started() {
        start(this::run, "stormproof-emission");
        return this;
    }

    /** Sends everything, waits until it has arrived, and writes the closing checkpoints. */
    public void run() {
        try {
            source.forEach(this::send);
            seal();
            complete = !failure.isDone() && !stopped;
        } catch (IOException e) {
            fail(Failure.own(source.title() + " cannot be read to its end: " + e.getMessage(), e));
        } catch (KafkaException | IllegalStateException e) {
            fail(explain("the events cannot be sent: ", e));
        } catch (Failure e) {
            fail(e);
        } catch (Throwable e) { // This may be a thread of ours, whose end would be seen by nothing else.
            fail(Failure.unexpected(e));
        }
    }

    /** How many events were handed to the producer. */
    public long sent() {
        return sent;
    }

    /** True once everything was sent and sealed; throws what made that impossible. */
    public boolean isComplete() {
        if (failure.isDone()) {
            throw failure.join();
        }
        return complete;
    }

    /** What was written to each partition, in order of partitions. */
    public Map<Integer, EmitterStats> stats() {
        Map<Integer, EmitterStats> stats = new TreeMap<>();
        producer.stats().forEach((partition, ofPartition) -> stats.put(partition.partition(), ofPartition));
        return stats;
    }

    long checkpointsSent() {
        return producer.stats().values().stream()
                .mapToLong(EmitterStats::checkpointsSent)
                .sum();
    }

    /** Stops sending and seals what was sent, as far as that is done within the abort timeout. */
    @Override
    public void close() {
        stopped = true;
        producer.close(abortTimeout);
    }

    /**
     * Waits until everything has arrived and is sealed. Once something has failed, a closing checkpoint gets the abort
     * timeout: a broker that refuses the events may leave it unanswered.
     */
    private void seal() {
        CompletableFuture<Void> sealing =
                CompletableFuture.runAsync(producer::close, work -> start(work, "stormproof-emission-end"));
        try {
            CompletableFuture.anyOf(sealing, failure).get();
            sealing.get(abortTimeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            producer.close(Duration.ZERO);
        } catch (ExecutionException e) {
            throw Failure.unexpected(Objects.requireNonNull(e.getCause()));
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    private static void start(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    private boolean send(long index, byte[] value) {
        if (stopped || failure.isDone()) {
            return false;
        }
        int partition = (int) (index % partitions);
        var unused = producer.send(new ProducerRecord<>(topic, partition, null, value), (metadata, e) -> {
            if (e != null) {
                String which = source.unit() + " " + (index + 1);
                fail(
                        e instanceof RecordTooLargeException
                                ? Failure.usage(
                                        which + " has " + value.length
                                                + " bytes, which is more than the topic or the producer"
                                                + " takes (max.message.bytes, max.request.size)",
                                        e)
                                : explain(which + " was not accepted: ", e));
            }
        });
        sent = index + 1;
        return true;
    }

    private void fail(Failure first) {
        if (!stopped) { // What fails then fails because of that.
            failure.complete(first);
        }
    }

    /** Kafka says of a producer without a right that the cluster's authorization failed. */
    private Failure explain(String what, Exception e) {
        boolean right = e instanceof AuthorizationException || e.getCause() instanceof AuthorizationException;
        String reason = right
                ? "that needs Write on topic " + topic + "; docs/guides/verify.md lists the rights that are needed"
                : e.getMessage();
        return Failure.own(what + reason, e);
    }
}
