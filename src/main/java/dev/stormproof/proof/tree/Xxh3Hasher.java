package dev.stormproof.proof.tree;

/** {@link TreeHash#XXH3}: fast, against accidents, not against people. Hashes are written big endian. */
final class Xxh3Hasher implements TreeHasher {
    private byte[] message = new byte[64];

    @Override
    public int leaf(byte[] data, int begin, int sizeBytes, byte[] out, int outBegin) {
        if (sizeBytes >= message.length) {
            message = new byte[Math.max(1 + sizeBytes, 2 * message.length)];
        }
        System.arraycopy(data, begin, message, 1, sizeBytes);
        plain(message, 0, 1 + sizeBytes, out, outBegin);
        return Long.BYTES;
    }

    @Override
    public void node(byte[] in, int left, int leftBytes, int right, int rightBytes, byte[] out, int outBegin) {
        long leftHash = (long) LongViews.BIG_ENDIAN.get(in, left);
        long rightHash = (long) LongViews.BIG_ENDIAN.get(in, right);
        LongViews.BIG_ENDIAN.set(out, outBegin, Xxh3Tree.node(leftHash, rightHash));
    }

    @Override
    public void plain(byte[] data, int begin, int sizeBytes, byte[] out, int outBegin) {
        LongViews.BIG_ENDIAN.set(out, outBegin, Xxh3.hash(data, begin, sizeBytes));
    }
}
