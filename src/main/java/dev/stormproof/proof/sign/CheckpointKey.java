package dev.stormproof.proof.sign;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import org.bouncycastle.crypto.params.Ed25519PrivateKeyParameters;

/**
 * A private Ed25519 key that an emitter signs its checkpoints with, and the id that verifiers know it by.
 *
 * <p>Immutable and safe for many threads. Its text form shows the id only.
 */
public final class CheckpointKey {
    private final String id;
    private final Ed25519PrivateKeyParameters key;

    private CheckpointKey(String id, Ed25519PrivateKeyParameters key) {
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
            return new CheckpointKey(id, Ed25519Signatures.privateKey(der));
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

    /** The id of a key in a file that 'key create' wrote: the file's name without its ending .pem. */
    public static String idOf(String file) {
        return file.replaceFirst(".*[/\\\\]", "").replaceFirst("\\.pem$", "");
    }

    public String id() {
        return id;
    }

    public byte[] sign(byte[] data, int sizeBytes) {
        return Ed25519Signatures.sign(key, data, sizeBytes);
    }

    public PublicKey publicKey() {
        return PublicKey.of(key.generatePublicKey());
    }

    @Override
    public String toString() {
        return "key '" + id + "'";
    }
}
