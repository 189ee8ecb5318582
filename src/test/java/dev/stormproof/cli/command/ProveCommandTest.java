package dev.stormproof.cli.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.cli.testing.Shell;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.emit.CheckpointingProducer;
import dev.stormproof.emit.EmitterConfig;
import dev.stormproof.emit.testing.Clients;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Proofs of a topic on a broker, made by one command and checked by another that knows public keys alone. */
@OnKafka
class ProveCommandTest {
    private static final int EVENTS = 25;

    private final EmbeddedKafka kafka;
    private final Path dir;
    private final String upstreamKey;
    private final String verifierKey;
    private final Path config;

    ProveCommandTest(EmbeddedKafka kafka, @TempDir Path dir) throws Exception {
        this.kafka = kafka;
        this.dir = dir;
        this.upstreamKey = createKey("billing-1");
        this.verifierKey = createKey("auditor-1");
        this.config = Files.writeString(dir.resolve("keys.properties"), "checkpoint.keys=" + upstreamKey);
    }

    private String createKey(String id) {
        Shell.Result made = Shell.here(
                        "key", "create", "-o", dir.resolve(id + ".pem").toString())
                .ends(0);
        return made.out().strip();
    }

    private Map<String, Object> tampering() throws Exception {
        return Map.of(
                EmitterConfig.PROTECT_AGAINST,
                "tampering",
                EmitterConfig.KEY_FILE,
                dir.resolve("billing-1.pem").toString());
    }

    private CheckpointingProducer<String, String> emitter(Map<String, Object> settings) {
        Map<String, Object> all = new HashMap<>(settings);
        all.put("bootstrap.servers", kafka.bootstrapServers());
        all.put(EmitterConfig.MAX_EVENTS, 10);
        all.put(EmitterConfig.MAX_INTERVAL_MS, 600_000L);
        return new CheckpointingProducer<>(all, new StringSerializer(), new StringSerializer());
    }

    private String topicWith(Map<String, Object> settings) {
        String topic = SharedKafka.createTopic(kafka, "proven", 1);
        try (CheckpointingProducer<String, String> emitter = emitter(settings)) {
            for (int event = 0; event < EVENTS; event++) {
                var unused = emitter.send(new ProducerRecord<>(topic, 0, "key " + event, "event " + event));
            }
        }
        return topic;
    }

    private List<ConsumerRecord<byte[], byte[]>> records(String topic) {
        return Clients.committed(kafka, new TopicPartition(topic, 0));
    }

    private long offsetOf(String topic, int event) {
        return records(topic).stream()
                .filter(record -> record.value() != null && new String(record.value(), UTF_8).equals("event " + event))
                .findFirst()
                .orElseThrow()
                .offset();
    }

    private Shell.Result prove(Path output, String topic, Path settings, String... more) {
        return Shell.line(
                "prove --bootstrap-server " + kafka.bootstrapServers() + " --config " + settings + " --topic " + topic
                        + " -o " + output,
                more);
    }

    private Shell.Result receipt(Path output, String topic, int event, String... more) {
        List<String> arguments =
                new ArrayList<>(List.of("--partition", "0", "--offset", Long.toString(offsetOf(topic, event))));
        arguments.addAll(List.of(more));
        return prove(output, topic, config, arguments.toArray(String[]::new));
    }

    private String verifier() {
        return "auditor-1:" + dir.resolve("auditor-1.pem");
    }

    private Shell.Result check(Path proof) {
        return Shell.here("verify", proof.toString(), "--producer-key", upstreamKey, "--verifier-key", verifierKey);
    }

    @Test
    void aReceiptProvesItsEventWithoutKafka() throws Exception {
        String topic = topicWith(tampering());
        Path proof = dir.resolve("order.proof");

        assertThat(receipt(proof, topic, 13).ends(ExitCode.VERIFIED).err())
                .contains("order.proof (%,d bytes) is a receipt of ".formatted(Files.size(proof)));
        Shell.Result checked = Shell.here("verify", proof.toString(), "--producer-key", upstreamKey)
                .ends(ExitCode.VERIFIED);
        assertThat(checked.out())
                .contains("PROVEN: key 'billing-1' signed that this event is sequence 13 of this stream")
                .contains("8 bytes: event 13")
                .contains("Not covered: whether a log holds it, ");

        byte[] bytes = Files.readAllBytes(proof);
        bytes[bytes.length / 2] ^= 1;
        Shell.Result refused =
                check(Files.write(dir.resolve("flipped.proof"), bytes)).ends(ExitCode.DAMAGED);
        assertThat(refused.err()).contains("flipped.proof is refused: line ");
        Shell.Result stranger = Shell.here("verify", proof.toString(), "--producer-key", verifierKey)
                .ends(ExitCode.DAMAGED);
        assertThat(stranger.err()).contains("key id: got 'billing-1'");
    }

