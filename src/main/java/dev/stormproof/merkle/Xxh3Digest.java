package dev.stormproof.merkle;

import com.dynatrace.hash4j.hashing.HashStream128;
import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hasher128;
import com.dynatrace.hash4j.hashing.Hashing;

/**
 * A digest by XXH3 of 128 bits with seed 0, of a message that comes in parts. A message of up to {@value #WHOLE_BYTES} bytes is put
 * together and hashed at once, which is faster than as a stream; of a larger one, large parts are read where they lie.
 */
public final class Xxh3Digest {
    /** The size of the hash. */
    public static final int SIZE_BYTES = 2 * Long.BYTES;

    private static final int WHOLE_BYTES = 2_048;
    private static final byte[] NONE = new byte[0];

    private final Hasher128 hasher = Hashing.xxh3_128();
    private final HashStream128 stream = hasher.hashStream();
    /** Made at first use: many signers are asked for their sizes alone. */
    private byte[] whole = NONE;

    /** How much of the message lies in {@link #whole}. */
    private int gathered;
    /** True if what came before that is in the stream. */
    private boolean streaming;

    /** Adds {@code data[begin, begin + sizeBytes)} to the message. */
    public void update(byte[] data, int begin, int sizeBytes) {
        if (hasRoom(sizeBytes)) {
            System.arraycopy(data, begin, whole, gathered, sizeBytes);
            gathered += sizeBytes;
        } else {
            passOn();
            stream.putBytes(data, begin, sizeBytes);
        }
    }

    /** Adds a number to the message as 4 bytes, big endian. */
    public void update(int number) {
        if (!hasRoom(Integer.BYTES)) {
            passOn();
        }
        LongViews.BIG_ENDIAN_INT.set(whole, gathered, number);
        gathered += Integer.BYTES;
    }

    /** Writes the hash in its canonical form, big endian, to {@code out}, and begins the next message. */
    public void digest(byte[] out, int begin) {
        HashValue128 hash = streaming ? streamed() : hasher.hashBytesTo128Bits(whole, 0, gathered);
        gathered = 0;
        LongViews.BIG_ENDIAN.set(out, begin, hash.getMostSignificantBits());
        LongViews.BIG_ENDIAN.set(out, begin + Long.BYTES, hash.getLeastSignificantBits());
    }

    private boolean hasRoom(int sizeBytes) {
        if (whole.length == 0) {
            whole = new byte[WHOLE_BYTES];
        }
        return sizeBytes <= WHOLE_BYTES - gathered;
    }

    private void passOn() {
        stream.putBytes(whole, 0, gathered);
        gathered = 0;
        streaming = true;
    }

    private HashValue128 streamed() {
        passOn();
        HashValue128 hash = stream.get();
        stream.reset();
        streaming = false;
        return hash;
    }
}
