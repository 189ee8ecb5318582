package dev.stormproof.checkpoint;

import dev.stormproof.merkle.Leaves;
import java.nio.ByteBuffer;

/**
 * Reads and writes checkpoints of format 1: the Merkle trees that the merkle-tree project of 2015 serializes.
 *
 * <p>{@link Format1Layout} draws the bytes. Reading guesses nothing from equal signatures and computes every inner node again. See docs/FORMAT.md.
 */
public final class Format1Codec {
    /** The largest checkpoint that is read or written. */
    public static final int MAX_SIZE_BYTES = Format1Layout.MAX_SIZE_BYTES;

    /** The fewest leaves of a tree. */
    public static final int MIN_LEAVES = Format1Layout.MIN_LEAVES;

    /** The longest signature. */
    public static final int MAX_SIGNATURE_BYTES = Format1Layout.MAX_SIGNATURE_BYTES;

    private Format1Codec() {}

    /** True if the bytes begin as a checkpoint of format 1 does. */
    public static boolean hasMagic(byte[] value) {
        return value.length >= Integer.BYTES && ByteBuffer.wrap(value).getInt() == Format1Layout.MAGIC;
    }

    /** The checkpoint over at least {@link #MIN_LEAVES} leaves of 1 to {@link #MAX_SIGNATURE_BYTES} bytes each. */
    public static byte[] encode(Leaves leaves) {
        long sizeBytes = sizeBytes(leaves);
        if (leaves.count() < MIN_LEAVES || sizeBytes > MAX_SIZE_BYTES) {
            throw new IllegalArgumentException(leaves + " cannot make a checkpoint of format 1");
        }
        return new Format1Writer((int) sizeBytes).write(leaves);
    }

    /** The size that {@link #encode} would give to the leaves, were there no limit. */
    public static long sizeBytes(Leaves leaves) {
        int count = leaves.count();
        long sizeBytes =
                Format1Layout.HEADER_BYTES + leaves.packedSizeBytes() + (long) Format1Layout.NODE_HEADER_BYTES * count;
        int last = count == 0 ? 0 : leaves.sizeBytes(count - 1);
        while (count > 1) {
            last = Format1Layout.parentOfLastBytes(count, last);
            count = Format1Layout.parents(count);
            sizeBytes += Format1Layout.levelBytes(count, last);
        }
        return sizeBytes;
    }

    /** Reads the checkpoint that lies in a partition. */
    public static Format1Checkpoint decode(String topic, int partition, byte[] value)
            throws MalformedCheckpointException {
        return new Format1Reader(value).read(StreamId.ofPartition(topic, partition));
    }
}
