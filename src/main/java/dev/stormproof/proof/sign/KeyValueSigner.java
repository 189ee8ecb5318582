package dev.stormproof.proof.sign;

import org.jspecify.annotations.Nullable;

/**
 * A signature over key and value, each after its size, so that null differs from empty and no byte can move from one to the other.
 *
 * <pre>
 *   key size (int32), −1 for null | key | value size (int32), −1 for null | value
 * </pre>
 *
 * <p>A message of up to {@value #WHOLE_BYTES} bytes is put together and digested at once, which takes less time than in parts; of a
 * larger one, large parts are read where they are.
 */
abstract class KeyValueSigner implements InPlaceSigner {
    private static final int NULL = -1;
    private static final int WHOLE_BYTES = 2_048;
    private static final byte[] NONE = new byte[0];

    private final byte id;
    private final int signatureBytes;
    /** Allocated at first use: many signers are only asked for their sizes. */
    private byte[] message = NONE;

    KeyValueSigner(int id, int sizeBytes) {
        this.id = (byte) id;
        this.signatureBytes = sizeBytes;
    }

    abstract void update(byte[] array, int begin, int sizeBytes);

    /** Adds the last bytes, {@code last[0, sizeBytes)}, writes the signature of all that was added, and resets. */
    abstract void digestTo(byte[] last, int sizeBytes, byte[] out, int outBegin);

    @Override
    public final byte id() {
        return id;
    }

    @Override
    public final int sizeBytes() {
        return signatureBytes;
    }

    @Override
    public final void sign(byte[] value, byte[] out, int outBegin) {
        sign(null, value, out, outBegin);
    }

    @Override
    public final void sign(byte @Nullable [] key, byte @Nullable [] value, byte[] out, int outBegin) {
        if (outBegin < 0 || out.length - outBegin < signatureBytes) {
            throw new IllegalArgumentException(
                    "no room for " + signatureBytes + " bytes at " + outBegin + " of " + out.length);
        }
        int end = put(0, key);
        digestTo(message, put(end, value), out, outBegin);
    }

    @Override
    public final void sign(ByteSlice key, ByteSlice value, byte[] out) {
        int end = put(0, key.array(), key.begin(), key.sizeBytes());
        digestTo(message, put(end, value.array(), value.begin(), value.sizeBytes()), out, 0);
    }

    private int put(int at, byte @Nullable [] bytes) {
        return bytes == null ? put(at, NONE, 0, NULL) : put(at, bytes, 0, bytes.length);
    }

    /** Appends a size and as many bytes to {@code message[0, at)}, and digests what has no room. Returns the end. */
    private int put(int at, byte[] array, int begin, int sizeBytes) {
        if (message.length == 0) {
            message = new byte[WHOLE_BYTES];
        }
        int from = at;
        if (message.length - from < Integer.BYTES) {
            update(message, 0, from);
            from = 0;
        }
        message[from] = (byte) (sizeBytes >>> 24);
        message[from + 1] = (byte) (sizeBytes >>> 16);
        message[from + 2] = (byte) (sizeBytes >>> 8);
        message[from + 3] = (byte) sizeBytes;
        int end = from + Integer.BYTES;
        if (sizeBytes > message.length - end) {
            update(message, 0, end);
            update(array, begin, sizeBytes);
            return 0;
        }
        if (sizeBytes > 0) {
            System.arraycopy(array, begin, message, end, sizeBytes);
            end += sizeBytes;
        }
        return end;
    }
}
