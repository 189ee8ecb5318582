package dev.stormproof.merkle;

/**
 * A range of an {@link TreeHash#XXH3} tree, whose hashes are numbers. Leaves are joined eight at a time: the seven nodes above them
 * are computed without a branch, and those of a level beside each other.
 */
final class Xxh3Range extends CompactRange {
    private static final int GROUP = 8;
    private static final int GROUP_LEVEL = 3;

    private final long[] peaks = new long[LEVELS];
    /** The leaves behind the last whole group; of levels below {@value #GROUP_LEVEL} there are peaks only for the root. */
    private final long[] group = new long[GROUP];
    /** 0x00 ‖ leaf, for leaves of unusual sizes; the first byte is never written. */
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
        demandRoom();
        int place = count & (GROUP - 1);
        group[place] = leaf;
        count++;
        if (place == GROUP - 1) {
            joinGroup();
        }
    }

    private void joinGroup() {
        long left = four(group[0], group[1], group[2], group[3]);
        long right = four(group[4], group[5], group[6], group[7]);
        long carry = Xxh3Tree.node(left, right);
        int level = Integer.numberOfTrailingZeros(count);
        for (int k = GROUP_LEVEL; k < level; k++) {
            carry = Xxh3Tree.node(peaks[k], carry);
        }
        peaks[level] = carry;
    }

    private static long four(long a, long b, long c, long d) {
        return Xxh3Tree.node(Xxh3Tree.node(a, b), Xxh3Tree.node(c, d));
    }

    @Override
    Hash joined() {
        peakBelowGroups();
        long carry = peaks[Integer.numberOfTrailingZeros(count)];
        for (int rest = count & (count - 1); rest != 0; rest &= rest - 1) {
            carry = Xxh3Tree.node(peaks[Integer.numberOfTrailingZeros(rest)], carry);
        }
        byte[] root = new byte[Long.BYTES];
        LongViews.BIG_ENDIAN.set(root, 0, carry);
        return Hash.copyOf(root);
    }

    /** Makes the peaks over the leaves behind the last whole group: of four, of two and of one, as far as there are so many. */
    private void peakBelowGroups() {
        int two = count & 4;
        int one = count & 6;
        if (two != 0) {
            peaks[2] = four(group[0], group[1], group[2], group[3]);
        }
        if (one != two) {
            peaks[1] = Xxh3Tree.node(group[two], group[two + 1]);
        }
        peaks[0] = group[one];
    }

    @Override
    public CompactRange copy() {
        Xxh3Range copy = new Xxh3Range();
        System.arraycopy(peaks, 0, copy.peaks, 0, LEVELS);
        System.arraycopy(group, 0, copy.group, 0, GROUP);
        copy.count = count;
        return copy;
    }

    private void makeRoom(int messageBytes) {
        if (messageBytes > message.length) {
            message = new byte[Math.max(messageBytes, 64)];
        }
    }
}