    @Test
    void aSignedReceiptHasTheVerdictAndMayHideTheContent() throws Exception {
        String topic = topicWith(tampering());
        Path proof = dir.resolve("order.proof");

        receipt(proof, topic, 0, "--without-content", "--signing-key", verifier())
                .ends(ExitCode.VERIFIED);
        Shell.Result checked = check(proof).ends(ExitCode.VERIFIED);
        assertThat(checked.out())
                .contains("an event of this signature is sequence 0")
                .contains("VERIFIED according to the verifier 'auditor-1' for its whole interval")
                .contains("\"strength\":\"tampering\"", "\"keyId\":\"billing-1\"")
                .doesNotContain("event 0");
        assertThat(Shell.here("verify", proof.toString(), "--producer-key", upstreamKey)
                        .exitCode())
                .as("a verdict that nobody vouches for")
                .isEqualTo(ExitCode.DAMAGED);
    }

    @Test
    void whereCheckpointsStateTheRootAloneTheLeavesAreGathered() throws Exception {
        Map<String, Object> settings = new HashMap<>(tampering());
        settings.put(EmitterConfig.DETAIL, "root");
        String topic = topicWith(settings);
        for (int event : new int[] {0, 9, 10, 24}) {
            Path proof = dir.resolve(event + ".proof");
            receipt(proof, topic, event).ends(ExitCode.VERIFIED);
            check(proof).ends(ExitCode.VERIFIED);
        }
    }

    /** A copy of the topic lacks an event: what is left of its interval is proven to be stated, and the interval is violated. */
    @Test
    void theReceiptOfAViolatedIntervalSaysSo() throws Exception {
        String topic = topicWith(tampering());
        String copy = SharedKafka.createTopic(kafka, "copy", 1);
        try (KafkaProducer<byte[], byte[]> producer = SharedKafka.producer(kafka)) {
            for (ConsumerRecord<byte[], byte[]> record : records(topic)) {
                if (record.value() == null || !new String(record.value(), UTF_8).equals("event 12")) {
                    producer.send(new ProducerRecord<>(copy, 0, record.key(), record.value(), record.headers()))
                            .get();
                }
            }
        }
        Path mirror = Files.writeString(
                dir.resolve("mirror.properties"), "checkpoint.keys=" + upstreamKey + "\nmirrors=" + copy + ":" + topic);
        String offset = Long.toString(offsetOf(copy, 13));
        Path proof = dir.resolve("violated.proof");

        Shell.Result unsigned = prove(proof, copy, mirror, "--partition", "0", "--offset", offset)
                .ends(ExitCode.VIOLATED);
        assertThat(unsigned.err()).contains("no receipt: 1 event lost in ");
        assertThat(proof).doesNotExist();

        prove(proof, copy, mirror, "--partition", "0", "--offset", offset, "--signing-key", verifier())
                .ends(ExitCode.VIOLATED);
        Shell.Result checked = check(proof).ends(ExitCode.VIOLATED);
        assertThat(checked.out()).contains("PROVEN: ", "VIOLATED according to the verifier 'auditor-1'");
    }

    @Test
    void ofWhatIsProtectedAgainstAccidentsThereIsNoReceiptAndItSaysWhatToSet() throws Exception {
        String topic = topicWith(Map.of());
        Path proof = dir.resolve("weak.proof");

        Shell.Result weak = receipt(proof, topic, 3).ends(ExitCode.INCONCLUSIVE);
        assertThat(weak.err())
                .contains("is protected against accidents alone (tree xxh3)")
                .contains("stormproof.protect.against=tampering");
        Path nothing = Files.writeString(dir.resolve("nothing.properties"), "");
        Shell.Result keyless = prove(proof, topic, nothing, "--partition", "0", "--offset", "3")
                .ends(ExitCode.USAGE);
        assertThat(keyless.err()).contains("needs checkpoint.keys");
        assertThat(proof).doesNotExist();
    }

