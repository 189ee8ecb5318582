package dev.stormproof.evidence;

import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.tree.Hash;
import java.util.List;
import java.util.Optional;

/** A proof that was accepted: what it shows, and which key signed that. */
public sealed interface Checked {
    /** For people who are no engineers: what it shows, and what not. */
    String sentence();

    /**
     * Upstream states this event.
     *
     * @param signature the event's signature, which is the leaf
     * @param content key and value, if the receipt shows them
     * @param checkpoint the signed checkpoint, with the key's id
     * @param checkpointHash the hash by which other documents name the checkpoint
     * @param judgement a verifier's verdict on the interval, if there is one
     */
    record OfReceipt(
            String sentence,
            long sequence,
            Hash signature,
            Optional<Content> content,
            Format2Checkpoint checkpoint,
            Hash checkpointHash,
            Optional<Judged> judgement)
            implements Checked {}

    /**
     * The content of an event, as it was serialized.
     *
     * @param key empty if it is null
     * @param value empty if it is null
     */
    record Content(Optional<Hash> key, Optional<Hash> value) {}

    /** A verdict, and who signed it. */
    record Judged(Judgement judgement, String verifier) {}

    /**
     * A verifier states this about a range.
     *
     * @param lines name and text, in order, but for the sentence
     */
    record OfStatement(String sentence, Outcome verdict, String verifier, List<NamedLine> lines) implements Checked {
        public OfStatement {
            lines = List.copyOf(lines);
        }
    }

    record NamedLine(String name, String text) {}
}
