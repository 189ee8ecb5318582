package dev.stormproof.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.cli.local.Stages;
import dev.stormproof.cli.testing.Shell;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.emit.testing.Clients;
import dev.stormproof.evidence.notary.testing.NotaryScene;
import dev.stormproof.task.live.testing.PaperLog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** MirrorMaker 2 between two brokers: an audit of the target proves it, and names each way in which its users break it. */
@Tag(Stages.CLUSTER)
@Timeout(300)
class MirrorMakerTest {
    private static final String BETWEEN = " between the origin's log and this one";
    private static final String UNKNOWN = " on an unknown hop: the origin's log does not show it";
    /** Nothing happens to it but a restart of the mirror. */
    private static final String WHOLE = "whole";

    /** Retention at the source overtakes the mirror while that is stopped. */
    private static final String EXPIRED = "expired";

    /** Deleted and created again while the mirror is stopped. */
    private static final String RECREATED = "recreated";

    private static final int PARTITIONS = 2;

    /** How many records a partition has of 200 events: a checkpoint for each ten, and one at the beginning and at the end. */
    private static final long RECORDS = 112;

    /** Where MirrorMaker keeps how far it has come. */
    private static final String OFFSETS = "mm2-offsets." + RunningMirror.SOURCE + ".internal";

    private EmbeddedKafka source;
    private EmbeddedKafka target;
    private Admin sourceAdmin;
    private Admin targetAdmin;

    @BeforeEach
    void start() throws Exception {
        source = EmbeddedKafka.start();
        target = EmbeddedKafka.start();
        sourceAdmin = Admin.create(Map.of("bootstrap.servers", source.bootstrapServers()));
        targetAdmin = Admin.create(Map.of("bootstrap.servers", target.bootstrapServers()));
    }

    @AfterEach
    void close() {
        sourceAdmin.close();
        targetAdmin.close();
        target.close();
        source.close();
    }

    @Test
    void aMirrorIsProvenAndEachWayToBreakItIsNamed() throws Exception {
        for (String topic : List.of(WHOLE, EXPIRED, RECREATED)) {
            source.createTopic(topic, PARTITIONS, Map.of("retention.ms", "-1"));
            send(topic, 200);
        }
        try (RunningMirror mirror = RunningMirror.start(source, target)) {
            for (String topic : List.of(WHOLE, EXPIRED, RECREATED)) {
                awaitEnds(mirror.copyOf(topic), RECORDS, RECORDS);
                assertProven(topic, 200);
            }
        }

        send(EXPIRED, 200);
        expire(EXPIRED, RECORDS + 30);
        recreate(RECREATED);
        send(RECREATED, 400);
        try (RunningMirror mirror = RunningMirror.start(source, target)) {
            send(WHOLE, 200);
            awaitEnds(mirror.copyOf(WHOLE), 2 * RECORDS, 2 * RECORDS);
            assertProven(WHOLE, 400);
            awaitEnds(mirror.copyOf(EXPIRED), 2 * RECORDS - 30, 2 * RECORDS);
            assertTheExpiredAreLost();
            // It goes on at the offset where it was in the old topic: the first 112 records of the new one are lost.
            awaitEnds(mirror.copyOf(RECREATED), 222, 222);
            assertTheBeginningIsLost();
        }

        targetAdmin.deleteTopics(List.of(OFFSETS)).all().get();
        try (RunningMirror mirror = RunningMirror.start(source, target)) {
            awaitEnds(mirror.copyOf(WHOLE), 4 * RECORDS, 4 * RECORDS);
            assertEverythingCameTwice();
        }
    }

    /** The notes and tiles lie in an archive elsewhere: neither the source nor the notary is asked. */
    @Test
    void aMirrorIsComparedWithTheNotesOnItsSourceOnceThatIsGone(@TempDir Path dir) throws Exception {
        NotaryScene noted = new NotaryScene(source, dir, PARTITIONS);
        String copy = RunningMirror.SOURCE + "." + noted.topic;
        sendUnsigned(noted, 0, 100);
        noted.notarize(noted.config());
        try (RunningMirror mirror = RunningMirror.start(source, target)) {
            awaitEnds(mirror.copyOf(noted.topic), 100, 100);
            try (Producer<byte[], byte[]> intruder = producer(target)) {
                intruder.send(new ProducerRecord<>(copy, 1, null, new byte[] {1}))
                        .get();
            }
            sendUnsigned(noted, 100, 300);
            awaitEnds(mirror.copyOf(noted.topic), 300, 301);
        }
        noted.notarize(noted.config());
        try (EmbeddedKafka archive = EmbeddedKafka.start()) {
            for (String topic : List.of(noted.topic + "-notes", noted.topic + "-tiles")) {
                archive.createTopic(topic, 1, Map.of());
                archive(topic, archive);
            }
            source.close();
            Path client = Files.writeString(dir.resolve("archive.properties"), "client.id=auditor\n");

            Shell.Result audit = noted.auditAt(
                            target.bootstrapServers(),
                            copy,
                            "--copy-of",
                            noted.topic,
                            "--tiles",
                            noted.topic + "-tiles",
                            "--notes-bootstrap-server",
                            archive.bootstrapServers(),
                            "--notes-command-config",
                            client.toString())
                    .ends(ExitCode.VIOLATED);

            assertThat(audit.out())
                    .contains(
                            copy + "-0: 300 records as they were noted",
                            copy + "-1: 300 records as they were noted",
                            "inserted: 1 record at offset 100")
                    .containsOnlyOnce("inserted")
                    .doesNotContain("lost", "altered:", "not compared");
        }
    }

