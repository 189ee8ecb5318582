package dev.stormproof.cli;

import dev.stormproof.checkpoint.Checkpoint;
import dev.stormproof.checkpoint.CheckpointCodec;
import dev.stormproof.checkpoint.EventSigners;
import dev.stormproof.checkpoint.Format1Checkpoint;
import dev.stormproof.checkpoint.Format1Codec;
import dev.stormproof.checkpoint.Format2Checkpoint;
import dev.stormproof.checkpoint.MalformedCheckpointException;
import dev.stormproof.checkpoint.MalformedCheckpointException.Reason;
import dev.stormproof.checkpoint.SequenceRange;
import dev.stormproof.merkle.Leaves;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code inspect} decodes a checkpoint of either format and prints its fields. */
@Command(
        name = "inspect",
        description = {
            "Decodes a checkpoint of either format and prints its fields.",
            "",
            "In format 1 a checkpoint is the value of a record; in format 2 it is the value of the record header "
                    + Format2Checkpoint.HEADER + "."
        },
        footer = {
            "",
            "Examples:",
            "  stormproof inspect checkpoint.bin",
            "  stormproof inspect --leaves checkpoint.hex",
            "  printf cdaace99… | stormproof inspect -",
            "",
            ExitCode.HELP
        })
final class InspectCommand implements Callable<Integer> {
    private static final int MAX_SIZE_BYTES = Math.max(CheckpointCodec.MAX_SIZE_BYTES, Format1Codec.MAX_SIZE_BYTES);

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(
            paramLabel = "FILE",
            description = "The checkpoint: its bytes, or these as hexadecimal or base64 text; - for standard input.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Path file;

    @Option(names = "--leaves", description = "Print the signature of every event too.")
    private boolean withLeaves;

    @Override
    public Integer call() throws IOException {
        byte[] bytes = fromText(InputFiles.readAll(file, MAX_SIZE_BYTES));
        PrintWriter out = spec.commandLine().getOut();
        try {
            return print(decode(bytes), bytes.length, out);
        } catch (MalformedCheckpointException e) {
            if (e.unsupported()) {
                out.println("intact, but of a kind that this version does not know: " + e.getMessage());
                return ExitCode.INCONCLUSIVE;
            }
            throw Failure.damaged(file + " is no intact checkpoint: " + e.getMessage(), e);
        }
    }

    private static Checkpoint decode(byte[] bytes) throws MalformedCheckpointException {
        if (Format1Codec.hasMagic(bytes)) {
            return Format1Codec.decode("unknown", 0, bytes);
        }
        if (!CheckpointCodec.hasMagic(bytes)) {
            String got = bytes.length == 0 ? "nothing" : HexFormat.of().formatHex(bytes, 0, Math.min(4, bytes.length));
            throw new MalformedCheckpointException(
                    Reason.DAMAGED, 0, "magic", got, "cdaace99 (format 1) or 53504350 (format 2)");
        }
        return CheckpointCodec.decode(bytes);
    }

    private int print(Checkpoint checkpoint, int sizeBytes, PrintWriter out) {
        if (checkpoint instanceof Format2Checkpoint format2) {
            print(format2, sizeBytes, out);
            return ExitCode.VERIFIED;
        }
        Format1Checkpoint format1 = (Format1Checkpoint) checkpoint;
        field(out, "format", "1");
        field(out, "size", sizeBytes + " bytes");
        field(out, "events", Long.toString(format1.eventCount()));
        field(out, "root", format1.root() + " (adler32: no proof, compare the leaves)");
        if (withLeaves) {
            Leaves leaves = format1.signatures();
            for (int i = 0; i < leaves.count(); i++) {
                byte[] signature = leaves.signature(i).toByteArray();
                field(out, "leaf " + i, printable(signature));
            }
        }
        return ExitCode.VERIFIED;
    }

    private void print(Format2Checkpoint c, int sizeBytes, PrintWriter out) {
        field(out, "format", "2");
        field(out, "size", sizeBytes + " bytes");
        field(out, "topic", c.stream().topic());
        field(out, "partition", Integer.toString(c.stream().partition()));
        field(out, "emitter", c.stream().emitterHex() + (c.emitterName().isEmpty() ? "" : " " + c.emitterName()));
        field(out, "number", Long.toString(c.number()));
        field(out, "sequences", new OffsetRange(c.firstSequence(), c.nextSequence()).toString());
        field(out, "events", Long.toString(c.eventCount()));
        if (!c.uncertain().isEmpty()) {
            field(
                    out,
                    "uncertain",
                    c.uncertain().stream().map(SequenceRange::toString).collect(Collectors.joining(" ")));
        }
        field(out, "tree hash", c.treeHash().label());
        field(out, "root", c.root().toHex());
        field(
                out,
                "previous",
                c.number() == 0
                        ? "none, the stream begins here"
                        : c.previousHash().toHex());
        field(out, "signatures", signatureName(c.signatureAlgorithm()) + ", " + c.signatureSizeBytes() + " bytes each");
        field(out, "created", Instant.ofEpochMilli(c.createdAtMillis()).toString());
        field(out, "promise", c.promiseMillis() == 0 ? "none" : "the next within " + c.promiseMillis() + " ms");
        field(out, "closing", c.closing() ? "yes, the stream ends here" : "no");
        field(out, "previous at", c.previousOffsetHint() < 0 ? "unknown" : "offset " + c.previousOffsetHint());
        field(out, "signed by", c.keyId().orElse("nobody"));
        field(out, "detail", detail(c));
        if (withLeaves && c.leaves().isPresent()) {
            Leaves leaves = c.leaves().get();
            for (int i = 0; i < leaves.count(); i++) {
                field(out, "leaf " + i, leaves.signature(i).toHex());
            }
        }
    }

    private static String detail(Format2Checkpoint c) {
        if (c.leaves().isEmpty()) {
            return "root only";
        }
        return c.leavesMatchRoot() ? "leaves, which match the root" : "leaves, which do NOT match the root";
    }

    private static String signatureName(int algorithm) {
        return switch (algorithm) {
            case EventSigners.SHA256 -> "sha256";
            case EventSigners.SHA1 -> "sha1";
            default -> "algorithm " + algorithm;
        };
    }

    private static void field(PrintWriter out, String name, String value) {
        out.printf("%-12s %s%n", name, value);
    }

    /** Text as such, anything else in hexadecimal. */
    private static String printable(byte[] bytes) {
        for (byte b : bytes) {
            if (b < 0x20 || b == 0x7f) {
                return HexFormat.of().formatHex(bytes);
            }
        }
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    /** What hexadecimal or base64 text stands for; other bytes as they are. */
    private static byte[] fromText(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1).replaceAll("\\s", "");
        if (text.isEmpty() || !text.chars().allMatch(c -> c > 0x20 && c < 0x7f)) {
            return bytes;
        }
        try {
            return HexFormat.of().parseHex(text);
        } catch (IllegalArgumentException notHexadecimal) {
            try {
                return Base64.getDecoder().decode(text);
            } catch (IllegalArgumentException notBase64) {
                return bytes;
            }
        }
    }
}
