package dev.stormproof.checkpoint;

import dev.stormproof.merkle.Hash;
import java.nio.ByteBuffer;
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
public final class ContentSigner implements EventSigner {
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
        update(null);
        update(value);
        try {
            digest.digest(out, outBegin, SIZE_BYTES);
        } catch (DigestException e) {
            throw new IllegalArgumentException(
                    "no room for " + SIZE_BYTES + " bytes at " + outBegin + " of " + out.length, e);
        }
    }

    @Override
    public Hash sign(byte @Nullable [] key, byte @Nullable [] value) {
        update(key);
        update(value);
        return Hash.copyOf(digest.digest());
    }

    private void update(byte @Nullable [] bytes) {
        ByteBuffer.wrap(size).putInt(bytes == null ? -1 : bytes.length);
        digest.update(size);
        if (bytes != null) {
            digest.update(bytes);
        }
    }
}
