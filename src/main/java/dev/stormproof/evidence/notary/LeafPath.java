package dev.stormproof.evidence.notary;

import dev.stormproof.proof.tree.Hash;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The path from one leaf to the root, made while the leaves after a note are read; of the others only subtrees are kept.
 *
 * <pre>
 *   leaf 9 of 14    0 … 7 8 │ 9 │ 10 11 12 13     peaks of 9: levels 3, 0 · growth from 10: levels 1, 1
 * </pre>
 *
 * <p>The hashes left of the path are peaks of the tree before the leaf, and those right of it are growth after the leaf. For one thread.
 */
public final class LeafPath {
    private static final long NONE = -1;

    private final NotedTree tree;
    private long index = NONE;
    private List<ConsistencyHashes.Node> before = List.of();

    /** @param earlier the note after which reading begins; null from the first leaf */
    public LeafPath(@Nullable Note earlier) {
        this.tree = earlier == null ? new NotedTree() : earlier.state().tree();
    }

    /** Adds the next leaf by its hash, {@code hash[at, at + 32)}. */
    public void add(byte[] hash, int at) {
        tree.append(hash, at);
    }

    /** Adds the leaf of the path. */
    public void addOwn(byte[] hash, int at) {
        index = tree.size();
        before = tree.peakNodes();
        tree.append(hash, at);
        var unused = tree.growth();
    }

    /** The index of the leaf of the path; -1 if it was not added. */
    public long index() {
        return index;
    }

    /** True if the leaves make the tree of a note. */
    public boolean leadsTo(Note later) {
        return tree.size() == later.head().size() && tree.root().equals(later.root());
    }

    /** The path of RFC 6962, section 2.1.1, from the leaf up. */
    public List<Hash> hashes() {
        if (index == NONE) {
            throw new IllegalStateException("a path of no leaf");
        }
        return tree.growth().inclusion(before);
    }
}
