package dev.stormproof.proof.tree;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hashing;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class Xxh3DigestTest {
    @Test
    void isTheHashOfTheWholeMessageHoweverItComes() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        Xxh3Digest digest = new Xxh3Digest();
        for (int round = 0; round < 2_000; round++) {
            byte[] message = new byte[random.nextInt(6_000)];
            random.nextBytes(message);
            int at = 0;
            while (random.nextInt(3) > 0) {
                int size = random.nextInt(message.length - at + 1);
                digest.update(message, at, size);
                at += size;
            }
            byte[] last = Arrays.copyOfRange(message, at, message.length + 1);
            byte[] found = new byte[Xxh3Digest.SIZE_BYTES + 1];
            digest.digest(last, message.length - at, found, 1);
            assertArrayEquals(expected(message), found, "seed " + seed + ", " + message.length + " bytes");
        }
    }

    private static byte[] expected(byte[] message) {
        HashValue128 hash = Hashing.xxh3_128().hashBytesTo128Bits(message);
        return ByteBuffer.allocate(1 + Xxh3Digest.SIZE_BYTES)
                .putLong(1, hash.getMostSignificantBits())
                .putLong(1 + Long.BYTES, hash.getLeastSignificantBits())
                .array();
    }
}
