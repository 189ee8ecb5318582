package dev.stormproof.soak;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.cli.Main;
import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.emit.CheckpointingProducer;
import dev.stormproof.trial.Arguments;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A measurement of one {@code stormproof watch} over many partitions, of which one of ten was written to: how long it takes to begin, until
 * all is verified, and what it takes in memory and CPU while nothing comes.
 *
 * <p>A person runs it: {@code scripts/bench partitions}.
 */
public final class PartitionsBench {
    private static final String USAGE = """
            Measures one stormproof watch over many partitions, of which one of ten was written to: seconds until it is ready, until all is
            verified, and until it is ready when it starts again; live heap, resident memory, threads, open files, and CPU while nothing comes.

              scripts/bench partitions [PARTITIONS]…

            Without arguments 1000, 3000 and 10000, which takes some ten minutes on two cores, most of them the broker's, which is a process
            beside it. The heap of the verifier is 512 MB at most. Needs Linux, a JDK 17 or newer (JAVA_HOME, or java in PATH), and the network
            for the first build. Exit codes: 0 measured, 64 wrong usage, 70 the build failed.
            """;

    private static final int TOPIC_PARTITIONS = 1_000;
    private static final int WRITTEN_OF = 10;
    private static final int EVENTS = 5;
    private static final long PATIENCE_SECONDS = 600;
    private static final long IDLE_SECONDS = 20;
    private static final long SETTLE_SECONDS = 10;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final double SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final double TICKS_PER_SECOND = 100;
    private static final double MIB = 1 << 20;

    private PartitionsBench() {}

