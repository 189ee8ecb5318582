package dev.stormproof.cli.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stormproof.cli.fault.InjectedFault;
import dev.stormproof.evidence.notary.Note;
import java.time.Instant;
import org.apache.kafka.common.TopicPartition;

/** One object of JSON says what a command did or made: what was run, proven or exported. */
public final class ResultJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    private ResultJson() {}

    static ObjectNode injected(InjectedFault fault) {
        ObjectNode node = JSON.createObjectNode().put("injected", fault.kind().label());
        node.put("topic", fault.topic());
        node.put("partition", fault.partition());
        return node.put("sequence", fault.sequence());
    }

    /** The result of a run; its report adds the numbers. */
    static ObjectNode run(int verdict, String summary) {
        return JSON.createObjectNode().put("run", ExitCode.word(verdict)).put("summary", summary);
    }

    /**
     * A proof that was written, or was not.
     *
     * @param kind receipt or statement
     * @param reason why there is none; empty if there is one
     */
    public static ObjectNode proof(String kind, String file, String topic, int exitCode, String reason) {
        ObjectNode node = JSON.createObjectNode().put("proof", kind);
        node.put("topic", topic);
        node.put("exitCode", exitCode);
        return reason.isEmpty() ? node.put("file", file) : node.put("reason", reason);
    }

    /**
     * A proof about a notarized partition that was written.
     *
     * @param kind inclusion or consistency
     */
    public static ObjectNode noted(String kind, String file, TopicPartition partition) {
        return proof(kind, file, partition.topic(), ExitCode.VERIFIED, "").put("partition", partition.partition());
    }

    /** The tree of a note that was written as static files. */
    public static ObjectNode exported(String dir, int files, long note, String origin) {
        return JSON.createObjectNode()
                .put("exported", dir)
                .put("files", files)
                .put("note", note)
                .put("origin", origin);
    }

    /**
     * A note as it was signed, and what it says.
     *
     * @param key the tree's key as other people's tools take it (vkey)
     */
    public static ObjectNode note(Note note, String key) {
        ObjectNode node = JSON.createObjectNode().put("note", note.state().number());
        node.put("origin", note.origin().text());
        node.put("time", Instant.ofEpochMilli(note.state().timeMillis()).toString());
        node.put("records", note.head().size());
        node.put("endOffset", note.state().next());
        node.put("root", note.root().toHex());
        node.put("key", key);
        return node.put("signed", new String(note.signed().encode(), UTF_8));
    }
}
