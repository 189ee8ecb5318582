package dev.stormproof.bench;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Events at a rate, with one stream in each partition and a checkpoint behind every {@value #INTERVAL_EVENTS}, or more
 * until the one before is acknowledged, whose place it states; in one interval of some, an event is altered once it is
 * signed. A value begins with the time at which the event was due.
 */
final class OfferedLoad implements AutoCloseable {
    static final int INTERVAL_EVENTS = 500;

    private static final int VALUE_BYTES = 100;
    private static final long UNKNOWN = -1;

    private final Producer<byte[], byte[]> producer;
    private final int faultEvery;
    private final List<SignedStream> streams = new ArrayList<>();
    private final int[] intervals;
    /** Where each stream's last checkpoint lies; {@link #UNKNOWN} until it is acknowledged. */
    private final AtomicLongArray checkpoints;

    private final byte[] value = new byte[VALUE_BYTES];
    private final Map<TopicPartition, Map<Long, Long>> appendedMillis = new ConcurrentHashMap<>();
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private long sent;

    /** Alters an event in one interval of {@code faultEvery}. */
    OfferedLoad(String servers, String topic, int partitions, int faultEvery) {
        this.faultEvery = faultEvery;
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", servers, "linger.ms", 5, "batch.size", 65_536),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        new SplittableRandom(1).nextBytes(value);
        intervals = new int[partitions];
        checkpoints = new AtomicLongArray(partitions);
        for (int i = 0; i < partitions; i++) {
            TopicPartition partition = new TopicPartition(topic, i);
            appendedMillis.put(partition, new ConcurrentHashMap<>());
            streams.add(new SignedStream(partition, 1));
            checkpoints.set(i, UNKNOWN);
            sendCheckpoint(i, false);
        }
        // A partition that is being created loses what comes behind a first request that it refused.
        producer.flush();
    }

    /** Sends events for some seconds; each is due at a time of its own, and sent at once if that has passed. */
    void offer(double perSecond, int seconds) throws Exception {
        long beganNanos = System.nanoTime();
        long beganMillis = System.currentTimeMillis();
        long events = (long) (perSecond * seconds);
        for (long i = 0; i < events; i++) {
            long dueNanos = (long) (i * TimeUnit.SECONDS.toNanos(1) / perSecond);
            while (System.nanoTime() - beganNanos < dueNanos) {
                LockSupport.parkNanos(Math.max(1, beganNanos + dueNanos - System.nanoTime()));
            }
            ByteBuffer.wrap(value).putLong(beganMillis + TimeUnit.NANOSECONDS.toMillis(dueNanos));
            int partition = (int) (sent % streams.size());
            SignedStream stream = streams.get(partition);
            ProducerRecord<byte[], byte[]> event = stream.event(value.clone());
            boolean faulty = intervals[partition] % faultEvery == 0 && stream.open() == INTERVAL_EVENTS / 2;
            if (faulty) {
                event.value()[VALUE_BYTES - 1] ^= 1;
            }
            send(event);
            if (stream.open() >= INTERVAL_EVENTS && checkpoints.get(partition) != UNKNOWN) {
                sendCheckpoint(partition, intervals[partition] % faultEvery == 0);
                intervals[partition]++;
            }
            sent++;
        }
        if (failure.get() != null) {
            throw failure.get();
        }
    }

    /** Seals what is open, and follows it by one more checkpoint, so that each faulty interval is judged at once. */
    void seal() {
        for (int partition = 0; partition < streams.size(); partition++) {
            boolean planned = intervals[partition] % faultEvery == 0;
            sendCheckpoint(partition, planned && streams.get(partition).open() > INTERVAL_EVENTS / 2);
            sendCheckpoint(partition, false);
            intervals[partition]++;
        }
    }

    /** How many events were sent. */
    long sent() {
        return sent;
    }

    /** When the broker appended the checkpoint of a faulty interval; empty if it was told before, or is none. */
    OptionalLong takeAppended(TopicPartition partition, long offset) {
        Long millis = appendedMillis.getOrDefault(partition, Map.of()).remove(offset);
        return millis == null ? OptionalLong.empty() : OptionalLong.of(millis);
    }

    /** How many faulty intervals were appended, of which no alert came. */
    int untold() {
        return appendedMillis.values().stream().mapToInt(Map::size).sum();
    }

    private void sendCheckpoint(int partition, boolean faulty) {
        long previous = checkpoints.getAndSet(partition, UNKNOWN);
        SignedStream stream = streams.get(partition);
        var unused = producer.send(stream.checkpoint(false, previous), (metadata, e) -> {
            if (e != null) {
                failure.compareAndSet(null, e);
                return;
            }
            checkpoints.set(partition, metadata.offset());
            if (faulty) {
                TopicPartition at = new TopicPartition(metadata.topic(), metadata.partition());
                appendedMillis.getOrDefault(at, Map.of()).put(metadata.offset(), metadata.timestamp());
            }
        });
    }

    private void send(ProducerRecord<byte[], byte[]> record) {
        var unused = producer.send(record, (metadata, e) -> failure.compareAndSet(null, e));
    }

    @Override
    public void close() {
        producer.close();
    }
}
