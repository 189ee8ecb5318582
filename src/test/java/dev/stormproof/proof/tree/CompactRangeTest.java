package dev.stormproof.proof.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CompactRangeTest {
    /** The leaves and roots that Certificate Transparency's implementations of RFC 6962 test with. */
    private static final List<String> RFC6962_LEAVES =
            List.of("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f");

    private static final List<String> RFC6962_ROOTS = List.of(
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
            "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
            "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
            "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
            "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
            "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
            "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328");

    @Test
    void sha256MakesTheRootsOfRfc6962() {
        CompactRange range = CompactRange.of(TreeHash.SHA256);
        assertThat(range.root().toHex()).isEqualTo(RFC6962_ROOTS.get(0));
        for (int i = 0; i < RFC6962_LEAVES.size(); i++) {
            byte[] leaf = HexFormat.of().parseHex(RFC6962_LEAVES.get(i));
            range.append(leaf, 0, leaf.length);
            assertThat(range.root().toHex()).isEqualTo(RFC6962_ROOTS.get(i + 1));
        }
    }

    @ParameterizedTest
    @EnumSource(TreeHash.class)
    void streamingGivesTheRootOfTheRecursiveDefinition(TreeHash treeHash) {
        CompactRange range = CompactRange.of(treeHash);
        TreeHasher hasher = treeHash.newHasher();
        for (int count = 0; count <= 130; count++) {
            assertThat(range.count()).isEqualTo(count);
            assertThat(range.root()).isEqualTo(recursiveRoot(treeHash, hasher, 0, count));
            append(range, count);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"XXH3", "SHA256"})
    void aNumberedLeafIsTheNumberAndTheData(TreeHash treeHash) {
        Seed seed = Seed.next();
        SplittableRandom random = seed.random();
        CompactRange numbered = CompactRange.of(treeHash);
        CompactRange plain = CompactRange.of(treeHash);
        for (int i = 0; i < 2_000; i++) {
            int sizeBytes = i < 256 ? i : random.nextBoolean() ? 20 : 32;
            byte[] data = new byte[3 + sizeBytes];
            random.nextBytes(data);
            long number = random.nextLong();
            numbered.append(number, data, 3, sizeBytes);
            byte[] leaf = ByteBuffer.allocate(8 + sizeBytes)
                    .putLong(number)
                    .put(data, 3, sizeBytes)
                    .array();
            plain.append(leaf, 0, leaf.length);
            assertThat(numbered.root()).as("leaf %s: %s", i, seed).isEqualTo(plain.root());
        }
    }

    @Test
    void xxh3OfTreesIsXxh3() {
        Seed seed = Seed.next();
        SplittableRandom random = seed.random();
        for (int i = 0; i < 10_000; i++) {
            byte[] message = new byte[41];
            random.nextBytes(message);
            ByteBuffer words = ByteBuffer.wrap(message);
            message[0] = 1;
            assertThat(Xxh3Tree.node(words.getLong(1), words.getLong(9)))
                    .as(seed.toString())
                    .isEqualTo(Xxh3.hash(message, 0, 17));
            message[0] = 0;
            assertThat(Xxh3Tree.leafOf20(words.getLong(1), message, 9))
                    .as(seed.toString())
                    .isEqualTo(Xxh3.hash(message, 0, 29));
            assertThat(Xxh3Tree.leafOf32(words.getLong(1), message, 9))
                    .as(seed.toString())
                    .isEqualTo(Xxh3.hash(message, 0, 41));
        }
    }

    @ParameterizedTest
    @EnumSource(TreeHash.class)
    void aCopyGoesItsOwnWay(TreeHash treeHash) {
        CompactRange range = CompactRange.of(treeHash);
        for (int i = 0; i < 7; i++) {
            append(range, i);
        }
        CompactRange copy = range.copy();
        Hash root = range.root();
        append(copy, 7);
        assertThat(range.root()).isEqualTo(root);
        append(range, 7);
        assertThat(copy.root()).isEqualTo(range.root()).isNotEqualTo(root);
        assertThat(copy.count()).isEqualTo(8);
    }

    @ParameterizedTest
    @EnumSource(TreeHash.class)
    void aFullTreeTakesNoOther(TreeHash treeHash) {
        CompactRange range = CompactRange.of(treeHash);
        range.count = (int) CompactRange.MAX_LEAVES;
        assertThatThrownBy(() -> append(range, 0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("at most");
    }

    @ParameterizedTest
    @EnumSource(TreeHash.class)
    void resetBeginsAnew(TreeHash treeHash) {
        CompactRange range = CompactRange.of(treeHash);
        append(range, 0);
        Hash one = range.root();
        append(range, 1);
        append(range, 2);
        range.reset();
        assertThat(range.count()).isZero();
        assertThat(range.root()).isEqualTo(treeHash.emptyRoot());
        append(range, 0);
        assertThat(range.root()).isEqualTo(one);
    }

    /** A copy holds the state, a hasher and buffers that do not grow with the count. */
    @ParameterizedTest
    @EnumSource(TreeHash.class)
    void theStateOfManyLeavesIsAtMostOneKilobyte(TreeHash treeHash) {
        CompactRange range = CompactRange.of(treeHash);
        for (int i = 0; i < 70_000; i++) {
            range.append(i, new byte[32], 0, 32);
        }
        long hasher = allocatedBytes(treeHash::newHasher);
        assertThat(allocatedBytes(range::copy)).isLessThanOrEqualTo(hasher + 1_024 + 256);
        assertThat(allocatedBytes(range::copy)).isEqualTo(allocatedBytes(CompactRange.of(treeHash)::copy));
    }

    private static long allocatedBytes(Supplier<?> supplier) {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 20; i++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            Object unused = supplier.get();
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        return least;
    }

    @Test
    void adler32RefusesALeafThatFormat1CannotHold() {
        CompactRange range = CompactRange.of(TreeHash.ADLER32);
        assertThatThrownBy(() -> range.append(new byte[256], 0, 256)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> range.append(new byte[1], 0, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThat(range.count()).isZero();
        range.append(new byte[255], 0, 255);
        assertThat(range.root().sizeBytes()).isEqualTo(255);
    }

    private static void append(CompactRange range, int i) {
        byte[] leaf = leaf(i);
        range.append(leaf, 0, leaf.length);
    }

    private static byte[] leaf(int i) {
        return ("leaf " + i + ",").repeat(1 + i * 7 % 13).getBytes(StandardCharsets.UTF_8);
    }

    /** MTH of RFC 6962, section 2.1. */
    private static Hash recursiveRoot(TreeHash treeHash, TreeHasher hasher, int begin, int end) {
        if (begin == end) {
            return treeHash.emptyRoot();
        }
        byte[] out = new byte[TreeHasher.MAX_LEAF_HASH_BYTES];
        if (end - begin == 1) {
            byte[] leaf = leaf(begin);
            return Hash.copyOf(out, 0, hasher.leaf(leaf, 0, leaf.length, out, 0));
        }
        int split = begin + Integer.highestOneBit(end - begin - 1);
        byte[] left = recursiveRoot(treeHash, hasher, begin, split).toByteArray();
        byte[] right = recursiveRoot(treeHash, hasher, split, end).toByteArray();
        byte[] children = ByteBuffer.allocate(left.length + right.length)
                .put(left)
                .put(right)
                .array();
        hasher.node(children, 0, left.length, left.length, right.length, out, 0);
        return Hash.copyOf(out, 0, treeHash.sizeBytes());
    }
}
