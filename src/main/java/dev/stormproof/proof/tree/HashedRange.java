package dev.stormproof.proof.tree;

final class HashedRange extends CompactRange {
    private final TreeHasher hasher;
    private final int nodeBytes;
    /** The peaks of levels 1 to 30, then that of level 0, which alone may have another size, then a hash on its way up. */
    private final byte[] hashes;

    private final int leafBegin;
    private final int carryBegin;
    private int leafBytes;
    private byte[] message = new byte[64];

    HashedRange(TreeHash treeHash) {
        super(treeHash);
        this.hasher = treeHash.newHasher();
        this.nodeBytes = treeHash.sizeBytes();
        int leafRoom = treeHash == TreeHash.ADLER32 ? TreeHasher.MAX_LEAF_HASH_BYTES : nodeBytes;
        this.leafBegin = (LEVELS - 1) * nodeBytes;
        this.carryBegin = leafBegin + leafRoom;
        this.hashes = new byte[carryBegin + leafRoom];
    }

    @Override
    public void append(byte[] data, int begin, int sizeBytes) {
        int level = nextLevel();
        if (level == 0) {
            leafBytes = hasher.leaf(data, begin, sizeBytes, hashes, leafBegin);
        } else {
            int carryBytes = hasher.leaf(data, begin, sizeBytes, hashes, carryBegin);
            for (int k = 0; k < level; k++) {
                carryBytes = join(k, carryBytes);
            }
            System.arraycopy(hashes, carryBegin, hashes, begin(level), nodeBytes);
        }
        count++;
    }

    @Override
    public void append(long number, byte[] data, int begin, int sizeBytes) {
        int messageBytes = Long.BYTES + sizeBytes;
        if (messageBytes > message.length) {
            message = new byte[Math.max(messageBytes, 2 * message.length)];
        }
        LongViews.BIG_ENDIAN.set(message, 0, number);
        System.arraycopy(data, begin, message, Long.BYTES, sizeBytes);
        append(message, 0, messageBytes);
    }

    @Override
    Hash joined() {
        int lowest = Integer.numberOfTrailingZeros(count);
        int carryBytes = sizeBytes(lowest);
        System.arraycopy(hashes, begin(lowest), hashes, carryBegin, carryBytes);
        for (int rest = count & (count - 1); rest != 0; rest &= rest - 1) {
            carryBytes = join(Integer.numberOfTrailingZeros(rest), carryBytes);
        }
        return Hash.copyOf(hashes, carryBegin, carryBytes);
    }

    @Override
    public CompactRange copy() {
        HashedRange copy = new HashedRange(treeHash);
        System.arraycopy(hashes, 0, copy.hashes, 0, hashes.length);
        copy.leafBytes = leafBytes;
        copy.count = count;
        return copy;
    }

    private int join(int level, int carryBytes) {
        hasher.node(hashes, begin(level), sizeBytes(level), carryBegin, carryBytes, hashes, carryBegin);
        return nodeBytes;
    }

    private int begin(int level) {
        return level == 0 ? leafBegin : (level - 1) * nodeBytes;
    }

    private int sizeBytes(int level) {
        return level == 0 ? leafBytes : nodeBytes;
    }
}
