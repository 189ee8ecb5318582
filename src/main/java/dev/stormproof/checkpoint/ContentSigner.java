package dev.stormproof.checkpoint;

import dev.stormproof.merkle.Hash;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/**
 * The signature of a record's content: SHA-256 over key and value, each behind its size.
 *
 * <pre>
 *   key size (int32), −1 for null | key | value size (int32), −1 for null | value
 * </pre>
 *
 * <p>An instance belongs to one thread.
 */
public final class ContentSigner implements InPlaceSigner {
    private static final int SIZE_BYTES = 32;

    private final MessageDigest digest;
    private final byte[] size = new byte[Integer.BYTES];

    public ContentSigner() {
        try {
            this.digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }

    @Override
    public byte id() {
        return EventSigners.SHA256_KEY_VALUE;
    }

    @Override
    public int sizeBytes() {
        return SIZE_BYTES;
    }

    /** Signs an event without a key. */
    @Override
    public void sign(byte[] value, byte[] out, int outBegin) {
        updateNull();
        update(value, 0, value.length);
        digestTo(out, outBegin);
    }

    @Override
    public void sign(ByteSlice key, ByteSlice value, byte[] out) {
        update(key);
        update(value);
        digestTo(out, 0);
    }

    @Override
    public Hash sign(byte @Nullable [] key, byte @Nullable [] value) {
        update(key);
        update(value);
        return Hash.copyOf(digest.digest());
    }

    private void update(byte @Nullable [] bytes) {
        if (bytes == null) {
            updateNull();
        } else {
            update(bytes, 0, bytes.length);
        }
    }

    private void update(ByteSlice slice) {
        if (slice.isNull()) {
            updateNull();
        } else {
            update(slice.array(), slice.begin(), slice.sizeBytes());
        }
    }

    private void updateNull() {
        updateSize(-1);
    }

    private void update(byte[] array, int begin, int sizeBytes) {
        updateSize(sizeBytes);
        digest.update(array, begin, sizeBytes);
    }

    private void updateSize(int sizeBytes) {
        size[0] = (byte) (sizeBytes >>> 24);
        size[1] = (byte) (sizeBytes >>> 16);
        size[2] = (byte) (sizeBytes >>> 8);
        size[3] = (byte) sizeBytes;
        digest.update(size, 0, size.length);
    }

    private void digestTo(byte[] out, int outBegin) {
        try {
            digest.digest(out, outBegin, SIZE_BYTES);
        } catch (DigestException e) {
            throw new IllegalArgumentException(
                    "no room for " + SIZE_BYTES + " bytes at " + outBegin + " of " + out.length, e);
        }
    }
}
