package dev.stormproof.cli.command;

import dev.stormproof.alert.Printable;
import dev.stormproof.alert.dashboard.ReadRecord;
import dev.stormproof.cli.input.InputFiles;
import dev.stormproof.cli.local.CloseStack;
import dev.stormproof.cli.session.Connection;
import dev.stormproof.cli.session.RecordAt;
import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.cli.text.ReportText;
import dev.stormproof.proof.checkpoint.Checkpoint;
import dev.stormproof.proof.checkpoint.CheckpointCodec;
import dev.stormproof.proof.checkpoint.CheckpointVerifier;
import dev.stormproof.proof.checkpoint.Format1Checkpoint;
import dev.stormproof.proof.checkpoint.Format1Codec;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.MalformedCheckpointException;
import dev.stormproof.proof.checkpoint.MalformedCheckpointException.Reason;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.sign.TrustedKeys;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.run.RecordParsers;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code dev inspect} decodes a checkpoint of either format and prints its fields. */
@Command(
        name = "inspect",
        description = {
            "Decodes a checkpoint of either format and prints its fields. Of another record in Kafka it prints key, "
                    + "headers and value.",
            "",
            "In format 1 a checkpoint is the value of a record; in format 2 it is the value of the record header "
                    + Format2Checkpoint.HEADER + ".",
            "",
            "It is read from a file, or from Kafka, at the topic, partition and checkpointOffset of an " + "alert.",
            "",
            "The signature is checked if checkpoint.keys in --config has its key; a wrong one is "
                    + "INVALID, exit code 1. Without the key, the command only shows what the checkpoint claims."
        },
        footer = {
            "",
            "Examples:",
            "  stormproof dev inspect checkpoint.bin",
            "  printf cdaace99… | stormproof dev inspect -",
            "  stormproof dev inspect --config topology.properties checkpoint.bin",
            "  stormproof dev inspect --bootstrap-server localhost:9092 --topic events --partition 1 --offset 4711",
            "",
            ExitCode.BEGIN
                    + "0 printed, 1 the signature is not its key's, 2 its kind is unknown, 65 no intact checkpoint"
                    + ExitCode.END
        })
public final class InspectCommand extends Subcommand {
    private static final int MAX_SIZE_BYTES = Math.max(CheckpointCodec.MAX_SIZE_BYTES, Format1Codec.MAX_SIZE_BYTES);

    @Parameters(
            arity = "0..1",
            paramLabel = "FILE",
            description = "The checkpoint: its bytes, or these as hexadecimal or base64 text; - for standard input.")
    private @Nullable Path file;

    @Option(
            names = "--bootstrap-server",
            paramLabel = "HOST:PORT",
            description = "Read it from Kafka, at these brokers.")
    private @Nullable String bootstrapServer;

    @Mixin
    private Settings settings = new Settings();

    @Option(names = "--topic", paramLabel = "NAME", description = "The topic that holds it.")
    private @Nullable String topic;

    @Option(names = "--partition", paramLabel = "N", description = "Its partition.")
    private @Nullable Integer partition;

    @Option(names = "--offset", paramLabel = "OFFSET", description = "Its offset.")
    private @Nullable Long offset;

    @Override
    int run(CloseStack resources) throws Exception {
        boolean place = bootstrapServer != null || topic != null || partition != null || offset != null;
        if (file != null && !place) {
            return print(file.toString(), fromText(readFile(file)), keys(settings.read(), "localhost:9092"));
        }
        if (file != null || bootstrapServer == null || topic == null || partition == null || offset == null) {
            throw Failure.usage("name either a FILE, or all of --bootstrap-server, --topic, --partition and --offset");
        }
        String servers = bootstrapServer;
        Connection connection = resources.open(
                () -> Connection.open("--bootstrap-server", servers, settings.option(), settings.read()));
        Partitions.demand(topic, partition, connection.partitionsOf(topic));
        RecordAt found = RecordAt.read(connection, new TopicPartition(topic, partition), offset);
        field("at", found);
        field("written", Instant.ofEpochMilli(found.content().timestampMillis()));
        Optional<byte[]> checkpoint = found.checkpoint();
        if (checkpoint.isEmpty()) {
            print(found);
            return ExitCode.VERIFIED;
        }
        return print(found.toString(), checkpoint.get(), keys(connection.clientProperties(), servers));
    }

    private void print(RecordAt found) {
        ReadRecord record = found.read();
        field("holds", found.description());
        field("key", record.keyText());
        record.headers().forEach(header -> field("header", Printable.line(header.name())));
        field("value", record.valueText());
    }

    private static TrustedKeys keys(Map<String, String> properties, String servers) {
        return Failure.configured(
                "--config: ",
                () -> RecordParsers.trustedKeys(StormproofConfig.ofReader(properties, servers, "unread")));
    }

