package dev.stormproof.proof.sign;

import java.security.GeneralSecurityException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.bouncycastle.crypto.params.Ed25519PublicKeyParameters;

/**
 * The public Ed25519 keys whose checkpoints are believed, by their ids.
 *
 * <p>To rotate: accept the new key beside the old one, let the emitters sign with it, then stop accepting the old one.
 * Immutable and safe for many threads.
 */
public final class TrustedKeys {
    public static final int MAX_ID_BYTES = 64;

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._-]{1," + MAX_ID_BYTES + "}");
    private static final TrustedKeys NONE = new TrustedKeys(Map.of());

    private final Map<String, Ed25519PublicKeyParameters> keys;

    private TrustedKeys(Map<String, Ed25519PublicKeyParameters> keys) {
        this.keys = keys;
    }

    public static TrustedKeys none() {
        return NONE;
    }

    /**
     * Keys as text, each PEM ("BEGIN PUBLIC KEY") or the base64 of the X.509 form's DER bytes, by their ids.
     *
     * @throws IllegalArgumentException if one is no Ed25519 key or an id is not allowed
     */
    public static TrustedKeys ofTexts(Map<String, String> textsById) {
        TrustedKeys keys = NONE;
        for (Map.Entry<String, String> entry : textsById.entrySet()) {
            keys = keys.withX509(entry.getKey(), KeyText.toDer(entry.getValue(), "PUBLIC KEY"));
        }
        return keys;
    }

    /** These keys and one more, in DER-encoded X.509 form (SubjectPublicKeyInfo). */
    public TrustedKeys withX509(String id, byte[] der) {
        checkId(id);
        Map<String, Ed25519PublicKeyParameters> more = new TreeMap<>(keys);
        try {
            more.put(id, Ed25519Signatures.publicKey(der));
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("key '" + id + "' is no Ed25519 public key in X.509 form", e);
        }
        return new TrustedKeys(more);
    }

    /** The ids in ascending order, for texts. */
    public Set<String> ids() {
        return Collections.unmodifiableSet(keys.keySet());
    }

    /** The keys in the order of their ids, each as {@code id:base64} of its X.509 form. */
    public List<String> texts() {
        return keys.entrySet().stream()
                .map(key -> KeyText.of(key.getKey(), Ed25519Signatures.x509(key.getValue())))
                .toList();
    }

    public boolean isEmpty() {
        return keys.isEmpty();
    }

    public boolean contains(String id) {
        return keys.containsKey(id);
    }

    /** True if the key is known and its signature over all bytes before {@code signatureBegin} is there. */
    public boolean verify(String id, byte[] data, int signatureBegin) {
        Ed25519PublicKeyParameters key = keys.get(id);
        return key != null && Ed25519Signatures.verify(key, data, signatureBegin);
    }

    /** True if the key is known and the signature is its by the letter of RFC 8032; takes many times as long. */
    public boolean verifyExactly(String id, byte[] data, byte[] signature) {
        Ed25519PublicKeyParameters key = keys.get(id);
        return key != null && Ed25519Signatures.verifyExactly(key, data, signature);
    }

    /** True for 1 to 64 ASCII letters, digits, dots, underscores and hyphens. */
    public static boolean isId(String id) {
        return ID.matcher(id).matches();
    }

    static void checkId(String id) {
        if (!isId(id)) {
            throw new IllegalArgumentException("key id '" + id + "': letters, digits, '.', '_' and '-', at most 64");
        }
    }
}
