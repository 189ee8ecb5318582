package dev.stormproof.proof.tree;

import java.util.zip.Adler32;

/**
 * {@link TreeHash#ADLER32}: the rule of format 1, for reading and writing that format and nothing else.
 *
 * <p>A leaf's hash is the leaf itself, 1 to {@link TreeHasher#MAX_LEAF_HASH_BYTES} bytes. A node is the Adler-32 over
 * its left, then its right child, as an 8-byte integer. An odd node is promoted as it is, whatever its size.
 */
final class Adler32Hasher implements TreeHasher {
    private final Adler32 adler = new Adler32();

    @Override
    public int leaf(byte[] data, int begin, int sizeBytes, byte[] out, int outBegin) {
        if (sizeBytes < 1 || sizeBytes > MAX_LEAF_HASH_BYTES) {
            throw new IllegalArgumentException("a leaf of " + sizeBytes + " bytes, not 1 to " + MAX_LEAF_HASH_BYTES);
        }
        System.arraycopy(data, begin, out, outBegin, sizeBytes);
        return sizeBytes;
    }

    @Override
    public void node(byte[] in, int left, int leftBytes, int right, int rightBytes, byte[] out, int outBegin) {
        adler.reset();
        adler.update(in, left, leftBytes);
        adler.update(in, right, rightBytes);
        LongViews.BIG_ENDIAN.set(out, outBegin, adler.getValue());
    }

    @Override
    public void plain(byte[] data, int begin, int sizeBytes, byte[] out, int outBegin) {
        adler.reset();
        adler.update(data, begin, sizeBytes);
        LongViews.BIG_ENDIAN.set(out, outBegin, adler.getValue());
    }
}