    private int print(String name, byte[] bytes, TrustedKeys keys) {
        try {
            Checkpoint checkpoint = decode(bytes);
            field("format", checkpoint instanceof Format2Checkpoint ? 2 : 1);
            field("size", bytes.length + " bytes");
            if (checkpoint instanceof Format2Checkpoint format2) {
                Signer signer = Signer.of(format2, bytes, keys);
                print(format2, signer);
                return signer.invalid() ? ExitCode.VIOLATED : ExitCode.VERIFIED;
            }
            print((Format1Checkpoint) checkpoint);
            return ExitCode.VERIFIED;
        } catch (MalformedCheckpointException e) {
            if (e.unsupported()) {
                out().println("intact, but of a kind that this version does not know: " + e.getMessage());
                return ExitCode.INCONCLUSIVE;
            }
            throw Failure.damaged(name + " is no intact checkpoint: " + e.getMessage(), e);
        }
    }

    /** The signer of a checkpoint, as far as its signature was checked; the name in the checkpoint proves nothing. */
    private record Signer(String text, boolean invalid) {
        static Signer of(Format2Checkpoint checkpoint, byte[] bytes, TrustedKeys keys)
                throws MalformedCheckpointException {
            if (checkpoint.keyId().isEmpty()) {
                return new Signer("none", false);
            }
            String claimed = checkpoint.keyId().get();
            if (!keys.ids().contains(claimed)) {
                String given = keys.isEmpty()
                        ? "no key is given"
                        : "given are " + String.join(", ", new TreeSet<>(keys.ids()));
                return new Signer("claims " + claimed + ", not checked: " + given, false);
            }
            try {
                CheckpointVerifier verifier = new CheckpointVerifier(keys);
                var unused = verifier.decode(bytes);
                return new Signer(claimed + ", valid", false);
            } catch (MalformedCheckpointException e) {
                if (e.reason() != Reason.UNTRUSTED) {
                    throw e;
                }
                return new Signer("claims " + claimed + ", INVALID", true);
            }
        }
    }

    private static byte[] readFile(Path file) throws IOException {
        try (InputStream in = InputFiles.open(file)) {
            byte[] bytes = in.readNBytes(MAX_SIZE_BYTES + 1);
            if (bytes.length > MAX_SIZE_BYTES) {
                throw Failure.usage(file + " has more than " + MAX_SIZE_BYTES + " bytes");
            }
            return bytes;
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

    private void print(Format1Checkpoint c) {
        field("events", c.eventCount());
        field("root", c.root() + " (adler32: no proof, compare the leaves)");
    }

    private void print(Format2Checkpoint c, Signer signer) {
        field("topic", c.stream().topic());
        field("partition", c.stream().partition());
        field("emitter", c.stream().emitterHex() + (c.emitterName().isEmpty() ? "" : " " + c.emitterName()));
        field("number", c.number());
        field("sequences", ReportText.range(c.firstSequence(), c.nextSequence()));
        field("events", c.eventCount());
        if (!c.uncertain().isEmpty()) {
            field(
                    c.refused() ? "refused" : "uncertain",
                    c.uncertain().stream().map(SequenceRange::toString).collect(Collectors.joining(" ")));
        }
        field("tree hash", c.treeHash().label());
        field("root", c.root().toHex());
        field(
                "previous",
                c.number() == 0
                        ? "none, the stream begins here"
                        : c.previousHash().toHex());
        field("signatures", signatureName(c.signatureAlgorithm()) + ", " + c.signatureSizeBytes() + " bytes each");
        field("created", Instant.ofEpochMilli(c.createdAtMillis()));
        field("deadline", c.deadlineMillis() == 0 ? "none" : "the next within " + c.deadlineMillis() + " ms");
        field("closing", c.closing() ? "yes, the stream ends here" : "no");
        field("previous at", c.previousOffsetHint() < 0 ? "unknown" : "offset " + c.previousOffsetHint());
        field("signer", signer.text());
        field("detail", detail(c));
    }

    private static String detail(Format2Checkpoint c) {
        if (c.leaves().isEmpty()) {
            return "root only";
        }
        return c.leavesMatchRoot() ? "leaves, which match the root" : "leaves, which do NOT match the root";
    }

    private static String signatureName(int algorithm) {
        return switch (algorithm) {
            case EventSigners.SHA256_KEY_VALUE -> "sha256 of key and value";
            case EventSigners.XXH3_KEY_VALUE -> "xxh3 (128 bits) of key and value";
            default -> "algorithm " + algorithm;
        };
    }

    private void field(String name, Object value) {
        out().printf("%-12s %s%n", name, value);
    }

    /** The bytes that hexadecimal or base64 text stands for; other bytes as they are. */
    private static byte[] fromText(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1).replaceAll("\\s", "");
        if (text.length() % 2 == 0 && text.chars().allMatch(HexFormat::isHexDigit)) {
            return HexFormat.of().parseHex(text);
        }
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException notBase64) {
            return bytes;
        }
    }
}
