package dev.stormproof.notary.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.cli.testing.Shell;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.config.StormproofConfig;
import dev.stormproof.guards.Guards;
import dev.stormproof.live.testing.PaperLog;
import dev.stormproof.local.EmbeddedKafka;
import dev.stormproof.local.OnKafka;
import dev.stormproof.local.SharedKafka;
import dev.stormproof.notary.Note;
import dev.stormproof.notary.testing.NotaryScene;
import dev.stormproof.notary.testing.TamperedSegment;
import dev.stormproof.process.VerifyProcess;
import dev.stormproof.submit.Failure;
import dev.stormproof.submit.StartupCheck;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Notes on topics of a real broker, which plain producers write. */
@OnKafka
@Timeout(180)
class NotaryOnKafkaTest {
    private final EmbeddedKafka kafka;
    private final NotaryScene scene;
    private final Path dir;

    NotaryOnKafkaTest(EmbeddedKafka kafka, @TempDir Path dir) throws Exception {
        this.kafka = kafka;
        this.dir = dir;
        this.scene = new NotaryScene(kafka, dir, 2);
    }

    /** Each note of a partition is the next one of its tree. */
    private static void assertOneChain(List<Note> notes) {
        Note before = null;
        for (Note note : notes) {
            boolean first = before == null || before.origin().partition() != note.origin().partition();
            assertThat(note.state().number()).isEqualTo(first || before == null ? 0 : before.state().number() + 1);
            assertThat(note.state().from()).isEqualTo(first || before == null ? 0 : before.state().next());
            before = note;
        }
    }

    @Test
    void oneRecordAlteredAndOneRemovedInTheBrokersSegmentAreBothNamed(@TempDir Path data) throws Exception {
        NotaryScene own;
        try (EmbeddedKafka broker = EmbeddedKafka.start(0, data)) {
            own = new NotaryScene(broker, dir, 1);
            own.send(0, 0, 300);
            own.notarize(own.config());
            own.send(0, 300, 400);
            own.notarize(own.config());
            assertThat(own.audit("--tiles", own.topic + "-tiles")).extracting(Shell.Result::exitCode).isEqualTo(0);
        }
        new TamperedSegment(data, own.topic + "-0").rewrite(Map.of(17L, "forged"), Set.of(333L));
        try (EmbeddedKafka broker = EmbeddedKafka.start(0, data)) {
            Shell.Result named =
                    own.auditAt(broker.bootstrapServers(), own.topic, "--tiles", own.topic + "-tiles");
            Shell.Result unnamed = own.auditAt(broker.bootstrapServers(), own.topic);

            assertThat(named.exitCode()).as("%s", named).isEqualTo(ExitCode.VIOLATED);
            assertThat(named.out())
                    .contains("398 records as they were noted")
                    .contains("altered: 1 record at offset 17, noted as number 17, between note none and note 0")
                    .contains("lost: 1 record before offset 334, noted as number 333, between note 0 and note 1")
                    .contains("VIOLATED");
            assertThat(unnamed.exitCode()).isEqualTo(ExitCode.VIOLATED);
            assertThat(unnamed.out())
                    .contains("different: something among 300 records at offsets 0 to 299")
                    .contains("different: something among 100 records at offsets 300 to 399");
        }
    }

    @Guards("progress-is-committed-with-its-notes")
    @Test
    void aTaskGoesOnWhereTheLastOneCommittedAndIsFencedByTheNext() throws Exception {
        StormproofConfig config = scene.config();
        scene.send(0, 0, 10);
        try (NotaryTask first = new NotaryTask(config, 0, NotaryTask.key(config))) {
            first.round();
            scene.send(0, 10, 25);
            try (NotaryTask second = new NotaryTask(config, 0, NotaryTask.key(config))) {
                scene.send(1, 0, 3);
                second.round();
                scene.send(0, 25, 30);
                assertThatThrownBy(first::round).isInstanceOf(KafkaException.class);
                second.round();
            }
        }
        scene.notarize(config);

        assertOneChain(scene.notes());
        assertThat(scene.noted(0)).isEqualTo(30);
        assertThat(scene.noted(1)).isEqualTo(3);
        Shell.Result audit = scene.audit("--tiles", scene.topic + "-tiles");
        assertThat(audit.exitCode()).as("%s", audit).isZero();
        assertThat(committed(config)).containsExactlyInAnyOrder(30L, 3L);
    }

