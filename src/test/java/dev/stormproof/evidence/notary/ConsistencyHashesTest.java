package dev.stormproof.evidence.notary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.tree.TreeHash;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** How trees grow, for every two sizes up to some: the proofs are those that all leaves make. */
class ConsistencyHashesTest {
    private static final int MOST = 40;

    private static byte[] leaves() {
        byte[] leaves = new byte[MOST * 32];
        for (int i = 0; i < MOST; i++) {
            TreeHash.SHA256.newHasher().leaf(new byte[] {(byte) i}, 0, 1, leaves, i * 32);
        }
        return leaves;
    }

    private static void grow(NotedTree tree, int to) {
        byte[] leaves = leaves();
        for (int i = (int) tree.size(); i < to; i++) {
            tree.append(leaves, i * 32);
        }
    }

    private static NotedTree tree(int size) {
        NotedTree tree = new NotedTree();
        grow(tree, size);
        return tree;
    }

    @Test
    void itsProofsAreThoseOfTheLeaves() {
        for (int from = 0; from <= MOST; from++) {
            for (int to = from; to <= MOST; to++) {
                NotedTree tree = NotedTree.of(from, tree(from).peaks());
                grow(tree, to);

                assertThat(tree.growth().consistency(tree(from).peakNodes()))
                        .as("from %d to %d", from, to)
                        .isEqualTo(new LeafRange(tree(from), Arrays.copyOfRange(leaves(), from * 32, to * 32))
                                .consistency());
            }
        }
    }

    @Test
    void thePathOfEachLeafIsThatOfTheLeaves() {
        for (int from = 0; from < MOST; from++) {
            for (int to = from + 1; to <= MOST; to++) {
                LeafRange range = new LeafRange(tree(from), Arrays.copyOfRange(leaves(), from * 32, to * 32));
                for (int leaf = from; leaf < to; leaf++) {
                    NotedTree before = NotedTree.of(leaf, tree(leaf).peaks());
                    NotedTree behind = tree(leaf + 1);
                    var unused = behind.growth();
                    grow(behind, to);
                    assertThat(behind.growth().inclusion(before.peakNodes()))
                            .as("leaf %d of %d", leaf, to)
                            .isEqualTo(range.inclusion(leaf));
                }
            }
        }
    }

    @Test
    void otherLeavesAreNoGrowthOfANote() {
        PaperPartition partition =
                new PaperPartition().append(5).note().append(7).note();
        Note earlier = partition.notes.get(0);
        Note later = partition.notes.get(1);
        GrowthAfter growth = new GrowthAfter(earlier);
        for (int i = 0; i < 7; i++) {
            growth.add(new byte[32], 0);
        }

        assertThat(growth.to(later)).isEmpty();
    }
}
