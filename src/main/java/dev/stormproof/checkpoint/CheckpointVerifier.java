package dev.stormproof.checkpoint;

import static dev.stormproof.checkpoint.MalformedCheckpointException.untrusted;

import java.util.Optional;

/**
 * Reads checkpoints of format 2 and believes only those that a trusted key has signed.
 *
 * <table>
 *   <caption>What is accepted</caption>
 *   <tr><th></th><th>no trusted keys</th><th>trusted keys</th><th>trusted keys, signatures required</th></tr>
 *   <tr><td>unsigned</td><td>yes</td><td>yes</td><td>no</td></tr>
 *   <tr><td>signed by a trusted key</td><td></td><td>yes</td><td>yes</td></tr>
 *   <tr><td>signed by another key, or wrongly</td><td>yes, unverified</td><td>no</td><td>no</td></tr>
 * </table>
 *
 * <p>Unless signatures are required, every writer to the topic can leave the signature out. The checksum is compared
 * first, so that a damaged checkpoint is called damaged; of an intact one, nothing but the key's id is used before its
 * signature is verified. Topic and partition are signed: compare them with where the checkpoint was found. Immutable and
 * safe for many threads.
 */
public final class CheckpointVerifier {
    private final TrustedKeys keys;
    private final boolean required;

    /** Demands signatures if {@code required}; throws if there is no key that could give one. */
    public CheckpointVerifier(TrustedKeys keys, boolean required) {
        if (required && keys.isEmpty()) {
            throw new IllegalArgumentException("signed checkpoints are required, but no key is trusted");
        }
        this.keys = keys;
        this.required = required;
    }

    /** Reads a checkpoint; an unbelievable one is refused as {@link MalformedCheckpointException.Reason#UNTRUSTED}. */
    public Format2Checkpoint decode(byte[] bytes) throws MalformedCheckpointException {
        Format2Reader reader = new Format2Reader(bytes);
        if (!keys.isEmpty() && reader.isIntact()) {
            check(bytes, reader.trailer());
        }
        return reader.read();
    }

    private void check(byte[] bytes, Optional<SignedTrailer> signed) throws MalformedCheckpointException {
        if (signed.isEmpty()) {
            if (required) {
                throw untrusted(Format2Layout.FLAGS_AT, "signature", "none", "that of a trusted key");
            }
            return;
        }
        SignedTrailer trailer = signed.get();
        if (!keys.contains(trailer.keyId())) {
            throw untrusted(trailer.begin(), "key id", "'" + trailer.keyId() + "'", "one of " + keys.ids());
        }
        if (!keys.verify(trailer.keyId(), bytes, trailer.signatureBegin(), Format2Layout.ED25519_BYTES)) {
            throw untrusted(
                    trailer.signatureBegin(), "signature", "a wrong one", "that of key '" + trailer.keyId() + "'");
        }
    }
}
