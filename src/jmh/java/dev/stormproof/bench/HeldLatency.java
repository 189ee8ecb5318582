package dev.stormproof.bench;

import dev.stormproof.emit.CheckpointingProducer;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.process.VerifyProcess;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * How late events are in an output that holds them back until they are verified, against what the interval between checkpoints and {@value
 * #GOAL_MILLIS} ms allow.
 *
 * <pre>
 *   this JVM    emitter ──► live ──► verify, output.hold=verified ──► live-out ──► KafkaConsumer, read_committed
 *   child JVM   broker
 * </pre>
 */
public final class HeldLatency {
    private static final long GOAL_MILLIS = 300;
    private static final int PARTITIONS = 4;
    private static final int VALUE_BYTES = 100;
    private static final int WARM_UP_SECONDS = 20;
    private static final int SECONDS = 30;
    private static final int PER_SECOND = Integer.getInteger("bench.rate", 2_000);
    private static final List<Long> INTERVALS_MILLIS = List.of(100L, 1_000L);
    private static final long MOST_MILLIS = TimeUnit.MINUTES.toMillis(10);

    private final String servers;

    private HeldLatency(String servers) {
        this.servers = servers;
    }

    /** Starts a broker, and measures. */
    public static void main(String[] arguments) throws Exception {
        try (ChildBroker broker = ChildBroker.start()) {
            new HeldLatency(broker.servers()).run();
        }
    }

    private void run() throws Exception {
        System.out.printf(
                Locale.ROOT,
                "milliseconds from sending to reading, %,d events of %d B a second, %d partitions, %d s%n",
                PER_SECOND,
                VALUE_BYTES,
                PARTITIONS,
                SECONDS);
        for (long intervalMillis : INTERVALS_MILLIS) {
            run(intervalMillis);
        }
    }

    private void run(long intervalMillis) throws Exception {
        String input = "live-" + intervalMillis;
        String output = input + "-out";
        String alerts = input + "-alerts";
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            admin.createTopics(List.of(
                            new NewTopic(input, PARTITIONS, (short) 1),
                            new NewTopic(output, PARTITIONS, (short) 1),
                            new NewTopic(alerts, 1, (short) 1)))
                    .all()
                    .get();
        }
        StormproofConfig config = new StormproofConfig(Map.of(
                "bootstrap.servers", servers,
                "group.id", input + "-verifier",
                "input.topics", input,
                "output.topic", output,
                "output.hold", "verified",
                "alerts.topic", alerts));
        Map<String, Object> reader = Map.of(
                "bootstrap.servers",
                servers,
                "auto.offset.reset",
                "earliest",
                "group.id",
                output + "-reader",
                "isolation.level",
                "read_committed");
        try (VerifyProcess verifier = VerifyProcess.open(config)) {
            verifier.join();
            try (Reading held = new Reading(
                    new KafkaConsumer<>(reader, new ByteArrayDeserializer(), new ByteArrayDeserializer()), output)) {
                offer(input, intervalMillis, held);
                held.print(intervalMillis);
            }
        }
    }

    private void offer(String topic, long intervalMillis, Reading reading) throws Exception {
        Map<String, Object> settings = Map.of(
                "bootstrap.servers", servers, "stormproof.checkpoint.max.interval.ms", intervalMillis, "linger.ms", 5);
        try (CheckpointingProducer<byte[], byte[]> producer =
                new CheckpointingProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            long beganNanos = System.nanoTime();
            long warm = (long) WARM_UP_SECONDS * PER_SECOND;
            long all = warm + (long) SECONDS * PER_SECOND;
            for (long sent = 0; sent < all; sent++) {
                long dueNanos = beganNanos + sent * TimeUnit.SECONDS.toNanos(1) / PER_SECOND;
                while (System.nanoTime() < dueNanos) {
                    LockSupport.parkNanos(Math.max(1, dueNanos - System.nanoTime()));
                }
                byte[] value = new byte[VALUE_BYTES];
                // Those that warm up are of no time.
                ByteBuffer.wrap(value).putLong(sent < warm ? 0 : System.currentTimeMillis());
                var unused = producer.send(new ProducerRecord<>(topic, (int) (sent % PARTITIONS), null, value));
            }
        }
        reading.await((long) SECONDS * PER_SECOND);
    }

    /** A consumer at work in a thread of its own. */
    private static final class Reading implements AutoCloseable {
        private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(3);

        private final Consumer<byte[], byte[]> consumer;
        private final Histogram latency = new Histogram(MOST_MILLIS, 3);
        private final Thread thread;
        private volatile boolean closed;
        /** How many were seen, and whether no more will be; by the monitor of this. */
        private long seen;

        private boolean ended;

        Reading(Consumer<byte[], byte[]> consumer, String topic) {
            this.consumer = consumer;
            consumer.subscribe(List.of(topic));
            this.thread = new Thread(this::read, "latency-" + topic);
            thread.start();
        }

        private void read() {
            try (consumer) {
                while (!closed) {
                    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
                        long sentMillis = record.value() == null
                                ? 0
                                : ByteBuffer.wrap(record.value()).getLong();
                        if (sentMillis > 0) {
                            latency.recordValue(
                                    Math.min(MOST_MILLIS, Math.max(0, System.currentTimeMillis() - sentMillis)));
                        }
                    }
                    tell(false);
                }
            } finally {
                tell(true);
            }
        }

        private synchronized void tell(boolean end) {
            seen = latency.getTotalCount();
            ended |= end;
            notifyAll();
        }

        synchronized void await(long events) throws InterruptedException {
            long endNanos = System.nanoTime() + PATIENCE_NANOS;
            while (seen < events) {
                long leftMillis = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
                if (leftMillis <= 0 || ended) {
                    throw new IllegalStateException(seen + " of " + events + " events came");
                }
                wait(leftMillis);
            }
        }

        void print(long intervalMillis) {
            long p99 = latency.getValueAtPercentile(99);
            System.out.printf(
                    Locale.ROOT,
                    "  interval %,6d ms   p50 %,6d  p99 %,6d  most %,6d   goal of p99 %,d: %s%n",
                    intervalMillis,
                    latency.getValueAtPercentile(50),
                    p99,
                    latency.getMaxValue(),
                    intervalMillis + GOAL_MILLIS,
                    p99 <= intervalMillis + GOAL_MILLIS ? "reached" : "not reached");
        }

        @Override
        public void close() {
            closed = true;
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
