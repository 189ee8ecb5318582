package dev.stormproof.proof.tree;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Immutable signatures in their order, packed one after another.
 *
 * <pre>
 *   bytes  [ … | signature 0 | signature 1 | … | signature n-1 | … ]
 *                ^ begin(0)    ^ begin(1)                        ^ begin(n)
 * </pre>
 *
 * <p>If all signatures have one size, a signature's place is computed; else a table of begins is kept. The bytes may be shared
 * with their writer, which never changes them: see {@link #within} and {@link Builder#build}.
 */
public final class Leaves {
    private static final Leaves EMPTY = new Leaves(new byte[0], 0, 0, 0, null);

    private final byte[] bytes;
    private final int first;
    private final int count;
    /** The size of every signature; unused if there are {@link #begins}. */
    private final int fixedBytes;
    /** The begin of each signature and, last, the end; null if all have one size. */
    private final int @Nullable [] begins;

    private Leaves(byte[] bytes, int first, int count, int fixedBytes, int @Nullable [] begins) {
        this.bytes = bytes;
        this.first = first;
        this.count = count;
        this.fixedBytes = fixedBytes;
        this.begins = begins;
    }

    public static Leaves empty() {
        return EMPTY;
    }

    /**
     * {@code count} signatures of {@code signatureBytes} each, in {@code packed} from {@code begin} on.
     *
     * @param packed is not copied, and must not change any more
     */
    public static Leaves within(byte[] packed, int begin, int count, int signatureBytes) {
        Objects.checkFromIndexSize(begin, Math.multiplyExact(count, signatureBytes), packed.length);
        return count == 0 ? EMPTY : new Leaves(packed, begin, count, signatureBytes, null);
    }

    public static Builder builder() {
        return new Builder(0);
    }

    /** A builder with room for {@code packedSizeBytes}. */
    public static Builder builder(int packedSizeBytes) {
        return new Builder(packedSizeBytes);
    }

    public int count() {
        return count;
    }

    public int sizeBytes(int index) {
        return begin(index + 1) - begin(index);
    }

    /** True if every signature has {@code sizeBytes} bytes; also if there is none. */
    public boolean allOfSize(int sizeBytes) {
        return count == 0 || (begins == null && fixedBytes == sizeBytes);
    }

    public Hash signature(int index) {
        return Hash.copyOf(bytes, begin(index), sizeBytes(index));
    }

    /** Copies signature {@code index} to {@code out}, beginning at {@code outBegin}, and returns its size. */
    public int copyTo(int index, byte[] out, int outBegin) {
        int sizeBytes = sizeBytes(index);
        System.arraycopy(bytes, begin(index), out, outBegin, sizeBytes);
        return sizeBytes;
    }

    public void writeTo(ByteBuffer out) {
        out.put(bytes, first, begin(count) - first);
    }

    public long packedSizeBytes() {
        return (long) begin(count) - first;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Leaves that
                && count == that.count
                && fixedBytes == that.fixedBytes
                && Arrays.equals(begins, that.begins)
                && Arrays.equals(bytes, first, begin(count), that.bytes, that.first, that.begin(count));
    }

    @Override
    public int hashCode() {
        int hash = count;
        for (int i = first; i < begin(count); i++) {
            hash = 31 * hash + bytes[i];
        }
        return hash;
    }

    @Override
    public String toString() {
        return count + " leaves of " + packedSizeBytes() + " bytes";
    }

    /** The first 8 bytes of signature {@code index} as a number; its size if it is shorter. */
    public long firstWord(int index) {
        int sizeBytes = sizeBytes(index);
        return sizeBytes < Long.BYTES ? sizeBytes : (long) LongViews.LITTLE_ENDIAN.get(bytes, begin(index));
    }

    /** The {@linkplain Xxh3#keyedHash hash} of signature {@code index} for tables in this process. */
    public long keyedHash(int index) {
        return Xxh3.keyedHash(bytes, begin(index), sizeBytes(index));
    }

    private int begin(int index) {
        if (begins != null) {
            return begins[index];
        }
        if (index < 0 || index > count) {
            throw new IndexOutOfBoundsException("leaf " + index + " of " + count);
        }
        return first + index * fixedBytes;
    }

    /** True if {@code size} signatures from {@code index} on are those of {@code other} from {@code otherIndex} on. */
    public boolean equal(int index, Leaves other, int otherIndex, int size) {
        return sizesEqual(index, other, otherIndex, size)
                && Arrays.equals(
                        bytes,
                        begin(index),
                        begin(index + size),
                        other.bytes,
                        other.begin(otherIndex),
                        other.begin(otherIndex + size));
    }

    private boolean sizesEqual(int index, Leaves other, int otherIndex, int size) {
        if (begins == null && other.begins == null && fixedBytes == other.fixedBytes) {
            return true;
        }
        for (int i = 0; i < size; i++) {
            if (sizeBytes(index + i) != other.sizeBytes(otherIndex + i)) {
                return false;
            }
        }
        return true;
    }

    /** Collects signatures. Belongs to one thread; grows by doubling and keeps its room over {@link #reset()}. */
    public static final class Builder {
        private byte[] bytes;
        /** True if built leaves share {@link #bytes}: only bytes after them may be written. */
        private boolean lent;

        private int sizeBytes;
        private int count;
        private int fixedBytes;
        private int @Nullable [] begins;

        private Builder(int packedSizeBytes) {
            bytes = new byte[packedSizeBytes];
        }

        public Builder append(byte[] signature, int begin, int signatureBytes) {
            int at = makeRoom(signatureBytes);
            System.arraycopy(signature, begin, bytes, at, signatureBytes);
            return this;
        }

        public Builder append(Leaves others, int index) {
            return append(others.bytes, others.begin(index), others.sizeBytes(index));
        }

        public Builder append(Hash signature) {
            int at = makeRoom(signature.sizeBytes());
            signature.copyTo(bytes, at);
            return this;
        }

        public long packedSizeBytes() {
            return sizeBytes;
        }

        public void reset() {
            if (lent) {
                bytes = new byte[bytes.length];
                lent = false;
            }
            sizeBytes = 0;
            count = 0;
            fixedBytes = 0;
            begins = null;
        }

        /** The signatures so far, which do not change with the builder. */
        public Leaves build() {
            if (count == 0) {
                return EMPTY;
            }
            lent = true;
            return begins == null
                    ? new Leaves(bytes, 0, count, fixedBytes, null)
                    : new Leaves(bytes, 0, count, 0, Arrays.copyOf(begins, count + 1));
        }

        public Builder copy() {
            Builder copy = new Builder(sizeBytes);
            System.arraycopy(bytes, 0, copy.bytes, 0, sizeBytes);
            copy.sizeBytes = sizeBytes;
            copy.count = count;
            copy.fixedBytes = fixedBytes;
            copy.begins = begins == null ? null : begins.clone();
            return copy;
        }

        /** Makes room for one more signature and returns where it begins. */
        private int makeRoom(int signatureBytes) {
            int[] table = tableFor(signatureBytes);
            int begin = sizeBytes;
            int newSizeBytes = Math.addExact(begin, signatureBytes);
            if (newSizeBytes > bytes.length) {
                bytes = Arrays.copyOf(bytes, grown(bytes.length, newSizeBytes));
                lent = false;
            }
            sizeBytes = newSizeBytes;
            count++;
            if (table != null) {
                table[count] = newSizeBytes;
            }
            return begin;
        }

        /** The table of begins with room for one more signature, made with the first other size; null before. */
        private int @Nullable [] tableFor(int signatureBytes) {
            int[] table = begins;
            if (table == null) {
                if (count == 0) {
                    fixedBytes = signatureBytes;
                }
                if (signatureBytes == fixedBytes) {
                    return null;
                }
                table = new int[count + 16];
                for (int i = 0; i <= count; i++) {
                    table[i] = i * fixedBytes;
                }
            } else if (count + 1 == table.length) {
                table = Arrays.copyOf(table, grown(table.length, count + 2));
            }
            begins = table;
            return table;
        }

        private static int grown(int length, int needed) {
            return Math.max(needed, (int) Math.min(2L * length, Integer.MAX_VALUE - 8L));
        }
    }
}
