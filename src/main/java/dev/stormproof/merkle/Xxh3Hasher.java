package dev.stormproof.merkle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** {@link TreeHash#XXH3}: fast, against accidents, not against people. Hashes are written big endian. */
final class Xxh3Hasher implements TreeHasher {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN)
            .withInvokeExactBehavior();
    private static final int SIZE_BYTES = 8;
    private static final int NODE_BYTES = 1 + 2 * SIZE_BYTES;

    private final byte[] node = new byte[NODE_BYTES];
    private byte[] leaf = new byte[64];

    Xxh3Hasher() {
        node[0] = 1;
    }

    @Override
    public int sizeBytes() {
        return SIZE_BYTES;
    }

    @Override
    public int leaf(byte[] data, int begin, int sizeBytes, byte[] out, int outBegin) {
        if (sizeBytes >= leaf.length) {
            leaf = new byte[Math.max(1 + sizeBytes, 2 * leaf.length)];
        }
        System.arraycopy(data, begin, leaf, 1, sizeBytes);
        LONG.set(out, outBegin, Xxh3.hash(leaf, 0, 1 + sizeBytes));
        return SIZE_BYTES;
    }

    @Override
    public void node(
            byte[] left,
            int leftBegin,
            int leftSizeBytes,
            byte[] right,
            int rightBegin,
            int rightSizeBytes,
            byte[] out,
            int outBegin) {
        LONG.set(node, 1, (long) LONG.get(left, leftBegin));
        LONG.set(node, 1 + SIZE_BYTES, (long) LONG.get(right, rightBegin));
        LONG.set(out, outBegin, Xxh3.hash(node, 0, NODE_BYTES));
    }

    @Override
    public void plain(byte[] data, int begin, int sizeBytes, byte[] out, int outBegin) {
        LONG.set(out, outBegin, Xxh3.hash(data, begin, sizeBytes));
    }
}
