package dev.stormproof.proof.checkpoint;

import static dev.stormproof.proof.checkpoint.Format1Codec.MAX_SIZE_BYTES;
import static dev.stormproof.proof.checkpoint.Format1Codec.MIN_LEAVES;
import static dev.stormproof.proof.checkpoint.Format1Layout.HEADER_BYTES;
import static dev.stormproof.proof.checkpoint.Format1Layout.INNER;
import static dev.stormproof.proof.checkpoint.Format1Layout.JOINED_BYTES;
import static dev.stormproof.proof.checkpoint.Format1Layout.LEAF;
import static dev.stormproof.proof.checkpoint.Format1Layout.MAGIC;
import static dev.stormproof.proof.checkpoint.Format1Layout.MAX_SIGNATURE_BYTES;
import static dev.stormproof.proof.checkpoint.Format1Layout.NODE_HEADER_BYTES;

import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.Leaves;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.proof.tree.TreeHasher;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Reads one untrusted tree of format 1.
 *
 * <p>In breadth-first order the parents, from node 0 on, and their children, from node 1 on, are two cursors that only
 * move forward, so that every inner node is checked without building a tree:
 *
 * <pre>
 *   node     0         1  2       3  4  5  6     …
 *            ^parents  ^children
 * </pre>
 */
final class Format1Reader {
    private final byte[] bytes;
    private final WireReader children;
    /** Follows {@link #children} over bytes that were checked already. */
    private final ByteBuffer parents;

    private final TreeHasher hasher = TreeHash.ADLER32.newHasher();
    private final byte[] joined = new byte[JOINED_BYTES];

    Format1Reader(byte[] bytes) throws MalformedCheckpointException {
        if (bytes.length > MAX_SIZE_BYTES) {
            throw MalformedCheckpointException.damaged(
                    MAX_SIZE_BYTES, "end", bytes.length + " bytes", "at most " + MAX_SIZE_BYTES);
        }
        this.bytes = bytes;
        this.children = new WireReader(bytes, bytes.length);
        this.parents = ByteBuffer.wrap(bytes);
    }

    Format1Checkpoint read(StreamId stream) throws MalformedCheckpointException {
        int leafCount = readHeader();
        int rootBytes = readNode(INNER, JOINED_BYTES, JOINED_BYTES);
        Hash root = Hash.copyOf(bytes, children.position() - rootBytes, rootBytes);
        parents.position(HEADER_BYTES);
        int height = Integer.SIZE - Integer.numberOfLeadingZeros(leafCount - 1);
        for (int level = height - 1; level > 0; level--) {
            readInnerLevel(nodesAt(leafCount, level), nodesAt(leafCount, level - 1) % 2 != 0);
        }
        Leaves leaves = readLeaves(leafCount);
        children.end();
        return new Format1Checkpoint(stream, leaves, root);
    }

    private int readHeader() throws MalformedCheckpointException {
        int magic = children.int32("magic");
        if (magic != MAGIC) {
            throw MalformedCheckpointException.damaged(
                    0, "magic", Integer.toHexString(magic), Integer.toHexString(MAGIC));
        }
        int position = children.position();
        int nodes = children.int32("node count");
        int most = children.remaining() / (NODE_HEADER_BYTES + 1);
        int leafCount = nodes < 0 || nodes > most ? 0 : leafCount(nodes);
        if (leafCount < MIN_LEAVES) {
            throw MalformedCheckpointException.damaged(
                    position,
                    "node count",
                    Integer.toString(nodes),
                    "that of a tree of 2 leaves or more, and at most " + most);
        }
        return leafCount;
    }

    /** How many leaves a tree of {@code nodes} nodes has; 0 if there is no such tree. */
    private static int leafCount(int nodes) {
        int low = 0;
        int high = nodes;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (Format1Layout.nodeCount(middle) < nodes) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return Format1Layout.nodeCount(low) == nodes ? low : 0;
    }

    private static int nodesAt(int leafCount, int level) {
        return (int) ((leafCount + (1L << level) - 1) >>> level);
    }

    private Leaves readLeaves(int count) throws MalformedCheckpointException {
        Leaves.Builder leaves = Leaves.builder(Math.max(0, children.remaining() - NODE_HEADER_BYTES * count));
        for (int i = 0; i + 1 < count; i += 2) {
            int left = readLeaf(leaves);
            checkJoined(left, readLeaf(leaves));
        }
        if (count % 2 != 0) {
            checkPromoted(readLeaf(leaves));
        }
        return leaves.build();
    }

    private int readLeaf(Leaves.Builder leaves) throws MalformedCheckpointException {
        int sizeBytes = readNode(LEAF, 1, MAX_SIGNATURE_BYTES);
        leaves.append(bytes, children.position() - sizeBytes, sizeBytes);
        return sizeBytes;
    }

    /** Reads a level of inner nodes. A promoted one, which may be the last, has any size. */
    private void readInnerLevel(int count, boolean lastIsPromoted) throws MalformedCheckpointException {
        int lastMin = lastIsPromoted ? 1 : JOINED_BYTES;
        int lastMax = lastIsPromoted ? MAX_SIGNATURE_BYTES : JOINED_BYTES;
        for (int i = 0; i + 1 < count; i += 2) {
            boolean last = i + 2 == count;
            int left = readNode(INNER, JOINED_BYTES, JOINED_BYTES);
            int right = readNode(INNER, last ? lastMin : JOINED_BYTES, last ? lastMax : JOINED_BYTES);
            checkJoined(left, right);
        }
        if (count % 2 != 0) {
            checkPromoted(readNode(INNER, lastMin, lastMax));
        }
    }

    private int readNode(byte type, int minBytes, int maxBytes) throws MalformedCheckpointException {
        children.uint8("node type", type, type);
        int sizeBytes = children.int32("size of signature", minBytes, maxBytes);
        children.skip("signature", sizeBytes);
        return sizeBytes;
    }

    private void checkJoined(int leftBytes, int rightBytes) throws MalformedCheckpointException {
        int right = children.position() - rightBytes;
        int left = right - NODE_HEADER_BYTES - leftBytes;
        hasher.node(bytes, left, leftBytes, right, rightBytes, joined, 0);
        checkParent(joined, 0, JOINED_BYTES);
    }

    private void checkPromoted(int sizeBytes) throws MalformedCheckpointException {
        checkParent(bytes, children.position() - sizeBytes, sizeBytes);
    }

    private void checkParent(byte[] wanted, int begin, int sizeBytes) throws MalformedCheckpointException {
        int parentBytes = parents.getInt(parents.position() + 1);
        int signature = parents.position() + NODE_HEADER_BYTES;
        int end = signature + parentBytes;
        if (!Arrays.equals(bytes, signature, end, wanted, begin, begin + sizeBytes)) {
            HexFormat hex = HexFormat.of();
            throw MalformedCheckpointException.damaged(
                    signature,
                    "signature of an inner node",
                    hex.formatHex(bytes, signature, end),
                    hex.formatHex(wanted, begin, begin + sizeBytes) + ", by its children");
        }
        parents.position(end);
    }
}
