package dev.stormproof.proof.tree;

/** A range of an {@link TreeHash#XXH3} tree, whose hashes are numbers. */
final class Xxh3Range extends CompactRange {
    private final long[] peaks = new long[LEVELS];
    /** 0x00 ‖ leaf, for leaves of other sizes; the first byte stays 0. */
    private byte[] message = {};

    Xxh3Range() {
        super(TreeHash.XXH3);
    }

    @Override
    public void append(byte[] data, int begin, int sizeBytes) {
        makeRoom(1 + sizeBytes);
        System.arraycopy(data, begin, message, 1, sizeBytes);
        append(Xxh3.hash(message, 0, 1 + sizeBytes));
    }

    @Override
    public void append(long number, byte[] data, int begin, int sizeBytes) {
        append(
                switch (sizeBytes) {
                    case 16 -> Xxh3Tree.leafOf16(number, data, begin);
                    case 20 -> Xxh3Tree.leafOf20(number, data, begin);
                    case 32 -> Xxh3Tree.leafOf32(number, data, begin);
                    default -> leafOfAny(number, data, begin, sizeBytes);
                });
    }

    private long leafOfAny(long number, byte[] data, int begin, int sizeBytes) {
        int messageBytes = 1 + Long.BYTES + sizeBytes;
        makeRoom(messageBytes);
        LongViews.BIG_ENDIAN.set(message, 1, number);
        System.arraycopy(data, begin, message, 1 + Long.BYTES, sizeBytes);
        return Xxh3.hash(message, 0, messageBytes);
    }

    private void append(long leaf) {
        int level = nextLevel();
        long carry = leaf;
        for (int k = 0; k < level; k++) {
            carry = Xxh3Tree.node(peaks[k], carry);
        }
        peaks[level] = carry;
        count++;
    }

    @Override
    Hash joined() {
        long carry = peaks[Integer.numberOfTrailingZeros(count)];
        for (int rest = count & (count - 1); rest != 0; rest &= rest - 1) {
            carry = Xxh3Tree.node(peaks[Integer.numberOfTrailingZeros(rest)], carry);
        }
        byte[] root = new byte[Long.BYTES];
        LongViews.BIG_ENDIAN.set(root, 0, carry);
        return Hash.copyOf(root);
    }

    @Override
    public CompactRange copy() {
        Xxh3Range copy = new Xxh3Range();
        System.arraycopy(peaks, 0, copy.peaks, 0, LEVELS);
        copy.count = count;
        return copy;
    }

    private void makeRoom(int messageBytes) {
        if (messageBytes > message.length) {
            message = new byte[Math.max(messageBytes, 64)];
        }
    }
}
