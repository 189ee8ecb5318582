package dev.stormproof.verify.judge;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Protection;
import dev.stormproof.proof.tree.Hash;
import java.io.Serializable;

/**
 * The basis of a verdict on an interval, as its checkpoint states it.
 *
 * @param strength what it protects against
 * @param root the root over the interval's events
 * @param checkpointHash the checkpoint's chain hash, by which its successor names it; empty in format 1
 * @param keyId the key whose signature on the checkpoint was verified; empty if none was
 */
public record Seal(Protection strength, Hash root, Hash checkpointHash, String keyId) implements Serializable {
    /** The seal of an interval whose checkpoint was not seen. */
    public static final Seal NONE = new Seal(Protection.ACCIDENTS, Hash.empty(), Hash.empty(), "");

    static Seal of(CheckpointRecord record) {
        return new Seal(
                Protection.of(record.checkpoint()),
                record.checkpoint().root(),
                record.chainHash(),
                record.checkpoint().keyId().orElse(""));
    }

    public boolean isThere() {
        return root.sizeBytes() > 0;
    }
}
