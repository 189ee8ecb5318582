package dev.stormproof.proof.tree;

import java.io.Serializable;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Immutable bytes of a hash or of a signature.
 *
 * <p>Public factories copy what they are given, and {@link #toByteArray()} copies out, so that a hash never changes
 * after it was made. They have an order, so that a map stays fast even if an attacker chooses hashes of equal hash codes.
 */
public final class Hash implements Comparable<Hash>, Serializable {
    private static final long serialVersionUID = 1L;

    private static final Hash EMPTY = new Hash(new byte[0]);

    private final byte[] bytes;

    private Hash(byte[] bytes) {
        this.bytes = bytes;
    }

    public static Hash empty() {
        return EMPTY;
    }

    public static Hash copyOf(byte[] bytes) {
        return new Hash(bytes.clone());
    }

    public static Hash copyOf(byte[] bytes, int begin, int sizeBytes) {
        return new Hash(Arrays.copyOfRange(bytes, begin, begin + sizeBytes));
    }

    /** Reads lower- or upper-case hexadecimal; throws {@link IllegalArgumentException} on anything else. */
    public static Hash fromHex(String hex) {
        return new Hash(HexFormat.of().parseHex(hex));
    }

    public int sizeBytes() {
        return bytes.length;
    }

    public void copyTo(byte[] destination, int begin) {
        System.arraycopy(bytes, 0, destination, begin, bytes.length);
    }

    public boolean isEqualTo(byte[] other, int begin, int end) {
        return Arrays.equals(bytes, 0, bytes.length, other, begin, end);
    }

    public byte[] toByteArray() {
        return bytes.clone();
    }

    /** The bytes themselves, which must not be changed. */
    byte[] bytes() {
        return bytes;
    }

    public String toHex() {
        return HexFormat.of().formatHex(bytes);
    }

    @Override
    public int compareTo(Hash other) {
        return Arrays.compareUnsigned(bytes, other.bytes);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Hash that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return toHex();
    }
}
