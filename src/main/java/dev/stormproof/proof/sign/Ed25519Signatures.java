package dev.stormproof.proof.sign;

import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.interfaces.EdECPrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import org.bouncycastle.crypto.params.Ed25519PrivateKeyParameters;
import org.bouncycastle.crypto.params.Ed25519PublicKeyParameters;
import org.bouncycastle.math.ec.rfc8032.Ed25519;

/**
 * Ed25519 signatures (RFC 8032, the pure form, no context) by Bouncy Castle: the JDK reads the forms of the keys, but its
 * arithmetic takes eight times as long.
 */
final class Ed25519Signatures {
    private static final String ALGORITHM = "Ed25519";

    /** The bytes before the key's own 32 in its X.509 form. */
    private static final String X509_PREFIX = "302a300506032b6570032100";

    private static final int PURE = Ed25519.Algorithm.Ed25519;

    private Ed25519Signatures() {}

    /** Reads a key's X.509 form (RFC 8410), which ends with its 32 bytes. */
    static Ed25519PublicKeyParameters publicKey(byte[] x509) throws GeneralSecurityException {
        byte[] canonical = KeyFactory.getInstance(ALGORITHM)
                .generatePublic(new X509EncodedKeySpec(x509))
                .getEncoded();
        try {
            return new Ed25519PublicKeyParameters(canonical, canonical.length - Ed25519PublicKeyParameters.KEY_SIZE);
        } catch (IllegalArgumentException e) {
            throw new InvalidKeyException("no point of the curve", e);
        }
    }

    static byte[] x509(Ed25519PublicKeyParameters key) {
        return HexFormat.of().parseHex(X509_PREFIX + HexFormat.of().formatHex(key.getEncoded()));
    }

    /** Reads a key's PKCS #8 form (RFC 8410). */
    static Ed25519PrivateKeyParameters privateKey(byte[] pkcs8) throws GeneralSecurityException {
        EdECPrivateKey key =
                (EdECPrivateKey) KeyFactory.getInstance(ALGORITHM).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
        byte[] seed = key.getBytes().orElseThrow(() -> new InvalidKeyException("the key hides its bytes"));
        try {
            return new Ed25519PrivateKeyParameters(seed);
        } finally {
            Arrays.fill(seed, (byte) 0);
        }
    }

    static byte[] sign(Ed25519PrivateKeyParameters key, byte[] data, int sizeBytes) {
        byte[] signature = new byte[Ed25519PrivateKeyParameters.SIGNATURE_SIZE];
        key.sign(PURE, null, data, 0, sizeBytes, signature, 0);
        return signature;
    }

    /** True if the key's signature over all bytes before {@code signatureBegin} is there. */
    static boolean verify(Ed25519PublicKeyParameters key, byte[] data, int signatureBegin) {
        return key.verify(PURE, null, data, 0, signatureBegin, data, signatureBegin);
    }

    static boolean verify(Ed25519PublicKeyParameters key, byte[] data, byte[] signature) {
        return signature.length == Ed25519PrivateKeyParameters.SIGNATURE_SIZE
                && key.verify(PURE, null, data, 0, data.length, signature, 0);
    }

    /**
     * True if programs that compare S·B with R + k·A accept it too: Bouncy Castle compares multiples of them, and accepts
     * signatures whose R has a component of small order.
     */
    static boolean verifyExactly(Ed25519PublicKeyParameters key, byte[] data, byte[] signature) {
        return verify(key, data, signature) && isExact(key, data, signature);
    }

    private static boolean isExact(Ed25519PublicKeyParameters key, byte[] data, byte[] signature) {
        try {
            Signature exact = Signature.getInstance(ALGORITHM);
            exact.initVerify(KeyFactory.getInstance(ALGORITHM).generatePublic(new X509EncodedKeySpec(x509(key))));
            exact.update(data);
            return exact.verify(signature);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }
}
