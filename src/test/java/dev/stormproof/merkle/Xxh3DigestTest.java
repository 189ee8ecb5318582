package dev.stormproof.merkle;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hashing;
import java.nio.ByteBuffer;
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
            for (int at = 0; at < message.length; ) {
                int left = message.length - at;
                int size = left < Integer.BYTES || random.nextInt(4) > 0
                        ? random.nextInt(Math.min(left, 1 << random.nextInt(14)) + 1)
                        : 0;
                if (size == 0 && left >= Integer.BYTES) {
                    digest.update(ByteBuffer.wrap(message, at, Integer.BYTES).getInt());
                    size = Integer.BYTES;
                } else {
                    digest.update(message, at, size);
                }
                at += size;
            }
            byte[] found = new byte[Xxh3Digest.SIZE_BYTES + 1];
            digest.digest(found, 1);
            assertArrayEquals(expected(message), found, "seed " + seed + ", " + message.length + " bytes");
        }
    }

    @Test
    void beginsTheNextMessageBehindALargeOne() {
        Xxh3Digest digest = new Xxh3Digest();
        byte[] found = new byte[Xxh3Digest.SIZE_BYTES + 1];
        for (int size : new int[] {2_048, 2_049, 3, 100_000, 0}) {
            byte[] message = new byte[size];
            digest.update(message, 0, size);
            digest.digest(found, 1);
            assertArrayEquals(expected(message), found, size + " bytes");
        }
    }

    /** One byte, 0, and the hash of the whole message, big endian. */
    private static byte[] expected(byte[] message) {
        HashValue128 hash = Hashing.xxh3_128().hashBytesTo128Bits(message);
        return ByteBuffer.allocate(1 + Xxh3Digest.SIZE_BYTES)
                .putLong(1, hash.getMostSignificantBits())
                .putLong(1 + Long.BYTES, hash.getLeastSignificantBits())
                .array();
    }
}
