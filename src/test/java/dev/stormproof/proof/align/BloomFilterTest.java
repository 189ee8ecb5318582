package dev.stormproof.proof.align;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.tree.Leaves;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BloomFilterTest {
    private static Leaves leaves(int count, long seed) {
        byte[] bytes = new byte[16 * count];
        new SplittableRandom(seed).nextBytes(bytes);
        return Leaves.within(bytes, 0, count, 16);
    }

    /** Of a hundred sizes, since each has its own number of bits. */
    @Test
    void itFindsAllThatItHoldsAndFewOthers() {
        for (int count = 1; count <= 2_000; count += 20) {
            Leaves held = leaves(count, 7);
            Leaves others = leaves(1_000, 8);
            BloomFilter filter = new BloomFilter(held);
            for (int i = 0; i < count; i++) {
                assertThat(filter.mayContain(held, i)).as("%d of %d", i, count).isTrue();
            }
            int found = 0;
            for (int i = 0; i < others.count(); i++) {
                found += filter.mayContain(others, i) ? 1 : 0;
            }
            assertThat(found).as("of 1,000 others, beside %d", count).isLessThan(120);
        }
    }
}
