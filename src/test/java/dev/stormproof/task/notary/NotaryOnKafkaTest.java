package dev.stormproof.task.notary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.cli.submit.StartupCheck;
import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.cli.testing.Shell;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.evidence.notary.testing.NotaryScene;
import dev.stormproof.evidence.notary.testing.TamperedSegment;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.process.VerifyProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
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

    @Test
    void oneRecordAlteredAndOneRemovedInTheBrokersSegmentAreBothNamed(@TempDir Path data) throws Exception {
        NotaryScene own;
        try (EmbeddedKafka broker = EmbeddedKafka.start(0, data)) {
            own = new NotaryScene(broker, dir, 1);
            own.send(0, 0, 300);
            own.notarize(own.config());
            own.send(0, 300, 400);
            own.notarize(own.config());
            assertThat(own.audit("--tiles", own.topic + "-tiles"))
                    .extracting(Shell.Result::exitCode)
                    .isEqualTo(0);
        }
        new TamperedSegment(data, own.topic + "-0").rewrite(Map.of(17L, "forged"), Set.of(333L));
        try (EmbeddedKafka broker = EmbeddedKafka.start(0, data)) {
            Shell.Result named = own.auditAt(broker.bootstrapServers(), own.topic, "--tiles", own.topic + "-tiles");
            Shell.Result unnamed = own.auditAt(broker.bootstrapServers(), own.topic);

            assertThat(named.exitCode()).as("%s", named).isEqualTo(ExitCode.VIOLATED);
            assertThat(named.out())
                    .contains("398 records as they were noted")
                    .contains("altered: 1 record at offset 17, noted as number 17, before note 0 of ")
                    .contains("lost: 1 record before offset 334, noted as number 333, between note 0 and note 1")
                    .contains("VIOLATED");
            assertThat(unnamed.exitCode()).isEqualTo(ExitCode.VIOLATED);
            assertThat(unnamed.out())
                    .contains("different: something among 300 records at offsets 0 to 299")
                    .contains("different: something among 100 records at offsets 300 to 399");
            Shell.Result proof = Shell.line("notary prove --bootstrap-server " + broker.bootstrapServers() + " --topic "
                            + own.topic + " --partition 0 --offset 17 --notes " + own.topic + "-notes --notary-key "
                            + own.publicKey() + " -o " + dir.resolve("forged.tlog-proof"))
                    .ends(ExitCode.USAGE);
            assertThat(proof.err()).contains("no longer holds what note 0");
        }
    }

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

        scene.assertOneChain();
        assertThat(scene.noted(0)).isEqualTo(30);
        assertThat(scene.noted(1)).isEqualTo(3);
        scene.audit("--tiles", scene.topic + "-tiles").ends(0);
        assertThat(committed(config)).containsExactlyInAnyOrder(30L, 3L);
    }

    private List<Long> committed(StormproofConfig config) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            return admin
                    .listConsumerGroupOffsets(NotaryTask.group(config))
                    .partitionsToOffsetAndMetadata()
                    .get()
                    .values()
                    .stream()
                    .map(OffsetAndMetadata::offset)
                    .toList();
        }
    }

    @Test
    void aNoteAndARoundAreOfABoundedNumberOfRecords() throws Exception {
        StormproofConfig config = scene.config();
        scene.send(0, 0, 20);
        scene.send(1, 0, 20);
        try (NotaryTask task = new NotaryTask(config, 0, NotaryTask.key(config), 10, 15)) {
            assertThat(task.round()).isTrue();
            assertThat(scene.noted(0)).isEqualTo(10);
            assertThat(scene.noted(1)).isEqualTo(5);
            while (task.round()) {
                // There is more.
            }
        }

        scene.assertOneChain();
        assertThat(scene.noted(0)).isEqualTo(20);
        assertThat(scene.noted(1)).isEqualTo(20);
        scene.audit("--tiles", scene.topic + "-tiles").ends(0);
    }

    @Test
    void withoutProgressTheLastNoteInTheTopicIsContinued() throws Exception {
        scene.send(0, 0, 270);
        scene.notarize(scene.config());
        scene.send(0, 270, 300);
        scene.notarize(scene.config("group.id", scene.topic + "-another"));

        scene.assertOneChain();
        assertThat(scene.noted(0)).isEqualTo(300);
        scene.audit("--tiles", scene.topic + "-tiles").ends(0);
    }

    /** The partitions without notes, as the gauge says. */
    private List<String> restingAfterARound(StormproofConfig config) {
        try (NotaryTask task = new NotaryTask(config, 0, NotaryTask.key(config))) {
            boolean unused = task.round();
            return NotaryTask.resting().keySet().stream()
                    .filter(labels -> labels.subList(0, 2).equals(List.of(config.groupId(), scene.topic)))
                    .map(labels -> labels.get(2))
                    .sorted()
                    .toList();
        }
    }

    /** The last note lies behind an open transaction of somebody else: who goes on from an older one begins a second chain. */
    @Test
    void aLastNoteThatAnOpenTransactionHidesIsWaitedFor() throws Exception {
        scene.send(0, 0, 5);
        scene.send(1, 0, 5);
        scene.notarize(scene.config());
        try (Producer<String, String> stranger = scene.producer("transactional.id", scene.topic + "-stranger")) {
            stranger.initTransactions();
            stranger.beginTransaction();
            stranger.send(new ProducerRecord<>(scene.topic + "-notes", "of nobody"))
                    .get();
            scene.send(0, 5, 10);
            scene.notarize(scene.config());
            scene.send(0, 10, 15);
            assertThat(restingAfterARound(scene.config())).containsExactly("0");
            assertThat(restingAfterARound(scene.config("group.id", scene.topic + "-another")))
                    .containsExactly("0", "1");
            stranger.abortTransaction();
        }
        scene.notarize(scene.config());

        scene.assertOneChain();
        assertThat(scene.noted(0)).isEqualTo(15);
    }

    /** A tile that is given up is missing for good: what is there a moment later is waited for, as the note is. */
    @Test
    void aTileThatAnOpenTransactionHidesIsNotGivenUp() throws Exception {
        scene.send(0, 0, 5);
        scene.notarize(scene.config());
        try (Producer<String, String> stranger = scene.producer("transactional.id", scene.topic + "-stranger")) {
            stranger.initTransactions();
            stranger.beginTransaction();
            stranger.send(new ProducerRecord<>(scene.topic + "-tiles", "of nobody", "no tile"))
                    .get();
            scene.send(0, 5, 10);
            scene.notarize(scene.config());
            scene.send(0, 10, 15);
            assertThat(restingAfterARound(scene.config())).containsExactly("0");
            stranger.abortTransaction();
        }
        scene.notarize(scene.config());

        scene.assertOneChain();
        assertThat(scene.noted(0)).isEqualTo(15);
        command("notary", "tiles", "-o", dir.resolve("tiles").toString()).ends(0);
    }

    /** The live notary goes on writing: what it noted since may be gone, and the audit knows nothing of it. */
    @Test
    void anAuditThatAnOpenTransactionKeepsFromTheLastNotesIsNotComplete() throws Exception {
        StormproofConfig config = scene.config();
        scene.send(0, 0, 5);
        try (NotaryTask task = new NotaryTask(config, 0, NotaryTask.key(config));
                Producer<String, String> stranger = scene.producer("transactional.id", scene.topic + "-stranger")) {
            task.round();
            stranger.initTransactions();
            stranger.beginTransaction();
            stranger.send(new ProducerRecord<>(scene.topic + "-notes", "of nobody"))
                    .get();
            scene.send(0, 5, 10);
            task.round();

            Shell.Result audit = scene.audit("--partition", "0");
            Shell.Result json = scene.audit("--partition", "0", "--json");
            Shell.Result notes = command("notary", "notes", "--last");
            stranger.abortTransaction();

            assertThat(audit.exitCode()).as("%s", audit).isEqualTo(ExitCode.INCONCLUSIVE);
            assertThat(audit.out())
                    .contains(scene.topic + "-notes-0: a transaction is open there", "verdict: INCONCLUSIVE");
            assertThat(json.out()).contains("\"notesHeldBack\":[\"" + scene.topic + "-notes-0\"]");
            assertThat(notes.err()).contains("a transaction is open there");
        }
        scene.audit("--partition", "0").ends(0);
    }

    /** Whoever deletes a topic and creates it again has removed what was noted of it, whatever the new one holds. */
    @Test
    void aTopicThatWasDeletedAndCreatedAgainIsNotUnaltered() throws Exception {
        scene.send(0, 0, 20);
        scene.send(1, 0, 20);
        scene.notarize(scene.config());
        String old = scene.notes().get(0).origin().topicId();
        createAgain(1);
        scene.send(0, 0, 10);

        Shell.Result unnoted = scene.audit();
        scene.notarize(scene.config());
        Shell.Result audit = scene.audit();
        Shell.Result json = scene.audit("--json");
        String now = scene.notes().stream()
                .map(note -> note.origin().topicId())
                .filter(id -> !id.equals(old))
                .findFirst()
                .orElseThrow();

        assertThat(unnoted.exitCode()).as("%s", unnoted).isEqualTo(ExitCode.VIOLATED);
        assertThat(audit.exitCode()).as("%s", audit).isEqualTo(ExitCode.VIOLATED);
        assertThat(audit.out())
                .contains(scene.topic + "-0: 10 records as they were noted")
                .contains(
                        scene.topic + ": 40 records of 2 partitions were noted of another topic of that name, with the "
                                + "topic id " + old)
                .contains("that topic was deleted, and they are gone", "VIOLATED");
        assertThat(json.out()).contains("{\"topicId\":\"" + old + "\",\"partitions\":2,\"noted\":40,");
        Shell.Result chosen = scene.audit("--topic-id", now).ends(0);
        assertThat(chosen.out()).contains("with the topic id " + old, "they are not judged");
        assertThat(scene.audit("--topic-id", old).err()).contains("has the id " + now + " now");
    }

    /** A notes topic holds those on thousands of trees. */
    @Test
    void notesOnOtherTopicsAreNotVerified() throws Exception {
        scene.send(0, 0, 10);
        scene.notarize(scene.config());
        String own = scene.notes().get(0).origin().text();
        try (Producer<String, String> forger = scene.producer()) {
            for (String origin : List.of(own, own.replace(scene.topic, "another"), "notary-1/no/origin")) {
                forger.send(new ProducerRecord<>(scene.topic + "-notes", origin, "no note"))
                        .get();
            }
        }

        Shell.Result audit = scene.audit("--partition", "0").ends(0);

        assertThat(audit.err().lines()).singleElement().asString().contains("not counted", "-notes@");
    }

    private void createAgain(int partitions) throws Exception {
        delete(scene.topic);
        kafka.createTopic(scene.topic, partitions, Map.of());
    }

    private void delete(String topic) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.deleteTopics(List.of(topic)).all().get(60, TimeUnit.SECONDS);
            NotaryScene.await(() -> {
                try {
                    return !admin.listTopics().names().get().contains(topic);
                } catch (InterruptedException | ExecutionException e) {
                    throw new IllegalStateException(e);
                }
            });
        }
    }

    private Shell.Result command(String... words) {
        return Shell.line(
                String.join(" ", words) + " --bootstrap-server " + kafka.bootstrapServers() + " --topic " + scene.topic
                        + " --partition 0 --notes " + scene.topic + "-notes --tiles " + scene.topic
                        + "-tiles --notary-key " + scene.publicKey());
    }

    @Test
    void aProofIsCheckedWithoutKafkaAndAnotherRecordRefused() throws Exception {
        scene.send(0, 0, 300);
        scene.notarize(scene.config());
        scene.send(0, 300, 310);
        scene.notarize(scene.config());
        Path proof = dir.resolve("a.tlog-proof");

        command("notary", "prove", "--offset", "305", "-o", proof.toString()).ends(0);
        Shell.Result checked = Shell.here("verify", proof.toString(), "--notary-key", scene.publicKey())
                .ends(0);
        assertThat(checked.out())
                .contains("the 310 records of notary-1/", ", number 305 was the record below: ", "value: record 305");
        Path without = dir.resolve("without.tlog-proof");
        command("notary", "prove", "--offset", "305", "--without-content", "-o", without.toString())
                .ends(0);
        assertThat(Files.readString(without)).isEqualTo(Files.readString(proof).replaceFirst("extra .*\n", ""));
        byte[] bytes = Files.readAllBytes(proof);
        for (int at = "c2sp.org/tlog-proof@v1".length() + 7; at < bytes.length; at += 5) {
            byte[] other = bytes.clone();
            other[at] ^= 1;
            Files.write(proof, other);
            assertThat(Shell.here("verify", proof.toString(), "--notary-key", scene.publicKey())
                            .exitCode())
                    .as("byte %d", at)
                    .isEqualTo(ExitCode.DAMAGED);
        }
    }

    @Test
    void oneNoteIsProvenToContinueAnother() throws Exception {
        scene.send(0, 0, 300);
        scene.notarize(scene.config());
        scene.send(0, 300, 777);
        scene.notarize(scene.config());
        Path earlier = dir.resolve("earlier");
        Path proof = dir.resolve("consistency");

        Files.writeString(earlier, command("notary", "notes", "--number", "0").out());
        command("notary", "consistency", "--from", "0", "--to", "1", "-o", proof.toString())
                .ends(0);
        Shell.Result checked = Shell.here(
                        "verify", proof.toString(), "--earlier", earlier.toString(), "--notary-key", scene.publicKey())
                .ends(0);
        assertThat(checked.out()).contains("the tree of 777 records", "begins with the 300 records");
    }

    @Test
    void tilesAreExportedAsStaticFiles() throws Exception {
        scene.send(0, 0, 700);
        scene.notarize(scene.config());
        Path tiles = dir.resolve("tiles");

        command("notary", "tiles", "-o", tiles.toString()).ends(0);

        assertThat(tiles.resolve("tile/0/001")).hasSize(8192);
        assertThat(tiles.resolve("tile/0/002.p/188")).hasSize(188 * 32);
        assertThat(tiles.resolve("tile/1/000.p/2")).hasSize(64);
        assertThat(Files.readString(tiles.resolve("checkpoint")))
                .isEqualTo(command("notary", "notes", "--last").out());
        byte[] whole = Files.readAllBytes(tiles.resolve("tile/0/001"));
        Files.write(tiles.resolve("tile/0/001"), Arrays.copyOf(whole, 1000));
        assertThat(command("notary", "tiles", "-o", tiles.toString()).err()).startsWith("stormproof: 2 files written");
        assertThat(tiles.resolve("tile/0/001")).hasBinaryContent(whole);
        forgeTile(2, 256);
        Path forged = dir.resolve("forged");
        command("notary", "tiles", "-o", forged.toString()).ends(ExitCode.USAGE);
        assertThat(forged).doesNotExist();
    }

    /** Where such tiles would lie overflows, or is where the tree's first ones lie. */
    @Test
    void aTileBeyondTheTreeIsPassedOver() throws Exception {
        scene.send(0, 0, 300);
        scene.notarize(scene.config());
        for (long index : new long[] {2, 1L << 40, 1L << 50, 1L << 51}) {
            forgeTile(index, 1);
        }

        scene.audit("--tiles", scene.topic + "-tiles", "--partition", "0").ends(0);
    }

    private void forgeTile(long index, int hashes) throws Exception {
        try (Producer<String, byte[]> forger = new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                new StringSerializer(),
                new ByteArraySerializer())) {
            // What a transaction wrote is not readable at once behind its commit.
            NotaryScene.await(() -> !scene.notes().isEmpty());
            String origin = scene.notes().get(0).origin().text();
            forger.send(new ProducerRecord<>(scene.topic + "-tiles", origin + "\n" + index, new byte[hashes * 32]))
                    .get();
        }
    }

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
    void notesThatExpireAreRefused() {
        kafka.createTopic(scene.topic + "-short", 1, Map.of());
        kafka.createTopic(scene.topic + "-few", 1, Map.of("retention.ms", "-1", "retention.bytes", "1000"));
        for (String refused : List.of("-short", "-few")) {
            StormproofConfig config = scene.config("notes.topic", scene.topic + refused);

            assertThatThrownBy(() -> StartupCheck.checkProcess(config, VerifyProcess.replicasGroup(config)))
                    .isInstanceOf(Failure.class)
                    .hasMessageContaining("notes expire from topic '" + scene.topic + refused)
                    .hasMessageContaining(refused.equals("-few") ? "set retention.bytes=-1" : "set retention.ms=-1");
        }
    }

    /** What expired from the notes topic, or was deleted there, is one quiet partition's last note. */
    @Test
    void aLastNoteThatIsGoneKeepsNoOtherPartitionFromItsNotes() throws Exception {
        scene.send(0, 0, 5);
        scene.notarize(scene.config());
        scene.send(1, 0, 5);
        scene.notarize(scene.config());
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            TopicPartition notes = new TopicPartition(scene.topic + "-notes", 0);
            admin.deleteRecords(Map.of(notes, RecordsToDelete.beforeOffset(1)))
                    .all()
                    .get();
        }
        scene.send(0, 5, 10);
        scene.send(1, 5, 10);

        assertThat(restingAfterARound(scene.config())).containsExactly("0");
        assertThat(scene.noted(1)).isEqualTo(10);
        scene.assertOneChain();
    }
}
