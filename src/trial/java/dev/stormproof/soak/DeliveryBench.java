package dev.stormproof.soak;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.emit.CheckpointingProducer;
import dev.stormproof.soak.Rounds.Round;
import dev.stormproof.trial.Arguments;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * How fast events come out transformed, and how late, against what a user would take instead: the same with Storm's KafkaBolt,
 * which gives no order, no exactly-once and no headers, and Kafka Streams with {@code exactly_once_v2}.
 *
 * <pre>
 *   this JVM   emitter ──► broker: input ─────────┐          ┌──► output ──► consumer of committed records: latency
 *   child JVM                     source, bolt: the topology │
 *                                 kafka-bolt:   KafkaSpout ──┤ one thread for each part
 *                                 streams:      Kafka Streams┘
 * </pre>
 *
 * <p>Round: a log that was written before, from a fifth of it to its end, by the ends of the output as committed readers see
 * them; CPU time is all of the child's. Latency: from {@code send} to the consumer, at half of what the slowest of them can
 * do. A person runs it: {@code scripts/bench delivery}.
 */
public final class DeliveryBench {
    private static final String USAGE = """
            Transforms and delivers one and the same log in turn with the topology in both placements, with Storm's KafkaBolt, and with
            Kafka Streams (exactly_once_v2); prints how fast each is, for how much CPU time, and how late events come out at half load;
            docs/PERFORMANCE.md holds the figures.

              scripts/bench delivery [EVENTS [ROUNDS [SECONDS]]]

            EVENTS is 2000000, ROUNDS is 3 and SECONDS, for which latency is measured, is 30 if not given, which takes ten minutes on two
            cores. Needs a JDK 17 or newer (JAVA_HOME, or java in PATH), and the network for the first build.
            """;

    private static final String INPUT = "measured";
    private static final int PARTITIONS = 4;
    private static final int WARM_UP = 5;
    private static final long SAMPLE_MILLIS = 50;
    private static final long TIMEOUT_MINUTES = 15;
    private static final int WARM_UP_SECONDS = 15;
    private static final int FIRST_MINUTES = 2;
    private static final String PADDING = ": three of these, one of those, to be paid on delivery, by whom it may";
    private static final int STAMP_DIGITS = 20;
    private static final List<String> PROGRAMS = List.of("source", "bolt", "kafka-bolt", "streams");

    private final EmbeddedKafka kafka;
    private final Admin admin;

    private DeliveryBench(EmbeddedKafka kafka, Admin admin) {
        this.kafka = kafka;
        this.admin = admin;
    }

    public static void main(String[] args) throws Exception {
        Arguments arguments = Arguments.of(USAGE, 3, args);
        long events = arguments.number(0, 2_000_000);
        int rounds = Math.toIntExact(arguments.number(1, 3));
        int seconds = Math.toIntExact(arguments.number(2, 30));
        try (EmbeddedKafka kafka = EmbeddedKafka.start();
                Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            new DeliveryBench(kafka, admin).run(events, rounds, seconds);
        }
        System.exit(0);
    }

    /** How far the output was at a time, and what the child had spent. */
    private record Sample(long nanos, Duration cpu, long written) {}

    private void run(long events, int rounds, int seconds) throws Exception {
        kafka.createTopic(INPUT, PARTITIONS, Map.of());
        emit(INPUT, events, 0);
        long records = end(INPUT);
        System.out.printf(Locale.ROOT, "%,d events, %,d checkpoints%n", events, records - events);
        Rounds figures = new Rounds();
        for (int round = 1; round <= rounds; round++) {
            for (String program : PROGRAMS) {
                Round measured = throughput(program, round, records);
                figures.add(program, measured.recordsPerSecond(), measured.cpuNanosPerRecord());
                System.out.printf(
                        Locale.ROOT,
                        "round %d  %-10s  %,9.0f records/s  %,7.0f ns of CPU a record%n",
                        round,
                        program,
                        measured.recordsPerSecond(),
                        measured.cpuNanosPerRecord());
            }
        }
        for (String other : List.of("kafka-bolt", "streams")) {
            for (String ours : List.of("source", "bolt")) {
                figures.compare(ours, other);
            }
        }
        figures.write("delivery");
        double slowest = figures.slowest();
        for (String program : PROGRAMS) {
            latency(program, (long) (slowest / 2), seconds);
        }
    }

