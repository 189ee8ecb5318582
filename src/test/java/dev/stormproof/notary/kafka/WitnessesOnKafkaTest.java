package dev.stormproof.notary.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import dev.stormproof.cli.testing.Shell;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.config.StormproofConfig;
import dev.stormproof.local.EmbeddedKafka;
import dev.stormproof.local.OnKafka;
import dev.stormproof.notary.Note;
import dev.stormproof.notary.NoteKey;
import dev.stormproof.notary.testing.NotaryScene;
import dev.stormproof.notary.testing.TestWitness;
import dev.stormproof.process.VerifyProcess;
import dev.stormproof.sign.CheckpointKey;
import dev.stormproof.sign.PublicKey;
import dev.stormproof.submit.Failure;
import dev.stormproof.submit.StartupCheck;
import dev.stormproof.witness.Witnesses;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Notes of a real broker that a witness cosigns over HTTP, or does not. */
@OnKafka
@Timeout(180)
class WitnessesOnKafkaTest {
    private final EmbeddedKafka kafka;
    private final NotaryScene scene;
    private final Path dir;
    private final TestWitness witness;
    private final StormproofConfig config;

    WitnessesOnKafkaTest(EmbeddedKafka kafka, @TempDir Path dir) throws Exception {
        this.kafka = kafka;
        this.dir = dir;
        this.scene = new NotaryScene(kafka, dir, 1);
        this.witness = witness("w1.example");
        this.config = witnessed(witness);
    }

    @AfterEach
    void close() {
        witness.close();
    }

    private TestWitness witness(String name) throws IOException {
        Path file = dir.resolve(name + ".pem");
        assertThat(Shell.here("key", "create", "--id", name, "-o", file.toString())
                        .exitCode())
                .isZero();
        return new TestWitness(
                name,
                CheckpointKey.ofText(name, Files.readString(file)),
                NotaryTask.key(scene.config()).publicKey());
    }

    private StormproofConfig witnessed(TestWitness... witnesses) {
        List<String> settings = new ArrayList<>();
        for (TestWitness one : witnesses) {
            settings.add(one.setting());
        }
        return scene.config("notary.witnesses", String.join(",", settings), "notary.witness.interval.ms", "100");
    }

    private NotaryTask task() {
        return new NotaryTask(config, 0, NotaryTask.key(config));
    }

    private Shell.Result command(String... words) {
        List<String> args = new ArrayList<>(List.of(words));
        args.addAll(
                List.of("--bootstrap-server", kafka.bootstrapServers(), "--topic", scene.topic, "--partition", "0"));
        args.addAll(List.of("--notes", scene.topic + "-notes", "--notary-key", scene.publicKey()));
        args.addAll(List.of("--witness-key", witness.vkey().text()));
        return Shell.here(args.toArray(new String[0]));
    }

    private long cosigned() {
        return command("notary", "notes")
                .out()
                .lines()
                .filter(line -> line.contains("cosigned by w1.example"))
                .count();
    }

    private void awaitCosigned(int notes) {
        NotaryScene.await(() -> cosigned() == notes);
    }

    private long seen() {
        List<Note> notes = scene.notes();
        return notes.isEmpty() ? 0 : witness.seenSize(notes.get(0).origin().text());
    }

