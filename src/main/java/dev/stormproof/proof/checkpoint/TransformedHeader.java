package dev.stormproof.proof.checkpoint;

import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.tree.Hash;
import java.nio.ByteBuffer;

/**
 * The statement of a transform about an event that it made, in the record header {@link #NAME}.
 *
 * <pre>
 *   at  size  field
 *    0     1  version, 1
 *    1     1  signature algorithm id, 4 or 3, those of the format that cover key and value
 *    2     8  offset of the event in the partition that it was read from
 *   10     m  signature of key and value as they were made; m is 16 or 32, as the algorithm says
 *   10 + m n  signature of the event that was read, by the algorithm of its event header; n from 0 to 255, 0 if that is
 *             missing or unknown
 * </pre>
 *
 * <p>All integers are big endian. See docs/FORMAT.md.
 *
 * @param inputOffset the offset of the event that was read
 * @param signatureAlgorithm the id of the algorithm of the next; this class' own is {@link EventSigners#XXH3_KEY_VALUE}, since nothing
 *     signs the header with a key
 * @param signature the signature of the event that was made
 * @param read the signature of the event that was read, the leaf of the tree; empty if it has none
 */
public record TransformedHeader(long inputOffset, int signatureAlgorithm, Hash signature, Hash read) {
    public static final String NAME = "stormproof-transformed";

    /** The header of a marker in the place of a diverted event; its value is the reason. */
    public static final String DIVERTED = "stormproof-diverted";

    /** The header of an event that is forwarded unverified; its value is the alert's id, or the reason, in UTF-8. */
    public static final String UNVERIFIED = "stormproof-unverified";

    private static final int VERSION = 1;
    private static final int SIGNATURE_BEGIN = 10;

    public TransformedHeader {
        if (inputOffset < 0
                || !isAllowed(signatureAlgorithm)
                || signature.sizeBytes() != EventSigners.sizeOf(signatureAlgorithm)
                || read.sizeBytes() > EventSigners.MAX_SIZE_BYTES) {
            throw new IllegalArgumentException("offset " + inputOffset + ", algorithm " + signatureAlgorithm
                    + ", signatures of " + signature.sizeBytes() + " and " + read.sizeBytes() + " bytes");
        }
    }

    public byte[] encode() {
        int readBegin = SIGNATURE_BEGIN + signature.sizeBytes();
        byte[] bytes = new byte[readBegin + read.sizeBytes()];
        ByteBuffer.wrap(bytes)
                .put((byte) VERSION)
                .put((byte) signatureAlgorithm)
                .putLong(inputOffset);
        signature.copyTo(bytes, SIGNATURE_BEGIN);
        read.copyTo(bytes, readBegin);
        return bytes;
    }

    public static TransformedHeader decode(byte[] bytes) throws MalformedCheckpointException {
        WireReader in = new WireReader(bytes, bytes.length);
        int version = in.uint8("version");
        if (version != VERSION) {
            throw MalformedCheckpointException.unsupported(0, "version", Integer.toString(version), "1");
        }
        int algorithm = in.uint8("signature algorithm");
        if (!isAllowed(algorithm)) {
            throw MalformedCheckpointException.unsupported(
                    1, "signature algorithm", Integer.toString(algorithm), "3 or 4");
        }
        long inputOffset = in.int64("input offset", 0);
        Hash signature = in.hash("signature", EventSigners.sizeOf(algorithm));
        int readBytes = in.remaining();
        if (readBytes > EventSigners.MAX_SIZE_BYTES) {
            throw MalformedCheckpointException.damaged(
                    in.position(), "size of signature", readBytes + " bytes", "0 to " + EventSigners.MAX_SIZE_BYTES);
        }
        return new TransformedHeader(inputOffset, algorithm, signature, in.hash("signature that was read", readBytes));
    }

    private static boolean isAllowed(int algorithm) {
        return algorithm == EventSigners.XXH3_KEY_VALUE || algorithm == EventSigners.SHA256_KEY_VALUE;
    }
}
