package dev.stormproof.emit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/** An emitter before Kafka's own MockProducer, which can fail at will, and a clock that stands still. */
final class EmitterRig {
    static final String TOPIC = "t";

    final AtomicLong clock = new AtomicLong(1_000_000);
    final FailingProducer inner;
    final CheckpointingProducer<String, String> producer;

    EmitterRig(boolean autoComplete, Object... settings) {
        this(new FailingProducer(autoComplete), settings);
    }

    EmitterRig(FailingProducer inner, Object... settings) {
        Map<String, Object> all = new HashMap<>();
        all.put("bootstrap.servers", "localhost:1");
        all.put(EmitterConfig.MAX_INTERVAL_MS, 60_000L);
        for (int i = 0; i < settings.length; i += 2) {
            all.put((String) settings[i], settings[i + 1]);
        }
        this.inner = inner;
        this.producer = new CheckpointingProducer<>(
                all, new StringSerializer(), new StringSerializer(), properties -> inner, clock::get);
    }

    /**
     * A MockProducer that can also refuse as KafkaProducer does: by a failed future, told on the sending thread. The first record
     * of each partition arrives at once, unless it is told otherwise, and all that was sent before it.
     */
    static class FailingProducer extends MockProducer<byte[], byte[]> {
        @Nullable
        ApiException refusal;
        /** False: also the first record of a partition arrives when the test says so. */
        boolean opensAtOnce = true;
        /** Sending to this partition throws. */
        int refusedPartition = -1;

        private final Set<Integer> opened = new HashSet<>();
        /** Every record that was handed over and failed later. */
        final Set<ProducerRecord<byte[], byte[]>> failed = Collections.newSetFromMap(new IdentityHashMap<>());
        /** Every record in the order of its completion to come. */
        final List<ProducerRecord<byte[], byte[]>> handedOver = new ArrayList<>();

        int completed;
        private int acceptedBeforeRefusal;
        private @Nullable ApiException refusalToCome;
        private Runnable beforeCommit = () -> {};
        private Runnable afterCommit = () -> {};
        private int arrivingInFlush = -1;
        private @Nullable RuntimeException failureInFlush;
        private int failuresInFlush;

        FailingProducer(boolean autoComplete) {
            super(cluster(), autoComplete, null, new ByteArraySerializer(), new ByteArraySerializer());
        }

        private static Cluster cluster() {
            Node node = new Node(0, "localhost", 1);
            Node[] nodes = {node};
            List<PartitionInfo> partitions = new ArrayList<>();
            for (int p = 0; p < 3; p++) {
                partitions.add(new PartitionInfo(TOPIC, p, node, nodes, nodes));
            }
            return new Cluster("c", List.of(node), partitions, Set.of(), Set.of());
        }

        @Override
        public synchronized Future<RecordMetadata> send(
                ProducerRecord<byte[], byte[]> record, @Nullable Callback callback) {
            if (record.partition() == refusedPartition) {
                throw new TimeoutException("no metadata");
            }
            if (refusal != null) {
                if (callback != null) {
                    TopicPartition partition = new TopicPartition(record.topic(), record.partition());
                    callback.onCompletion(new RecordMetadata(partition, -1, -1, -1, -1, -1), refusal);
                }
                return CompletableFuture.failedFuture(refusal);
            }
            Future<RecordMetadata> future = super.send(record, callback);
            handedOver.add(record);
            if (opensAtOnce && opened.add(record.partition())) {
                while (completeNext()) {}
            }
            if (refusalToCome != null && --acceptedBeforeRefusal == 0) {
                refusal = refusalToCome;
                refusalToCome = null;
            }
            return future;
        }

        synchronized List<ProducerRecord<byte[], byte[]>> handedOver() {
            return List.copyOf(handedOver);
        }

        /** Accepts {@code count} more records and refuses what follows. */
        void refuseAfter(int count, ApiException why) {
            acceptedBeforeRefusal = count;
            refusalToCome = why;
        }

        /** In the next flush that finds records, {@code count} of them arrive and the one after them fails. */
        void failOnFlush(int count, RuntimeException why) {
            arrivingInFlush = count;
            failureInFlush = why;
            failuresInFlush = 1;
        }

        /** In every flush that finds records, the first one fails. */
        void failOnFlush(RuntimeException why) {
            failOnFlush(0, why);
            failuresInFlush = Integer.MAX_VALUE;
        }

        /** The next commit happens, and this is thrown all the same. */
        void commitAndThrow(RuntimeException why) {
            afterCommit = () -> {
                throw why;
            };
        }

        /** The next commit waits for this. */
        void duringCommit(Runnable work) {
            beforeCommit = work;
        }

        @Override
        public void commitTransaction() {
            Runnable before = beforeCommit;
            Runnable after = afterCommit;
            beforeCommit = () -> {};
            afterCommit = () -> {};
            before.run();
            super.commitTransaction();
            after.run();
        }

        @Override
        public synchronized void flush() {
            for (; arrivingInFlush > 0; arrivingInFlush--) {
                completeNext();
            }
            if (failuresInFlush > 0 && completed < handedOver.size()) {
                failed.add(handedOver.get(completed));
                errorNext(failureInFlush);
                failuresInFlush--;
            }
            super.flush();
        }

        @Override
        public synchronized boolean errorNext(@Nullable RuntimeException exception) {
            boolean any = super.errorNext(exception);
            completed += any ? 1 : 0;
            return any;
        }
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

    /** The next {@code count} records arrive. */
    void arrive(int count) {
        for (int i = 0; i < count; i++) {
            if (!inner.completeNext()) {
                throw new AssertionError("nothing is under way");
            }
        }
    }

    /** The next record fails. */
    void fail(RuntimeException why) {
        ProducerRecord<byte[], byte[]> record = inner.handedOver.get(inner.completed);
        if (!inner.errorNext(why)) {
            throw new AssertionError("nothing is under way");
        }
        inner.failed.add(record);
    }

    /** What lies in a partition if no record that failed arrived. */
    LoggedPartition log(int partition) throws Exception {
        List<ProducerRecord<byte[], byte[]>> arrived = new ArrayList<>();
        for (ProducerRecord<byte[], byte[]> record : inner.history()) {
            if (!inner.failed.contains(record)) {
                arrived.add(record);
            }
        }
        return LoggedPartition.of(arrived, TOPIC, partition);
    }

    /** What lies in a partition if every record that failed arrived all the same. */
    LoggedPartition logWithFailed(int partition) throws Exception {
        return LoggedPartition.of(inner.history(), TOPIC, partition);
    }

    EmitterStats stats(int partition) {
        EmitterStats stats = producer.stats().get(new TopicPartition(TOPIC, partition));
        if (stats == null) {
            throw new AssertionError("nothing was sent to partition " + partition);
        }
        return stats;
    }
}
