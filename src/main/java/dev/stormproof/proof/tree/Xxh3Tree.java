package dev.stormproof.proof.tree;

/**
 * The leaves and nodes of an {@link TreeHash#XXH3} tree, hashed in registers.
 *
 * <p>The results are those of {@link Xxh3#hash} over the same bytes. That every event costs one leaf and, on average, one
 * node, and that these are messages of few and known sizes, makes it worth to unroll the function for them:
 *
 * <pre>
 *   node           01 | left: 8 | right: 8                       17 bytes
 *   leaf, XXH3     00 | sequence: 8 | signature: 16              25 bytes
 *   leaf, SHA-1    00 | sequence: 8 | signature: 20              29 bytes
 *   leaf, SHA-256  00 | sequence: 8 | signature: 32              41 bytes
 * </pre>
 *
 * <p>Words that straddle two fields are shifted together instead of being written to memory and read again at another
 * alignment. For inputs of 17 to 128 bytes XXH3 multiplies pairs of words, each xor-ed with a word of its secret, to 128
 * bits, folds them to 64 and adds them up; see <a
 * href="https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md">the specification</a>, "XXH3 algorithm".
 */
final class Xxh3Tree {
    /** Primes and factors of the specification. */
    private static final long PRIME64_1 = 0x9E3779B185EBCA87L;

    private static final long PRIME_MX1 = 0x165667919E3779F9L;

    /** The first 64 bytes of XXH3's default secret, as little-endian words. */
    private static final long SECRET_0 = 0xBE4BA423396CFEB8L;

    private static final long SECRET_8 = 0x1CAD21F72C81017CL;
    private static final long SECRET_16 = 0xDB979083E96DD4DEL;
    private static final long SECRET_24 = 0x1F67B3B7A4A44072L;
    private static final long SECRET_32 = 0x78E5C0CC4EE679CBL;
    private static final long SECRET_40 = 0x2172FFCC7DD05A82L;
    private static final long SECRET_48 = 0x8E2443F7744608B8L;
    private static final long SECRET_56 = 0x4C263A81E69035E0L;

    private Xxh3Tree() {}

    /** The hash of 0x01 ‖ left ‖ right. */
    static long node(long left, long right) {
        long l = Long.reverseBytes(left);
        long r = Long.reverseBytes(right);
        long sum = fold((1 | (l << 8)) ^ SECRET_0, join(l, r) ^ SECRET_8) + fold(l ^ SECRET_16, r ^ SECRET_24);
        return finish(17, sum);
    }

    /** The hash of 0x00 ‖ number ‖ the 16 bytes of {@code data} from {@code begin} on. */
    static long leafOf16(long number, byte[] data, int begin) {
        long n = Long.reverseBytes(number);
        long d0 = (long) LongViews.LITTLE_ENDIAN.get(data, begin);
        long d8 = (long) LongViews.LITTLE_ENDIAN.get(data, begin + 8);
        long sum = fold((n << 8) ^ SECRET_0, join(n, d0) ^ SECRET_8) + fold(d0 ^ SECRET_16, d8 ^ SECRET_24);
        return finish(25, sum);
    }

    /** The hash of 0x00 ‖ number ‖ the 20 bytes of {@code data} from {@code begin} on. */
    static long leafOf20(long number, byte[] data, int begin) {
        long n = Long.reverseBytes(number);
        long d0 = (long) LongViews.LITTLE_ENDIAN.get(data, begin);
        long d4 = (long) LongViews.LITTLE_ENDIAN.get(data, begin + 4);
        long d12 = (long) LongViews.LITTLE_ENDIAN.get(data, begin + 12);
        long sum = fold((n << 8) ^ SECRET_0, join(n, d0) ^ SECRET_8) + fold(d4 ^ SECRET_16, d12 ^ SECRET_24);
        return finish(29, sum);
    }

    /** The hash of 0x00 ‖ number ‖ the 32 bytes of {@code data} from {@code begin} on. */
    static long leafOf32(long number, byte[] data, int begin) {
        long n = Long.reverseBytes(number);
        long d0 = (long) LongViews.LITTLE_ENDIAN.get(data, begin);
        long d8 = (long) LongViews.LITTLE_ENDIAN.get(data, begin + 8);
        long d16 = (long) LongViews.LITTLE_ENDIAN.get(data, begin + 16);
        long d24 = (long) LongViews.LITTLE_ENDIAN.get(data, begin + 24);
        long sum = fold((n << 8) ^ SECRET_0, join(n, d0) ^ SECRET_8)
                + fold(d16 ^ SECRET_16, d24 ^ SECRET_24)
                + fold(join(d0, d8) ^ SECRET_32, join(d8, d16) ^ SECRET_40)
                + fold(d0 ^ SECRET_48, d8 ^ SECRET_56);
        return finish(41, sum);
    }

    private static long join(long word, long next) {
        return (word >>> 56) | (next << 8);
    }

    private static long fold(long a, long b) {
        return (a * b) ^ UnsignedProduct.high(a, b);
    }

    private static long finish(long messageBytes, long sum) {
        long total = messageBytes * PRIME64_1 + sum;
        long hash = (total ^ (total >>> 37)) * PRIME_MX1;
        return hash ^ (hash >>> 32);
    }
}
