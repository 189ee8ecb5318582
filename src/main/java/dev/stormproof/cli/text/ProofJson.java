package dev.stormproof.cli.text;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stormproof.evidence.Checked;
import dev.stormproof.evidence.Checked.Judged;
import dev.stormproof.evidence.Checked.OfReceipt;
import dev.stormproof.evidence.Checked.OfStatement;
import dev.stormproof.evidence.notary.NotedRecord;
import dev.stormproof.evidence.notary.TreeHead;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.proof.tree.Hash;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One object of JSON says what {@code verify} says: hashes as hexadecimal digits, content as base64, times as RFC 3339 has them. */
public final class ProofJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    private ProofJson() {}

    public static ObjectNode of(Checked checked) {
        return checked instanceof OfStatement statement ? statement(statement) : receipt((OfReceipt) checked);
    }

    private static ObjectNode statement(OfStatement statement) {
        ObjectNode node = JSON.createObjectNode().put("proof", "statement").put("sentence", statement.sentence());
        node.put("verdict", statement.verdict().word());
        node.put("verifier", statement.verifier());
        ArrayNode lines = node.putArray("lines");
        statement
                .lines()
                .forEach(line -> lines.addObject().put("name", line.name()).put("text", line.text()));
        return node;
    }

    private static ObjectNode receipt(OfReceipt receipt) {
        ObjectNode node = JSON.createObjectNode().put("proof", "receipt").put("sentence", receipt.sentence());
        node.put("sequence", receipt.sequence());
        node.put("signature", receipt.signature().toHex());
        receipt.content().ifPresent(content -> {
            node.put("keyBase64", base64(content.key()));
            node.put("valueBase64", base64(content.value()));
        });
        ObjectNode checkpoint = checkpoint(receipt.checkpoint());
        checkpoint.put("hash", receipt.checkpointHash().toHex());
        checkpoint.put("signer", receipt.checkpoint().keyId().orElse(""));
        node.set("checkpoint", checkpoint);
        receipt.judgement().ifPresent(judged -> node.set("judgement", judgement(judged)));
        return node;
    }

    private static ObjectNode judgement(Judged judged) {
        var said = judged.judgement();
        return JSON.createObjectNode()
                .put("verdict", said.verdict().word())
                .put("verifier", judged.verifier())
                .put("time", said.time())
                .put("program", said.program())
                .put("clusterId", said.cluster())
                .put("topic", said.topic())
                .put("topicId", said.topicId())
                .put("offset", said.offset())
                .put("checkpointOffset", said.checkpointOffset())
                .put("finding", said.finding());
    }

    /** What a proof of a record shows. */
    public static ObjectNode inclusion(long index, NotedRecord record, TreeHead head, String notary) {
        return JSON.createObjectNode()
                .put("proof", "inclusion")
                .put("notary", notary)
                .put("tree", head.origin())
                .put("size", head.size())
                .put("index", index)
                .put("time", Instant.ofEpochMilli(record.timestampMillis()).toString())
                .put("keyBase64", base64(Optional.ofNullable(record.key())))
                .put("valueBase64", base64(Optional.ofNullable(record.value())));
    }

    /** What a proof from one note to another shows. */
    public static ObjectNode consistency(TreeHead earlier, TreeHead later, String notary) {
        return JSON.createObjectNode()
                .put("proof", "consistency")
                .put("notary", notary)
                .put("tree", later.origin())
                .put("earlierSize", earlier.size())
                .put("size", later.size());
    }

    private static ObjectNode checkpoint(Format2Checkpoint checkpoint) {
        ObjectNode node = JSON.createObjectNode();
        node.put("format", 2);
        node.put("events", checkpoint.eventCount());
        node.put("root", checkpoint.root().toHex());
        node.put("topic", checkpoint.stream().topic());
        node.put("partition", checkpoint.stream().partition());
        node.put("emitter", checkpoint.stream().emitterHex());
        node.put("emitterName", checkpoint.emitterName());
        node.put("number", checkpoint.number());
        node.put("firstSequence", checkpoint.firstSequence());
        node.put("nextSequence", checkpoint.nextSequence());
        ArrayNode uncertain = node.putArray("uncertain");
        for (SequenceRange range : checkpoint.uncertain()) {
            uncertain.addObject().put("begin", range.begin()).put("end", range.end());
        }
        node.put("refused", checkpoint.refused());
        node.put("treeHash", checkpoint.treeHash().label());
        node.put("previousHash", checkpoint.previousHash().toHex());
        node.put("signatureAlgorithm", checkpoint.signatureAlgorithm());
        node.put("signatureSizeBytes", checkpoint.signatureSizeBytes());
        node.put("created", Instant.ofEpochMilli(checkpoint.createdAtMillis()).toString());
        node.put("deadlineMillis", checkpoint.deadlineMillis());
        node.put("closing", checkpoint.closing());
        node.put("previousOffsetHint", checkpoint.previousOffsetHint());
        node.put("hasLeaves", checkpoint.leaves().isPresent());
        if (checkpoint.leaves().isPresent()) {
            node.put("leavesMatchRoot", checkpoint.leavesMatchRoot());
        }
        return node;
    }

    private static @Nullable String base64(Optional<Hash> bytes) {
        return bytes.map(present -> Base64.getEncoder().encodeToString(present.toByteArray()))
                .orElse(null);
    }
}
