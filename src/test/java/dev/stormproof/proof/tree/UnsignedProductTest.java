package dev.stormproof.proof.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.lang.invoke.MethodHandle;
import java.math.BigInteger;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class UnsignedProductTest {
    private static final long[] EDGES = {0, 1, -1, Long.MAX_VALUE, Long.MIN_VALUE, 0x9E3779B185EBCA87L};

    @Test
    void isTheUpperHalfOfTheProduct() {
        for (long a : EDGES) {
            for (long b : EDGES) {
                check(a, b, 0);
            }
        }
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 10_000; i++) {
            check(random.nextLong() >>> random.nextInt(64), random.nextLong() >>> random.nextInt(64), seed);
        }
    }

    /** By a method that Java 17 has too, since the tests run there. */
    @Test
    void findsAMethodOfMathIfThereIsOne() throws Throwable {
        MethodHandle signed = Objects.requireNonNull(UnsignedProduct.find("multiplyHigh"));

        assertEquals(2L, (long) signed.invokeExact(1L << 62, 8L));
        assertNull(UnsignedProduct.find("multiplyHighOfNoJava"));
    }

    private static void check(long a, long b, long seed) {
        long expected = unsigned(a).multiply(unsigned(b)).shiftRight(Long.SIZE).longValue();
        String which = Long.toHexString(a) + " * " + Long.toHexString(b) + ", seed " + seed;
        assertEquals(expected, UnsignedProduct.high(a, b), which);
        assertEquals(expected, UnsignedProduct.ofSigned(a, b), which);
    }

    private static BigInteger unsigned(long word) {
        return new BigInteger(Long.toUnsignedString(word));
    }
}
