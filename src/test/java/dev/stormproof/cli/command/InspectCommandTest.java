package dev.stormproof.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.cli.testing.Shell;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.proof.checkpoint.CheckpointCodec;
import dev.stormproof.proof.checkpoint.EventHeader;
import dev.stormproof.proof.checkpoint.Format1Codec;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.Interval;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.sign.CheckpointKey;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.Leaves;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.proof.tree.Xxh3;
import dev.stormproof.testing.CheckpointFields;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code inspect} shows the checkpoint in a file. */
class InspectCommandTest {
    @TempDir
    private Path dir;

    @Test
    void aCheckpointOfFormat2IsPrintedFieldByField() throws IOException {
        Shell.Result result =
                Shell.here("dev", "inspect", file(format2()).toString()).ends(ExitCode.VERIFIED);

        assertThat(result.out().lines())
                .contains(
                        "format       2",
                        "topic        orders",
                        "partition    3",
                        "emitter      00000000000000ff billing",
                        "number       0",
                        "sequences    0 to 2",
                        "events       3",
                        "previous     none, the stream begins here",
                        "created      2026-01-01T00:00:00Z",
                        "closing      no",
                        "detail       leaves, which match the root");
    }

    /** A version that does not exist yet, with a checksum that fits. */
    @Test
    void aCheckpointOfAnUnknownKindIsNotDecoded() throws IOException {
        byte[] bytes = format2();
        bytes[4] = 2;
        int end = bytes.length - Long.BYTES;
        ByteBuffer.wrap(bytes).putLong(end, Xxh3.hash(bytes, 0, end));

        Shell.Result result =
                Shell.here("dev", "inspect", file(bytes).toString()).ends(ExitCode.INCONCLUSIVE);

        assertThat(result.out()).contains("of a kind that this version does not know", "version");
    }

    /** The forger knows the id of the key, and has another one. */
    @Test
    void whoSignedItIsSaidOnlyIfItWasChecked() throws Exception {
        KeyPair honest = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        KeyPair forger = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        CheckpointKey key = CheckpointKey.ofPkcs8("k1", honest.getPrivate().getEncoded());
        String file = file(CheckpointCodec.encode(unsigned(), key)).toString();

        assertSigner("claims k1, not checked: no key is given", ExitCode.VERIFIED, "dev", "inspect", file);
        assertSigner("k1, valid", ExitCode.VERIFIED, "dev", "inspect", "--config", keys("k1", honest), file);
        assertSigner("claims k1, INVALID", ExitCode.VIOLATED, "dev", "inspect", "--config", keys("k1", forger), file);
        assertSigner(
                "claims k1, not checked: given are k2",
                ExitCode.VERIFIED,
                "dev",
                "inspect",
                "--config",
                keys("k2", honest),
                file);
        assertSigner(
                "none",
                ExitCode.VERIFIED,
                "dev",
                "inspect",
                "--config",
                keys("k1", honest),
                file(format2()).toString());
    }

    private static void assertSigner(String signer, int exitCode, String... command) {
        Shell.Result result = Shell.here(command).ends(exitCode);
        assertThat(result.out().lines()).contains("signer       " + signer);
    }

    private String keys(String id, KeyPair pair) throws IOException {
        String key = Base64.getEncoder().encodeToString(pair.getPublic().getEncoded());
        return Files.writeString(dir.resolve("topology.properties"), "checkpoint.keys=" + id + ":" + key)
                .toString();
    }

    @Test
    void hexadecimalAndBase64TextIsRead() throws IOException {
        String hex = HexFormat.of().formatHex(format1());
        String base64 = Base64.getMimeEncoder().encodeToString(format2());

        assertThat(Shell.here("dev", "inspect", file(ascii(hex + "\n")).toString())
                        .out())
                .contains("format       1");
        assertThat(Shell.here("dev", "inspect", file(ascii(base64)).toString()).out())
                .contains("format       2");
    }

    @Test
    void whatIsNoCheckpointAtAllIsDamaged() throws IOException {
        assertThat(Shell.here("dev", "inspect", file(ascii("hello, world")).toString())
                        .err())
                .contains(
                        "no intact checkpoint: at byte 0, magic: got 68656c6c, want cdaace99 (format 1) or 53504350 (format 2)");
        Shell.here("dev", "inspect", file(new byte[0]).toString()).ends(ExitCode.DAMAGED);
    }

    @Nested
    @OnKafka
    class InKafka {
        private final EmbeddedKafka kafka;
        private final String topic;

