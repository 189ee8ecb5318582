package dev.stormproof.evidence.notary;

import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.proof.tree.TreeHasher;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The growth of a tree from one size to another: the complete subtrees over the leaves between, at most two of each size.
 *
 * <pre>
 *   from 5 to 12     5 │ 6 7 │ 8 9 10 11     levels 0, 1, 2
 *   from 12 to 15    12 13 │ 14              levels 1, 0
 * </pre>
 *
 * <p>With the peaks of the first size it proves that one tree begins with the other. So the growth since a size proves it without the leaves. It
 * is the compact range of transparency-dev/merkle.
 */
public final class ConsistencyHashes {
    private static final int HASH_BYTES = 32;

    private final long begin;
    private final List<Node> nodes;

    /** A complete subtree over the leaves [begin, begin + 2<sup>level</sup>). */
    record Node(long begin, int level, Hash hash) {
        long end() {
            return begin + (1L << level);
        }
    }

    private ConsistencyHashes(long begin, List<Node> nodes) {
        this.begin = begin;
        this.nodes = nodes;
    }

    /** @param nodes the subtrees, in order */
    static ConsistencyHashes of(long begin, List<Node> nodes) {
        return new ConsistencyHashes(begin, List.copyOf(nodes));
    }

    private long end() {
        return nodes.isEmpty() ? begin : nodes.get(nodes.size() - 1).end();
    }

    private static Hash join(Hash left, Hash right) {
        byte[] pair = Arrays.copyOf(left.toByteArray(), 2 * HASH_BYTES);
        System.arraycopy(right.toByteArray(), 0, pair, HASH_BYTES, HASH_BYTES);
        TreeHasher hasher = TreeHash.SHA256.newHasher();
        hasher.node(pair, 0, HASH_BYTES, HASH_BYTES, HASH_BYTES, pair, 0);
        return Hash.copyOf(pair, 0, HASH_BYTES);
    }

    /**
     * The proof of RFC 6962, section 2.1.2, that the grown tree begins with the earlier one; empty if that is empty or nothing grew.
     *
     * @param peaks those of the earlier tree
     */
    List<Hash> consistency(List<Node> peaks) {
        long size = peaks.isEmpty() ? 0 : peaks.get(peaks.size() - 1).end();
        if (size != begin) {
            throw new IllegalArgumentException("growth from " + begin + ", and a tree of " + size);
        }
        List<Node> all = new ArrayList<>(peaks);
        all.addAll(nodes);
        List<Hash> proof = new ArrayList<>();
        if (begin > 0 && begin < end()) {
            add(all, 0, end(), true, proof);
        }
        return proof;
    }

    /**
     * The path of RFC 6962, section 2.1.1, of the last leaf before this growth.
     *
     * @param peaks those of the tree before the leaf
     */
    List<Hash> inclusion(List<Node> peaks) {
        List<Node> all = new ArrayList<>(peaks);
        all.addAll(nodes);
        long index = begin - 1;
        List<Hash> path = new ArrayList<>();
        long from = 0;
        long to = end();
        while (to - from > 1) {
            long middle = from + Long.highestOneBit(to - from - 1);
            if (index < middle) {
                path.add(0, hash(all, middle, to));
                to = middle;
            } else {
                path.add(0, hash(all, from, middle));
                from = middle;
            }
        }
        return path;
    }

    private void add(List<Node> all, long from, long to, boolean known, List<Hash> proof) {
        if (begin == to) {
            if (!known) {
                proof.add(hash(all, from, to));
            }
            return;
        }
        long middle = from + Long.highestOneBit(to - from - 1);
        if (begin <= middle) {
            add(all, from, middle, known, proof);
            proof.add(hash(all, middle, to));
        } else {
            add(all, middle, to, false, proof);
            proof.add(hash(all, from, middle));
        }
    }

    /** The root over [from, to): of one complete subtree, or of several at the end of the tree. */
    private static Hash hash(List<Node> all, long from, long to) {
        Hash hash = null;
        for (int i = all.size() - 1; i >= 0; i--) {
            Node node = all.get(i);
            if (node.begin() >= from && node.end() <= to) {
                hash = hash == null ? node.hash() : join(node.hash(), hash);
            }
        }
        if (hash == null) {
            throw new IllegalStateException("no subtree of [" + from + ", " + to + ")");
        }
        return hash;
    }
}
