package dev.stormproof.proof.checkpoint;

import static dev.stormproof.proof.checkpoint.Format1Layout.INNER;
import static dev.stormproof.proof.checkpoint.Format1Layout.JOINED_BYTES;
import static dev.stormproof.proof.checkpoint.Format1Layout.LEAF;
import static dev.stormproof.proof.checkpoint.Format1Layout.MAX_SIGNATURE_BYTES;
import static dev.stormproof.proof.checkpoint.Format1Layout.NODE_HEADER_BYTES;

import dev.stormproof.proof.sign.ByteSlice;
import dev.stormproof.proof.tree.Leaves;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.proof.tree.TreeHasher;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads and writes checkpoints of format 1: the Merkle trees that the merkle-tree project of 2015 serializes.
 *
 * <p>{@link Format1Layout} draws the bytes. Reading guesses nothing from equal signatures and computes every inner node
 * again. See docs/FORMAT.md.
 */
public final class Format1Codec {
    /** The largest size that is read or written. */
    public static final int MAX_SIZE_BYTES = 256 << 20;

    /** The fewest leaves of a tree. */
    public static final int MIN_LEAVES = 2;

    private Format1Codec() {}

    /** True if the bytes begin as a checkpoint of format 1 does. */
    public static boolean hasMagic(byte[] value) {
        return value.length >= Integer.BYTES && ByteBuffer.wrap(value).getInt() == Format1Layout.MAGIC;
    }

    static boolean hasMagic(ByteSlice value) {
        return value.sizeBytes() >= Integer.BYTES
                && ByteBuffer.wrap(value.array()).getInt(value.begin()) == Format1Layout.MAGIC;
    }

    /** The checkpoint over at least {@link #MIN_LEAVES} leaves of 1 to 255 bytes each. */
    public static byte[] encode(Leaves leaves) {
        long sizeBytes = sizeBytes(leaves);
        if (leaves.count() < MIN_LEAVES || sizeBytes > MAX_SIZE_BYTES) {
            throw new IllegalArgumentException(leaves + " cannot make a checkpoint of format 1");
        }
        return new Writer((int) sizeBytes).write(leaves);
    }

    /** The size that {@link #encode} would give to the leaves, were there no limit. */
    public static long sizeBytes(Leaves leaves) {
        return Format1Layout.HEADER_BYTES
                + levelBytes(leaves).stream().mapToLong(bytes -> bytes).sum();
    }

    public static Format1Checkpoint decode(String topic, int partition, byte[] value)
            throws MalformedCheckpointException {
        return new Format1Reader(value).read(new StreamId(topic, partition, StreamId.NO_EMITTER));
    }

    private static List<Long> levelBytes(Leaves leaves) {
        List<Long> levels = new ArrayList<>();
        int count = leaves.count();
        levels.add(leaves.packedSizeBytes() + (long) NODE_HEADER_BYTES * count);
        int lastBytes = count == 0 ? 0 : leaves.sizeBytes(count - 1);
        while (count > 1) {
            lastBytes = count % 2 == 0 ? JOINED_BYTES : lastBytes;
            count = Format1Layout.parents(count);
            levels.add((long) NODE_HEADER_BYTES * count + (long) JOINED_BYTES * (count - 1) + lastBytes);
        }
        return levels;
    }

    /** Writes a tree level by level, from the leaves at the end of the output to the root at its beginning. */
    private static final class Writer {
        private final TreeHasher hasher = TreeHash.ADLER32.newHasher();
        private final byte[] out;
        private final ByteBuffer buffer;

        Writer(int sizeBytes) {
            out = new byte[sizeBytes];
            buffer = ByteBuffer.wrap(out);
        }

        byte[] write(Leaves leaves) {
            List<Long> levels = levelBytes(leaves);
            int begin = out.length - levels.get(0).intValue();
            writeLeaves(leaves, begin);
            int count = leaves.count();
            for (long bytes : levels.subList(1, levels.size())) {
                int children = begin;
                begin -= (int) bytes;
                writeParents(begin, children, count);
                count = Format1Layout.parents(count);
            }
            buffer.putInt(0, Format1Layout.MAGIC).putInt(Integer.BYTES, (int) Format1Layout.nodeCount(leaves.count()));
            return out;
        }

        private void writeLeaves(Leaves leaves, int begin) {
            int node = begin;
            for (int i = 0; i < leaves.count(); i++) {
                int sizeBytes = leaves.sizeBytes(i);
                if (sizeBytes < 1 || sizeBytes > MAX_SIGNATURE_BYTES) {
                    throw new IllegalArgumentException("signature " + i + " has " + sizeBytes + " bytes");
                }
                leaves.copyTo(i, out, writeNodeHeader(node, LEAF, sizeBytes));
                node = nodeAfter(node);
            }
        }

        /** Writes the parents of {@code children} nodes, which begin at {@code childBegin}. */
        private void writeParents(int begin, int childBegin, int children) {
            int node = begin;
            int child = childBegin;
            for (int i = 0; i + 1 < children; i += 2) {
                int right = nodeAfter(child);
                int signature = writeNodeHeader(node, INNER, JOINED_BYTES);
                int leftAt = child + NODE_HEADER_BYTES;
                int rightAt = right + NODE_HEADER_BYTES;
                hasher.node(out, leftAt, signatureBytes(child), rightAt, signatureBytes(right), out, signature);
                node = signature + JOINED_BYTES;
                child = nodeAfter(right);
            }
            if (children % 2 != 0) {
                int sizeBytes = signatureBytes(child);
                int signature = writeNodeHeader(node, INNER, sizeBytes);
                System.arraycopy(out, child + NODE_HEADER_BYTES, out, signature, sizeBytes);
            }
        }

        private int writeNodeHeader(int node, byte type, int sizeBytes) {
            buffer.put(node, type).putInt(node + 1, sizeBytes);
            return node + NODE_HEADER_BYTES;
        }

        private int signatureBytes(int node) {
            return buffer.getInt(node + 1);
        }

        private int nodeAfter(int node) {
            return node + NODE_HEADER_BYTES + signatureBytes(node);
        }
    }
}
