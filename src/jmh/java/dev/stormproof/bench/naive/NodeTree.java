package dev.stormproof.bench.naive;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.zip.Adler32;
import org.jspecify.annotations.Nullable;

/**
 * A tree of format 1 as one writes it at first, following docs/FORMAT.md: an object for each node, a String for each
 * signature, breadth first through a queue.
 *
 * <pre>
 *   build        strings ──► leaves ──► level by level ──► root
 *   encode       root ──► queue ──► buffer ──► bytes
 *   decode       bytes ──► a node each, linked in the order of the queue ──► strings
 *   differences  both roots ──► down to the leaves
 * </pre>
 *
 * <p>The yardstick for the benchmarks. It is written to be plain and correct, with lists and queues of the right size from
 * the start, and not to be slow: its bytes are those of the real codec, which every benchmark checks before it measures.
 * It does less than the real codec on reading: it believes the inner nodes.
 */
public final class NodeTree {
    private static final int MAGIC = 0xcdaace99;
    private static final byte INNER = 1;
    private static final byte LEAF = 0;
    private static final int HEADER_BYTES = 8;
    private static final int NODE_HEADER_BYTES = 5;

    private final Node root;
    private final int nodeCount;
    private final List<String> signatures;

    private static final class Node {
        final byte type;
        final byte[] signature;

        @Nullable
        Node left;

        @Nullable
        Node right;

        Node(byte type, byte[] signature) {
            this.type = type;
            this.signature = signature;
        }
    }

    private NodeTree(Node root, int nodeCount, List<String> signatures) {
        this.root = root;
        this.nodeCount = nodeCount;
        this.signatures = signatures;
    }

    /** Builds the tree over at least two signatures of one size, at least 8 bytes. */
    public static NodeTree build(List<String> signatures) {
        List<Node> level = new ArrayList<>(signatures.size());
        for (String signature : signatures) {
            level.add(new Node(LEAF, signature.getBytes(StandardCharsets.UTF_8)));
        }
        int nodeCount = level.size();
        while (level.size() > 1) {
            level = parents(level);
            nodeCount += level.size();
        }
        return new NodeTree(level.get(0), nodeCount, signatures);
    }

    private static List<Node> parents(List<Node> children) {
        List<Node> parents = new ArrayList<>((children.size() + 1) / 2);
        for (int i = 0; i < children.size(); i += 2) {
            Node left = children.get(i);
            Node right = i + 1 < children.size() ? children.get(i + 1) : null;
            Node parent = new Node(INNER, right == null ? left.signature : adler(left.signature, right.signature));
            parent.left = left;
            parent.right = right;
            parents.add(parent);
        }
        return parents;
    }

    private static byte[] adler(byte[] left, byte[] right) {
        Adler32 adler = new Adler32();
        adler.update(left);
        adler.update(right);
        return ByteBuffer.allocate(Long.BYTES).putLong(adler.getValue()).array();
    }

    /** The tree as bytes of format 1. */
    public byte[] encode() {
        int leafBytes = signatures.get(0).getBytes(StandardCharsets.UTF_8).length;
        ByteBuffer buffer = ByteBuffer.allocate(HEADER_BYTES + (NODE_HEADER_BYTES + leafBytes) * nodeCount);
        buffer.putInt(MAGIC).putInt(nodeCount);
        Queue<Node> queue = new ArrayDeque<>(nodeCount / 2 + 1);
        queue.add(root);
        while (!queue.isEmpty()) {
            Node node = queue.remove();
            buffer.put(node.type).putInt(node.signature.length).put(node.signature);
            if (node.left != null) {
                queue.add(node.left);
            }
            if (node.right != null) {
                queue.add(node.right);
            }
        }
        return Arrays.copyOf(buffer.array(), buffer.position());
    }

    /** Reads a tree that is known to be whole; throws {@link IllegalArgumentException} if it does not begin as one. */
    public static NodeTree decode(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        if (buffer.getInt() != MAGIC) {
            throw new IllegalArgumentException("no tree");
        }
        int nodeCount = buffer.getInt();
        Node root = readNode(buffer);
        Queue<Node> parents = new ArrayDeque<>(nodeCount / 2 + 1);
        parents.add(root);
        int leafCount = leafCount(nodeCount);
        for (int level = height(leafCount) - 1; level >= 0; level--) {
            int levelNodes = (int) ((leafCount + (1L << level) - 1) >>> level);
            for (int i = 0; i < levelNodes; i += 2) {
                Node parent = parents.remove();
                parent.left = readNode(buffer);
                parents.add(parent.left);
                if (i + 1 < levelNodes) {
                    parent.right = readNode(buffer);
                    parents.add(parent.right);
                }
            }
        }
        if (buffer.hasRemaining()) {
            throw new IllegalArgumentException(buffer.remaining() + " bytes behind a tree of " + nodeCount + " nodes");
        }
        List<String> signatures = new ArrayList<>(leafCount);
        for (Node leaf : parents) {
            signatures.add(new String(leaf.signature, StandardCharsets.UTF_8));
        }
        return new NodeTree(root, nodeCount, signatures);
    }

    private static Node readNode(ByteBuffer buffer) {
        byte type = buffer.get();
        byte[] signature = new byte[buffer.getInt()];
        buffer.get(signature);
        return new Node(type, signature);
    }

    private static int height(int leafCount) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(leafCount - 1);
    }

    /** The shape, and so the count of leaves, follows from the count of nodes. */
    private static int leafCount(int nodeCount) {
        int leafCount = nodeCount / 2 + 1;
        while (nodeCount(leafCount) > nodeCount) {
            leafCount--;
        }
        return leafCount;
    }

    private static long nodeCount(int leafCount) {
        long nodeCount = leafCount;
        for (int level = leafCount; level > 1; level = (level + 1) / 2) {
            nodeCount += (level + 1) / 2;
        }
        return nodeCount;
    }

    /**
     * The leaves of this tree that differ from those in the same places of the other, which has as many.
     *
     * @param trustNodes true to pass by what lies below inner nodes of equal signatures, which an Adler-32 does not prove
     *     equal; false to compare every leaf
     */
    public List<String> differences(NodeTree other, boolean trustNodes) {
        if (nodeCount != other.nodeCount) {
            throw new IllegalArgumentException("trees of " + nodeCount + " and " + other.nodeCount + " nodes");
        }
        List<String> differences = new ArrayList<>();
        addDifferences(root, other.root, trustNodes, differences);
        return differences;
    }

    private static void addDifferences(Node node, Node other, boolean trustNodes, List<String> differences) {
        boolean leaf = node.type == LEAF;
        if (leaf || trustNodes) {
            if (Arrays.equals(node.signature, other.signature)) {
                return;
            }
            if (leaf) {
                differences.add(new String(node.signature, StandardCharsets.UTF_8));
            }
        }
        if (node.left != null && other.left != null) {
            addDifferences(node.left, other.left, trustNodes, differences);
        }
        if (node.right != null && other.right != null) {
            addDifferences(node.right, other.right, trustNodes, differences);
        }
    }
}
