package dev.stormproof.checkpoint;

import dev.stormproof.merkle.Hash;
import java.nio.ByteBuffer;
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
public final class ContentSigner {
    /** The id on the wire. */
    public static final int ID = 3;

    /** The size of every signature. */
    public static final int SIZE_BYTES = 32;

    private final MessageDigest digest;
    private final byte[] size = new byte[Integer.BYTES];

    public ContentSigner() {
        try {
            this.digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }

    /** The signature of a record with this key and this value. */
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
