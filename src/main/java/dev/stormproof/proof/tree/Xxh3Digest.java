package dev.stormproof.proof.tree;

import com.dynatrace.hash4j.hashing.HashStream128;
import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hasher128;
import com.dynatrace.hash4j.hashing.Hashing;

/**
 * A digest by XXH3 of 128 bits with seed 0, of a message that comes in parts. One that comes whole is hashed at once, which is faster
 * than as a stream.
 */
public final class Xxh3Digest {
    public static final int SIZE_BYTES = 2 * Long.BYTES;

    private final Hasher128 hasher = Hashing.xxh3_128();
    private final HashStream128 stream = hasher.hashStream();
    private boolean streaming;

    public void update(byte[] data, int begin, int sizeBytes) {
        stream.putBytes(data, begin, sizeBytes);
        streaming = true;
    }

    /**
     * Adds {@code last[0, sizeBytes)} to the message, writes its hash in the canonical form, big endian, to {@code out}, and begins the
     * next one.
     */
    public void digest(byte[] last, int sizeBytes, byte[] out, int outBegin) {
        HashValue128 hash = streaming ? streamed(last, sizeBytes) : hasher.hashBytesTo128Bits(last, 0, sizeBytes);
        LongViews.BIG_ENDIAN.set(out, outBegin, hash.getMostSignificantBits());
        LongViews.BIG_ENDIAN.set(out, outBegin + Long.BYTES, hash.getLeastSignificantBits());
    }

    private HashValue128 streamed(byte[] last, int sizeBytes) {
        HashValue128 hash = stream.putBytes(last, 0, sizeBytes).get();
        stream.reset();
        streaming = false;
        return hash;
    }
}
