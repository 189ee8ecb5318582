package dev.stormproof.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.checkpoint.CheckpointCodec;
import dev.stormproof.checkpoint.EventSigners;
import dev.stormproof.checkpoint.Format1Codec;
import dev.stormproof.checkpoint.Format2Checkpoint;
import dev.stormproof.checkpoint.Interval;
import dev.stormproof.checkpoint.StreamId;
import dev.stormproof.cli.testing.Shell;
import dev.stormproof.merkle.Hash;
import dev.stormproof.merkle.Leaves;
import dev.stormproof.merkle.TreeHash;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code inspect} shows the checkpoint in a file. */
class InspectCommandTest {
    @TempDir
    private Path dir;

    @Test
    void aCheckpointOfFormat2IsPrintedFieldByField() throws IOException {
        Shell.Result result = Shell.here("inspect", "--leaves", file(format2()).toString());

        assertThat(result.exitCode()).as(result.toString()).isEqualTo(ExitCode.VERIFIED);
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
                        "detail       leaves, which match the root",
                        "leaf 2       " + "02".repeat(32));
    }

    @Test
    void aCheckpointOfFormat1IsPrintedToo() throws IOException {
        Shell.Result result = Shell.here("inspect", "--leaves", file(format1()).toString());

        assertThat(result.exitCode()).as(result.toString()).isEqualTo(ExitCode.VERIFIED);
        assertThat(result.out().lines()).contains("format       1", "events       2", "leaf 1       second");
    }

    @Test
    void hexadecimalAndBase64TextIsRead() throws IOException {
        String hex = HexFormat.of().formatHex(format1());
        String base64 = Base64.getMimeEncoder().encodeToString(format2());

        assertThat(Shell.here("inspect", file(ascii(hex + "\n")).toString()).out())
                .contains("format       1");
        assertThat(Shell.here("inspect", file(ascii(base64)).toString()).out()).contains("format       2");
    }

    @Test
    void damageIsNamedWithItsByte() throws IOException {
        byte[] bytes = format1();
        bytes[bytes.length - 1] ^= 1;

        Shell.Result result = Shell.here("inspect", file(bytes).toString());

        assertThat(result.exitCode()).isEqualTo(ExitCode.DAMAGED);
        assertThat(result.out()).isEmpty();
        assertThat(result.err().lines()).hasSize(1);
        assertThat(result.err())
                .contains("no intact checkpoint: at byte ")
                .contains("got ")
                .contains("want ");
    }

    @Test
    void whatIsNoCheckpointAtAllIsDamaged() throws IOException {
        assertThat(Shell.here("inspect", file(ascii("hello, world")).toString()).err())
                .contains("at byte 0, magic: got 68656c6c, want cdaace99 (format 1) or 53504350 (format 2)");
        assertThat(Shell.here("inspect", file(new byte[0]).toString()).exitCode())
                .isEqualTo(ExitCode.DAMAGED);
    }

    @Test
    void aMissingFileIsWrongUsage() {
        Shell.Result result = Shell.here("inspect", dir.resolve("none").toString());

        assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err()).contains("there is no file");
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
        Interval interval = new Interval(TreeHash.SHA256, 0, true);
        for (int sequence = 0; sequence < 3; sequence++) {
            byte[] signature = HexFormat.of()
                    .parseHex(HexFormat.of().toHexDigits((byte) sequence).repeat(32));
            interval.add(sequence, signature, 0, signature.length);
        }
        return CheckpointCodec.encode(new Format2Checkpoint(
                new StreamId("orders", 3, 255),
                "billing",
                0,
                0,
                3,
                TreeHash.SHA256,
                EventSigners.SHA256,
                32,
                interval.root(),
                Hash.empty(),
                1_767_225_600_000L,
                60_000,
                false,
                List.of(),
                -1,
                Optional.of(interval.leaves()),
                Optional.empty()));
    }
}
