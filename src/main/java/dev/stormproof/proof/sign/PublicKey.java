package dev.stormproof.proof.sign;

import java.security.GeneralSecurityException;
import org.bouncycastle.crypto.params.Ed25519PublicKeyParameters;

/** A public Ed25519 key, without an id. Immutable and safe for many threads. */
public final class PublicKey {
    private final Ed25519PublicKeyParameters key;

    private PublicKey(Ed25519PublicKeyParameters key) {
        this.key = key;
    }

    static PublicKey of(Ed25519PublicKeyParameters key) {
        return new PublicKey(key);
    }

    /**
     * The key of its text: PEM ("BEGIN PUBLIC KEY"), or the base64 of the X.509 form's DER bytes.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static PublicKey ofText(String text) {
        try {
            return new PublicKey(Ed25519Signatures.publicKey(KeyText.toDer(text, "PUBLIC KEY")));
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("no Ed25519 public key in X.509 form", e);
        }
    }

    public byte[] bytes() {
        return key.getEncoded();
    }

    public boolean verify(byte[] data, byte[] signature) {
        return Ed25519Signatures.verify(key, data, signature);
    }

    /** The same by the letter of RFC 8032, as other programs verify; takes many times as long. */
    public boolean verifyExactly(byte[] data, byte[] signature) {
        return Ed25519Signatures.verifyExactly(key, data, signature);
    }
}