    private static void reply(HttpExchange exchange, int code, byte[] body) {
        try {
            exchange.sendResponseHeaders(code, body.length);
            exchange.getResponseBody().write(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aProofCarriesTheCosignatureThatACheckDemands() throws Exception {
        Path proof = dir.resolve("a.tlog-proof");
        String key = scene.publicKey();
        try (TestWitness other = witness("w2.example");
                NotaryTask task = task()) {
            scene.send(0, 0, 100);
            task.round();
            awaitCosigned(1);
            scene.send(0, 100, 163);
            task.round();
            awaitCosigned(2);
            assertThat(witness.answers()).containsExactly(200, 200);
            Shell.Result made = command("notary", "prove", "--offset", "130", "-o", proof.toString());
            assertThat(made.exitCode()).as("%s", made).isZero();
            String vkey = witness.vkey().text();
            String another = other.vkey().text();

            Shell.Result checked = Shell.here("check", proof.toString(), "--notary-key", key, "--witness-key", vkey);
            Shell.Result one = Shell.here(
                    "check",
                    proof.toString(),
                    "--notary-key",
                    key,
                    "--witness-key",
                    vkey,
                    "--witness-key",
                    another,
                    "--witnesses",
                    "1");
            Shell.Result both = Shell.here(
                    "check", proof.toString(), "--notary-key", key, "--witness-key", vkey, "--witness-key", another);

            assertThat(checked.exitCode()).as("%s", checked).isZero();
            assertThat(checked.out()).contains("cosigned by w1.example (", "at 2023-11-14T22:13:20Z");
            assertThat(one.exitCode()).as("%s", one).isZero();
            assertThat(both.exitCode()).isEqualTo(ExitCode.DAMAGED);
            assertThat(both.err()).contains("of 2 witnesses 1 cosigned its note, and 2 are demanded");
            assertThat(Shell.here("check", proof.toString(), "--notary-key", key, "--witness-key", another)
                            .exitCode())
                    .isEqualTo(ExitCode.DAMAGED);
        }
    }

    /** As one does that counts nanoseconds. */
    @Test
    void aTimeThatNoCalendarHasIsPrintedAsItWasSigned() throws Exception {
        witness.setClock(Long.MAX_VALUE);
        scene.send(0, 0, 10);
        try (NotaryTask task = task()) {
            task.round();
            awaitCosigned(1);
        }
        Shell.Result json = command("notary", "notes", "--json");
        Shell.Result text = command("notary", "notes");

        assertThat(json.exitCode()).as("%s", json).isZero();
        assertThat(json.out()).contains("\"time\":\"second " + Long.MAX_VALUE + "\"");
        assertThat(text.out()).contains(", at second " + Long.MAX_VALUE);
    }

    @Test
    void oneWitnessUnderTwoNamesCountsOnce() throws Exception {
        NoteKey key = witness.vkey();
        for (String name : List.of(key.name(), "another.example")) {
            Shell.Result twice = Shell.here(
                    "check",
                    Files.writeString(dir.resolve("none"), "c2sp.org/tlog-proof@v1\n")
                            .toString(),
                    "--notary-key",
                    scene.publicKey(),
                    "--witness-key",
                    key.text(),
                    "--witness-key",
                    new NoteKey(name, key.type(), key.key()).text());

            assertThat(twice.err()).contains("the key of '" + name + "' is given twice");
            assertThat(twice.exitCode()).isEqualTo(ExitCode.USAGE);
        }
    }

    @Test
    void theNextTaskAsksFromWhatTheWitnessSaw() throws Exception {
        scene.send(0, 0, 100);
        try (NotaryTask first = task()) {
            first.round();
            awaitCosigned(1);
        }
        scene.send(0, 100, 150);
        scene.notarize(scene.config());
        scene.send(0, 150, 163);
        try (NotaryTask second = task()) {
            second.round();
            NotaryScene.await(() -> seen() == 163);
        }

        assertThat(witness.answers()).contains(409).doesNotContain(400, 422);
    }

    @Test
    void whatExpiredIsProvenFromTiles() throws Exception {
        scene.send(0, 0, 100);
        try (NotaryTask first = task()) {
            first.round();
            awaitCosigned(1);
        }
        scene.send(0, 100, 300);
        scene.notarize(scene.config());
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.deleteRecords(Map.of(new TopicPartition(scene.topic, 0), RecordsToDelete.beforeOffset(250)))
                    .all()
                    .get();
        }
        try (NotaryTask second = task()) {
            second.round();
            NotaryScene.await(() -> seen() == 300);
        }
        assertThat(witness.answers()).endsWith(409, 200);
    }

    @Test
    void aWitnessThatHangsStopsNoNoteAndIsAskedForTheLastOneOnceItIsBack() throws Exception {
        CountDownLatch hanging = new CountDownLatch(1);
        CountDownLatch asked = new CountDownLatch(1);
        witness.trouble(exchange -> {
            asked.countDown();
            try {
                hanging.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return false;
        });
        try (NotaryTask task = task()) {
            scene.send(0, 0, 10);
            task.round();
            asked.await();
            for (int i = 1; i <= 20; i++) {
                scene.send(0, 10 * i, 10 * i + 10);
                task.round();
            }
            NotaryScene.await(() -> scene.notes().size() == 21);
            assertThat(cosigned()).isZero();
            hanging.countDown();
            NotaryScene.await(() -> seen() == 210);
        }
        assertThat(witness.answers()).as("at most one note between").hasSizeLessThanOrEqualTo(3);
    }

    @Test
    void anAnswerThatIsLostIsAskedForAgain() throws Exception {
        AtomicInteger lost = new AtomicInteger();
        try (NotaryTask task = task()) {
            scene.send(0, 0, 10);
            task.round();
            awaitCosigned(1);
            Note first = scene.notes().get(0);
            scene.send(0, 10, 25);
            witness.trouble(exchange -> {
                if (lost.getAndIncrement() == 0) {
                    // It keeps what it saw, and its answer is an outage.
                    NotaryScene.await(() -> scene.notes().size() == 2);
                    witness.see(scene.notes().get(1).head());
                    reply(exchange, 503, "later".getBytes(UTF_8));
                    return true;
                }
                return false;
            });
            task.round();
            awaitCosigned(2);
            assertThat(seen()).isEqualTo(25);
            assertThat(first.head().size()).isEqualTo(10);
        }
        assertThat(witness.answers()).containsExactly(200, 409, 200);
    }

    @Test
    void aWitnessOfAnotherHistorySignsNothingAndStopsNothing() throws Exception {
        scene.send(0, 0, 10);
        scene.notarize(scene.config());
        NotaryScene.await(() -> !scene.notes().isEmpty());
        witness.see(TestWitness.another(scene.notes().get(0).head()));
        scene.send(0, 10, 20);
        try (NotaryTask task = task()) {
            task.round();
            NotaryScene.await(() -> witness.answers().contains(422));
            scene.send(0, 20, 30);
            task.round();
        }
        NotaryScene.await(() -> scene.notes().size() == 3);
        assertThat(cosigned()).isZero();
    }

    @Test
    void aSignatureOverAnotherTextIsNotKept() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        witness.trouble(exchange -> {
            asked.incrementAndGet();
            reply(exchange, 200, witness.cosignature("another text\n").getBytes(UTF_8));
            return true;
        });
        try (NotaryTask task = task()) {
            scene.send(0, 0, 10);
            task.round();
            NotaryScene.await(() -> asked.get() > 1);
        }
        assertThat(cosigned()).isZero();
    }

    /** Who may write to the notes topic makes no cosignature, and takes none away. */
    @Test
    void whatOthersWriteCountsForNothing() throws Exception {
        scene.send(0, 0, 10);
        try (NotaryTask task = task()) {
            task.round();
            awaitCosigned(1);
        }
        NotaryScene.await(() -> !scene.notes().isEmpty());
        Note note = scene.notes().get(0);
        String bad = witness.cosignature("another text\n");
        try (Producer<byte[], byte[]> forger = new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (String value : List.of(
                    new String(note.signed().encode(), UTF_8) + bad,
                    note.signed().text() + "\n"
                            + witness.cosignature(note.signed().text()),
                    "no note")) {
                forger.send(new ProducerRecord<>(
                                scene.topic + "-notes", NotesTopic.cosignedKey(note.origin()), value.getBytes(UTF_8)))
                        .get();
            }
        }

        assertThat(cosigned()).isEqualTo(1);
        assertThat(scene.audit().exitCode()).isZero();
    }

    @Test
    void aNoteThatIsNotCommittedIsShownToNobody() throws Exception {
        scene.send(0, 0, 10);
        try (NotaryTask first = task()) {
            first.round();
            awaitCosigned(1);
            try (NotaryTask second = new NotaryTask(scene.config(), 0, NotaryTask.key(config))) {
                scene.send(0, 10, 20);
                assertThatThrownBy(first::round).isInstanceOf(Exception.class);
                second.round();
            }
        }
        assertThat(seen()).isEqualTo(10);
        assertThat(witness.answers()).containsExactly(200);
    }

    @Test
    void aProcessHasItsNotesCosigned() throws Exception {
        try (VerifyProcess process = VerifyProcess.open(config)) {
            process.join();
            scene.send(0, 0, 20);
            NotaryScene.await(() -> scene.noted(0) == 20 && cosigned() > 0);
            assertThat(process.failure()).isEmpty();
        }
    }

    @Test
    void tooManyWitnessesAreRefusedAtTheStart() throws Exception {
        List<String> many = new ArrayList<>();
        for (int i = 0; i <= Witnesses.MOST; i++) {
            byte[] key = KeyPairGenerator.getInstance("Ed25519")
                    .generateKeyPair()
                    .getPublic()
                    .getEncoded();
            PublicKey one = PublicKey.ofBytes(Arrays.copyOfRange(key, key.length - 32, key.length));
            many.add(new NoteKey("w" + i, NoteKey.COSIGNATURE, one).text() + " http://127.0.0.1/");
        }
        StormproofConfig tooMany = scene.config("notary.witnesses", String.join(",", many));
        StormproofConfig all = scene.config("notary.witnesses", String.join(",", many.subList(1, many.size())));

        NotaryTask.checkWitnesses(all);
        assertThatThrownBy(() -> NotaryTask.checkWitnesses(tooMany)).hasMessageContaining("at most 16");
    }

    @Test
    void aWitnessThatIsNoneIsRefusedAtTheStart() {
        StormproofConfig none = scene.config("notary.witnesses", "w1.example https://w1.example/");

        assertThatThrownBy(() -> StartupCheck.checkProcess(none, VerifyProcess.replicasGroup(none)))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("notary.witnesses");
    }
}
