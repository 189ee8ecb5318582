package dev.stormproof.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.notary.NotaryTask;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.LogDirDescription;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The notary at work on a long log: the lines of a file, again and again, which a plain producer wrote.
 *
 * <pre>
 *   this JVM    producer ──► log, once;  then NotaryTask, round after round: log ──► notes, tiles, progress
 *   child JVM   broker
 * </pre>
 *
 * <p>Everything is as in production: transactions, the notes topic, tiles, the progress of a group.
 */
public final class NotaryScale {
    private static final int PRODUCED_AHEAD = 1 << 16;

    private NotaryScale() {}

    /** Takes the file whose lines are the records, and how many records there shall be. */
    public static void main(String[] arguments) throws Exception {
        List<String> lines = Files.readAllLines(Path.of(arguments[0]));
        long records = arguments.length > 1 ? Long.parseLong(arguments[1]) : 10_000_000;
        Path key = Files.createTempFile("notary", ".pem");
        try (ChildBroker broker = ChildBroker.start()) {
            Files.writeString(key, "-----BEGIN PRIVATE KEY-----\n" + newKey() + "\n-----END PRIVATE KEY-----\n");
            run(broker.servers(), lines, records, key);
        } finally {
            Files.delete(key);
        }
    }

    private static String newKey() throws Exception {
        return Base64.getEncoder()
                .encodeToString(KeyPairGenerator.getInstance("Ed25519")
                        .generateKeyPair()
                        .getPrivate()
                        .getEncoded());
    }

    private static void run(String servers, List<String> lines, long records, Path key) throws Exception {
        Map<String, String> config = new HashMap<>();
        config.put("bootstrap.servers", servers);
        config.put("group.id", "bench");
        config.put("notary.topics", "log");
        config.put("notary.key", "bench:" + key);
        config.put("notes.topic", "log-notes");
        config.put("notary.tiles", "log-tiles");
        config.put("checkpoint.tasks", "1");
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            admin.createTopics(List.of(
                            new NewTopic("log", 1, (short) 1),
                            new NewTopic("log-notes", 1, (short) 1).configs(Map.of("retention.ms", "-1")),
                            new NewTopic("log-tiles", 1, (short) 1).configs(Map.of("cleanup.policy", "compact"))))
                    .all()
                    .get();
            write(servers, lines, records);
            notarize(new StormproofConfig(config), records);
            print(admin, records);
        }
    }

    private static void write(String servers, List<String> lines, long records) {
        byte[][] values = lines.stream().map(line -> line.getBytes(UTF_8)).toArray(byte[][]::new);
        long bytes = 0;
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", servers, "linger.ms", 20, "batch.size", PRODUCED_AHEAD),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (long i = 0; i < records; i++) {
                byte[] value = values[(int) (i % values.length)];
                bytes += value.length;
                var unused = producer.send(new ProducerRecord<>("log", 0, null, value));
            }
        }
        System.out.printf(Locale.ROOT, "%,d records, %,d bytes of values%n", records, bytes);
    }

    private static void notarize(StormproofConfig config, long records) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        OperatingSystemMXBean process = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        System.gc();
        long time = System.nanoTime();
        long ofThread = threads.getCurrentThreadCpuTime();
        long allocated = threads.getCurrentThreadAllocatedBytes();
        long ofProcess = process.getProcessCpuTime();
        long rounds = 1;
        try (NotaryTask task = new NotaryTask(config, 0, NotaryTask.key(config))) {
            while (task.round()) {
                rounds++;
            }
        }
        System.out.printf(
                Locale.ROOT,
                "noted in %.1f s and %d rounds; CPU: %.1f s of its thread (%.0f ns a record), %.1f s of the process; "
                        + "allocated %.0f B a record%n",
                (System.nanoTime() - time) / 1e9,
                rounds,
                (threads.getCurrentThreadCpuTime() - ofThread) / 1e9,
                (double) (threads.getCurrentThreadCpuTime() - ofThread) / records,
                (process.getProcessCpuTime() - ofProcess) / 1e9,
                (double) (threads.getCurrentThreadAllocatedBytes() - allocated) / records);
    }

    private static void print(Admin admin, long records) throws Exception {
        int broker = admin.describeCluster().nodes().get().iterator().next().id();
        Map<String, Long> sizes = new HashMap<>();
        for (LogDirDescription directory : Objects.requireNonNull(admin.describeLogDirs(List.of(broker))
                        .allDescriptions()
                        .get()
                        .get(broker))
                .values()) {
            directory
                    .replicaInfos()
                    .forEach((partition, info) -> sizes.merge(partition.topic(), info.size(), Long::sum));
        }
        for (String topic : List.of("log", "log-notes", "log-tiles")) {
            long size = sizes.getOrDefault(topic, 0L);
            System.out.printf(
                    Locale.ROOT, "topic %-9s %,15d bytes, %.2f a record%n", topic, size, (double) size / records);
        }
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmHWM")) {
                System.out.println("memory of this process at most, its producer's included: "
                        + line.substring(6).strip());
            }
        }
    }
}
