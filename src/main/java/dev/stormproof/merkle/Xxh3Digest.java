package dev.stormproof.merkle;

import com.dynatrace.hash4j.hashing.HashStream128;
import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hashing;

/** A digest by XXH3 of 128 bits with seed 0, of a message that comes in parts. Large parts are read where they lie. */
public final class Xxh3Digest {
    /** The size of the hash. */
    public static final int SIZE_BYTES = 2 * Long.BYTES;

    private final HashStream128 stream = Hashing.xxh3_128().hashStream();

    /** Adds {@code data[begin, begin + sizeBytes)} to the message. */
    public void update(byte[] data, int begin, int sizeBytes) {
        stream.putBytes(data, begin, sizeBytes);
    }

    /** Adds a number to the message as 4 bytes, big endian. */
    public void update(int number) {
        stream.putInt(Integer.reverseBytes(number));
    }

    /** Writes the hash in its canonical form, big endian, to {@code out}, and begins the next message. */
    public void digest(byte[] out, int begin) {
        HashValue128 hash = stream.get();
        stream.reset();
        LongViews.BIG_ENDIAN.set(out, begin, hash.getMostSignificantBits());
        LongViews.BIG_ENDIAN.set(out, begin + Long.BYTES, hash.getLeastSignificantBits());
    }
}