    /** Whoever sets tree and signature without a key has no checkpoint that anybody vouches for. */
    @Test
    void ofCheckpointsThatNobodySignedOrAnotherDidThereIsNoReceiptAndItSaysSo() throws Exception {
        Map<String, Object> unsigned =
                Map.of(EmitterConfig.TREE_HASH, "sha256", EmitterConfig.EVENT_SIGNER, "sha256-key-value");
        Map<String, Object> another = new HashMap<>(tampering());
        another.put(EmitterConfig.KEY_FILE, dir.resolve("auditor-1.pem").toString());
        for (Map<String, Object> settings : List.of(unsigned, another)) {
            Path proof = dir.resolve("believed.proof");

            Shell.Result refused = receipt(proof, topicWith(settings), 3).ends(ExitCode.INCONCLUSIVE);

            assertThat(refused.err()).contains("no checkpoint that is believed seals ", " is not believed: ");
            assertThat(proof).doesNotExist();
        }
    }

    @Test
    void aContentIsNotProvenByASignatureOfTheApplicationsOwn() throws Exception {
        Map<String, Object> own = new HashMap<>(tampering());
        own.put(EmitterConfig.EVENT_SIGNER, FindCommandTest.LastByte.class.getName());
        String topic = topicWith(own);
        Path settings = Files.writeString(
                dir.resolve("own.properties"),
                "checkpoint.keys=" + upstreamKey + "\nevent.signers=" + FindCommandTest.LastByte.class.getName());
        Path proof = dir.resolve("own.proof");
        String offset = Long.toString(offsetOf(topic, 3));

        Shell.Result refused = prove(proof, topic, settings, "--partition", "0", "--offset", offset)
                .ends(ExitCode.INCONCLUSIVE);
        assertThat(refused.err()).contains("a signature of the application's own", "--without-content");
        assertThat(proof).doesNotExist();

        prove(proof, topic, settings, "--partition", "0", "--offset", offset, "--without-content")
                .ends(ExitCode.VERIFIED);
    }

    @Test
    void beforeACheckpointSealsItAnEventHasNoReceipt() throws Exception {
        String topic = SharedKafka.createTopic(kafka, "open", 1);
        Path proof = dir.resolve("open.proof");
        try (CheckpointingProducer<String, String> emitter = emitter(tampering())) {
            emitter.send(new ProducerRecord<>(topic, 0, "key", "event 0")).get();

            Shell.Result open = receipt(proof, topic, 0).ends(ExitCode.INCONCLUSIVE);
            assertThat(open.err()).contains("no checkpoint that is believed seals " + topic + "-0@");
        }
        receipt(proof, topic, 0).ends(ExitCode.VERIFIED);
    }

    @Test
    void aStatementSaysWhatWasReadProvenAndNotJudged() throws Exception {
        String topic = topicWith(tampering());
        Path proof = dir.resolve("q3.proof");
        Instant now = Instant.now();

        prove(
                        proof,
                        topic,
                        config,
                        "--since",
                        now.minusSeconds(3_600).toString(),
                        "--until",
                        now.plusSeconds(3_600).toString(),
                        "--signing-key",
                        verifier())
                .ends(ExitCode.VERIFIED);
        Shell.Result checked = Shell.here("verify", proof.toString(), "--verifier-key", verifierKey)
                .ends(ExitCode.VERIFIED);
        assertThat(checked.out())
                .startsWith("The verifier \"auditor-1\" states that in topic \"" + topic + "\", partition 0, from ")
                .contains(" 25 of 25 events are proven to have ", " as signed by their producers against tampering. ")
                .containsPattern("\ntopic +" + topic + "\n")
                .containsPattern("\ncluster +\\S+\n")
                .containsPattern("\ntopic-id +\\S{22}\n")
                .contains("key          " + upstreamKey)
                .containsPattern("partition +0 log=0-29 audited=0-29\n")
                .containsPattern("stream +partition=0 emitter=[0-9a-f]{16} events=25 proven=25 verified=4 violated=0"
                        + " inconclusive=0 sequences=0-25 checkpoints=0-3 strength=tampering keys=billing-1 last=")
                .containsPattern("proven +25\n")
                .contains("VERIFIED according to the verifier 'auditor-1'");

        Shell.Result nothing =
                prove(proof, topic, config, "--since", now.plusSeconds(3_600).toString(), "--signing-key", verifier());
        assertThat(nothing.exitCode()).as("a range that holds nothing").isEqualTo(ExitCode.INCONCLUSIVE);
        check(proof).ends(ExitCode.INCONCLUSIVE);
        assertThat(check(proof).out()).contains("the range before 29 in partition 0 was not judged");
    }

    @Test
    void aPrivateKeyIsForItsOwnerAlone() throws Exception {
        assertThat(Files.getPosixFilePermissions(dir.resolve("auditor-1.pem")))
                .containsExactlyInAnyOrder(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
        assertThat(verifierKey).matches("auditor-1:MCowBQYDK2VwAyEA[A-Za-z0-9+/]{43}=");
    }
}
