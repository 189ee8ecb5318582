package dev.stormproof.proof.align;

import dev.stormproof.proof.tree.Leaves;

/**
 * A Bloom filter with one hash function over the first 8 bytes of signatures: a test costs one multiplication.
 *
 * <p>A signature that was put in is always found; of others some are taken for one of them. After B. H. Bloom, "Space/time
 * trade-offs in hash coding with allowable errors" (1970), with {@value #BITS_PER_SIGNATURE} bits for each signature.
 */
final class BloomFilter {
    /** 2<sup>64</sup> divided by the golden ratio: Fibonacci hashing, Knuth, "Sorting and Searching", 6.4. */
    private static final long PHI = 0x9E3779B97F4A7C15L;

    private static final int BITS_PER_SIGNATURE = 16;
    private static final int LEAST_LOG2_BITS = 10;

    private final long[] bits;
    private final int shift;

    BloomFilter(Leaves leaves) {
        long wanted = (long) BITS_PER_SIGNATURE * leaves.count();
        int log2Bits = Math.max(LEAST_LOG2_BITS, Long.SIZE - Long.numberOfLeadingZeros(wanted));
        bits = new long[1 << (log2Bits - 6)];
        shift = Long.SIZE - log2Bits;
        for (int i = 0; i < leaves.count(); i++) {
            int bit = bit(leaves, i);
            bits[bit >>> 6] |= 1L << bit;
        }
    }

    boolean mayContain(Leaves leaves, int index) {
        int bit = bit(leaves, index);
        return (bits[bit >>> 6] & (1L << bit)) != 0;
    }

    private int bit(Leaves leaves, int index) {
        return (int) ((leaves.firstWord(index) * PHI) >>> shift);
    }
}
