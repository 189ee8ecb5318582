package dev.stormproof.task.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stormproof.alert.AlertJson;
import dev.stormproof.cli.fault.FaultInjector;
import dev.stormproof.cli.fault.FaultKind;
import dev.stormproof.cli.fault.FaultPlan;
import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.Stages;
import dev.stormproof.cli.testing.Shell;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.emit.CheckpointingProducer;
import dev.stormproof.emit.testing.Clients;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.MissedRecords;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongPredicate;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A log whose old segments are in a tier alone is read as any other; what the tier's retention deletes is told as expired. */
@Tag(Stages.BROKER)
@Timeout(240)
class TieredStorageTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TOPIC = "orders";
    private static final String COPY = "orders-copy";
    private static final TopicPartition PARTITION = new TopicPartition(TOPIC, 0);
    private static final int EVENTS = 2_000;
    private static final int EVERY = 100;
    private static final int EVENT_BYTES = 4_096;
    private static final int EARLY_EVENTS = 100;
    private static final String SEGMENT_BYTES = "1048576";
    private static final long PATIENCE_SECONDS = 60;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private EmbeddedKafka broker(Path tier) throws Exception {
        Map<String, String> settings = new HashMap<>();
        settings.put("remote.log.storage.system.enable", "true");
        settings.put(
                "remote.log.storage.manager.class.name",
                "org.apache.kafka.server.log.remote.storage.LocalTieredStorage");
        settings.put("rsm.config.dir", tier.toString());
        settings.put("rsm.config.delete.on.close", "false");
        settings.put("remote.log.metadata.manager.listener.name", "INTERNAL");
        settings.put("rlmm.config.remote.log.metadata.topic.replication.factor", "1");
        settings.put("rlmm.config.remote.log.metadata.topic.num.partitions", "1");
        settings.put("remote.log.manager.task.interval.ms", "200");
        settings.put("log.retention.check.interval.ms", "200");
        settings.put("log.initial.task.delay.ms", "100");
        return EmbeddedKafka.start(0, null, settings);
    }

    @Test
    void segmentsThatAreOnlyInTheTierAreReadAndThoseThatItDeletesAreExpired(@TempDir Path tier) throws Exception {
        try (EmbeddedKafka kafka = broker(tier);
                Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            kafka.createTopic(
                    TOPIC,
                    1,
                    Map.of("remote.storage.enable", "true", "segment.bytes", SEGMENT_BYTES, "retention.ms", "-1"));
            kafka.createTopic(COPY, 1, Map.of());
            String servers = kafka.bootstrapServers();
            Group early = new Group(kafka, admin, "early");
            emit(servers, EARLY_EVENTS, FaultPlan.none());
            early.verifyAll();
            long read = offset(admin, OffsetSpec.latest());
            emit(servers, EVENTS, faults());
            copyOldEventToTheEnd(servers);
            copyLog(servers);
            List<String> local = audit(servers);

            set(admin, "local.retention.bytes", SEGMENT_BYTES);
            long localBegin = await(admin, OffsetSpec.earliestLocal(), begin -> begin > EVENTS / 2);
            assertThat(offset(admin, OffsetSpec.earliest())).isZero();
            assertThat(segmentsIn(tier)).isGreaterThan(3);

            assertThat(local).anyMatch(line -> line.contains("after the closing checkpoint"));
            assertThat(audit(servers))
                    .as("the local log begins at %d", localBegin)
                    .isEqualTo(local);
            Shell.line("compare --source " + servers + " --source-topic " + TOPIC + " --target " + servers
                            + " --target-topic " + COPY)
                    .ends(0);
            Group late = new Group(kafka, admin, "late");
            late.verifyAll();
            assertThat(late.alerted()).isNotEmpty().isEqualTo(violated(local));

            set(admin, "retention.bytes", SEGMENT_BYTES);
            await(admin, OffsetSpec.earliest(), begin -> begin > EVENTS / 2);
            early.verifyAll();

            assertThat(early.expired()).singleElement().satisfies(expired -> {
                assertThat(expired.beginOffset()).isEqualTo(read);
                assertThat(expired.endOffset()).isBetween(EVENTS / 2L, offset(admin, OffsetSpec.earliest()));
            });
        }
    }

    /** A group that verifies the topic, each time until its end, and tells of it in topics of its own. */
    private static final class Group {
        private final String servers;
        private final Admin admin;
        private final String name;

        Group(EmbeddedKafka kafka, Admin admin, String name) {
            this.servers = kafka.bootstrapServers();
            this.admin = admin;
            this.name = name;
            kafka.createTopic(name + "-alerts", 1, Map.of());
        }

        void verifyAll() throws Exception {
            Map<String, String> properties = Map.of(
                    "bootstrap.servers", servers,
                    "group.id", name,
                    "input.topics", TOPIC,
                    "alerts.topic", name + "-alerts");
            try (VerifyProcess process = VerifyProcess.open(new StormproofConfig(new HashMap<>(properties)))) {
                process.join();
                long end = offset(admin, OffsetSpec.latest());
                awaitTrue("progress", () -> progress() >= end);
            }
        }

        private long progress() throws ExecutionException, InterruptedException {
            OffsetAndMetadata committed = admin.listConsumerGroupOffsets(name)
                    .partitionsToOffsetAndMetadata()
                    .get()
                    .get(PARTITION);
            return committed == null ? -1 : committed.offset();
        }

        /** The intervals that it found violated. */
        Set<String> alerted() throws IOException {
            Set<String> ids = new TreeSet<>();
            for (Finding finding : findings()) {
                if (finding.type() == Finding.Type.VIOLATED && finding.revision() == Finding.FINAL_REVISION) {
                    ids.add(finding.id());
                }
            }
            return ids;
        }

        List<MissedRecords> expired() throws IOException {
            return findings().stream()
                    .filter(MissedRecords.class::isInstance)
                    .map(MissedRecords.class::cast)
                    .toList();
        }

        private List<Finding> findings() throws IOException {
            List<Finding> findings = new ArrayList<>();
            for (ConsumerRecord<byte[], byte[]> record : records(servers, name + "-alerts")) {
                findings.add(AlertJson.read(record.value()).finding());
            }
            return findings;
        }
    }

    /** One event of each kind of fault, among the first ones, which the tier has alone in the end. */
    private static FaultPlan faults() {
        return FaultPlan.of(
                Map.of(PARTITION, EVENTS / 2),
                Map.of(FaultKind.LOSE, 2, FaultKind.DUPLICATE, 2, FaultKind.ALTER, 2, FaultKind.SWAP, 2),
                EVERY,
                7);
    }

    private static void emit(String servers, int events, FaultPlan faults) {
        Map<String, Object> settings = Map.of("bootstrap.servers", servers, "stormproof.checkpoint.max.events", EVERY);
        try (CheckpointingProducer<byte[], byte[]> producer = new CheckpointingProducer<>(
                settings,
                new ByteArraySerializer(),
                new ByteArraySerializer(),
                inner -> new FaultInjector(
                        new KafkaProducer<>(inner, new ByteArraySerializer(), new ByteArraySerializer()), faults))) {
            byte[] value = new byte[EVENT_BYTES];
            for (int event = 0; event < events; event++) {
                ByteBuffer.wrap(value).putInt(event);
                var unused = producer.send(new ProducerRecord<>(TOPIC, 0, null, value.clone()));
            }
        }
    }

    private static void copyOldEventToTheEnd(String servers) {
        ConsumerRecord<byte[], byte[]> old = records(servers, TOPIC).get(EARLY_EVENTS + 2 * EVERY);
        send(servers, List.of(new ProducerRecord<>(TOPIC, 0, null, null, old.value(), old.headers())));
    }

    private static void copyLog(String servers) {
        send(
                servers,
                records(servers, TOPIC).stream()
                        .map(record -> new ProducerRecord<>(
                                COPY, 0, record.timestamp(), record.key(), record.value(), record.headers()))
                        .toList());
    }

    private static void send(String servers, List<ProducerRecord<byte[], byte[]>> records) {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", servers), new ByteArraySerializer(), new ByteArraySerializer())) {
            records.forEach(record -> {
                var unused = producer.send(record);
            });
        }
    }

    private static List<ConsumerRecord<byte[], byte[]>> records(String servers, String topic) {
        return Clients.committed(servers, new TopicPartition(topic, 0));
    }

    private static List<String> audit(String servers) {
        Shell.Result audit = Shell.here("audit", "--bootstrap-server", servers, "--topic", TOPIC, "--json")
                .ends(ExitCode.VIOLATED);
        return audit.out()
                .lines()
                .filter(line -> !line.startsWith("{\"audited\":\"topic\""))
                .toList();
    }

    private static Set<String> violated(List<String> lines) throws IOException {
        Set<String> ids = new TreeSet<>();
        for (String line : lines) {
            JsonNode finding = JSON.readTree(line);
            if (finding.has("anomalies")) {
                ids.add(finding.path("alertId").asText());
            }
        }
        return ids;
    }

    private static void set(Admin admin, String setting, String value) throws ExecutionException, InterruptedException {
        admin.incrementalAlterConfigs(Map.of(
                        new ConfigResource(ConfigResource.Type.TOPIC, TOPIC),
                        List.of(new AlterConfigOp(new ConfigEntry(setting, value), AlterConfigOp.OpType.SET))))
                .all()
                .get();
    }

    private static long offset(Admin admin, OffsetSpec place) throws ExecutionException, InterruptedException {
        return admin.listOffsets(Map.of(PARTITION, place))
                .partitionResult(PARTITION)
                .get()
                .offset();
    }

    private static long await(Admin admin, OffsetSpec place, LongPredicate wanted) throws Exception {
        awaitTrue("offset", () -> wanted.test(offset(admin, place)));
        return offset(admin, place);
    }

    private static void awaitTrue(String what, Callable<Boolean> done) throws Exception {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!done.call()) {
            assertThat(System.nanoTime()).as(what).isLessThan(deadlineNanos);
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private static long segmentsIn(Path tier) throws IOException {
        try (Stream<Path> files = Files.walk(tier)) {
            return files.filter(file -> file.toString().endsWith(".log")).count();
        }
    }
}
