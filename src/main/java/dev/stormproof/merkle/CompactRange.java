package dev.stormproof.merkle;

/**
 * The streaming root of a Merkle tree: leaves are appended, and only the roots of the complete subtrees are kept.
 *
 * <p>Six leaves, of which a and b remain:
 *
 * <pre>
 *   level 2            a
 *               /            \
 *   level 1    .              .              b
 *            /   \          /   \          /   \
 *   leaves  0     1        2     3        4     5
 * </pre>
 *
 * <p>A complete subtree of 2<sup>k</sup> leaves is kept for each bit k that is set in the count, as in a binary counter.
 * The root joins them from the right. The shape is that of <a
 * href="https://www.rfc-editor.org/rfc/rfc6962#section-2.1">RFC 6962, section 2.1</a>; promoting an odd node, as format 1
 * does, gives the same shape. After transparency-dev/merkle, {@code compact/range.go}.
 *
 * <p>The state is at most 1 KB however many leaves there are, and {@link #append} allocates nothing. An instance belongs
 * to one thread.
 */
public final class CompactRange {
    /** How many leaves a tree may have. */
    public static final long MAX_LEAVES = Integer.MAX_VALUE;

    private static final int LEVELS = 31;

    private final TreeHash treeHash;
    private final TreeHasher hasher;
    private final int nodeBytes;
    /** The hashes of levels 1 to 30, then that of level 0, which alone may have another size. */
    private final byte[] slots;

    private final int leafBegin;
    private int leafBytes;
    private int count;

    /** A hash on its way up. */
    private final byte[] carry;

    public CompactRange(TreeHash treeHash) {
        this.treeHash = treeHash;
        this.hasher = treeHash.newHasher();
        this.nodeBytes = treeHash.sizeBytes();
        int leafRoom = treeHash == TreeHash.ADLER32 ? TreeHasher.MAX_LEAF_HASH_BYTES : nodeBytes;
        this.leafBegin = (LEVELS - 1) * nodeBytes;
        this.slots = new byte[leafBegin + leafRoom];
        this.carry = new byte[leafRoom];
    }

    /** Appends the leaf {@code data[begin, begin + sizeBytes)}. */
    public void append(byte[] data, int begin, int sizeBytes) {
        if (count == MAX_LEAVES) {
            throw new IllegalStateException("a tree has at most " + MAX_LEAVES + " leaves");
        }
        int level = Integer.numberOfTrailingZeros(~count);
        if (level == 0) {
            leafBytes = hasher.leaf(data, begin, sizeBytes, slots, leafBegin);
        } else {
            int carryBytes = hasher.leaf(data, begin, sizeBytes, carry, 0);
            hasher.node(slots, leafBegin, leafBytes, carry, 0, carryBytes, carry, 0);
            for (int k = 1; k < level; k++) {
                hasher.node(slots, (k - 1) * nodeBytes, nodeBytes, carry, 0, nodeBytes, carry, 0);
            }
            System.arraycopy(carry, 0, slots, (level - 1) * nodeBytes, nodeBytes);
        }
        count++;
    }

    /** How many leaves were appended. */
    public long count() {
        return count;
    }

    /** The root over all leaves appended so far; more may be appended afterwards. */
    public Hash root() {
        if (count == 0) {
            return treeHash.emptyRoot();
        }
        int lowest = Integer.numberOfTrailingZeros(count);
        int carryBytes = levelBytes(lowest);
        System.arraycopy(slots, levelBegin(lowest), carry, 0, carryBytes);
        for (int level = lowest + 1; level < LEVELS; level++) {
            if ((count >>> level & 1) != 0) {
                hasher.node(slots, levelBegin(level), levelBytes(level), carry, 0, carryBytes, carry, 0);
                carryBytes = nodeBytes;
            }
        }
        return Hash.copyOf(carry, 0, carryBytes);
    }

    /** Forgets all leaves. */
    public void reset() {
        count = 0;
    }

    /** An independent range over the same leaves, for another thread if need be. */
    public CompactRange copy() {
        CompactRange copy = new CompactRange(treeHash);
        System.arraycopy(slots, 0, copy.slots, 0, slots.length);
        copy.leafBytes = leafBytes;
        copy.count = count;
        return copy;
    }

    private int levelBegin(int level) {
        return level == 0 ? leafBegin : (level - 1) * nodeBytes;
    }

    private int levelBytes(int level) {
        return level == 0 ? leafBytes : nodeBytes;
    }
}
