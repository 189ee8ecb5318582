package dev.stormproof.checkpoint;

import dev.stormproof.merkle.Hash;
import dev.stormproof.merkle.TreeHash;
import java.nio.ByteBuffer;

/**
 * The statement of an event of format 2 about itself, in the record header {@link #NAME}.
 *
 * <pre>
 *   at  size  field
 *    0     1  version, 1
 *    1     8  emitter id, not 0
 *    9     8  sequence, from 0
 *   17     1  tree hash id, 1 or 2
 *   18     1  signature algorithm id
 *   19     n  signature of the value, n from 1 to 255
 * </pre>
 *
 * <p>All integers are big endian. See docs/FORMAT.md.
 *
 * @param emitter the id of the stream's emitter, not 0
 * @param sequence the place in the stream, from 0, without gaps
 * @param signatureAlgorithm an {@link EventSigner}'s id, as 0 to 255
 * @param signature the signature of the serialized value
 */
public record EventHeader(long emitter, long sequence, TreeHash treeHash, int signatureAlgorithm, Hash signature) {
    /** The name of the record header. */
    public static final String NAME = "stormproof-event";

    private static final int VERSION = 1;
    private static final int SIGNATURE_BEGIN = 19;

    public EventHeader {
        if (emitter == StreamId.NO_EMITTER || sequence < 0 || treeHash == TreeHash.ADLER32) {
            throw new IllegalArgumentException(
                    "emitter " + emitter + ", sequence " + sequence + ", tree hash " + treeHash.label());
        }
        Format2Rules.checkSignature(signatureAlgorithm, signature.sizeBytes());
    }

    public byte[] encode() {
        byte[] bytes = new byte[SIGNATURE_BEGIN + signature.sizeBytes()];
        ByteBuffer.wrap(bytes)
                .put((byte) VERSION)
                .putLong(emitter)
                .putLong(sequence)
                .put(treeHash.id())
                .put((byte) signatureAlgorithm);
        signature.copyTo(bytes, SIGNATURE_BEGIN);
        return bytes;
    }

    public static EventHeader decode(byte[] bytes) throws MalformedCheckpointException {
        return decode(new WireReader(bytes, bytes.length));
    }

    static EventHeader decode(ByteSlice slice) throws MalformedCheckpointException {
        return decode(new WireReader(slice.array(), slice.begin(), slice.sizeBytes()));
    }

    private static EventHeader decode(WireReader in) throws MalformedCheckpointException {
        int version = in.uint8("version");
        if (version != VERSION) {
            throw MalformedCheckpointException.unsupported(0, "version", Integer.toString(version), "1");
        }
        long emitter = Format2Rules.readEmitter(in);
        long sequence = in.int64("sequence", 0);
        TreeHash treeHash = Format2Rules.readTreeHash(in);
        int algorithm = Format2Rules.readAlgorithm(in);
        int signatureBytes = in.remaining();
        Format2Rules.checkSignatureRead(in.position(), algorithm, signatureBytes);
        return new EventHeader(emitter, sequence, treeHash, algorithm, in.hash("signature", signatureBytes));
    }
}
