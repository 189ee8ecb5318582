package dev.stormproof.cli.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.alert.Printable;
import dev.stormproof.cli.terminal.Terminal;
import dev.stormproof.evidence.Checked;
import dev.stormproof.evidence.Checked.Judged;
import dev.stormproof.evidence.Checked.OfReceipt;
import dev.stormproof.evidence.Checked.OfStatement;
import dev.stormproof.evidence.notary.NotedRecord;
import dev.stormproof.evidence.notary.TreeHead;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.tree.Hash;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The text on a checked proof: what it shows, and by whose word. */
public final class CheckedText {
    private static final int SHOWN_BYTES = 500;

    private CheckedText() {}

    /** The exit code that goes with it: the verdict's, or of a receipt without one that its event is proven. */
    public static int exitCode(Checked checked) {
        if (checked instanceof OfStatement statement) {
            return ExitCode.of(statement.verdict());
        }
        return ((OfReceipt) checked)
                .judgement()
                .map(judged -> ExitCode.of(judged.judgement().verdict()))
                .orElse(ExitCode.VERIFIED);
    }

    public static void print(Checked checked, Terminal out) {
        out.println(checked.sentence());
        out.println("");
        if (checked instanceof OfStatement statement) {
            statement.lines().forEach(line -> out.printf("%-12s %s%n", line.name(), line.text()));
            out.println("");
            out.println(statement.verdict().word().toUpperCase(Locale.ROOT) + " according to the verifier '"
                    + statement.verifier() + "', whose key signed every line; the log itself was not read here");
        } else {
            print((OfReceipt) checked, out);
        }
    }

    private static void print(OfReceipt receipt, Terminal out) {
        Format2Checkpoint checkpoint = receipt.checkpoint();
        field(
                out,
                "topic",
                checkpoint.stream().topic() + ", partition "
                        + checkpoint.stream().partition());
        field(
                out,
                "emitter",
                checkpoint.stream().emitterHex()
                        + (checkpoint.emitterName().isEmpty() ? "" : " " + checkpoint.emitterName()));
        field(out, "sequence", receipt.sequence());
        field(
                out,
                "checkpoint",
                checkpoint.number() + ", of " + ReportText.events(checkpoint.eventCount()) + " from sequence "
                        + checkpoint.firstSequence());
        field(out, "made", Instant.ofEpochMilli(checkpoint.createdAtMillis()) + ", by the emitter's clock");
        field(out, "root", checkpoint.root().toHex());
        field(out, "hash", receipt.checkpointHash().toHex());
        field(out, "signature", receipt.signature().toHex());
        receipt.content().ifPresent(content -> {
            field(out, "key", shown(content.key()));
            field(out, "value", shown(content.value()));
        });
        out.println("");
        out.println("PROVEN: key '" + checkpoint.keyId().orElse("") + "' signed that "
                + (receipt.content().isPresent() ? "this event" : "an event of this signature") + " is sequence "
                + receipt.sequence() + " of this stream");
        receipt.judgement().map(CheckedText::judged).ifPresent(out::println);
    }

    private static String judged(Judged judged) {
        var said = judged.judgement();
        return said.verdict().word().toUpperCase(Locale.ROOT) + " according to the verifier '" + judged.verifier()
                + "' for its whole interval, with " + said.program() + " (topic id " + said.topicId() + ", cluster "
                + said.cluster() + ", checkpoint at " + said.checkpointOffset() + "): " + said.finding();
    }

    private static String shown(Optional<Hash> bytes) {
        if (bytes.isEmpty()) {
            return "null";
        }
        byte[] all = bytes.get().toByteArray();
        String text = new String(all, 0, Math.min(all.length, SHOWN_BYTES), UTF_8);
        return all.length + " bytes: " + text + (all.length > SHOWN_BYTES ? " …" : "");
    }

    private static void field(Terminal out, String name, Object value) {
        out.printf("%-12s %s%n", name, value);
    }

    /** Prints what a proof of a record shows. */
    public static void print(long index, NotedRecord record, TreeHead head, String notary, Terminal out) {
        out.println(ReportText.text(
                "The notary \"%s\" states that when it noted the %,d records of %s, number %d was the record below: key, value, "
                        + "headers and time. Not covered: whether the log holds it still, other records, and what was there "
                        + "before the notary began.",
                notary, head.size(), head.origin(), index));
        out.println("  time: " + Instant.ofEpochMilli(record.timestampMillis()) + ", as the record states it");
        out.println("  key: " + readable(record.key()));
        out.println("  value: " + readable(record.value()));
        record.headers()
                .forEach(header ->
                        out.println("  header " + Printable.line(header.name()) + ": " + readable(header.value())));
    }

    /** Prints what a proof from one note to another shows. */
    public static void print(TreeHead earlier, TreeHead later, String notary, Terminal out) {
        out.println("proven: the tree of " + later.size() + " records of " + later.origin() + " begins with the "
                + earlier.size() + " records of the earlier note");
        out.println("  by the word of the notary's key '" + notary + "'");
    }

    private static String readable(@Nullable Hash bytes) {
        if (bytes == null) {
            return "null";
        }
        String text = new String(bytes.toByteArray(), UTF_8);
        boolean readable = text.chars().noneMatch(one -> one < ' ' || one == 0xfffd);
        return readable ? Printable.line(text) : HexFormat.of().formatHex(bytes.toByteArray());
    }
}
