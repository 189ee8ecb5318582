package dev.stormproof.proof.sign;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A part of an array, or null as a record's key and value may be. It is set again for each record, so that records in one array
 * are read without an object for each.
 *
 * <p>Belongs to one thread. The array is neither copied nor written to.
 */
public final class ByteSlice {
    private static final byte[] NONE = new byte[0];

    private byte[] array = NONE;
    private int begin;
    private int sizeBytes = -1;

    public void set(byte[] array, int begin, int sizeBytes) {
        Objects.checkFromIndexSize(begin, sizeBytes, array.length);
        this.array = array;
        this.begin = begin;
        this.sizeBytes = sizeBytes;
    }

    public void set(byte @Nullable [] array) {
        if (array == null) {
            setNull();
        } else {
            set(array, 0, array.length);
        }
    }

    public void setNull() {
        array = NONE;
        begin = 0;
        sizeBytes = -1;
    }

    public boolean isNull() {
        return sizeBytes < 0;
    }

    public byte[] array() {
        return array;
    }

    public int begin() {
        return begin;
    }

    /** The size; negative if it is null. */
    public int sizeBytes() {
        return sizeBytes;
    }

    /** A copy of the bytes; null if it is null. */
    public byte @Nullable [] toByteArray() {
        return isNull() ? null : Arrays.copyOfRange(array, begin, begin + sizeBytes);
    }
}
