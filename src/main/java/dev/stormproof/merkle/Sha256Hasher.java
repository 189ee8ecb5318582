package dev.stormproof.merkle;

import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** {@link TreeHash#SHA256}: RFC 6962 exactly, for peers that do not trust each other. */
final class Sha256Hasher implements TreeHasher {
    private static final int SIZE_BYTES = 32;
    private static final byte LEAF_PREFIX = 0;
    private static final byte NODE_PREFIX = 1;

    private final MessageDigest sha256;

    Sha256Hasher() {
        try {
            sha256 = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }

    @Override
    public int leaf(byte[] data, int begin, int sizeBytes, byte[] out, int outBegin) {
        sha256.update(LEAF_PREFIX);
        plain(data, begin, sizeBytes, out, outBegin);
        return SIZE_BYTES;
    }

    @Override
    public void node(byte[] in, int left, int leftBytes, int right, int rightBytes, byte[] out, int outBegin) {
        sha256.update(NODE_PREFIX);
        sha256.update(in, left, leftBytes);
        plain(in, right, rightBytes, out, outBegin);
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
