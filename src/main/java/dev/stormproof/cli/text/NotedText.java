package dev.stormproof.cli.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.alert.Printable;
import dev.stormproof.cli.terminal.Terminal;
import dev.stormproof.evidence.notary.NotedRecord;
import dev.stormproof.evidence.notary.TreeHead;
import dev.stormproof.proof.tree.Hash;
import java.time.Instant;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** The text of what a proof from notes shows. */
public final class NotedText {
    private NotedText() {}

    /** Prints what a proof of a record shows. */
    public static void print(long index, NotedRecord record, TreeHead head, String notary, Terminal out) {
        out.println("proven: record number " + index + " of " + head.origin() + " was noted, in a tree of "
                + head.size() + " records");
        out.println(
                "  by the word of the notary's key '" + notary + "'; that its log was this one, the notary says alone");
        out.println("  time: " + Instant.ofEpochMilli(record.timestampMillis()) + ", as the record states it");
        out.println("  key: " + text(record.key()));
        out.println("  value: " + text(record.value()));
        record.headers()
                .forEach(header ->
                        out.println("  header " + Printable.line(header.name()) + ": " + text(header.value())));
    }

    /** Prints what a proof from one note to another shows. */
    public static void print(TreeHead earlier, TreeHead later, String notary, Terminal out) {
        out.println("proven: the tree of " + later.size() + " records of " + later.origin() + " begins with the "
                + earlier.size() + " records of the earlier note");
        out.println("  by the word of the notary's key '" + notary + "'");
    }

    private static String text(@Nullable Hash bytes) {
        if (bytes == null) {
            return "null";
        }
        String text = new String(bytes.toByteArray(), UTF_8);
        boolean readable = text.chars().noneMatch(one -> one < ' ' || one == 0xfffd);
        return readable ? Printable.line(text) : HexFormat.of().formatHex(bytes.toByteArray());
    }
}
