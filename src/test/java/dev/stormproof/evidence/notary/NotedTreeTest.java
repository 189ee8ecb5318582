package dev.stormproof.evidence.notary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.evidence.AuditPath;
import dev.stormproof.proof.tree.CompactRange;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The tree and its proofs, of every size up to some. */
class NotedTreeTest {
    private static final int MOST = 70;

    private static byte[] leaves(int count) {
        byte[] leaves = new byte[count * 32];
        for (int i = 0; i < count; i++) {
            TreeHash.SHA256.newHasher().leaf(new byte[] {(byte) i}, 0, 1, leaves, i * 32);
        }
        return leaves;
    }

    private static NotedTree tree(int size) {
        NotedTree tree = new NotedTree();
        grow(tree, size);
        return tree;
    }

    private static void grow(NotedTree tree, int size) {
        byte[] leaves = leaves(size);
        for (int i = (int) tree.size(); i < size; i++) {
            tree.append(leaves, i * 32);
        }
    }

    private static TreeHead head(int size) {
        return new TreeHead("x", size, tree(size).root());
    }

    @Test
    void itsRootsAreThoseOfTheCompactRange() {
        CompactRange range = CompactRange.of(TreeHash.SHA256);
        for (int size = 0; size < 600; size++) {
            if (size < MOST || (size > 250 && size < 260)) {
                assertThat(tree(size).root()).as("size %d", size).isEqualTo(range.root());
            }
            range.append(new byte[] {(byte) size}, 0, 1);
        }
    }

    @Test
    void itGoesOnFromItsPeaks() {
        for (int size = 0; size < MOST; size++) {
            NotedTree tree = NotedTree.of(size, tree(size).peaks());
            grow(tree, MOST);
            assertThat(tree.root()).as("from %d", size).isEqualTo(tree(MOST).root());
        }
    }

    @Test
    void eachLeafHasItsPathFromThePeaksBeforeAndTheGrowthBehindIt() {
        for (int size = 1; size <= MOST; size++) {
            byte[] leaves = leaves(size);
            for (int i = 0; i < size; i++) {
                NotedTree behind = tree(i + 1);
                var unused = behind.growth();
                grow(behind, size);
                byte[] leaf = Arrays.copyOfRange(leaves, i * 32, i * 32 + 32);
                assertThat(new AuditPath(behind.growth().inclusion(tree(i).peakNodes())).root(leaf, i, size))
                        .as("leaf %d of %d", i, size)
                        .contains(tree(size).root());
            }
        }
    }

    @Test
    void eachTreeIsProvenToBeginWithEachSmallerOneAndWithNoOther() {
        for (int later = 0; later <= MOST; later++) {
            for (int earlier = 0; earlier <= later; earlier++) {
                NotedTree tree = NotedTree.of(earlier, tree(earlier).peaks());
                grow(tree, later);
                List<Hash> proof = tree.growth().consistency(tree(earlier).peakNodes());
                assertThat(new Consistency().holds(head(earlier), head(later), proof))
                        .as("%d in %d", earlier, later)
                        .isTrue();
                TreeHead other = new TreeHead("x", earlier, TreeHash.SHA256.hash(new byte[] {1}, 1));
                assertThat(new Consistency().holds(other, head(later), proof)).isFalse();
                List<Hash> longer = new ArrayList<>(proof);
                longer.add(head(1).root());
                assertThat(new Consistency().holds(head(earlier), head(later), longer))
                        .isFalse();
                if (!proof.isEmpty()) {
                    assertThat(new Consistency().holds(head(earlier), head(later), proof.subList(0, proof.size() - 1)))
                            .isFalse();
                }
            }
        }
    }

    @Test
    void hashesOfAnotherSizeProveNothing() {
        Hash whole = head(1).root();
        for (Hash other : List.of(Hash.empty(), Hash.copyOf(new byte[1]), Hash.copyOf(new byte[33]))) {
            assertThat(holds(3, 4, other, whole)).isFalse();
            assertThat(holds(3, 4, whole, other)).isFalse();
            assertThat(holds(4, 8, other)).isFalse();
        }
    }

    private static boolean holds(int earlier, int later, Hash... proof) {
        try {
            return new Consistency().holds(head(earlier), head(later), List.of(proof));
        } catch (IndexOutOfBoundsException e) {
            throw new AssertionError("a proof is refused, whatever is in it", e);
        }
    }
}
