package dev.stormproof.proof.checkpoint;

import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.tree.TreeHash;

/** The strength of a checkpoint: what it protects its events against. */
public enum Protection {
    /** Damage that does not know the hashes. */
    ACCIDENTS,
    /** Whoever can write to the topic, and has not the key. */
    TAMPERING;

    /** The strength of a checkpoint: against tampering only if tree and events' signatures are strong, and a key that is believed signed it. */
    public static Protection of(Checkpoint checkpoint) {
        boolean signed = checkpoint.keyId().isPresent();
        return signed
                        && checkpoint.treeHash() == TreeHash.SHA256
                        && EventSigners.protectsAgainstTampering(checkpoint.signatureAlgorithm())
                ? TAMPERING
                : ACCIDENTS;
    }
}
