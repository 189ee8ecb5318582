package dev.stormproof.checkpoint;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;

/**
 * A private Ed25519 key that an emitter signs its checkpoints with, and the id that verifiers know it by.
 *
 * <p>Immutable and safe for many threads. Its text form shows the id only.
 */
public final class CheckpointKey {
    private static final String ALGORITHM = "Ed25519";

    private final String id;
    private final PrivateKey key;

    private CheckpointKey(String id, PrivateKey key) {
        this.id = id;
        this.key = key;
    }

    /**
     * The key in PKCS #8 form, DER encoded.
     *
     * @param id 1 to 64 ASCII letters, digits, dots, underscores and hyphens
     * @throws IllegalArgumentException if it is no Ed25519 key or the id is not allowed
     */
    public static CheckpointKey ofPkcs8(String id, byte[] der) {
        TrustedKeys.checkId(id);
        try {
            return new CheckpointKey(
                    id, KeyFactory.getInstance(ALGORITHM).generatePrivate(new PKCS8EncodedKeySpec(der)));
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("key '" + id + "' is no Ed25519 private key in PKCS #8 form", e);
        }
    }

    /** The same from text: PEM ("BEGIN PRIVATE KEY") or the base64 of the DER bytes. */
    public static CheckpointKey ofText(String id, String text) {
        byte[] der = KeyText.toDer(text, "PRIVATE KEY");
        try {
            return ofPkcs8(id, der);
        } finally {
            Arrays.fill(der, (byte) 0);
        }
    }

    /** The id that verifiers know the key by. */
    public String id() {
        return id;
    }

    byte[] sign(byte[] data, int sizeBytes) {
        try {
            Signature signature = Signature.getInstance(ALGORITHM);
            signature.initSign(key);
            signature.update(data, 0, sizeBytes);
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("cannot sign with key '" + id + "'", e);
        }
    }

    @Override
    public String toString() {
        return "key '" + id + "'";
    }
}
