package dev.stormproof.proof.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.testing.CheckpointFields;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A checkpoint protects against tampering only if everything that it rests on does. */
class ProtectionTest {
    private static Protection of(TreeHash tree, int algorithm, Optional<String> keyId) {
        Format2Checkpoint checkpoint = CheckpointFields.checkpoint(new StreamId("orders", 0, 7), c -> {
            c.treeHash = tree;
            c.signatureAlgorithm = algorithm;
            c.signatureSizeBytes = Math.max(EventSigners.sizeOf(algorithm), 1);
            c.root = tree.emptyRoot();
            c.keyId = keyId;
        });
        return Protection.of(checkpoint);
    }

    @Test
    void aSignedSha256TreeOfStrongSignaturesProtectsAgainstTampering() {
        assertThat(of(TreeHash.SHA256, EventSigners.SHA256_KEY_VALUE, Optional.of("k")))
                .isEqualTo(Protection.TAMPERING);
        assertThat(of(TreeHash.SHA256, EventSigners.FIRST_SUPPLIED, Optional.of("k")))
                .isEqualTo(Protection.TAMPERING);
    }

    @Test
    void withoutAVerifiedKeyItDoesNot() {
        assertThat(of(TreeHash.SHA256, EventSigners.SHA256_KEY_VALUE, Optional.empty()))
                .isEqualTo(Protection.ACCIDENTS);
    }

    @Test
    void aTreeOrSignaturesThatOthersCanHitDoNot() {
        assertThat(of(TreeHash.XXH3, EventSigners.SHA256_KEY_VALUE, Optional.of("k")))
                .isEqualTo(Protection.ACCIDENTS);
        assertThat(of(TreeHash.SHA256, EventSigners.XXH3_KEY_VALUE, Optional.of("k")))
                .isEqualTo(Protection.ACCIDENTS);
    }
}
