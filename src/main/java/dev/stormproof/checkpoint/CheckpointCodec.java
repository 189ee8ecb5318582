package dev.stormproof.checkpoint;

import dev.stormproof.merkle.Hash;
import dev.stormproof.merkle.Leaves;
import dev.stormproof.merkle.TreeHash;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Reads and writes checkpoints of format 2, version 1.
 *
 * <pre>
 *        at  size  field
 *         0     4  magic, "SPCP"
 *         4     1  version, 1
 *         5     1  flags: 1 closing, 2 leaves, 4 signed; the others 0
 *         6     1  tree hash id, 1 or 2; h is the size of its hashes
 *         7     1  signature algorithm id
 *         8     1  s, the size of an event's signature
 *         9     8  emitter id
 *        17     4  partition
 *        21     8  number
 *        29     8  first sequence
 *        37     4  c, the event count
 *        41     8  created at, milliseconds
 *        49     8  promise, milliseconds
 *        57     8  hint to the previous checkpoint's offset, or -1
 *        65     2  u, the count of uncertain ranges
 *        67     1  t, the size of the topic
 *        68     1  n, the size of the emitter's name
 *        69     t  topic
 *               n  emitter's name
 *            u×16  uncertain ranges: begin, end
 *               h  root
 *               h  previous hash; absent in number 0
 *             c×s  signatures, if the flag leaves is set
 *   ---------------  end of the body, which the chain hash covers
 *               k  key id, if the flag signed is set
 *               1  k, if the flag signed is set
 *              64  Ed25519 signature over everything before it, if the flag signed is set
 *               8  checksum: XXH3 over everything before it
 * </pre>
 *
 * <p>All integers are big endian. Every later version keeps magic, version and checksum where they are. See
 * docs/FORMAT.md.
 */
public final class CheckpointCodec {
    /** The largest checkpoint that is read or written. */
    public static final int MAX_SIZE_BYTES = 64 << 20;

    static final int MAGIC = 0x53504350;
    static final int VERSION = 1;
    static final int FLAGS_AT = 5;
    static final int ED25519_BYTES = 64;
    static final int FIXED_BYTES = 69;
    static final int CHECKSUM_BYTES = Long.BYTES;
    static final int RANGE_BYTES = 2 * Long.BYTES;
    static final int CLOSING = 1;
    static final int WITH_LEAVES = 2;
    static final int SIGNED = 4;

    private static final String TOO_LARGE = "more than " + MAX_SIZE_BYTES + " bytes of a checkpoint: ";

    private CheckpointCodec() {}

    /** True if the bytes begin as a checkpoint of format 2 does. */
    public static boolean hasMagic(byte[] bytes) {
        return bytes.length >= Integer.BYTES && ByteBuffer.wrap(bytes).getInt() == MAGIC;
    }

    /** The bytes of an unsigned checkpoint. */
    public static byte[] encode(Format2Checkpoint checkpoint) {
        if (checkpoint.keyId().isPresent()) {
            throw new IllegalArgumentException(
                    "a checkpoint signed by " + checkpoint.keyId().get() + " needs that key to be written");
        }
        return new Format2Writer(encodedSizeBytes(checkpoint)).write(checkpoint);
    }

    /** The bytes of a checkpoint signed with {@code key}, whatever {@link Format2Checkpoint#keyId} says. */
    public static byte[] encode(Format2Checkpoint checkpoint, CheckpointKey key) {
        int sizeBytes = Math.addExact(encodedSizeBytes(checkpoint), SignedTrailer.sizeBytes(key.id()));
        if (sizeBytes > MAX_SIZE_BYTES) {
            throw new IllegalArgumentException(TOO_LARGE + sizeBytes);
        }
        return new Format2Writer(sizeBytes).writeSigned(checkpoint, key);
    }

    /** The size of the checkpoint without a signature; throws if that is more than {@link #MAX_SIZE_BYTES}. */
    public static int encodedSizeBytes(Format2Checkpoint checkpoint) {
        long sizeBytes = FIXED_BYTES
                + checkpoint.stream().topic().length()
                + utf8(checkpoint.emitterName()).length
                + (long) RANGE_BYTES * checkpoint.uncertain().size()
                + checkpoint.root().sizeBytes()
                + checkpoint.previousHash().sizeBytes()
                + checkpoint.leaves().map(Leaves::packedSizeBytes).orElse(0L)
                + CHECKSUM_BYTES;
        if (sizeBytes > MAX_SIZE_BYTES) {
            throw new IllegalArgumentException(TOO_LARGE + sizeBytes);
        }
        return (int) sizeBytes;
    }

    /**
     * Reads a checkpoint, whether signed or not, and does not check the signature; see {@link CheckpointVerifier}.
     *
     * @param bytes hold the leaves of the result, and must not change any more
     */
    public static Format2Checkpoint decode(byte[] bytes) throws MalformedCheckpointException {
        return new Format2Reader(bytes).read();
    }

    /**
     * The hash of encoded bytes, signature and checksum left out, that the next checkpoint of the stream states.
     *
     * @param encoded a checkpoint that was encoded or decoded before, so that its checksum is right: with {@link
     *     TreeHash#XXH3} and without a signature it is the chain hash too, and nothing is hashed again
     */
    public static Hash chainHash(TreeHash treeHash, byte[] encoded) {
        int bodyEnd = bodyEnd(encoded);
        if (treeHash == TreeHash.XXH3 && bodyEnd == encoded.length - CHECKSUM_BYTES) {
            return Hash.copyOf(encoded, bodyEnd, CHECKSUM_BYTES);
        }
        byte[] hash = new byte[treeHash.sizeBytes()];
        treeHash.newHasher().plain(encoded, 0, bodyEnd, hash, 0);
        return Hash.copyOf(hash);
    }

    private static int bodyEnd(byte[] encoded) {
        if (encoded.length < FIXED_BYTES + CHECKSUM_BYTES) {
            throw new IllegalArgumentException("no checkpoint of format 2");
        }
        if ((encoded[FLAGS_AT] & SIGNED) == 0) {
            return encoded.length - CHECKSUM_BYTES;
        }
        try {
            return SignedTrailer.of(encoded).begin();
        } catch (MalformedCheckpointException e) {
            throw new IllegalArgumentException("no checkpoint of format 2", e);
        }
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
