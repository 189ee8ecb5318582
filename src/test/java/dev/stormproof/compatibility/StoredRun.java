package dev.stormproof.compatibility;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.cli.fault.FaultKind;
import dev.stormproof.cli.fault.FaultPlan;
import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.testing.PaperLog;
import dev.stormproof.task.process.VerifyProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A run that one release begins and another one ends, kept as the bytes of a broker's directory:
 *
 * <pre>
 *   events, checkpoints, faults ──► verified, told, written, committed with notes │ more events, checkpoints, faults
 *                                   by the release                                │ by whoever goes on
 * </pre>
 *
 * <p>{@code scripts/api-baseline} has it written once for a release: the directory, and the findings that the release itself comes to
 * when it goes on.
 */
final class StoredRun {
    static final String TOPIC = "orders";
    static final String OUTPUT = "orders-json";
    static final String ALERTS = "orders-alerts";
    static final String VERDICTS = "orders-verdicts";
    static final String GROUP = "stored";
    static final int PARTITIONS = 2;

    /** Nothing of it ever expires. */
    static final Map<String, String> BROKER =
            Map.of("log.retention.ms", "-1", "offsets.retention.minutes", "2147483647");

    private static final int EVERY = 10;
    private static final int EVENTS = 60;
    private static final int OPEN = 15;
    private static final long PATIENCE_SECONDS = 120;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private StoredRun() {}

    /** Writes a run, and what it comes to: the directory as a zip, and the findings, one a line. */
    static void write(Path run, Path findingsOfRun) throws Exception {
        Path dir = Files.createTempDirectory("stormproof-stored-");
        try (EmbeddedKafka kafka = EmbeddedKafka.start(0, dir, BROKER)) {
            begin(kafka);
        }
        pack(dir, run);
        Path copy = Files.createTempDirectory("stormproof-stored-");
        try (InputStream zip = Files.newInputStream(run)) {
            unpack(zip, copy);
        }
        try (EmbeddedKafka kafka = EmbeddedKafka.start(0, copy, BROKER)) {
            goOn(kafka.bootstrapServers());
            List<byte[]> findings = new ArrayList<>(values(kafka.bootstrapServers(), ALERTS));
            findings.addAll(values(kafka.bootstrapServers(), VERDICTS));
            try (OutputStream out = Files.newOutputStream(findingsOfRun)) {
                for (byte[] finding : findings) {
                    out.write(finding);
                    out.write('\n');
                }
            }
        }
        delete(dir);
        delete(copy);
    }

