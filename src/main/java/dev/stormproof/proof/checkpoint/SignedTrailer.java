package dev.stormproof.proof.checkpoint;

import static dev.stormproof.proof.checkpoint.Format2Layout.CHECKSUM_BYTES;
import static dev.stormproof.proof.checkpoint.Format2Layout.ED25519_BYTES;
import static dev.stormproof.proof.checkpoint.MalformedCheckpointException.damaged;

import dev.stormproof.proof.sign.TrustedKeys;
import java.nio.charset.StandardCharsets;

/**
 * The bytes between body and checksum of a signed checkpoint. It is read from its end:
 *
 * <pre>
 *   body | key id: k bytes | k: 1 byte | Ed25519 signature: 64 bytes | checksum: 8 bytes
 *        ^ begin                       ^ signatureBegin
 * </pre>
 *
 * @param begin where the body ends
 * @param signatureBegin where the signature begins; everything before it is signed
 */
record SignedTrailer(int begin, String keyId, int signatureBegin) {

    static int sizeBytes(String keyId) {
        return keyId.length() + 1 + ED25519_BYTES;
    }

    static SignedTrailer of(byte[] bytes) throws MalformedCheckpointException {
        int signatureBegin = bytes.length - CHECKSUM_BYTES - ED25519_BYTES;
        int sizeAt = signatureBegin - 1;
        if (sizeAt < Format2Layout.FIXED_BYTES) {
            throw damaged(bytes.length, "signature", "the end", "a signed trailer");
        }
        int keyIdBytes = Byte.toUnsignedInt(bytes[sizeAt]);
        int begin = sizeAt - keyIdBytes;
        if (keyIdBytes < 1 || keyIdBytes > TrustedKeys.MAX_ID_BYTES || begin < Format2Layout.FIXED_BYTES) {
            throw damaged(sizeAt, "size of key id", Integer.toString(keyIdBytes), "1 to " + TrustedKeys.MAX_ID_BYTES);
        }
        String keyId = new String(bytes, begin, keyIdBytes, StandardCharsets.ISO_8859_1);
        if (!TrustedKeys.isId(keyId)) {
            throw damaged(begin, "key id", "other characters", "letters, digits, '.', '_' and '-'");
        }
        return new SignedTrailer(begin, keyId, signatureBegin);
    }
}
