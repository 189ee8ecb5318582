package dev.stormproof.evidence.notary;

import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.proof.tree.TreeHasher;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The RFC 6962 tree over the records of a partition, of which only the peaks are kept.
 *
 * <pre>
 *   size 6 = 110b    peaks   level 2: leaves 0 to 3 · level 1: leaves 4 and 5
 * </pre>
 *
 * <p>It is {@link dev.stormproof.proof.tree.CompactRange} for trees that outlive the process: hashes of leaves go in, up to 2<sup>63</sup> − 1
 * of them, and the peaks can be stored as bytes. Belongs to one thread.
 */
public final class NotedTree {
    public static final int HASH_BYTES = 32;

    private static final int LEVELS = 63;
    private static final int CARRY = LEVELS * HASH_BYTES;

    private final TreeHasher hasher = TreeHash.SHA256.newHasher();
    /** The peak of each level, then a hash on its way up. */
    private final byte[] hashes = new byte[CARRY + HASH_BYTES];

    private long size;
    /** The size from which growth counts, and the later subtrees that became the right half of one that begins before it. */
    private long marked;

    private final ConsistencyHashes.@Nullable Node[] border = new ConsistencyHashes.Node[LEVELS];

    /** A tree without leaves. */
    public NotedTree() {}

    /** An independent tree over the same leaves. */
    NotedTree(NotedTree other) {
        System.arraycopy(other.hashes, 0, hashes, 0, hashes.length);
        size = other.size;
        marked = size;
    }

    /**
     * The tree with a number of leaves and its peaks, the largest first.
     *
     * @throws IllegalArgumentException if a tree of that size has another number of peaks
     */
    static NotedTree of(long size, byte[] peaks) {
        if (size < 0 || peaks.length != peaksBytes(size)) {
            throw new IllegalArgumentException(peaks.length + " bytes of peaks of " + size + " leaves");
        }
        NotedTree tree = new NotedTree();
        tree.size = size;
        tree.marked = size;
        int at = 0;
        for (int level = LEVELS - 1; level >= 0; level--) {
            if ((size >>> level & 1) == 1) {
                System.arraycopy(peaks, at, tree.hashes, level * HASH_BYTES, HASH_BYTES);
                at += HASH_BYTES;
            }
        }
        return tree;
    }

    static int peaksBytes(long size) {
        return Long.bitCount(size) * HASH_BYTES;
    }

    /** The number of leaves. */
    public long size() {
        return size;
    }

    /** Appends a leaf by its hash, {@code hash[begin, begin + 32)}. */
    public void append(byte[] hash, int begin) {
        if (size == Long.MAX_VALUE) {
            throw new IllegalStateException("a tree has at most " + Long.MAX_VALUE + " leaves");
        }
        int level = Long.numberOfTrailingZeros(~size);
        System.arraycopy(hash, begin, hashes, CARRY, HASH_BYTES);
        for (int k = 0; k < level; k++) {
            long first = size + 1 - (1L << k);
            if (first >= marked && first - (1L << k) < marked) {
                border[k] = new ConsistencyHashes.Node(first, k, Hash.copyOf(hashes, CARRY, HASH_BYTES));
            }
            join(k);
        }
        System.arraycopy(hashes, CARRY, hashes, level * HASH_BYTES, HASH_BYTES);
        size++;
    }

    /** The root over all leaves. */
    public Hash root() {
        if (size == 0) {
            return TreeHash.SHA256.emptyRoot();
        }
        int lowest = Long.numberOfTrailingZeros(size);
        System.arraycopy(hashes, lowest * HASH_BYTES, hashes, CARRY, HASH_BYTES);
        for (long rest = size & (size - 1); rest != 0; rest &= rest - 1) {
            join(Long.numberOfTrailingZeros(rest));
        }
        return Hash.copyOf(hashes, CARRY, HASH_BYTES);
    }

    /** The peaks, the largest first. */
    byte[] peaks() {
        byte[] peaks = new byte[peaksBytes(size)];
        int at = 0;
        for (int level = LEVELS - 1; level >= 0; level--) {
            if ((size >>> level & 1) == 1) {
                System.arraycopy(hashes, level * HASH_BYTES, peaks, at, HASH_BYTES);
                at += HASH_BYTES;
            }
        }
        return peaks;
    }

    /** The peak of a level whose bit is set in the size. */
    Hash peak(int level) {
        return Hash.copyOf(hashes, level * HASH_BYTES, HASH_BYTES);
    }

    /** The peaks as subtrees, the largest first. */
    List<ConsistencyHashes.Node> peakNodes() {
        List<ConsistencyHashes.Node> peaks = new ArrayList<>();
        long begin = 0;
        for (int level = LEVELS - 1; level >= 0; level--) {
            if ((size >>> level & 1) == 1) {
                peaks.add(new ConsistencyHashes.Node(begin, level, peak(level)));
                begin += 1L << level;
            }
        }
        return peaks;
    }

    /** The growth since the last call, or since this was made. */
    ConsistencyHashes growth() {
        List<ConsistencyHashes.Node> nodes = new ArrayList<>();
        for (int level = 0; level < LEVELS; level++) {
            ConsistencyHashes.Node node = border[level];
            if (node != null) {
                nodes.add(node);
                border[level] = null;
            }
        }
        peakNodes().stream().filter(peak -> peak.begin() >= marked).forEach(nodes::add);
        ConsistencyHashes growth = ConsistencyHashes.of(marked, nodes);
        marked = size;
        return growth;
    }

    private void join(int level) {
        hasher.node(hashes, level * HASH_BYTES, HASH_BYTES, CARRY, HASH_BYTES, hashes, CARRY);
    }
}
