package dev.stormproof.proof.sign;

import dev.stormproof.proof.tree.Hash;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The signature of an event: a digest over its serialized value, or over key and value.
 *
 * <p>Ids 1 to 127 belong to the format, see {@link EventSigners}; an application supplies its own under 128 to 255. An
 * instance belongs to one thread.
 */
public interface EventSigner {
    /** The id on the wire, as an unsigned byte. */
    byte id();

    /** The size of every signature, 1 to 255. */
    int sizeBytes();

    /** Writes the signature of {@code value} to {@code out}, beginning at {@code outBegin}. */
    void sign(byte[] value, byte[] out, int outBegin);

    /**
     * Writes the signature of an event to {@code out}, beginning at {@code outBegin}. By default it covers the value alone, and
     * that of a null value is all zero bytes.
     *
     * @param key null if the event has none
     */
    default void sign(byte @Nullable [] key, byte @Nullable [] value, byte[] out, int outBegin) {
        if (value == null) {
            Arrays.fill(out, outBegin, outBegin + sizeBytes(), (byte) 0);
        } else {
            sign(value, out, outBegin);
        }
    }

    /** The signature of an event. */
    default Hash sign(byte @Nullable [] key, byte @Nullable [] value) {
        byte[] signature = new byte[sizeBytes()];
        sign(key, value, signature, 0);
        return Hash.copyOf(signature);
    }
}
