package dev.stormproof.checkpoint;

import dev.stormproof.merkle.Leaves;
import dev.stormproof.merkle.TreeHasher;
import java.nio.ByteBuffer;

/**
 * Reads and writes checkpoints of format 1: the Merkle trees that the merkle-tree project of 2015 serializes.
 *
 * <pre>
 *   at  size  field
 *    0     4  magic, 0xcdaace99
 *    4     4  node count
 *    8        every node, breadth first, from the root:
 *          1    type, 1 inner, 0 leaf
 *          4    n, the size of the signature: 8 for an inner node that joins two, 1 to 255 for a leaf
 *          n    signature
 * </pre>
 *
 * <p>Integers are big endian. An inner node that joins two states the Adler-32 over their signatures, as an 8-byte integer.
 * The last node of a level of odd size has a parent of its own, an inner node that repeats its signature (promotion). So
 * the shape follows from the count of leaves alone:
 *
 * <pre>
 *            i                 level 3, the root
 *       i         p            level 2          i  inner node of two
 *     i   i       p            level 1          p  promoted
 *    0 1 2 3      4            level 0, the leaves
 * </pre>
 *
 * <p>Reading guesses nothing from equal signatures and computes every inner node again. See docs/FORMAT.md.
 */
public final class Format1Codec {
    /** The largest checkpoint that is read or written. */
    public static final int MAX_SIZE_BYTES = 256 << 20;

    /** The fewest leaves of a tree. */
    public static final int MIN_LEAVES = 2;

    /** The longest signature. */
    public static final int MAX_SIGNATURE_BYTES = TreeHasher.MAX_LEAF_HASH_BYTES;

    static final int MAGIC = 0xcdaace99;
    static final int HEADER_BYTES = 8;
    static final int NODE_HEADER_BYTES = 5;
    static final int JOINED_BYTES = 8;
    static final byte INNER = 1;
    static final byte LEAF = 0;

    private Format1Codec() {}

    /** True if the bytes begin as a checkpoint of format 1 does. */
    public static boolean hasMagic(byte[] value) {
        return value.length >= Integer.BYTES && ByteBuffer.wrap(value).getInt() == MAGIC;
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
        long sizeBytes = HEADER_BYTES + leaves.packedSizeBytes() + (long) NODE_HEADER_BYTES * count;
        int last = count == 0 ? 0 : leaves.sizeBytes(count - 1);
        while (count > 1) {
            last = parentOfLastBytes(count, last);
            count = parents(count);
            sizeBytes += levelBytes(count, last);
        }
        return sizeBytes;
    }

    /** Reads the checkpoint that lies in a partition. */
    public static Format1Checkpoint decode(String topic, int partition, byte[] value)
            throws MalformedCheckpointException {
        return new Format1Reader(value).read(StreamId.ofPartition(topic, partition));
    }

    /** The size of the level above one of {@code count} nodes. */
    static int parents(int count) {
        return (count >>> 1) + (count & 1);
    }

    /** The size of the signature of the last parent of {@code count} nodes, the last of which has {@code lastBytes}. */
    static int parentOfLastBytes(int count, int lastBytes) {
        return count % 2 == 0 ? JOINED_BYTES : lastBytes;
    }

    /** The size of a level of inner nodes. */
    static long levelBytes(int count, int lastBytes) {
        return (long) NODE_HEADER_BYTES * count + (long) JOINED_BYTES * (count - 1) + lastBytes;
    }

    /** How many nodes a tree of {@code leafCount} leaves has. */
    static long nodeCount(int leafCount) {
        long nodes = leafCount;
        for (int count = leafCount; count > 1; count = parents(count)) {
            nodes += parents(count);
        }
        return nodes;
    }
}