    private static void sendUnsigned(NotaryScene noted, int from, int to) {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            noted.send(partition, from, to);
        }
    }

    private void archive(String topic, EmbeddedKafka archive) {
        try (Producer<byte[], byte[]> producer = producer(archive)) {
            for (ConsumerRecord<byte[], byte[]> record : Clients.committed(source, new TopicPartition(topic, 0))) {
                var unused = producer.send(new ProducerRecord<>(
                        topic, 0, record.timestamp(), record.key(), record.value(), record.headers()));
            }
        }
    }

    private static Producer<byte[], byte[]> producer(EmbeddedKafka kafka) {
        return SharedKafka.producer(kafka);
    }

    private void assertProven(String topic, int events) {
        Shell.Result result = audit(topic).ends(0);
        assertThat(result.out())
                .contains("VERIFIED: " + events + " events arrived once, in order, with key and value unaltered\n");
    }

    /** Of the second stream in partition 0 checkpoints 0, 1 and 2 and the events 0 to 26: the first that came is 27. */
    private void assertTheExpiredAreLost() {
        Shell.Result result = audit(EXPIRED).ends(1);
        assertThat(findings(result))
                .containsExactly(
                        "lost sequence 0..26 dc1.expired-0 (nowhere)" + UNKNOWN + " before sequence 27",
                        "checkpoint-lost checkpoint 0..2 dc1.expired-0@115" + UNKNOWN);
    }

    /** Of the new stream in each partition checkpoints 0 to 10, their events, and the first event of the next interval. */
    private void assertTheBeginningIsLost() {
        Shell.Result result = audit(RECREATED).ends(1);
        assertThat(findings(result))
                .containsExactly(
                        "lost sequence 0..100 dc1.recreated-0 (nowhere)" + BETWEEN + " before sequence 101",
                        "checkpoint-lost checkpoint 0..10 dc1.recreated-0@121" + BETWEEN,
                        "lost sequence 0..100 dc1.recreated-1 (nowhere)" + BETWEEN + " before sequence 101",
                        "checkpoint-lost checkpoint 0..10 dc1.recreated-1@121" + BETWEEN);
    }

    /** Each of the 48 checkpoints is a stray, and the events after the closing ones are unsealed, in four streams. */
    private void assertEverythingCameTwice() {
        Shell.Result result = audit(WHOLE).ends(1);
        assertThat(findings(result)).isEmpty();
        assertThat(result.out().lines())
                .filteredOn(line -> line.matches(" *stray record \\((repeated|late)-checkpoint\\).*"))
                .hasSize(48);
        assertThat(result.out().lines())
                .filteredOn(line ->
                        line.contains("inconclusive (unsealed)") && line.endsWith("after the closing checkpoint"))
                .hasSize(4);
    }

    /** The anomalies that a report names, without signatures, and without the offsets of neighbours. */
    private static List<String> findings(Shell.Result result) {
        Predicate<String> anomaly = line -> line.matches("  [a-z-]+  .*");
        return result.out()
                .lines()
                .filter(anomaly)
                .map(line -> line.strip().replaceAll("  signed [0-9a-f…]*", "").replaceAll(" +", " "))
                .map(line -> line.replaceAll("(before sequence \\d+) @\\d+ of \\S+", "$1"))
                .toList();
    }

    private Shell.Result audit(String topic) {
        return Shell.line("audit --bootstrap-server " + target.bootstrapServers() + " --topic " + RunningMirror.SOURCE
                + "." + topic + " --mirror-of " + topic + " --origin-bootstrap-server " + source.bootstrapServers());
    }

    /** Sends the streams of one emitter to the source, closed at the end, with ten events to an interval. */
    private void send(String topic, int events) {
        try (Producer<byte[], byte[]> producer = producer(source)) {
            for (ProducerRecord<byte[], byte[]> record : PaperLog.of(topic, PARTITIONS, events, 10, Map.of())) {
                var unused = producer.send(record);
            }
        }
    }

    private void expire(String topic, long offset) throws Exception {
        sourceAdmin
                .deleteRecords(Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(offset)))
                .all()
                .get();
    }

    private void recreate(String topic) throws Exception {
        sourceAdmin.deleteTopics(List.of(topic)).all().get();
        while (sourceAdmin.listTopics().names().get().contains(topic)) {
            Thread.onSpinWait();
        }
        source.createTopic(topic, PARTITIONS, Map.of("retention.ms", "-1"));
    }

    private void awaitEnds(String copy, long... records) throws Exception {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            TopicPartition one = new TopicPartition(copy, partition);
            while (end(one) < records[partition]) {
                Thread.onSpinWait();
            }
            assertThat(end(one)).isEqualTo(records[partition]);
        }
    }

    /** The end of a partition at the target; -1 as long as it does not exist. */
    private long end(TopicPartition partition) throws Exception {
        try {
            return targetAdmin
                    .listOffsets(Map.of(partition, OffsetSpec.latest()))
                    .partitionResult(partition)
                    .get()
                    .offset();
        } catch (ExecutionException e) {
            assertThat(e).hasCauseInstanceOf(UnknownTopicOrPartitionException.class);
            return -1;
        }
    }
}
