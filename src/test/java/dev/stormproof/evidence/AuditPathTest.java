package dev.stormproof.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.testing.CheckpointFields;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Paths lead to the root that checkpoints state, which is made by other code. */
class AuditPathTest {
    @Test
    void thePathOfEachLeafOfEachTreeLeadsToTheRootThatItsCheckpointStates() {
        for (int count = 1; count <= 70; count++) {
            Format2Checkpoint checkpoint = Proofs.checkpoint(count);
            IntervalLeaves leaves = Proofs.leaves(checkpoint);
            for (long sequence = Proofs.FIRST; sequence < checkpoint.nextSequence(); sequence++) {
                assertThat(leaves.pathOf(sequence, Proofs.signature(sequence)))
                        .as("leaf %d of %d", sequence - Proofs.FIRST, count)
                        .isPresent();
            }
        }
    }

    @Test
    void aPathThatIsTooShortOrTooLongLeadsNowhere() {
        Format2Checkpoint checkpoint = Proofs.checkpoint(5);
        AuditPath path = Proofs.leaves(checkpoint)
                .pathOf(Proofs.FIRST, Proofs.signature(Proofs.FIRST))
                .orElseThrow();
        byte[] leaf = AuditPath.leaf(Proofs.FIRST, Proofs.signature(Proofs.FIRST));

        assertThat(path.root(leaf, 0, 5)).contains(checkpoint.root());
        assertThat(new AuditPath(path.hashes().subList(0, 2)).root(leaf, 0, 5)).isEmpty();
        List<Hash> longer = new ArrayList<>(path.hashes());
        longer.add(longer.get(0));
        assertThat(new AuditPath(longer).root(leaf, 0, 5)).isEmpty();
        // A node in the place of a leaf: the same hashes, one level up.
        assertThat(new AuditPath(List.of()).root(checkpoint.root().toByteArray(), 0, 2))
                .isEmpty();
    }

    @Test
    void uncertainSequencesAreNoLeavesAndMoveThoseBehind() {
        List<SequenceRange> uncertain = List.of(
                new SequenceRange(Proofs.FIRST, Proofs.FIRST + 2),
                new SequenceRange(Proofs.FIRST + 4, Proofs.FIRST + 5));
        Format2Checkpoint checkpoint = Proofs.checkpoint(6, TreeHash.SHA256, uncertain);
        IntervalLeaves leaves = Proofs.leaves(checkpoint);

        assertThat(leaves.isWhole()).isTrue();
        for (long sequence = Proofs.FIRST; sequence < checkpoint.nextSequence(); sequence++) {
            long at = sequence;
            boolean leaf = uncertain.stream().noneMatch(range -> range.contains(at));
            assertThat(leaves.pathOf(sequence, Proofs.signature(sequence)).isPresent())
                    .isEqualTo(leaf);
        }
    }

    @Test
    void withoutEveryLeafOrWithAnotherThereIsNoPath() {
        Format2Checkpoint checkpoint = Proofs.checkpoint(3);
        IntervalLeaves leaves = new IntervalLeaves(checkpoint);
        leaves.put(Proofs.FIRST, Proofs.signature(Proofs.FIRST));
        leaves.put(Proofs.FIRST - 1, Proofs.signature(Proofs.FIRST));
        leaves.put(Proofs.FIRST + 1, Proofs.signature(Proofs.FIRST + 1));
        assertThat(leaves.pathOf(Proofs.FIRST, Proofs.signature(Proofs.FIRST))).isEmpty();

        leaves.put(Proofs.FIRST + 2, Proofs.signature(0));
        leaves.put(Proofs.FIRST + 2, Proofs.signature(Proofs.FIRST + 2));
        assertThat(leaves.isWhole()).isTrue();
        assertThat(leaves.pathOf(Proofs.FIRST, Proofs.signature(Proofs.FIRST))).isEmpty();
    }

    @Test
    void anIntervalWithTooManyEventsIsRefused() {
        Format2Checkpoint one = Proofs.checkpoint(1);
        Format2Checkpoint many = CheckpointFields.changed(one, c -> c.eventCount = IntervalLeaves.MOST_EVENTS + 1L);
        assertThatThrownBy(() -> new IntervalLeaves(many)).isInstanceOf(IllegalArgumentException.class);
    }
}
