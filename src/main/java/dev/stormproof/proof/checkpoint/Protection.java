package dev.stormproof.proof.checkpoint;

import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.tree.TreeHash;

/** The protection of a checkpoint's events: against accidents or tampering. */
public enum Protection {
    /** Accidental damage. */
    ACCIDENTS,
    /** Anyone who can write to the topic, but has no key. */
    TAMPERING;

    /** The protection by a checkpoint: against tampering only if tree hash and event signatures are strong, and a trusted key signed it. */
    public static Protection of(Checkpoint checkpoint) {
        boolean signed = checkpoint.keyId().isPresent();
        return signed
                        && checkpoint.treeHash() == TreeHash.SHA256
                        && EventSigners.protectsAgainstTampering(checkpoint.signatureAlgorithm())
                ? TAMPERING
                : ACCIDENTS;
    }
}
