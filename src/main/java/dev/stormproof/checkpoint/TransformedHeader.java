package dev.stormproof.checkpoint;

import dev.stormproof.merkle.Hash;
import java.nio.ByteBuffer;

/**
 * The statement of a transform about an event that it made, in the record header {@link #NAME}.
 *
 * <pre>
 *   at  size  field
 *    0     1  version, 1
 *    1     1  signature algorithm id, 3: SHA-256 over key and value
 *    2     8  offset of the event in the partition that it was read from
 *   10    32  signature of key and value as they were made
 *   42     n  signature of the event that was read, by the algorithm of its event header; n from 0 to 255, 0 if that is
 *             missing or unknown
 * </pre>
 *
 * <p>All integers are big endian. See docs/FORMAT.md.
 *
 * @param inputOffset the offset of the event that was read
 * @param signature the signature of the event that was made
 * @param read the signature of the event that was read, the leaf of the tree; empty if it has none
 */
public record TransformedHeader(long inputOffset, Hash signature, Hash read) {
    /** The name of the record header. */
    public static final String NAME = "stormproof-transformed";

    /** The header of a marker, which stands where a diverted event was; its value says why. */
    public static final String DIVERTED = "stormproof-diverted";

    private static final int VERSION = 1;
    private static final int SIGNATURE_BYTES = 32;
    private static final int SIGNATURE_BEGIN = 10;
    private static final int READ_BEGIN = SIGNATURE_BEGIN + SIGNATURE_BYTES;

    public TransformedHeader {
        if (inputOffset < 0
                || signature.sizeBytes() != SIGNATURE_BYTES
                || read.sizeBytes() > EventSigners.MAX_SIZE_BYTES) {
            throw new IllegalArgumentException("offset " + inputOffset + ", signatures of " + signature.sizeBytes()
                    + " and " + read.sizeBytes() + " bytes");
        }
    }

    public byte[] encode() {
        byte[] bytes = new byte[READ_BEGIN + read.sizeBytes()];
        ByteBuffer.wrap(bytes)
                .put((byte) VERSION)
                .put((byte) EventSigners.SHA256_KEY_VALUE)
                .putLong(inputOffset);
        signature.copyTo(bytes, SIGNATURE_BEGIN);
        read.copyTo(bytes, READ_BEGIN);
        return bytes;
    }

    public static TransformedHeader decode(byte[] bytes) throws MalformedCheckpointException {
        WireReader in = new WireReader(bytes, bytes.length);
        int version = in.uint8("version");
        if (version != VERSION) {
            throw MalformedCheckpointException.unsupported(0, "version", Integer.toString(version), "1");
        }
        int algorithm = in.uint8("signature algorithm");
        if (algorithm != EventSigners.SHA256_KEY_VALUE) {
            throw MalformedCheckpointException.unsupported(
                    1,
                    "signature algorithm",
                    Integer.toString(algorithm),
                    Integer.toString(EventSigners.SHA256_KEY_VALUE));
        }
        long inputOffset = in.int64("input offset", 0);
        Hash signature = in.hash("signature", SIGNATURE_BYTES);
        int readBytes = in.remaining();
        if (readBytes > EventSigners.MAX_SIZE_BYTES) {
            throw MalformedCheckpointException.damaged(
                    in.position(), "size of signature", readBytes + " bytes", "0 to " + EventSigners.MAX_SIZE_BYTES);
        }
        return new TransformedHeader(inputOffset, signature, in.hash("signature that was read", readBytes));
    }
}