    private Round throughput(String program, int round, long records) throws Exception {
        String group = program + "-" + round;
        kafka.createTopic(group, PARTITIONS, Map.of());
        Child child = start(program, group, INPUT, group);
        try {
            Sample begin = await(child.process, group, records / WARM_UP);
            Sample end = await(child.process, group, records);
            long done = end.written - begin.written;
            return new Round(
                    done * 1e9 / (end.nanos - begin.nanos),
                    (double) end.cpu.minus(begin.cpu).toNanos() / done);
        } finally {
            child.end();
            admin.deleteTopics(List.of(group)).all().get();
        }
    }

    private Sample await(Process child, String output, long written) throws Exception {
        long deadlineNanos = System.nanoTime() + TimeUnit.MINUTES.toNanos(TIMEOUT_MINUTES);
        while (true) {
            Sample now = new Sample(
                    System.nanoTime(), child.info().totalCpuDuration().orElse(Duration.ZERO), end(output));
            if (now.written >= written) {
                return now;
            }
            if (child.waitFor(SAMPLE_MILLIS, TimeUnit.MILLISECONDS) || System.nanoTime() > deadlineNanos) {
                throw new IllegalStateException("the program ended or does not end, at " + now);
            }
        }
    }

    private long end(String topic) throws Exception {
        return admin
                .listOffsets(
                        partitions(topic).stream().collect(Collectors.toMap(at -> at, at -> OffsetSpec.latest())),
                        new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
                .all()
                .get()
                .values()
                .stream()
                .mapToLong(result -> result.offset())
                .sum();
    }

    private static List<TopicPartition> partitions(String topic) {
        return IntStream.range(0, PARTITIONS)
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .toList();
    }

    private void latency(String program, long eventsPerSecond, int seconds) throws Exception {
        String input = "live-" + program;
        String output = "out-" + program;
        kafka.createTopic(input, PARTITIONS, Map.of());
        kafka.createTopic(output, PARTITIONS, Map.of());
        Child child = start(program, "live-" + program, input, output);
        long events = eventsPerSecond * (WARM_UP_SECONDS + seconds);
        Latencies latencies = new Latencies(kafka.bootstrapServers(), partitions(output), events);
        try {
            latencies.start();
            emit(input, 1, 0);
            latencies.awaitFirst();
            long beganNanos = System.nanoTime();
            latencies.measureFrom(beganNanos + TimeUnit.SECONDS.toNanos(WARM_UP_SECONDS));
            emit(input, events, eventsPerSecond);
            long[] sorted = latencies.sorted();
            System.out.printf(
                    Locale.ROOT,
                    "%-10s  %,d events/s offered  p50 %.0f ms  p99 %.0f ms  of %,d events%n",
                    program,
                    eventsPerSecond,
                    sorted[sorted.length / 2] / 1e6,
                    sorted[(int) (sorted.length * 0.99)] / 1e6,
                    sorted.length);
        } finally {
            child.end();
        }
    }

    /** Sends events whose values begin with the time of sending; at a rate, or as fast as it goes. */
    private void emit(String topic, long events, long eventsPerSecond) {
        Map<String, Object> settings = Map.of("bootstrap.servers", kafka.bootstrapServers(), "linger.ms", 5);
        try (CheckpointingProducer<byte[], byte[]> producer =
                new CheckpointingProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            long beganNanos = System.nanoTime();
            for (long i = 0; i < events; i++) {
                if (eventsPerSecond > 0) {
                    long dueNanos = beganNanos + i * TimeUnit.SECONDS.toNanos(1) / eventsPerSecond;
                    while (System.nanoTime() < dueNanos) {
                        LockSupport.parkNanos(Math.max(1, dueNanos - System.nanoTime()));
                    }
                }
                byte[] value = String.format(Locale.ROOT, "%0" + STAMP_DIGITS + "d%s", System.nanoTime(), PADDING)
                        .getBytes(US_ASCII);
                var unused = producer.send(new ProducerRecord<>(topic, (int) (i % PARTITIONS), null, value));
            }
        }
    }

    /** A program under way. */
    private record Child(Process process, Path config) {
        void end() throws IOException {
            process.destroyForcibly().onExit().join();
            Files.deleteIfExists(config);
        }
    }

    private Child start(String program, String group, String input, String output) throws IOException {
        Path config = Files.createTempFile("stormproof-delivery-", ".properties");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-XX:+UseParallelGC",
                "-cp",
                System.getProperty("java.class.path"),
                DeliveryPrograms.class.getName(),
                program));
        if (program.equals("source") || program.equals("bolt")) {
            kafka.createTopic(group + "-alerts", 1, Map.of());
            Files.write(
                    config,
                    List.of(
                            "bootstrap.servers=" + kafka.bootstrapServers(),
                            "group.id=" + group,
                            "input.topics=" + input,
                            "alerts.topic=" + group + "-alerts",
                            "output.topic=" + output,
                            "transform=" + DeliveryPrograms.Prefix.class.getName(),
                            "tracker.placement=" + program),
                    StandardCharsets.UTF_8);
            command.add(config.toString());
        } else {
            command.addAll(List.of(kafka.bootstrapServers(), group, input, output));
        }
        Process process = new ProcessBuilder(command)
                .redirectInput(new File("/dev/null"))
                .inheritIO()
                .start();
        return new Child(process, config);
    }

    /** The consumer that takes the time at which each event comes out. */
    private static final class Latencies {
        private final KafkaConsumer<byte[], byte[]> consumer;
        private final long events;
        private final Thread thread = new Thread(this::read, "delivery-bench-consumer");
        private final long[] nanos;
        private int measured;
        private final CountDownLatch first = new CountDownLatch(1);
        private long seen;
        private volatile long sinceNanos = Long.MAX_VALUE;

        Latencies(String servers, List<TopicPartition> output, long events) {
            this.events = events;
            this.nanos = new long[Math.toIntExact(events)];
            consumer = new KafkaConsumer<>(
                    Map.of("bootstrap.servers", servers, "isolation.level", "read_committed"),
                    new ByteArrayDeserializer(),
                    new ByteArrayDeserializer());
            consumer.assign(output);
            consumer.seekToBeginning(output);
        }

        void start() {
            thread.start();
        }

        void measureFrom(long momentNanos) {
            sinceNanos = momentNanos;
        }

        void awaitFirst() throws InterruptedException {
            if (!first.await(FIRST_MINUTES, TimeUnit.MINUTES)) {
                throw new IllegalStateException("nothing came out");
            }
        }

        long[] sorted() throws InterruptedException {
            thread.join(TimeUnit.MINUTES.toMillis(TIMEOUT_MINUTES));
            if (thread.isAlive() || measured == 0) {
                throw new IllegalStateException("not all of " + events + " events came out");
            }
            long[] sorted = Arrays.copyOf(nanos, measured);
            Arrays.sort(sorted);
            return sorted;
        }

        private void read() {
            try (consumer) {
                while (seen <= events) {
                    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(SAMPLE_MILLIS))) {
                        if (record.value() != null) {
                            take(record.value(), System.nanoTime());
                        }
                    }
                }
            }
        }

        private void take(byte[] value, long nowNanos) {
            long sentNanos = Long.parseLong(new String(value, DeliveryPrograms.Prefix.BYTES, STAMP_DIGITS, US_ASCII));
            if (sentNanos >= sinceNanos && measured < nanos.length) {
                nanos[measured++] = nowNanos - sentNanos;
            }
            seen++;
            first.countDown();
        }
    }
}
