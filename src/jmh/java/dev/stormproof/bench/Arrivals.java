package dev.stormproof.bench;

import dev.stormproof.alert.AlertJson;
import dev.stormproof.verify.judge.Finding;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SynchronizedHistogram;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The consumer of what a topology writes: how late the events of its output and the first alert of each fault are there. */
final class Arrivals implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(50);
    private static final long MOST_MILLIS = TimeUnit.MINUTES.toMillis(10);
    private static final long TIMEOUT_MINUTES = 3;

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final String alertsTopic;
    private final OfferedLoad load;
    private final Histogram latency = new SynchronizedHistogram(MOST_MILLIS, 3);
    private final Histogram detection = new SynchronizedHistogram(MOST_MILLIS, 3);
    private final AtomicLong events = new AtomicLong();
    private final Thread thread = new Thread(this::read, "ramp-consumer");
    private volatile boolean closed;
    /** True if it ended before it was closed. */
    private volatile boolean failed;

    Arrivals(String servers, String output, int partitions, String alertsTopic, OfferedLoad load) {
        this.alertsTopic = alertsTopic;
        this.load = load;
        consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", servers, "isolation.level", "read_committed", "fetch.max.wait.ms", 10),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        List<TopicPartition> wanted = new ArrayList<>(List.of(new TopicPartition(alertsTopic, 0)));
        for (int i = 0; i < partitions; i++) {
            wanted.add(new TopicPartition(output, i));
        }
        consumer.assign(wanted);
        consumer.seekToBeginning(wanted);
        thread.start();
    }

    /** Forgets what was measured. */
    void restart() {
        latency.reset();
        detection.reset();
    }

    /** How many events came out. */
    long events() {
        return events.get();
    }

    /** The milliseconds from when an event was due to its arrival, so far. */
    Histogram latency() {
        return latency.copy();
    }

    /** The milliseconds from when a checkpoint was appended to the arrival of its alert, so far. */
    Histogram detection() {
        return detection.copy();
    }

    /** Waits until all that was sent has come out, and all faults are told. */
    synchronized void awaitAll() throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(TIMEOUT_MINUTES);
        while (events.get() < load.sent() || load.untold() > 0) {
            if (System.nanoTime() > deadline || failed) {
                throw new IllegalStateException(events + " of " + load.sent() + " events came out in " + TIMEOUT_MINUTES
                        + " minutes, and the faults of " + load.untold() + " intervals were not told");
            }
            wait(TimeUnit.MINUTES.toMillis(TIMEOUT_MINUTES));
        }
    }

    private void read() {
        try (consumer) {
            while (!closed) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    if (record.value() != null) {
                        take(record, System.currentTimeMillis());
                    }
                }
                wakeAwaiting();
            }
        } catch (IOException e) {
            throw new IllegalStateException("an alert that cannot be read", e);
        } finally {
            failed = !closed;
            wakeAwaiting();
        }
    }

    private synchronized void wakeAwaiting() {
        notifyAll();
    }

    private void take(ConsumerRecord<byte[], byte[]> record, long nowMillis) throws IOException {
        if (!record.topic().equals(alertsTopic)) {
            note(latency, nowMillis - ByteBuffer.wrap(record.value()).getLong());
            events.incrementAndGet();
            return;
        }
        Finding finding = AlertJson.read(record.value()).finding();
        TopicPartition partition = new TopicPartition(
                finding.partition().topic(), finding.partition().partition());
        load.takeAppended(partition, finding.anchorOffset()).ifPresent(at -> note(detection, nowMillis - at));
    }

    private static void note(Histogram histogram, long millis) {
        histogram.recordValue(Math.max(0, Math.min(MOST_MILLIS, millis)));
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }
}
