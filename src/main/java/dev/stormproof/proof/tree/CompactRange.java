package dev.stormproof.proof.tree;

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
 * <p>A complete subtree of 2<sup>k</sup> leaves, a peak, is kept for each bit k that is set in the count, as in a binary
 * counter. The root joins them from the right. The shape is that of <a
 * href="https://www.rfc-editor.org/rfc/rfc6962#section-2.1">RFC 6962, section 2.1</a>; promoting an odd node, as format 1
 * does, gives the same shape. After transparency-dev/merkle, {@code compact/range.go}.
 *
 * <p>The state is at most 1 KB however many leaves there are, and appending allocates nothing. An instance belongs to one
 * thread.
 */
public abstract sealed class CompactRange permits HashedRange, Xxh3Range {
    public static final long MAX_LEAVES = Integer.MAX_VALUE;

    static final int LEVELS = 31;

    final TreeHash treeHash;
    int count;

    CompactRange(TreeHash treeHash) {
        this.treeHash = treeHash;
    }

    public static CompactRange of(TreeHash treeHash) {
        return treeHash == TreeHash.XXH3 ? new Xxh3Range() : new HashedRange(treeHash);
    }

    /** Appends the leaf {@code data[begin, begin + sizeBytes)}. */
    public abstract void append(byte[] data, int begin, int sizeBytes);

    /** Appends the leaf that is {@code number}, as 8 bytes big endian, followed by {@code data[begin, begin + sizeBytes)}. */
    public abstract void append(long number, byte[] data, int begin, int sizeBytes);

    public void append(Hash data) {
        append(data.bytes(), 0, data.sizeBytes());
    }

    /** Appends the leaf that is {@code number}, as 8 bytes big endian, followed by {@code data}. */
    public void append(long number, Hash data) {
        append(number, data.bytes(), 0, data.sizeBytes());
    }

    public long count() {
        return count;
    }

    /** The root over all leaves so far; more may be appended. */
    public Hash root() {
        return count == 0 ? treeHash.emptyRoot() : joined();
    }

    public void reset() {
        count = 0;
    }

    /** An independent range over the same leaves; another thread may use it. */
    public abstract CompactRange copy();

    abstract Hash joined();

    int nextLevel() {
        if (count == MAX_LEAVES) {
            throw new IllegalStateException("a tree has at most " + MAX_LEAVES + " leaves");
        }
        return Integer.numberOfTrailingZeros(~count);
    }
}
