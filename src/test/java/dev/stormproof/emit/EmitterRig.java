package dev.stormproof.emit;

import dev.stormproof.emit.testing.FailingProducer;
import dev.stormproof.emit.testing.LoggedPartition;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/**
 * An emitter rig puts an emitter before a producer that can fail at will, with a clock that stands still.
 *
 * <p>It lies beside the tests, apart from the other helpers, because it sets the emitter's clock and its timer's ticks, which
 * only this package can.
 */
final class EmitterRig {
    static final String TOPIC = "t";

    final AtomicLong clock = new AtomicLong(1_000_000);
    final FailingProducer inner;
    final CheckpointingProducer<String, String> producer;

    EmitterRig(boolean autoComplete, Object... settings) {
        this(new FailingProducer(TOPIC, autoComplete), settings);
    }

    EmitterRig(FailingProducer inner, Object... settings) {
        this(inner, OptionalInt.of(1_048_588), settings);
    }

    /** @param maxMessageBytes the topic's limit, if the cluster tells */
    EmitterRig(FailingProducer inner, OptionalInt maxMessageBytes, Object... settings) {
        Map<String, Object> all = new HashMap<>();
        all.put("bootstrap.servers", "localhost:1");
        all.put(EmitterConfig.MAX_INTERVAL_MS, 60_000L);
        for (int i = 0; i < settings.length; i += 2) {
            all.put((String) settings[i], settings[i + 1]);
        }
        this.inner = inner;
        this.producer = new CheckpointingProducer<>(
                all,
                new StringSerializer(),
                new StringSerializer(),
                properties -> inner,
                (producer, properties) -> topic -> maxMessageBytes.isPresent()
                        ? Map.of("max.message.bytes", Integer.toString(maxMessageBytes.getAsInt()))
                        : Map.of(),
                clock::get,
                new OnThisThread());
    }

    Future<RecordMetadata> send(int partition, String value) {
        return send(partition, value, null);
    }

    Future<RecordMetadata> send(int partition, String value, @Nullable Callback callback) {
        return producer.send(new ProducerRecord<>(TOPIC, partition, null, value), callback);
    }

    /** Sends an event without saying where; the future is already complete. */
    CompletableFuture<RecordMetadata> sendAnywhere(String value) {
        return (CompletableFuture<RecordMetadata>) producer.send(new ProducerRecord<>(TOPIC, value));
    }

    void sendAll(int partition, String... values) {
        for (String value : values) {
            Future<RecordMetadata> unused = send(partition, value);
        }
    }

    /** Sends these events in a transaction of their own, which commits. */
    void transact(int partition, String... values) {
        producer.beginTransaction();
        sendAll(partition, values);
        producer.commitTransaction();
    }

    void tickAfter(long millis) {
        clock.addAndGet(millis);
        producer.tick();
    }

    /** The next {@code count} records arrive. */
    void arrive(int count) {
        for (int i = 0; i < count; i++) {
            if (!inner.completeNext()) {
                throw new AssertionError("no record is in flight");
            }
        }
    }

    /** The next record fails. */
    void fail(RuntimeException why) {
        inner.failNext(why);
    }

    /** The log of a partition if no record that failed arrived. */
    LoggedPartition log(int partition) throws Exception {
        return LoggedPartition.of(inner.notFailed(), TOPIC, partition);
    }

    /** The log of a partition if every record that failed arrived all the same. */
    LoggedPartition logWithFailed(int partition) throws Exception {
        return LoggedPartition.of(inner.history(), TOPIC, partition);
    }

    EmitterStats stats(int partition) {
        EmitterStats stats = producer.stats().get(new TopicPartition(TOPIC, partition));
        if (stats == null) {
            throw new AssertionError("no record was sent to partition " + partition);
        }
        return stats;
    }

    /** Does at once what is given to background threads. */
    private static final class OnThisThread extends AbstractExecutorService {
        @Override
        public void execute(Runnable work) {
            work.run();
        }

        @Override
        public void shutdown() {}

        @Override
        public List<Runnable> shutdownNow() {
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return false;
        }

        @Override
        public boolean isTerminated() {
            return false;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return false;
        }
    }
}
