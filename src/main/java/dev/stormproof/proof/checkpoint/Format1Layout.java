package dev.stormproof.proof.checkpoint;

import dev.stormproof.proof.tree.TreeHasher;

/**
 * The layout of a checkpoint of format 1.
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
 */
final class Format1Layout {
    static final int MAX_SIGNATURE_BYTES = TreeHasher.MAX_LEAF_HASH_BYTES;

    static final int MAGIC = 0xcdaace99;
    static final int HEADER_BYTES = 8;
    static final int NODE_HEADER_BYTES = 5;
    static final int JOINED_BYTES = 8;
    static final byte INNER = 1;
    static final byte LEAF = 0;

    private Format1Layout() {}

    static int parents(int count) {
        return (count >>> 1) + (count & 1);
    }

    static long nodeCount(int leafCount) {
        long nodes = leafCount;
        for (int count = leafCount; count > 1; count = parents(count)) {
            nodes += parents(count);
        }
        return nodes;
    }
}
