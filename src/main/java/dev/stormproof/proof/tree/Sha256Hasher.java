package dev.stormproof.proof.tree;

import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** {@link TreeHash#SHA256}: RFC 6962 exactly, for peers that do not trust each other. */
final class Sha256Hasher implements TreeHasher {
    private static final int SIZE_BYTES = 32;
    private static final byte LEAF_PREFIX = 0;
    private static final byte NODE_PREFIX = 1;

    private final MessageDigest sha256;
    /** The message in one piece: each call of a digest costs as much as hashing 32 bytes. */
    private byte[] message = new byte[1 + 2 * SIZE_BYTES];

    Sha256Hasher() {
        try {
            sha256 = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }

    @Override
    public int leaf(byte[] data, int begin, int sizeBytes, byte[] out, int outBegin) {
        if (sizeBytes >= message.length) {
            message = new byte[Math.max(1 + sizeBytes, 2 * message.length)];
        }
        message[0] = LEAF_PREFIX;
        System.arraycopy(data, begin, message, 1, sizeBytes);
        plain(message, 0, 1 + sizeBytes, out, outBegin);
        return SIZE_BYTES;
    }

    @Override
    public void node(byte[] in, int left, int leftBytes, int right, int rightBytes, byte[] out, int outBegin) {
        message[0] = NODE_PREFIX;
        System.arraycopy(in, left, message, 1, SIZE_BYTES);
        System.arraycopy(in, right, message, 1 + SIZE_BYTES, SIZE_BYTES);
        plain(message, 0, 1 + 2 * SIZE_BYTES, out, outBegin);
    }

    @Override
    public void plain(byte[] data, int begin, int sizeBytes, byte[] out, int outBegin) {
        sha256.update(data, begin, sizeBytes);
        try {
            sha256.digest(out, outBegin, SIZE_BYTES);
        } catch (DigestException e) {
            throw new IllegalArgumentException("no room for 32 bytes at " + outBegin + " of " + out.length, e);
        }
    }
}
