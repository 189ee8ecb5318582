package dev.stormproof.sign;

import org.jspecify.annotations.Nullable;

/**
 * A signature over key and value, each behind its size, so that null differs from empty and nothing can move from one to the
 * other.
 *
 * <pre>
 *   key size (int32), −1 for null | key | value size (int32), −1 for null | value
 * </pre>
 */
abstract class KeyValueSigner implements InPlaceSigner {
    private static final int NULL = -1;

    private final byte id;
    private final int signatureBytes;

    KeyValueSigner(int id, int sizeBytes) {
        this.id = (byte) id;
        this.signatureBytes = sizeBytes;
    }

    /** Adds a size to what is signed, big endian. */
    abstract void updateSize(int sizeBytes);

    abstract void update(byte[] array, int begin, int sizeBytes);

    /** Writes the signature of what was added, and begins anew. */
    abstract void digestTo(byte[] out, int outBegin);

    @Override
    public final byte id() {
        return id;
    }

    @Override
    public final int sizeBytes() {
        return signatureBytes;
    }

    /** Signs an event without a key. */
    @Override
    public final void sign(byte[] value, byte[] out, int outBegin) {
        sign(null, value, out, outBegin);
    }

    @Override
    public final void sign(ByteSlice key, ByteSlice value, byte[] out) {
        update(key);
        update(value);
        digestTo(out, 0);
    }

    @Override
    public final void sign(byte @Nullable [] key, byte @Nullable [] value, byte[] out, int outBegin) {
        if (outBegin < 0 || out.length - outBegin < signatureBytes) {
            throw new IllegalArgumentException(
                    "no room for " + signatureBytes + " bytes at " + outBegin + " of " + out.length);
        }
        update(key);
        update(value);
        digestTo(out, outBegin);
    }

    private void update(byte @Nullable [] bytes) {
        if (bytes == null) {
            updateSize(NULL);
        } else {
            updateSized(bytes, 0, bytes.length);
        }
    }

    private void update(ByteSlice slice) {
        if (slice.isNull()) {
            updateSize(NULL);
        } else {
            updateSized(slice.array(), slice.begin(), slice.sizeBytes());
        }
    }

    private void updateSized(byte[] array, int begin, int sizeBytes) {
        updateSize(sizeBytes);
        update(array, begin, sizeBytes);
    }
}
