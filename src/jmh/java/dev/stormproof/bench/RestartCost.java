package dev.stormproof.bench;

import dev.stormproof.cli.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A verifier of one partition with many streams, which is killed and started again when each of them has gone on.
 *
 * <pre>
 *   this JVM     #0 e e e #1 of each stream      e e e #2 of each stream
 *   child JVMs   verify ─────────────► progress ✝               verify ──► progress at the log's end: seconds since its start
 * </pre>
 */
public final class RestartCost {
    private static final int STREAMS = 10_000;
    private static final int EVENTS = 3;
    private static final long PATIENCE_SECONDS = 300;
    private static final TopicPartition PARTITION = new TopicPartition("orders", 0);
    private static final TopicPartition ALERTS = new TopicPartition("alerts", 0);

    private final String servers;
    private final Admin admin;
    private final Path config;
    private long startNanos;

    private RestartCost(String servers, Admin admin, Path config) {
        this.servers = servers;
        this.admin = admin;
        this.config = config;
    }

    /** Takes the number of streams. */
    public static void main(String[] arguments) throws Exception {
        int streams = arguments.length > 0 ? Integer.parseInt(arguments[0]) : STREAMS;
        Path config = Files.createTempFile("restart-", ".properties");
        try (ChildBroker broker = ChildBroker.start();
                Admin admin = Admin.create(Map.of("bootstrap.servers", broker.servers()))) {
            new RestartCost(broker.servers(), admin, config).run(streams);
        } finally {
            Files.delete(config);
        }
    }

    private void run(int count) throws Exception {
        admin.createTopics(List.of(
                        new NewTopic(PARTITION.topic(), 1, (short) 1), new NewTopic(ALERTS.topic(), 1, (short) 1)))
                .all()
                .get();
        Files.write(
                config,
                List.of(
                        "bootstrap.servers=" + servers,
                        "group.id=restart",
                        "input.topics=" + PARTITION.topic(),
                        "alerts.topic=" + ALERTS.topic()));
        List<SignedStream> streams = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            streams.add(new SignedStream(PARTITION, i));
        }
        send(streams, true);
        Process first = start();
        double firstSeconds = awaitVerified(first);
        first.destroyForcibly().waitFor();
        send(streams, false);
        Process second = start();
        try {
            double firstProgress = await(second, committed() + 1);
            double secondSeconds = awaitVerified(second);
            System.out.printf(
                    Locale.ROOT,
                    "%,d streams, %,d records each time; seconds from the start of the JVM until all is verified: %.1f of an empty "
                            + "group; %.1f of one that was killed, its first progress after %.1f; alerts: %d%n",
                    count,
                    (long) count * (EVENTS + 1),
                    firstSeconds,
                    secondSeconds,
                    firstProgress,
                    end(ALERTS));
        } finally {
            second.destroyForcibly().waitFor();
        }
    }

    private void send(List<SignedStream> streams, boolean begin) {
        byte[] value = new byte[100];
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", servers, "linger.ms", 20),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
            if (begin) {
                streams.forEach(stream -> records.add(stream.checkpoint(false)));
            }
            for (int i = 0; i < EVENTS; i++) {
                streams.forEach(stream -> records.add(stream.event(value)));
            }
            streams.forEach(stream -> records.add(stream.checkpoint(false)));
            for (ProducerRecord<byte[], byte[]> record : records) {
                var unused = producer.send(record);
            }
        }
    }

    private Process start() throws IOException {
        startNanos = System.nanoTime();
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx512m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "watch",
                        "--config",
                        config.toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private double awaitVerified(Process verifier) throws Exception {
        return await(verifier, end(PARTITION));
    }

    /** Returns the seconds since the verifier's start. */
    private double await(Process verifier, long offset) throws Exception {
        while (committed() < offset) {
            double seconds = (System.nanoTime() - startNanos) / 1e9;
            if (!verifier.isAlive() || seconds > PATIENCE_SECONDS) {
                throw new IllegalStateException(
                        "progress is " + committed() + " of " + offset + " after " + seconds + " s");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
        return (System.nanoTime() - startNanos) / 1e9;
    }

    private long committed() throws Exception {
        Map<TopicPartition, OffsetAndMetadata> progress = admin.listConsumerGroupOffsets("restart")
                .partitionsToOffsetAndMetadata()
                .get();
        OffsetAndMetadata committed = progress.get(PARTITION);
        return committed == null ? -1 : committed.offset();
    }

    private long end(TopicPartition partition) throws Exception {
        return Objects.requireNonNull(admin.listOffsets(Map.of(partition, OffsetSpec.latest()))
                        .all()
                        .get()
                        .get(partition))
                .offset();
    }
}
