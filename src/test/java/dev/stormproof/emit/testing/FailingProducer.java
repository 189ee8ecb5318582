package dev.stormproof.emit.testing;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * A failing producer is a MockProducer that can also refuse as KafkaProducer does: by a failed future, reported on the
 * sending thread.
 *
 * <p>The first record of each partition arrives at once, and all that was sent before it, unless {@link #opensAtOnce} is
 * false.
 */
public class FailingProducer extends MockProducer<byte[], byte[]> {
    /** The answer to every record; null accepts. */
    public @Nullable ApiException refusal;
    /** A record whose headers are longer is refused. */
    public int maxHeaderBytes = Integer.MAX_VALUE;
    /** False: the test decides when the first record of a partition arrives, too. */
    public boolean opensAtOnce = true;
    /** Sending to this partition throws. */
    public int refusedPartition = -1;

    private final Set<Integer> opened = new HashSet<>();
    /** Every record that was handed over and failed later. */
    private final Set<ProducerRecord<byte[], byte[]>> failed = Collections.newSetFromMap(new IdentityHashMap<>());
    /** Every record in the order in which they complete. */
    private final List<ProducerRecord<byte[], byte[]>> handedOver = new ArrayList<>();

    private int completed;
    private int acceptedBeforeRefusal;
    private @Nullable ApiException refusalToCome;
    private Runnable beforeCommit = () -> {};
    private Runnable afterCommit = () -> {};
    private int arrivingInFlush = -1;
    private @Nullable RuntimeException failureInFlush;
    private int failuresInFlush;

    public FailingProducer(String topic, boolean autoComplete) {
        super(cluster(topic), autoComplete, null, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static Cluster cluster(String topic) {
        Node node = new Node(0, "localhost", 1);
        Node[] nodes = {node};
        List<PartitionInfo> partitions = new ArrayList<>();
        for (int p = 0; p < 3; p++) {
            partitions.add(new PartitionInfo(topic, p, node, nodes, nodes));
        }
        return new Cluster("c", List.of(node), partitions, Set.of(), Set.of());
    }

    @Override
    public synchronized Future<RecordMetadata> send(
            ProducerRecord<byte[], byte[]> record, @Nullable Callback callback) {
        if (record.partition() == refusedPartition) {
            throw new TimeoutException("no metadata");
        }
        ApiException why = refusal;
        if (why == null && sizeOf(record) > maxHeaderBytes) {
            why = new RecordTooLargeException("too large");
        }
        if (why != null) {
            if (callback != null) {
                TopicPartition partition = new TopicPartition(record.topic(), record.partition());
                callback.onCompletion(new RecordMetadata(partition, -1, -1, -1, -1, -1), why);
            }
            return CompletableFuture.failedFuture(why);
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

    private static int sizeOf(ProducerRecord<byte[], byte[]> record) {
        int sizeBytes = 0;
        for (Header header : record.headers()) {
            sizeBytes += header.value().length;
        }
        return sizeBytes;
    }

    public synchronized List<ProducerRecord<byte[], byte[]>> handedOver() {
        return List.copyOf(handedOver);
    }

    /** Every record that has not failed so far. */
    public synchronized List<ProducerRecord<byte[], byte[]>> notFailed() {
        return history().stream().filter(record -> !failed.contains(record)).toList();
    }

    /** The next record fails. */
    public synchronized void failNext(RuntimeException why) {
        if (completed == handedOver.size()) {
            throw new AssertionError("no record is in flight");
        }
        failed.add(handedOver.get(completed));
        errorNext(why);
    }

    /** Accepts {@code count} more records and refuses the others. */
    public void refuseAfter(int count, ApiException why) {
        acceptedBeforeRefusal = count;
        refusalToCome = why;
    }

    /** In the next flush that finds records, {@code count} of them arrive and the one after them fails. */
    public void failOnFlush(int count, RuntimeException why) {
        arrivingInFlush = count;
        failureInFlush = why;
        failuresInFlush = 1;
    }

    /** In every flush that finds records, the first one fails. */
    public void failOnFlush(RuntimeException why) {
        failOnFlush(0, why);
        failuresInFlush = Integer.MAX_VALUE;
    }

    /** The next commit happens, and this is thrown all the same. */
    public void commitAndThrow(RuntimeException why) {
        afterCommit = () -> {
            throw why;
        };
    }

    /** The next commit waits for this. */
    public void duringCommit(Runnable work) {
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
