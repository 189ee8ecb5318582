package dev.stormproof.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.LocalRun;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.cli.local.Stages;
import dev.stormproof.cli.testing.FaultyLog;
import dev.stormproof.cli.testing.Shell;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.config.TrackerPlacement;
import dev.stormproof.verify.judge.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A long faulty run through the topology, which is restarted in the middle of it, against an audit of the same log: the
 * latest revision of each finding is the same, byte for byte.
 */
@Tag(Stages.CLUSTER)
@OnKafka
@Timeout(300)
class OfflineEqualsLiveTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern BASIS = Pattern.compile(",\"basis\":\"[a-z]+\"}$");
    private static final long PATIENCE_SECONDS = 120;

    /** Older than any deadline, so that the audit, which looks at times in the log, need not wait. */
    private static final long AGE_MILLIS = 600_000;

    private final EmbeddedKafka kafka;
    private final String topic;
    private final Map<String, String> settings;
    private final long seed = Long.getLong("seed", new SplittableRandom().nextLong());
    private final SplittableRandom random = new SplittableRandom(seed);
    private final Map<TopicPartition, Long> ends = new HashMap<>();
    private final Map<String, String> verdicts = new HashMap<>();
    private final Map<String, String> alerts = new HashMap<>();

    @TempDir
    private Path dir;

    OfflineEqualsLiveTest(EmbeddedKafka kafka) {
        this.kafka = kafka;
        this.topic = SharedKafka.createTopic(kafka, "faulty", FaultyLog.PARTITIONS);
        this.settings = Map.of(
                "bootstrap.servers",
                kafka.bootstrapServers(),
                "input.topics",
                topic,
                "format1.topics",
                topic,
                "group.id",
                topic + "-group",
                "alerts.topic",
                SharedKafka.createTopic(kafka, "faulty-alerts", 1),
                "verdicts.topic",
                SharedKafka.createTopic(kafka, "faulty-verdicts", 1),
                "tracker.placement",
                placement().label(),
                "checkpoint.tasks",
                "2",
                "silence.grace.ms",
                "0",
                "silence.without.deadline.ms",
                "2000");
    }

    /** The placement of the verifier; a subclass has another one. */
    TrackerPlacement placement() {
        return TrackerPlacement.BOLT;
    }

    @Test
    void anAuditFindsTheSameBytes() throws Exception {
        System.out.println("OfflineEqualsLiveTest: -Dseed=" + seed);
        FaultyLog log = new FaultyLog(topic, random.nextLong());
        try (Producer<byte[], byte[]> producer = newProducer();
                KafkaConsumer<byte[], byte[]> findings = newConsumer();
                Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            producer.initTransactions();
            findings.subscribe(List.of(settings.get("alerts.topic"), settings.get("verdicts.topic")));
            send(producer, log.first());
            runUntil(findings, () -> verdicts.size() > 50);
            send(producer, log.second());
            // What was told too early, as its checkpoint was late, is told anew by then.
            runUntil(findings, () -> isDecided(admin) && isRead(findings) && unsealed() >= log.missedDeadlines());
            findings.poll(Duration.ofSeconds(1)).forEach(this::note);
        }

        List<String> offline = audit();

        assertAlike(offline, verdicts.values());
        // A verified interval is in the alerts topic if it was alerted as unsealed before.
        assertAlike(alarms(offline), alarms(alerts.values()));
        for (String word :
                List.of("lost", "duplicated", "reordered", "altered", "checkpoint-lost", "unsealed", "stray")) {
            assertThat(offline.stream().filter(line -> line.contains('"' + word + '"')))
                    .as("%s, -Dseed=%s", word, seed)
                    .isNotEmpty();
        }
        System.out.println("OfflineEqualsLiveTest: " + ends.values() + " offsets, " + offline.size()
                + " findings alike, of these alarms " + alerts.size());
    }

    /** Strays fold by the clock of their reader, and anew after a restart: alike is which records there are. */
    private void assertAlike(Collection<String> allOffline, Collection<String> allLive) {
        List<JsonNode> offlineStrays = strays(allOffline);
        List<JsonNode> liveStrays = strays(allLive);
        assertThat(offlineStrays)
                .as("strays found offline only; -Dseed=%s", seed)
                .allMatch(stray -> liveStrays.stream().anyMatch(live -> overlap(live, stray)));
        assertThat(liveStrays)
                .as("strays found live only; -Dseed=%s", seed)
                .allMatch(stray -> offlineStrays.stream().anyMatch(offline -> overlap(offline, stray)));
        List<String> offline =
                allOffline.stream().filter(line -> !isStray(line)).toList();
        List<String> live = allLive.stream().filter(line -> !isStray(line)).toList();
        assertThat(offline.stream().filter(line -> !live.contains(line)))
                .as("found offline only; -Dseed=%s", seed)
                .isEmpty();
        assertThat(live.stream().filter(line -> !offline.contains(line)))
                .as("found live only; -Dseed=%s", seed)
                .isEmpty();
        assertThat(offline).as("found twice; -Dseed=%s", seed).hasSameSizeAs(live);
    }

    private static boolean isStray(String line) {
        return line.contains("\"finding\":\"stray\"");
    }

    private static List<JsonNode> strays(Collection<String> findings) {
        return findings.stream()
                .filter(OfflineEqualsLiveTest::isStray)
                .map(OfflineEqualsLiveTest::node)
                .toList();
    }

    private static boolean overlap(JsonNode one, JsonNode other) {
        return one.get("partition").equals(other.get("partition"))
                && one.get("kind").equals(other.get("kind"))
                && one.get("offset").asLong() <= other.get("lastOffset").asLong()
                && other.get("offset").asLong() <= one.get("lastOffset").asLong();
    }

    private static List<String> alarms(Collection<String> findings) {
        return findings.stream()
                .filter(line -> !line.contains("\"finding\":\"verified\""))
                .toList();
    }

    private List<String> audit() throws Exception {
        Path config = dir.resolve("verify.properties");
        Files.write(
                config,
                settings.entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue())
                        .toList());
        Shell.Result result = Shell.here(
                "audit",
                "--bootstrap-server",
                kafka.bootstrapServers(),
                "--config",
                config.toString(),
                "--topic",
                topic,
                "--json");
        assertThat(result.exitCode()).as(result.err()).isEqualTo(ExitCode.VIOLATED);
        return result.out()
                .lines()
                .filter(line -> line.startsWith("{\"alertId\""))
                .toList();
    }

    /** Sends in transactions of random sizes, with aborted ones in between. */
    private void send(Producer<byte[], byte[]> producer, List<List<ProducerRecord<byte[], byte[]>>> partitions)
            throws Exception {
        for (int partition = 0; partition < partitions.size(); partition++) {
            List<ProducerRecord<byte[], byte[]>> records = partitions.get(partition);
            int sent = 0;
            while (sent < records.size()) {
                boolean abort = random.nextInt(10) == 0;
                int end = Math.min(records.size(), sent + random.nextInt(1, 200));
                producer.beginTransaction();
                for (ProducerRecord<byte[], byte[]> record : records.subList(sent, end)) {
                    send(producer, record, partition, !abort);
                }
                if (abort) {
                    producer.flush();
                    producer.abortTransaction();
                } else {
                    producer.commitTransaction();
                    sent = end;
                }
            }
        }
    }

    private void send(
            Producer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> record, int own, boolean counts) {
        // Only a misplaced checkpoint names another partition than the one that it was woven into.
        int partition = record.partition() == null ? own : record.partition();
        var unused = producer.send(
                new ProducerRecord<>(
                        topic,
                        partition,
                        System.currentTimeMillis() - AGE_MILLIS,
                        record.key(),
                        record.value(),
                        record.headers()),
                (metadata, e) -> {
                    if (e == null && counts) {
                        ends.merge(new TopicPartition(topic, partition), metadata.offset() + 1, Math::max);
                    }
                });
    }

    private void runUntil(KafkaConsumer<byte[], byte[]> findings, BooleanSupplier done) throws Exception {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        LocalRun run = LocalRun.start("faulty", new StormproofConfig(settings));
        try {
            while (!done.getAsBoolean()) {
                findings.poll(Duration.ofMillis(200)).forEach(this::note);
                assertThat(System.nanoTime())
                        .as("%s verdicts, %s unsealed; -Dseed=%s", verdicts.size(), unsealed(), seed)
                        .isLessThan(deadlineNanos);
            }
        } finally {
            run.close();
        }
    }

    /** Keeps the last finding on each subject: the bytes of its data, less its basis. */
    private void note(ConsumerRecord<byte[], byte[]> record) {
        Map<String, String> known = record.topic().equals(settings.get("alerts.topic")) ? alerts : verdicts;
        String event = new String(record.value(), UTF_8);
        String begin = "\"data\":";
        String data = event.substring(event.indexOf(begin) + begin.length(), event.length() - 1);
        String news = BASIS.matcher(data).replaceFirst("}");
        known.merge(new String(record.key(), UTF_8), news, (old, now) -> revision(now) > revision(old) ? now : old);
    }

    private static int revision(String data) {
        return node(data).get("revision").asInt();
    }

    private static JsonNode node(String data) {
        try {
            return JSON.readTree(data);
        } catch (IOException e) {
            throw new IllegalArgumentException(data, e);
        }
    }

    private long unsealed() {
        return verdicts.values().stream()
                .filter(data -> revision(data) == Finding.OPEN_REVISION)
                .count();
    }

    /** True if the group's progress has passed every record. */
    private boolean isDecided(Admin admin) {
        try {
            Map<TopicPartition, OffsetAndMetadata> committed = admin.listConsumerGroupOffsets(settings.get("group.id"))
                    .partitionsToOffsetAndMetadata()
                    .get(30, TimeUnit.SECONDS);
            return ends.entrySet().stream().allMatch(end -> {
                OffsetAndMetadata progress = committed.get(end.getKey());
                return progress != null && progress.offset() >= end.getValue();
            });
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the group's progress cannot be read", e);
        }
    }

    private static boolean isRead(KafkaConsumer<byte[], byte[]> findings) {
        return findings.endOffsets(findings.assignment()).entrySet().stream()
                .allMatch(end -> findings.position(end.getKey()) >= end.getValue());
    }

    private Producer<byte[], byte[]> newProducer() {
        return SharedKafka.producer(kafka, "transactional.id", topic);
    }

    private KafkaConsumer<byte[], byte[]> newConsumer() {
        return SharedKafka.consumer(
                kafka,
                "group.id",
                topic + "-reader",
                "auto.offset.reset",
                "earliest",
                "isolation.level",
                "read_committed");
    }
}
