package dev.stormproof.checkpoint;

import dev.stormproof.merkle.Hash;
import dev.stormproof.merkle.Leaves;
import dev.stormproof.merkle.TreeHash;
import java.nio.ByteBuffer;

/**
 * Reads and writes checkpoints of format 2, version 1.
 *
 * <p>{@link Format2Layout} draws the bytes. See docs/FORMAT.md.
 */
public final class CheckpointCodec {
    /** The largest checkpoint that is read or written. */
    public static final int MAX_SIZE_BYTES = Format2Layout.MAX_SIZE_BYTES;

    private static final String TOO_LARGE = "more than " + MAX_SIZE_BYTES + " bytes of a checkpoint: ";

    private CheckpointCodec() {}

    /** True if the bytes begin as a checkpoint of format 2 does. */
    public static boolean hasMagic(byte[] bytes) {
        return bytes.length >= Integer.BYTES && ByteBuffer.wrap(bytes).getInt() == Format2Layout.MAGIC;
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
        long sizeBytes = Format2Layout.FIXED_BYTES
                + checkpoint.stream().topic().length()
                + Format2Layout.utf8(checkpoint.emitterName()).length
                + (long) Format2Layout.RANGE_BYTES * checkpoint.uncertain().size()
                + checkpoint.root().sizeBytes()
                + checkpoint.previousHash().sizeBytes()
                + checkpoint.leaves().map(Leaves::packedSizeBytes).orElse(0L)
                + Format2Layout.CHECKSUM_BYTES;
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
        if (treeHash == TreeHash.XXH3 && bodyEnd == encoded.length - Format2Layout.CHECKSUM_BYTES) {
            return Hash.copyOf(encoded, bodyEnd, Format2Layout.CHECKSUM_BYTES);
        }
        byte[] hash = new byte[treeHash.sizeBytes()];
        treeHash.newHasher().plain(encoded, 0, bodyEnd, hash, 0);
        return Hash.copyOf(hash);
    }

    private static int bodyEnd(byte[] encoded) {
        if (encoded.length < Format2Layout.FIXED_BYTES + Format2Layout.CHECKSUM_BYTES) {
            throw new IllegalArgumentException("no checkpoint of format 2");
        }
        if ((encoded[Format2Layout.FLAGS_AT] & Format2Layout.SIGNED) == 0) {
            return encoded.length - Format2Layout.CHECKSUM_BYTES;
        }
        try {
            return SignedTrailer.of(encoded).begin();
        } catch (MalformedCheckpointException e) {
            throw new IllegalArgumentException("no checkpoint of format 2", e);
        }
    }
}
