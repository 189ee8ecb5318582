package dev.stormproof.proof.checkpoint;

import dev.stormproof.proof.sign.EventSigner;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;

/**
 * The statement of an event of format 2 about itself, in the record header {@link #NAME}.
 *
 * <pre>
 *   at    size  field
 *    0       1  16 × format, 2, + tree hash id, 1 or 2
 *    1       1  signature algorithm id
 *    2       8  emitter id, not 0
 *   10       v  sequence, from 0, as LEB128 in its shortest form; v from 1 to 9
 *   10 + v   n  signature, n from 1 to 255
 * </pre>
 *
 * <p>All integers but LEB128 are big endian. See docs/FORMAT.md.
 *
 * @param emitter the id of the stream's emitter, not 0
 * @param sequence the place in the stream, from 0, without gaps
 * @param signatureAlgorithm an {@link EventSigner}'s id, as 0 to 255
 * @param signature the event's signature
 */
public record EventHeader(long emitter, long sequence, TreeHash treeHash, int signatureAlgorithm, Hash signature) {
    public static final String NAME = "sp-e";

    /** The prefix of the other header names that applications must not use. */
    public static final String RESERVED = "stormproof-";

    private static final int FORMAT = 2;
    private static final int FORMAT_SHIFT = 4;
    private static final int TREE_HASH_MASK = 0xf;
    private static final int SEQUENCE_BEGIN = 10;

    public EventHeader {
        if (emitter == StreamId.NO_EMITTER || sequence < 0 || treeHash == TreeHash.ADLER32) {
            throw new IllegalArgumentException(
                    "emitter " + emitter + ", sequence " + sequence + ", tree hash " + treeHash.label());
        }
        Format2Rules.checkSignature(signatureAlgorithm, signature.sizeBytes());
    }

    public byte[] encode() {
        return encode(emitter, sequence, treeHash, signatureAlgorithm, signature.toByteArray());
    }

    /** The bytes of a header with these values, which are not checked. */
    public static byte[] encode(
            long emitter, long sequence, TreeHash treeHash, int signatureAlgorithm, byte[] signature) {
        int signatureBegin = SEQUENCE_BEGIN + Leb128.sizeBytes(sequence);
        byte[] bytes = new byte[signatureBegin + signature.length];
        bytes[0] = (byte) ((FORMAT << FORMAT_SHIFT) | treeHash.id());
        bytes[1] = (byte) signatureAlgorithm;
        WireReader.INT64.set(bytes, SEQUENCE_BEGIN - Long.BYTES, emitter);
        Leb128.write(sequence, bytes, SEQUENCE_BEGIN);
        System.arraycopy(signature, 0, bytes, signatureBegin, signature.length);
        return bytes;
    }

    /** Reads the bytes of a header; throws if they are not in the one form that {@link #encode} writes. */
    public static EventHeader decode(byte[] bytes) throws MalformedCheckpointException {
        Event read = read(new WireReader(bytes, bytes.length), 0, LogRecord.NO_TIME);
        return new EventHeader(
                read.emitter(), read.sequence(), read.treeHash(), read.signatureAlgorithm(), read.stated());
    }

    /** Reads the header of an event, whose content was not looked at yet: until then it counts as what the header states. */
    static Event read(WireReader in, long offset, long writtenMillis) throws MalformedCheckpointException {
        int first = in.uint8("format");
        if ((first >>> FORMAT_SHIFT) != FORMAT) {
            throw MalformedCheckpointException.unsupported(0, "format", Integer.toString(first), "32 to 47");
        }
        TreeHash treeHash = Format2Rules.treeHash(0, first & TREE_HASH_MASK);
        int algorithm = Format2Rules.readAlgorithm(in);
        long emitter = Format2Rules.readEmitter(in);
        long sequence = Leb128.read(in, "sequence");
        Format2Rules.checkSignatureRead(in.position(), algorithm, in.remaining());
        Hash stated = in.hash("signature", in.remaining());
        return new Event(
                offset,
                emitter,
                sequence,
                treeHash,
                algorithm,
                stated,
                stated,
                Event.Content.UNTRANSFORMED,
                writtenMillis);
    }
}