    /** Arguments: numbers of partitions. As a broker: {@code broker}. */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 0 && arguments[0].equals("broker")) {
            serve();
            return;
        }
        Arguments given = Arguments.of(USAGE, Integer.MAX_VALUE, arguments);
        List<Long> counts = arguments.length == 0
                ? List.of(1_000L, 3_000L, 10_000L)
                : IntStream.range(0, arguments.length)
                        .mapToObj(place -> given.number(place, 0))
                        .toList();
        System.out.println(
                "partitions  tasks  ready, s  verified, s  again ready, s  heap, MB  RSS, MB  threads  files  idle, of a core");
        for (long count : counts) {
            measure(Math.toIntExact(count));
        }
        System.exit(0);
    }

    private static void serve() throws IOException {
        Map<String, String> settings = new HashMap<>();
        settings.put("log.index.size.max.bytes", "4096");
        // So many partitions at once take the controller longer than a heartbeat.
        settings.put("broker.heartbeat.interval.ms", "2000");
        settings.put("broker.session.timeout.ms", "120000");
        try (EmbeddedKafka kafka = EmbeddedKafka.start(0, null, settings)) {
            System.out.println(kafka.bootstrapServers());
            // The bench ends, and with it this.
            var unused = System.in.read();
        }
        System.exit(0);
    }

    private static void measure(int partitions) throws Exception {
        Process broker = java("1g", List.of(PartitionsBench.class.getName(), "broker"), ProcessBuilder.Redirect.PIPE);
        try (BufferedReader lines = broker.inputReader(UTF_8)) {
            String servers = lines.readLine();
            if (servers == null) {
                throw new IOException("the broker does not start");
            }
            List<String> topics = create(servers, partitions);
            write(servers, topics, partitions);
            int port = freePort();
            Path config = Files.createTempFile("stormproof-partitions-", ".properties");
            Files.write(
                    config,
                    List.of(
                            "bootstrap.servers=" + servers,
                            "group.id=partitions",
                            "input.topics=" + String.join(",", topics),
                            "alerts.topic=alerts",
                            "metrics.http.port=" + port));
            Start first = start(config, port, servers);
            double readySeconds = first.seconds;
            awaitVerified(servers, topics, partitions);
            double verifiedSeconds = first.secondsNow();
            stop(first.process);
            Start again = start(config, port, servers);
            TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
            long ticks = ticks(again.process.pid());
            TimeUnit.SECONDS.sleep(IDLE_SECONDS);
            double idle = (ticks(again.process.pid()) - ticks) / TICKS_PER_SECOND / IDLE_SECONDS;
            System.out.printf(
                    Locale.ROOT,
                    "%,10d  %5d  %8.1f  %11.1f  %14.1f  %8.0f  %7.0f  %7s  %5d  %.1f%n",
                    partitions,
                    1,
                    readySeconds,
                    verifiedSeconds,
                    again.seconds,
                    heapBytes(again.process.pid()) / MIB,
                    Long.parseLong(status(again.process.pid(), "VmRSS")) / 1024.0,
                    status(again.process.pid(), "Threads"),
                    files(again.process.pid()),
                    100 * idle);
            stop(again.process);
            Files.delete(config);
            broker.getOutputStream().close();
            broker.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } finally {
            broker.destroyForcibly();
        }
    }

    private static List<String> create(String servers, int partitions) throws Exception {
        List<String> names = new ArrayList<>();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers, "request.timeout.ms", 120_000))) {
            admin.createTopics(List.of(new NewTopic("alerts", 1, (short) 1)))
                    .all()
                    .get();
            for (int rest = partitions; rest > 0; rest -= TOPIC_PARTITIONS) {
                String name = "idle-" + names.size();
                admin.createTopics(List.of(new NewTopic(name, Math.min(rest, TOPIC_PARTITIONS), (short) 1)))
                        .all()
                        .get();
                names.add(name);
            }
        }
        return names;
    }

    private static void write(String servers, List<String> topics, int partitions) {
        Map<String, Object> settings = Map.of("bootstrap.servers", servers, "linger.ms", 20);
        try (CheckpointingProducer<byte[], byte[]> producer =
                new CheckpointingProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < partitions; i += WRITTEN_OF) {
                for (int event = 0; event < EVENTS; event++) {
                    var unused = producer.send(new ProducerRecord<>(
                            topics.get(i / TOPIC_PARTITIONS),
                            i % TOPIC_PARTITIONS,
                            null,
                            ("event " + event).getBytes(UTF_8)));
                }
            }
        }
    }

    /** A verifier that became ready, and after how many seconds. */
    private static final class Start {
        private final Process process;
        private final long beginNanos;
        private double seconds;

        Start(Process process, long beginNanos) {
            this.process = process;
            this.beginNanos = beginNanos;
        }

        double secondsNow() {
            return (System.nanoTime() - beginNanos) / SECOND_NANOS;
        }
    }

    private static Start start(Path config, int port, String servers) throws Exception {
        long begin = System.nanoTime();
        Process process = java(
                "512m",
                List.of(Main.class.getName(), "watch", "--config", config.toString()),
                ProcessBuilder.Redirect.DISCARD);
        Start start = new Start(process, begin);
        HttpClient client = HttpClient.newHttpClient();
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/ready"))
                .timeout(Duration.ofSeconds(5))
                .build();
        while (!isReady(client, request)) {
            if (!process.isAlive() || start.secondsNow() > PATIENCE_SECONDS) {
                throw new IOException("watch does not become ready; brokers at " + servers);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        start.seconds = start.secondsNow();
        return start;
    }

    private static boolean isReady(HttpClient client, HttpRequest request) throws InterruptedException {
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode() == 200;
        } catch (IOException e) {
            return false; // It does not listen yet.
        }
    }

    private static void awaitVerified(String servers, List<String> topics, int partitions) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            Map<TopicPartition, OffsetSpec> written = new HashMap<>();
            for (int i = 0; i < partitions; i += WRITTEN_OF) {
                written.put(
                        new TopicPartition(topics.get(i / TOPIC_PARTITIONS), i % TOPIC_PARTITIONS),
                        OffsetSpec.latest());
            }
            var ends = admin.listOffsets(written).all().get();
            long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
            while (true) {
                Map<TopicPartition, OffsetAndMetadata> progress = admin.listConsumerGroupOffsets("partitions")
                        .partitionsToOffsetAndMetadata()
                        .get();
                if (ends.entrySet().stream().allMatch(end -> {
                    OffsetAndMetadata committed = progress.get(end.getKey());
                    return committed != null
                            && committed.offset() >= end.getValue().offset();
                })) {
                    return;
                }
                if (System.nanoTime() > deadlineNanos) {
                    throw new IOException("not all is verified");
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private static void stop(Process process) throws InterruptedException {
        process.destroy();
        process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    private static Process java(String heap, List<String> arguments, ProcessBuilder.Redirect output)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(
                program("java"),
                "-Xmx" + heap,
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dstormproof.log.level=OFF",
                "-cp",
                System.getProperty("java.class.path")));
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectOutput(output)
                .start();
    }

    private static String program(String name) {
        return Path.of(System.getProperty("java.home"), "bin", name).toString();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** The bytes of live objects. */
    private static double heapBytes(long pid) throws IOException {
        Process histogram = new ProcessBuilder(program("jcmd"), Long.toString(pid), "GC.class_histogram")
                .redirectInput(new File("/dev/null"))
                .start();
        try (BufferedReader lines = histogram.inputReader(UTF_8)) {
            String total = lines.lines()
                    .filter(line -> line.startsWith("Total"))
                    .findFirst()
                    .orElseThrow();
            return Double.parseDouble(total.trim().split("\\s+", -1)[2]);
        }
    }

    private static long ticks(long pid) throws IOException {
        String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
    }

    private static String status(long pid, String name) throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.split("\\s+", -1)[1])
                .findFirst()
                .orElseThrow();
    }

    private static long files(long pid) throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
            return open.count();
        }
    }
}
