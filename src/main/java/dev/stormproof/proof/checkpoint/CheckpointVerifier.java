package dev.stormproof.proof.checkpoint;

import static dev.stormproof.proof.checkpoint.MalformedCheckpointException.untrusted;

import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.sign.TrustedKeys;
import dev.stormproof.proof.tree.TreeHash;
import java.util.Optional;

/**
 * Reads checkpoints of format 2 and believes only those that a trusted key has signed.
 *
 * <table>
 *   <caption>What is accepted</caption>
 *   <tr><th></th><th>no trusted keys</th><th>trusted keys</th></tr>
 *   <tr><td>unsigned</td><td>yes</td><td>no</td></tr>
 *   <tr><td>signed by a trusted key</td><td></td><td>yes</td></tr>
 *   <tr><td>signed by another key, or wrongly</td><td>yes, unverified</td><td>no</td></tr>
 * </table>
 *
 * <p>If protection against tampering is demanded, a checkpoint is not believed either if its tree hash or its events' signature only
 * protects against accidents.
 *
 * <p>The checksum is compared first,
 * so that a damaged checkpoint is reported as damaged; only the key's id of an intact one is used before its signature is
 * verified. Topic and partition are signed: compare them with where the checkpoint was found. Immutable and safe for many
 * threads.
 */
public final class CheckpointVerifier {
    private final TrustedKeys keys;
    private final boolean againstTampering;

    /** Demands the signature of one of these keys, if there are any. */
    public CheckpointVerifier(TrustedKeys keys) {
        this(keys, false);
    }

    private CheckpointVerifier(TrustedKeys keys, boolean againstTampering) {
        if (againstTampering && keys.isEmpty()) {
            throw new IllegalArgumentException("signed checkpoints are required, but no key is trusted");
        }
        this.keys = keys;
        this.againstTampering = againstTampering;
    }

    /** Demands signed checkpoints that protect against tampering; throws if there is no key that could give one. */
    public static CheckpointVerifier againstTampering(TrustedKeys keys) {
        return new CheckpointVerifier(keys, true);
    }

    /**
     * Reads a checkpoint, with its key if the signature was verified. Throws {@link
     * MalformedCheckpointException.Reason#UNTRUSTED} if it is not believed.
     */
    public Format2Checkpoint decode(byte[] bytes) throws MalformedCheckpointException {
        Format2Reader reader = new Format2Reader(bytes);
        if (!keys.isEmpty() && reader.isIntact()) {
            check(bytes, reader.trailer());
        }
        Format2Checkpoint checkpoint = reader.read();
        if (againstTampering) {
            demandStrength(checkpoint);
        }
        return keys.isEmpty() ? checkpoint.signedByNobodyKnown() : checkpoint;
    }

    private static void demandStrength(Format2Checkpoint checkpoint) throws MalformedCheckpointException {
        if (checkpoint.treeHash() != TreeHash.SHA256) {
            throw tooWeak(
                    Format2Layout.TREE_HASH_AT,
                    "tree hash",
                    checkpoint.treeHash().label(),
                    "sha256");
        }
        if (!EventSigners.protectsAgainstTampering(checkpoint.signatureAlgorithm())) {
            throw tooWeak(
                    Format2Layout.SIGNATURE_ALGORITHM_AT,
                    "signature algorithm",
                    Integer.toString(checkpoint.signatureAlgorithm()),
                    EventSigners.SHA256_KEY_VALUE + ", or the application's own");
        }
    }

    private static MalformedCheckpointException tooWeak(int position, String field, String got, String want) {
        return untrusted(position, field, got + ", which protects against accidents alone", want);
    }

    private void check(byte[] bytes, Optional<SignedTrailer> signed) throws MalformedCheckpointException {
        if (signed.isEmpty()) {
            throw untrusted(Format2Layout.FLAGS_AT, "signature", "none", "that of a trusted key");
        }
        SignedTrailer trailer = signed.get();
        if (!keys.contains(trailer.keyId())) {
            throw untrusted(trailer.begin(), "key id", "'" + trailer.keyId() + "'", "one of " + keys.ids());
        }
        if (!keys.verify(trailer.keyId(), bytes, trailer.signatureBegin())) {
            throw untrusted(
                    trailer.signatureBegin(), "signature", "a wrong one", "that of key '" + trailer.keyId() + "'");
        }
    }
}
