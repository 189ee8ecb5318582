package dev.stormproof.evidence.notary;

import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.proof.tree.TreeHasher;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The leaves of a tree from a size on, the measure of what is made of subtrees alone: with the peaks of that size they prove what a whole tree proves of them.
 *
 * <pre>
 *   leaves   0 … a−1            a … b−1
 *            └ peaks of size a  └ hashes of leaves
 * </pre>
 *
 * <p>Each hash of a proof on a leaf from a on, or from size a to size b, is a peak of size a, or is made of such peaks and of leaves from
 * a on: subtrees begin where their size divides, and the peaks of a are the complete subtrees before a.
 */
final class LeafRange {
    private static final int HASH_BYTES = NotedTree.HASH_BYTES;

    private final TreeHasher hasher = TreeHash.SHA256.newHasher();
    private final NotedTree before;
    private final byte[] leaves;
    private final long begin;
    private final long end;

    /**
     * @param before the tree of the leaves before
     * @param leaves the hashes of the leaves, one behind the other
     */
    LeafRange(NotedTree before, byte[] leaves) {
        this.before = before;
        this.leaves = leaves;
        this.begin = before.size();
        this.end = begin + leaves.length / HASH_BYTES;
    }

    /** The leaves behind a note; behind none, from the first one on. */
    static LeafRange behind(Note note, byte[] leaves) {
        return new LeafRange(note.state().tree(), leaves);
    }

    /** All leaves of a tree. */
    static LeafRange whole(byte[] leaves) {
        return new LeafRange(new NotedTree(), leaves);
    }

    /** How many leaves the tree has. */
    long size() {
        return end;
    }

    /** The root over all of them. */
    Hash root() {
        return end == 0 ? TreeHash.SHA256.emptyRoot() : Hash.copyOf(hash(0, end));
    }

    /** The path of RFC 6962, section 2.1.1, from one of the leaves up. */
    List<Hash> inclusion(long index) {
        if (index < begin || index >= end) {
            throw new IllegalArgumentException("leaf " + index + " of [" + begin + ", " + end + ")");
        }
        List<Hash> path = new ArrayList<>();
        long from = 0;
        long to = end;
        while (to - from > 1) {
            long middle = from + Long.highestOneBit(to - from - 1);
            if (index < middle) {
                path.add(0, Hash.copyOf(hash(middle, to)));
                to = middle;
            } else {
                path.add(0, Hash.copyOf(hash(from, middle)));
                from = middle;
            }
        }
        return path;
    }

    /** The proof of RFC 6962, section 2.1.2, that the tree begins with that of the leaves before; of no leaves if either has none. */
    List<Hash> consistency() {
        List<Hash> proof = new ArrayList<>();
        if (begin > 0 && begin < end) {
            addConsistency(begin, 0, end, true, proof);
        }
        return proof;
    }

    private void addConsistency(long size, long from, long to, boolean known, List<Hash> proof) {
        if (size == to) {
            if (!known) {
                proof.add(Hash.copyOf(hash(from, to)));
            }
            return;
        }
        long middle = from + Long.highestOneBit(to - from - 1);
        if (size <= middle) {
            addConsistency(size, from, middle, known, proof);
            proof.add(Hash.copyOf(hash(middle, to)));
        } else {
            addConsistency(size, middle, to, false, proof);
            proof.add(Hash.copyOf(hash(from, middle)));
        }
    }

    private byte[] hash(long from, long to) {
        byte[] pair = new byte[2 * HASH_BYTES];
        if (to <= begin) {
            int level = Long.numberOfTrailingZeros(to - from);
            if (to - from != 1L << level
                    || (begin >>> level & 1) == 0
                    || from != begin >>> (level + 1) << (level + 1)) {
                throw new IllegalStateException("[" + from + ", " + to + ") is no peak of " + begin);
            }
            return before.peak(level).toByteArray();
        }
        if (to - from == 1) {
            int at = Math.toIntExact((from - begin) * HASH_BYTES);
            System.arraycopy(leaves, at, pair, 0, HASH_BYTES);
        } else {
            long middle = from + Long.highestOneBit(to - from - 1);
            System.arraycopy(hash(from, middle), 0, pair, 0, HASH_BYTES);
            System.arraycopy(hash(middle, to), 0, pair, HASH_BYTES, HASH_BYTES);
            hasher.node(pair, 0, HASH_BYTES, HASH_BYTES, HASH_BYTES, pair, 0);
        }
        return Arrays.copyOf(pair, HASH_BYTES);
    }
}