        InKafka(EmbeddedKafka kafka) throws Exception {
            this.kafka = kafka;
            this.topic = SharedKafka.createTopic(kafka, "inspected", 2);
            try (KafkaProducer<byte[], byte[]> producer = SharedKafka.producer(kafka)) {
                send(producer, null, Map.of(Format2Checkpoint.HEADER, format2()));
                send(producer, format1(), Map.of());
                EventHeader event = new EventHeader(255, 7, TreeHash.XXH3, 200, Hash.copyOf(new byte[] {6}));
                send(producer, ascii("an event"), Map.of(EventHeader.NAME, event.encode()));
                send(producer, ascii("another record"), Map.of());
            }
        }

        private void send(KafkaProducer<byte[], byte[]> producer, byte @Nullable [] value, Map<String, byte[]> headers)
                throws Exception {
            ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topic, 1, 1_700_000_000_000L, null, value);
            headers.forEach((name, bytes) -> record.headers().add(name, bytes));
            producer.send(record).get();
        }

        private Shell.Result inspect(int partition, long offset) {
            return Shell.line("dev inspect --bootstrap-server " + kafka.bootstrapServers() + " --topic " + topic
                    + " --partition " + partition + " --offset " + offset);
        }

        @Test
        void aCheckpointIsReadFromItsPlace() {
            Shell.Result result = inspect(1, 0).ends(ExitCode.VERIFIED);
            assertThat(result.out().lines())
                    .contains(
                            "at           " + topic + "-1@0",
                            "written      2023-11-14T22:13:20Z",
                            "format       2",
                            "emitter      00000000000000ff billing",
                            "created      2026-01-01T00:00:00Z");
            assertThat(inspect(1, 1).out().lines()).contains("format       1", "events       2");
        }

        @Test
        void anotherRecordIsPrinted() {
            assertThat(inspect(1, 2).ends(ExitCode.VERIFIED).out().lines())
                    .contains(
                            "holds        event 7 of emitter 00000000000000ff",
                            "key          none",
                            "header       " + EventHeader.NAME,
                            "value        \"an event\"");
            assertThat(inspect(1, 3).out().lines()).contains("holds        a record without the header of an event");
            assertThat(inspect(1, 4).err()).contains("--offset 4: " + topic + "-1 holds the offsets from 0 to 3");
            assertThat(inspect(0, 0).err()).contains("--offset 0: " + topic + "-0 is empty");
            assertThat(inspect(2, 0).err()).contains("--partition 2: topic " + topic + " has partitions 0 to 1");
            inspect(1, 4).ends(ExitCode.USAGE);
        }
    }

    @Test
    void aFileOrAPlaceIsNamedAndNotHalfOfIt() throws IOException {
        String either = "name either a FILE, or all of --bootstrap-server, --topic, --partition and --offset";
        assertThat(Shell.here("dev", "inspect").err()).contains(either);
        assertThat(Shell.here("dev", "inspect", "--topic", "orders").err()).contains(either);
        assertThat(Shell.here("dev", "inspect", "--bootstrap-server", "b:1", "--topic", "orders", "--offset", "1")
                        .err())
                .contains(either);
        String file = file(format2()).toString();
        assertThat(Shell.here("dev", "inspect", file, "--bootstrap-server", "b:1")
                        .err())
                .contains(either);
        assertThat(Shell.here("dev", "inspect", file, "--offset", "1").err()).contains(either);
    }

    private Path file(byte[] bytes) throws IOException {
        return Files.write(dir.resolve("checkpoint"), bytes);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] format1() {
        return Format1Codec.encode(Leaves.builder()
                .append(Hash.copyOf(ascii("first")))
                .append(Hash.copyOf(ascii("second")))
                .build());
    }

    private static byte[] format2() {
        return CheckpointCodec.encode(unsigned());
    }

    private static Format2Checkpoint unsigned() {
        Interval interval = new Interval(TreeHash.SHA256, 0, true);
        for (int sequence = 0; sequence < 3; sequence++) {
            byte[] signature = HexFormat.of()
                    .parseHex(HexFormat.of().toHexDigits((byte) sequence).repeat(32));
            interval.add(sequence, signature, 0, signature.length);
        }
        return CheckpointFields.checkpoint(new StreamId("orders", 3, 255), c -> {
            c.over(interval);
            c.emitterName = "billing";
            c.createdAtMillis = 1_767_225_600_000L;
            c.deadlineMillis = 60_000;
            c.leaves = Optional.of(interval.leaves());
        });
    }
}
