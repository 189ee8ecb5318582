package dev.stormproof.alert;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stormproof.proof.checkpoint.Protection;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.verify.judge.EnumNames;
import dev.stormproof.verify.judge.Seal;

/** The fields of a verdict about its basis, which verdicts without a checkpoint do not have. */
final class SealJson {
    private static final String STRENGTH = "strength";
    private static final String ROOT = "root";
    private static final String CHECKPOINT_HASH = "checkpointHash";
    private static final String KEY_ID = "keyId";

    private SealJson() {}

    static void write(ObjectNode data, Seal seal) {
        if (!seal.isThere()) {
            return;
        }
        data.put(STRENGTH, EnumNames.of(seal.strength()));
        data.put(ROOT, seal.root().toHex());
        if (seal.checkpointHash().sizeBytes() > 0) {
            data.put(CHECKPOINT_HASH, seal.checkpointHash().toHex());
        }
        if (!seal.keyId().isEmpty()) {
            data.put(KEY_ID, seal.keyId());
        }
    }

    static Seal read(JsonNode data) {
        return data.has(STRENGTH)
                ? new Seal(
                        EnumNames.constant(
                                Protection.class, data.required(STRENGTH).asText()),
                        Hash.fromHex(data.required(ROOT).asText()),
                        Hash.fromHex(data.path(CHECKPOINT_HASH).asText()),
                        data.path(KEY_ID).asText())
                : Seal.NONE;
    }
}
