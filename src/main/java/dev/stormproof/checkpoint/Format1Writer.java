package dev.stormproof.checkpoint;

import static dev.stormproof.checkpoint.Format1Layout.INNER;
import static dev.stormproof.checkpoint.Format1Layout.JOINED_BYTES;
import static dev.stormproof.checkpoint.Format1Layout.LEAF;
import static dev.stormproof.checkpoint.Format1Layout.MAX_SIGNATURE_BYTES;
import static dev.stormproof.checkpoint.Format1Layout.NODE_HEADER_BYTES;
import static dev.stormproof.checkpoint.Format1Layout.levelBytes;
import static dev.stormproof.checkpoint.Format1Layout.parentOfLastBytes;
import static dev.stormproof.checkpoint.Format1Layout.parents;

import dev.stormproof.merkle.Leaves;
import dev.stormproof.merkle.TreeHash;
import dev.stormproof.merkle.TreeHasher;
import java.nio.ByteBuffer;

/** Writes one tree of format 1 level by level, from the leaves at the end of the output to the root at its beginning. */
final class Format1Writer {
    private final TreeHasher hasher = TreeHash.ADLER32.newHasher();
    private final byte[] out;
    private final ByteBuffer buffer;

    /** An output of exactly the size that its caller reckons. */
    Format1Writer(int sizeBytes) {
        out = new byte[sizeBytes];
        buffer = ByteBuffer.wrap(out);
    }

    byte[] write(Leaves leaves) {
        int count = leaves.count();
        int last = leaves.sizeBytes(count - 1);
        int levelBegin = out.length - NODE_HEADER_BYTES * count - (int) leaves.packedSizeBytes();
        writeLeaves(leaves, levelBegin);
        int nodes = count;
        while (count > 1) {
            int children = count;
            last = parentOfLastBytes(count, last);
            count = parents(count);
            int begin = levelBegin - (int) levelBytes(count, last);
            writeParents(begin, levelBegin, children);
            levelBegin = begin;
            nodes += count;
        }
        buffer.putInt(0, Format1Layout.MAGIC).putInt(Integer.BYTES, nodes);
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
            hasher.node(
                    out,
                    child + NODE_HEADER_BYTES,
                    signatureBytes(child),
                    out,
                    right + NODE_HEADER_BYTES,
                    signatureBytes(right),
                    out,
                    signature);
            node = signature + JOINED_BYTES;
            child = nodeAfter(right);
        }
        if (children % 2 != 0) {
            int sizeBytes = signatureBytes(child);
            int signature = writeNodeHeader(node, INNER, sizeBytes);
            System.arraycopy(out, child + NODE_HEADER_BYTES, out, signature, sizeBytes);
        }
    }

    /** Writes type and size of a node and returns where its signature begins. */
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
