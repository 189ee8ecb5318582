package dev.stormproof.proof.sign;

import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The signature of a record's content against tampering: SHA-256 over key and value.
 *
 * <p>An instance belongs to one thread.
 */
public final class Sha256Signer extends KeyValueSigner {
    private static final int SIZE_BYTES = 32;

    private final MessageDigest digest;

    public Sha256Signer() {
        super(EventSigners.SHA256_KEY_VALUE, SIZE_BYTES);
        try {
            this.digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }

    @Override
    void update(byte[] array, int begin, int sizeBytes) {
        digest.update(array, begin, sizeBytes);
    }

    @Override
    void digestTo(byte[] last, int sizeBytes, byte[] out, int outBegin) {
        digest.update(last, 0, sizeBytes);
        try {
            digest.digest(out, outBegin, SIZE_BYTES);
        } catch (DigestException e) {
            throw new AssertionError("there is room", e);
        }
    }
}
