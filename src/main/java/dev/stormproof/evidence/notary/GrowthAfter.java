package dev.stormproof.evidence.notary;

import dev.stormproof.proof.tree.Hash;
import java.util.List;
import java.util.Optional;

/** Computes the growth of a tree from the leaves after a note. For one thread. */
public final class GrowthAfter {
    private final NotedTree tree;

    public GrowthAfter(Note earlier) {
        this.tree = earlier.state().tree();
    }

    /** Adds the next leaf by its hash, {@code hash[at, at + 32)}. */
    public void add(byte[] hash, int at) {
        tree.append(hash, at);
    }

    /** Adds the kept leaves up to {@code end}, one tile at a time; false if one is missing. */
    public boolean addKept(KeptLeaves kept, long end) {
        for (long begin = tree.size(); begin < end; begin = tree.size()) {
            long next = Math.min(end, (begin / TilePath.FULL + 1) * TilePath.FULL);
            byte[] leaves = kept.leaves(begin, next);
            if (leaves == null) {
                return false;
            }
            for (int at = 0; at < leaves.length; at += NotedTree.HASH_BYTES) {
                tree.append(leaves, at);
            }
        }
        return true;
    }

    /** The growth, if it leads to a later note; else empty. */
    public Optional<ConsistencyHashes> to(Note later) {
        if (tree.size() != later.head().size() || !tree.root().equals(later.root())) {
            return Optional.empty();
        }
        return Optional.of(tree.growth());
    }

    /** The proof of RFC 6962, section 2.1.2, that the grown tree begins with that of a note. */
    public static List<Hash> consistency(Note earlier, ConsistencyHashes growth) {
        return growth.consistency(earlier.state().tree().peakNodes());
    }
}
