package dev.stormproof.merkle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** The peaks of a tree whose hashes are bytes, as a {@link TreeHasher} makes them. */
final class HashedPeaks implements Peaks {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN)
            .withInvokeExactBehavior();

    private final TreeHash treeHash;
    private final TreeHasher hasher;
    private final int nodeBytes;
    /** The peaks of levels 1 to 30, then that of level 0, which alone may have another size. */
    private final byte[] peaks;

    private final int leafBegin;
    private int leafBytes;
    private int count;
    /** A hash on its way up. */
    private final byte[] carry;
    /** A leaf that is a number and data. */
    private byte[] message = new byte[64];

    HashedPeaks(TreeHash treeHash) {
        this.treeHash = treeHash;
        this.hasher = treeHash.newHasher();
        this.nodeBytes = treeHash.sizeBytes();
        int leafRoom = treeHash == TreeHash.ADLER32 ? TreeHasher.MAX_LEAF_HASH_BYTES : nodeBytes;
        this.leafBegin = (LEVELS - 1) * nodeBytes;
        this.peaks = new byte[leafBegin + leafRoom];
        this.carry = new byte[leafRoom];
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public void append(byte[] data, int begin, int sizeBytes) {
        int level = Integer.numberOfTrailingZeros(~count);
        if (level == 0) {
            leafBytes = hasher.leaf(data, begin, sizeBytes, peaks, leafBegin);
            count++;
            return;
        }
        int carryBytes = hasher.leaf(data, begin, sizeBytes, carry, 0);
        for (int k = 0; k < level; k++) {
            hasher.node(peaks, begin(k), sizeBytes(k), carry, 0, carryBytes, carry, 0);
            carryBytes = nodeBytes;
        }
        System.arraycopy(carry, 0, peaks, begin(level), nodeBytes);
        count++;
    }

    @Override
    public void append(long number, byte[] data, int begin, int sizeBytes) {
        int messageBytes = Long.BYTES + sizeBytes;
        if (messageBytes > message.length) {
            message = new byte[Math.max(messageBytes, 2 * message.length)];
        }
        LONG.set(message, 0, number);
        System.arraycopy(data, begin, message, Long.BYTES, sizeBytes);
        append(message, 0, messageBytes);
    }

    @Override
    public Hash root() {
        int lowest = Integer.numberOfTrailingZeros(count);
        int carryBytes = sizeBytes(lowest);
        System.arraycopy(peaks, begin(lowest), carry, 0, carryBytes);
        for (int rest = count & (count - 1); rest != 0; rest &= rest - 1) {
            int level = Integer.numberOfTrailingZeros(rest);
            hasher.node(peaks, begin(level), sizeBytes(level), carry, 0, carryBytes, carry, 0);
            carryBytes = nodeBytes;
        }
        return Hash.copyOf(carry, 0, carryBytes);
    }

    @Override
    public void reset() {
        count = 0;
    }

    @Override
    public Peaks copy() {
        HashedPeaks copy = new HashedPeaks(treeHash);
        System.arraycopy(peaks, 0, copy.peaks, 0, peaks.length);
        copy.leafBytes = leafBytes;
        copy.count = count;
        return copy;
    }

    private int begin(int level) {
        return level == 0 ? leafBegin : (level - 1) * nodeBytes;
    }

    private int sizeBytes(int level) {
        return level == 0 ? leafBytes : nodeBytes;
    }
}
