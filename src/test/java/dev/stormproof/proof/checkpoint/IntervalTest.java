package dev.stormproof.proof.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.proof.tree.CompactRange;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.Leaves;
import dev.stormproof.proof.tree.TreeHash;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class IntervalTest {
    @ParameterizedTest
    @EnumSource(names = {"XXH3", "SHA256"})
    void aLeafIsTheSequenceAndTheSignature(TreeHash treeHash) {
        Interval interval = new Interval(treeHash, 40, true);
        CompactRange range = CompactRange.of(treeHash);
        for (long sequence : List.of(40L, 41L, 45L, Long.MAX_VALUE)) {
            byte[] signature = ByteBuffer.allocate(12).putLong(2, sequence * 31).array();
            interval.add(sequence, signature, 2, 9);
            byte[] leaf = ByteBuffer.allocate(17)
                    .putLong(sequence)
                    .put(signature, 2, 9)
                    .array();
            range.append(leaf, 0, leaf.length);
        }
        assertThat(interval.root()).isEqualTo(range.root());
        assertThat(interval.count()).isEqualTo(4);
        assertThat(interval.firstSequence()).isEqualTo(40);
        assertThat(interval.treeHash()).isEqualTo(treeHash);
        assertThat(interval.packedSizeBytes()).isEqualTo(36);
        assertThat(interval.leaves().count()).isEqualTo(4);
    }

    @Test
    void theSequenceOfTheSameSignatureMakesAnotherRoot() {
        assertThat(rootOf(TreeHash.XXH3, 1)).isNotEqualTo(rootOf(TreeHash.XXH3, 2));
        assertThat(rootOf(TreeHash.SHA256, 1)).isNotEqualTo(rootOf(TreeHash.SHA256, 2));
        assertThat(rootOf(TreeHash.ADLER32, 1)).isEqualTo(rootOf(TreeHash.ADLER32, 2));
    }

    @Test
    void leavesAreKeptOnlyIfWanted() {
        Interval interval = new Interval(TreeHash.XXH3, 0, false);
        interval.add(0, Hash.copyOf(new byte[20]));
        assertThat(interval.packedSizeBytes()).isZero();
        assertThatThrownBy(interval::leaves).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(interval.copy()::leaves).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void restartingBeginsAnew() {
        Interval interval = new Interval(TreeHash.XXH3, 0, true);
        Hash empty = interval.root();
        interval.add(0, Hash.copyOf(new byte[20]));
        interval.restart(1);
        assertThat(interval.root()).isEqualTo(empty);
        assertThat(interval.count()).isZero();
        assertThat(interval.firstSequence()).isEqualTo(1);
        assertThat(interval.leaves()).isEqualTo(Leaves.empty());
        assertThat(interval.packedSizeBytes()).isZero();
    }

    @Test
    void aCopyGoesItsOwnWay() {
        Interval interval = new Interval(TreeHash.SHA256, 7, true);
        interval.add(7, Hash.copyOf(new byte[20]));
        Interval copy = interval.copy();
        assertThat(copy.root()).isEqualTo(interval.root());
        assertThat(copy.firstSequence()).isEqualTo(7);
        assertThat(copy.leaves()).isEqualTo(interval.leaves());
        copy.add(8, Hash.copyOf(new byte[20]));
        assertThat(interval.count()).isEqualTo(1);
        assertThat(interval.leaves().count()).isEqualTo(1);
        assertThat(copy.root()).isNotEqualTo(interval.root());
    }

    @ParameterizedTest
    @EnumSource
    void addingAllocatesNothing(TreeHash treeHash) {
        Interval interval = new Interval(treeHash, 0, false);
        byte[] signature = new byte[32];
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int pass = 0; pass < 5; pass++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 10_000; i++) {
                interval.add(i, signature, 0, 32);
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(least).isLessThan(1_000);
    }

    private static Hash rootOf(TreeHash treeHash, long sequence) {
        Interval interval = new Interval(treeHash, 0, false);
        interval.add(sequence, Hash.copyOf(new byte[20]));
        return interval.root();
    }
}
