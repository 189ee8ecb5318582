package dev.stormproof.cli.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stormproof.evidence.notary.Note;
import java.time.Instant;

/** One object of JSON tells a note on a partition, for {@code notary notes --json}. */
public final class NoteJson {
    private NoteJson() {}

    /**
     * A note as it was signed, and what it says.
     *
     * @param key the tree's key as other people's tools take it (vkey)
     */
    public static ObjectNode of(Note note, String key) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("note", note.state().number());
        node.put("origin", note.origin().text());
        node.put("time", Instant.ofEpochMilli(note.state().timeMillis()).toString());
        node.put("records", note.head().size());
        node.put("endOffset", note.state().next());
        node.put("root", note.root().toHex());
        node.put("key", key);
        return node.put("signed", new String(note.signed().encode(), UTF_8));
    }
}