    /** What the release leaves behind: a part that is verified, and one that is not. */
    private static void begin(EmbeddedKafka kafka) throws Exception {
        kafka.createTopic(TOPIC, PARTITIONS, Map.of());
        kafka.createTopic(OUTPUT, PARTITIONS, Map.of());
        kafka.createTopic(ALERTS, 1, Map.of());
        kafka.createTopic(VERDICTS, 1, Map.of());
        List<ProducerRecord<byte[], byte[]>> pausing = PaperLog.of(TOPIC, 1, 3 * EVERY, EVERY, Map.of());
        int paused = 1 + EVERY + 1 + EVERY / 2;
        List<ProducerRecord<byte[], byte[]>> open = PaperLog.of(TOPIC, PARTITIONS, EVENTS, EVERY, Map.of());
        String servers = kafka.bootstrapServers();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", servers), new ByteArraySerializer(), new ByteArraySerializer())) {
            try (VerifyProcess verify = VerifyProcess.open(config(servers))) {
                verify.join();
                send(producer, faulty(1));
                send(producer, pausing.subList(0, paused));
                // One that is never heard of again.
                send(
                        producer,
                        PaperLog.of(TOPIC, PARTITIONS, EVENTS, EVERY, Map.of()).subList(0, OPEN));
                await("alerts on those that fell silent", StoredRun::isSilenceTold, servers);
                await("progress", StoredRun::isVerified, servers);
            }
            try (VerifyProcess verify = VerifyProcess.open(patient(servers))) {
                verify.join();
                send(producer, open.subList(0, OPEN));
                await("output ahead of the progress", StoredRun::isWritten, servers);
            }
            send(producer, pausing.subList(paused, pausing.size()));
            send(producer, open.subList(OPEN, open.size()));
            send(producer, faulty(2));
        }
    }

    private static boolean isSilenceTold(String servers) {
        return values(servers, ALERTS).stream()
                        .filter(alert -> new String(alert, UTF_8).contains("unsealed"))
                        .count()
                >= 2;
    }

    /** True if the whole log is in the output, and events wait for their checkpoint in each partition. */
    private static boolean isWritten(String servers) throws Exception {
        Map<TopicPartition, OffsetAndMetadata> progress = progress(servers);
        return ends(servers).entrySet().stream()
                .allMatch(end -> progress.containsKey(end.getKey())
                        && progress.get(end.getKey()).offset() < end.getValue()
                        && progress.get(end.getKey()).metadata().contains(" written=" + end.getValue() + ":"));
    }

    private static List<ProducerRecord<byte[], byte[]>> faulty(long seed) {
        Map<TopicPartition, Integer> events = new HashMap<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            events.put(new TopicPartition(TOPIC, partition), EVENTS / PARTITIONS);
        }
        Map<FaultKind, Integer> faults =
                Map.of(FaultKind.LOSE, 1, FaultKind.DUPLICATE, 1, FaultKind.ALTER, 1, FaultKind.SWAP, 1);
        return PaperLog.of(TOPIC, PARTITIONS, EVENTS, EVERY, Map.of(), FaultPlan.of(events, faults, EVERY, seed));
    }

    private static void send(KafkaProducer<byte[], byte[]> producer, List<ProducerRecord<byte[], byte[]>> records) {
        for (ProducerRecord<byte[], byte[]> record : records) {
            var unused = producer.send(record);
        }
        producer.flush();
    }

    /** Goes on where the run stands, with what is built now, until everything is verified. */
    static void goOn(String servers) throws Exception {
        try (VerifyProcess verify = VerifyProcess.open(config(servers))) {
            verify.join();
            await("progress", StoredRun::isVerified, servers);
        }
    }

    private static StormproofConfig config(String servers) {
        return config(servers, "2000");
    }

    private static StormproofConfig patient(String servers) {
        return config(servers, "600000");
    }

    private static StormproofConfig config(String servers, String deadlineMillis) {
        return new StormproofConfig(new HashMap<>(Map.of(
                "bootstrap.servers", servers,
                "group.id", GROUP,
                "input.topics", TOPIC,
                "alerts.topic", ALERTS,
                "verdicts.topic", VERDICTS,
                "output.topic", OUTPUT,
                "transform", "log-json",
                "checkpoint.tasks", "2",
                "silence.deadline.max.ms", deadlineMillis,
                "silence.grace.ms", "500")));
    }

    private static boolean isVerified(String servers) throws Exception {
        Map<TopicPartition, OffsetAndMetadata> progress = progress(servers);
        return ends(servers).entrySet().stream()
                .allMatch(end -> progress.containsKey(end.getKey())
                        && progress.get(end.getKey()).offset() == end.getValue());
    }

    /** The committed progress with its notes. */
    static Map<TopicPartition, OffsetAndMetadata> progress(String servers)
            throws ExecutionException, InterruptedException, TimeoutException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            return admin.listConsumerGroupOffsets(GROUP)
                    .partitionsToOffsetAndMetadata()
                    .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
    }

    /** Where the input ends. */
    static Map<TopicPartition, Long> ends(String servers)
            throws ExecutionException, InterruptedException, TimeoutException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
            for (int partition = 0; partition < PARTITIONS; partition++) {
                latest.put(new TopicPartition(TOPIC, partition), OffsetSpec.latest());
            }
            Map<TopicPartition, Long> ends = new HashMap<>();
            admin.listOffsets(latest)
                    .all()
                    .get(PATIENCE_SECONDS, TimeUnit.SECONDS)
                    .forEach((partition, end) -> ends.put(partition, end.offset()));
            return ends;
        }
    }

    /** The values of a topic's records in its partition 0. */
    static List<byte[]> values(String servers, String topic) {
        return records(servers, topic, 0).stream().map(ConsumerRecord::value).toList();
    }

    /** The committed records of a partition. */
    static List<ConsumerRecord<byte[], byte[]>> records(String servers, String topic, int number) {
        TopicPartition partition = new TopicPartition(topic, number);
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", servers, "isolation.level", "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.assign(Set.of(partition));
            consumer.seekToBeginning(Set.of(partition));
            long end = consumer.endOffsets(Set.of(partition)).getOrDefault(partition, 0L);
            long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
            while (consumer.position(partition) < end) {
                if (System.nanoTime() > deadlineNanos) {
                    throw new IllegalStateException(partition + " is not read to its end");
                }
                consumer.poll(Duration.ofMillis(100)).forEach(records::add);
            }
        }
        return records;
    }

    /** A condition on what the brokers hold. */
    private interface Condition {
        boolean holds(String servers) throws Exception;
    }

    private static void await(String what, Condition condition, String servers) throws Exception {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!condition.holds(servers)) {
            if (System.nanoTime() > deadlineNanos) {
                throw new IllegalStateException("no " + what + ": " + progress(servers) + " of " + ends(servers));
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Packs what a broker cannot make again. */
    private static void pack(Path dir, Path file) throws IOException {
        Predicate<String> needed = name -> !name.matches(".*(index|\\.lock|lock|\\.tmp)");
        try (Stream<Path> all = Files.walk(dir);
                ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
            for (Path one : all.filter(Files::isRegularFile).sorted().toList()) {
                String name = dir.relativize(one).toString();
                if (needed.test(name)) {
                    ZipEntry entry = new ZipEntry(name);
                    entry.setTimeLocal(LocalDateTime.of(1980, 1, 1, 0, 0));
                    zip.putNextEntry(entry);
                    Files.copy(one, zip);
                    zip.closeEntry();
                }
            }
        }
    }

    static void unpack(InputStream packed, Path dir) throws IOException {
        Set<Path> made = new HashSet<>();
        try (ZipInputStream zip = new ZipInputStream(packed)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path file = dir.resolve(entry.getName()).normalize();
                if (!file.startsWith(dir)) {
                    throw new IOException("outside of " + dir + ": " + entry.getName());
                }
                if (made.add(file.getParent())) {
                    Files.createDirectories(file.getParent());
                }
                Files.copy(zip, file);
            }
        }
    }

    private static void delete(Path dir) throws IOException {
        try (Stream<Path> all = Files.walk(dir)) {
            for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(one);
            }
        }
    }
}