    private List<Long> committed(StormproofConfig config) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            return admin.listConsumerGroupOffsets(NotaryTask.group(config))
                    .partitionsToOffsetAndMetadata()
                    .get()
                    .values()
                    .stream()
                    .map(OffsetAndMetadata::offset)
                    .toList();
        }
    }

    @Test
    void withoutProgressTheLastNoteInTheTopicIsContinued() throws Exception {
        scene.send(0, 0, 270);
        scene.notarize(scene.config());
        scene.send(0, 270, 300);
        scene.notarize(scene.config("group.id", scene.topic + "-another"));

        assertOneChain(scene.notes());
        assertThat(scene.noted(0)).isEqualTo(300);
        assertThat(scene.audit("--tiles", scene.topic + "-tiles").exitCode()).isZero();
    }

    @Test
    void anotherNumberOfTasksContinuesTheSameTrees() throws Exception {
        scene.send(0, 0, 5);
        scene.send(1, 0, 5);
        scene.notarize(scene.config());
        scene.send(0, 5, 9);
        scene.send(1, 5, 9);
        StormproofConfig two = scene.config("checkpoint.tasks", "2");
        for (int task = 0; task < 2; task++) {
            try (NotaryTask one = new NotaryTask(two, task, NotaryTask.key(two))) {
                one.round();
            }
        }

        assertOneChain(scene.notes());
        assertThat(scene.noted(0)).isEqualTo(9);
        assertThat(scene.noted(1)).isEqualTo(9);
    }

    @Test
    void transactionsAreNotedAsTheyCommit() throws Exception {
        try (Producer<String, String> producer = scene.producer("transactional.id", scene.topic)) {
            producer.initTransactions();
            for (int i = 0; i < 6; i++) {
                producer.beginTransaction();
                producer.send(new ProducerRecord<>(scene.topic, 0, "k", "in " + i)).get();
                if (i == 5) {
                    scene.notarize(scene.config());
                    assertThat(scene.noted(0)).isEqualTo(3);
                }
                if (i % 2 == 0) {
                    producer.commitTransaction();
                } else {
                    producer.abortTransaction();
                }
            }
        }
        scene.notarize(scene.config());

        assertThat(scene.noted(0)).isEqualTo(3);
        Shell.Result audit = scene.audit();
        assertThat(audit.out()).contains("-0: 3 records as they were noted").doesNotContain("never noted");
    }

    @Test
    void signedEventsAndCheckpointsAreRecordsAsAnyOthers() throws Exception {
        List<ProducerRecord<byte[], byte[]>> records = PaperLog.of(scene.topic, 2, 40, 10, Map.of());
        try (Producer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (ProducerRecord<byte[], byte[]> record : records) {
                producer.send(record).get();
            }
        }
        scene.notarize(scene.config());

        assertThat(scene.noted(0) + scene.noted(1)).isEqualTo(records.size());
        assertThat(scene.audit().exitCode()).isZero();
    }

    @Test
    void aCopyIsComparedWithTheSourcesNotes() throws Exception {
        String copy = SharedKafka.createTopic(kafka, "copy", 2);
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        try (Producer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (int i = 0; i < 20; i++) {
                byte[] value = ("record " + i).getBytes(StandardCharsets.UTF_8);
                records.add(new ProducerRecord<>(scene.topic, i % 2, 1_700_000_000_000L + i, null, value));
            }
            for (ProducerRecord<byte[], byte[]> record : records) {
                producer.send(record).get();
                if (!new String(record.value(), StandardCharsets.UTF_8).equals("record 9")) {
                    producer.send(new ProducerRecord<>(
                                    copy, record.partition(), record.timestamp(), record.key(), record.value()))
                            .get();
                }
            }
        }
        scene.notarize(scene.config());

        Shell.Result named = scene.auditAt(
                kafka.bootstrapServers(), copy, "--copy-of", scene.topic, "--tiles", scene.topic + "-tiles");
        Shell.Result whole =
                scene.auditAt(kafka.bootstrapServers(), copy, "--copy-of", scene.topic, "--partition", "0");

        assertThat(named.exitCode()).as("%s", named).isEqualTo(ExitCode.VIOLATED);
        assertThat(named.out()).contains("lost: 1 record before offset 4, noted as number 4");
        assertThat(whole.exitCode()).as("%s", whole).isZero();
    }

    @Test
    void aProcessNotarizesAloneUntilItEnds() throws Exception {
        StormproofConfig config = scene.config();
        assertThat(StartupCheck.checkProcess(config, VerifyProcess.replicasGroup(config))).isEmpty();
        try (VerifyProcess process = VerifyProcess.open(config)) {
            process.join();
            scene.send(0, 0, 20);
            NotaryScene.await(() -> scene.noted(0) == 20);
            scene.send(0, 20, 40);
            scene.send(1, 0, 7);
            NotaryScene.await(() -> scene.noted(0) == 40 && scene.noted(1) == 7);
            assertThat(process.failure()).isEmpty();
        }
        assertOneChain(scene.notes());
    }

    @Test
    void aProcessNotarizesWhatItVerifies() throws Exception {
        kafka.createTopic(scene.topic + "-alerts", 1, Map.of());
        StormproofConfig config = scene.config(
                "input.topics", scene.topic, "alerts.topic", scene.topic + "-alerts", "unsigned.events", "ignore");
        assertThat(StartupCheck.checkProcess(config, VerifyProcess.replicasGroup(config))).isEmpty();
        try (VerifyProcess process = VerifyProcess.open(config)) {
            process.join();
            NotaryScene.await(() -> process.unready().isEmpty());
            scene.send(0, 0, 20);
            NotaryScene.await(() -> scene.noted(0) == 20);
            assertThat(process.failure()).isEmpty();
        }
    }

    @Guards("compacted-topic-is-not-notarized")
    @Test
    void aCompactedTopicIsRefusedWithTheReason() {
        String compacted = SharedKafka.unique("compacted");
        kafka.createTopic(compacted, 1, Map.of("cleanup.policy", "compact"));
        StormproofConfig config = scene.config("notary.topics", compacted);

        assertThatThrownBy(() -> StartupCheck.checkProcess(config, VerifyProcess.replicasGroup(config)))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("is compacted: Kafka itself removes records");
    }

    @Test
    void notesThatExpireAreWarnedOf() {
        kafka.createTopic(scene.topic + "-short", 1, Map.of());
        StormproofConfig config = scene.config("notes.topic", scene.topic + "-short");

        assertThat(StartupCheck.checkProcess(config, VerifyProcess.replicasGroup(config)))
                .singleElement()
                .asString()
                .contains("notes expire", "retention.ms=-1");
    }
}
