package dev.stormproof.proof.tree;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.security.SecureRandom;

/** XXH3 of 64 bits with seed 0: the default tree hash, and the checksum over every checkpoint of format 2. */
public final class Xxh3 {
    private static final Hasher64 XXH3_64 = Hashing.xxh3_64();
    private static final Hasher64 KEYED = Hashing.xxh3_64(new SecureRandom().nextLong());

    private Xxh3() {}

    /** The hash of {@code data[begin, begin + sizeBytes)}; safe for many threads, allocates nothing. */
    public static long hash(byte[] data, int begin, int sizeBytes) {
        return XXH3_64.hashBytesToLong(data, begin, sizeBytes);
    }

    /** The same with a seed that only this process knows: for tables that an attacker must not be able to fill. */
    static long keyedHash(byte[] data, int begin, int sizeBytes) {
        return KEYED.hashBytesToLong(data, begin, sizeBytes);
    }
}
