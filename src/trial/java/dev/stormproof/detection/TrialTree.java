package dev.stormproof.detection;

import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.proof.tree.TreeHasher;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * A trial tree keeps all of its nodes; it is damaged, hashed again where that is needed, and repaired, many times over.
 *
 * <pre>
 *   level 2            x                the root
 *               /             \
 *   level 1    .               x
 *            /   \           /   \
 *   level 0 .     .         X     .     a changed leaf makes the nodes above it be hashed again, and no others
 * </pre>
 *
 * <p>A lost or added leaf shifts those behind it, so that all nodes from there to the right are hashed again. The leaves are
 * those of {@link dev.stormproof.proof.checkpoint.Interval}: sequence ‖ signature, and with {@link TreeHash#ADLER32} the signature
 * alone, as format 1 has it. For one thread.
 */
final class TrialTree {
    static final int SIGNATURE_BYTES = 32;
    static final int HEX_DIGITS = 40;

    private static final int LARGEST_NUMBER = 1_000_000;

    private final Signatures signatures;
    private final TreeHash treeHash;
    private final TreeHasher hasher;
    private final boolean hex;
    /** The size of a leaf's hash; nodes have the hasher's. */
    private final int leafBytes;
    /** The room for a node, which a promoted leaf may have to fit into. */
    private final int slotBytes;
    /** The bytes before the signature in a leaf: the sequence, or none. */
    private final int prefixBytes;

    private final int messageBytes;
    /** The leaves before they are hashed, and behind them room for one more. */
    private final byte[] messages;
    /** For each level the hashes of its nodes. */
    private final byte[][] intact;

    private final byte[][] struck;
    private int count;
    private int struckCount;
    /** Which ranges of leaves were changed. */
    private final int[] begins = new int[2];

    private final int[] ends = new int[2];
    private int strokes;

    /** A tree with room for {@code maxCount} leaves. */
    TrialTree(TreeHash treeHash, Signatures signatures, int maxCount) {
        this.signatures = signatures;
        this.treeHash = treeHash;
        this.hasher = treeHash.newHasher();
        this.hex = treeHash == TreeHash.ADLER32;
        this.leafBytes = hex ? HEX_DIGITS : treeHash.sizeBytes();
        this.slotBytes = Math.max(leafBytes, treeHash.sizeBytes());
        this.prefixBytes = hex ? 0 : Long.BYTES;
        this.messageBytes = prefixBytes + (hex ? HEX_DIGITS : SIGNATURE_BYTES);
        this.messages = new byte[(maxCount + 1) * messageBytes];
        int levels = Integer.SIZE - Integer.numberOfLeadingZeros(maxCount) + 1;
        this.intact = new byte[levels][];
        this.struck = new byte[levels][];
        for (int level = 0; level < levels; level++) {
            // A duplicate makes one leaf more.
            int slots = (maxCount >> level) + 2;
            intact[level] = new byte[slots * slotBytes];
            struck[level] = new byte[slots * slotBytes];
        }
    }

    /** Makes a new tree of {@code newCount} leaves, at least one. */
    void plant(int newCount, SplittableRandom random) {
        count = newCount;
        struckCount = newCount;
        long firstSequence = random.nextLong(Long.MAX_VALUE / 2);
        long firstNumber = random.nextInt(LARGEST_NUMBER);
        for (int i = 0; i < count; i++) {
            int begin = i * messageBytes;
            if (!hex) {
                ByteBuffer.wrap(messages).putLong(begin, firstSequence + i);
            }
            signatures.write(firstNumber + i, random, messages, begin + prefixBytes, messageBytes - prefixBytes, hex);
            hasher.leaf(messages, begin, messageBytes, struck[0], i * slotBytes);
        }
        strokes = 0;
        rehash(0, count);
        for (int level = 0; level < intact.length; level++) {
            System.arraycopy(struck[level], 0, intact[level], 0, intact[level].length);
        }
    }

    int count() {
        return count;
    }

    /** Exchanges two leaves. */
    void swap(int i, int j) {
        copy(intact[0], i, struck[0], j, 1);
        copy(intact[0], j, struck[0], i, 1);
        if (Math.abs(i - j) == 1) {
            note(Math.min(i, j), Math.max(i, j) + 1);
        } else {
            note(i, i + 1);
            note(j, j + 1);
        }
    }

    /** Takes {@code run} leaves from {@code from} and inserts them so that they begin at {@code to}. */
    void move(int from, int run, int to) {
        copy(intact[0], from, struck[0], to, run);
        if (from < to) {
            copy(intact[0], from + run, struck[0], from, to - from);
        } else {
            copy(intact[0], to, struck[0], to + run, from - to);
        }
        note(Math.min(from, to), Math.max(from, to) + run);
    }

    /** Removes {@code run} leaves, not all of them. */
    void lose(int from, int run) {
        copy(intact[0], from + run, struck[0], from, count - from - run);
        struckCount = count - run;
        note(Math.min(from, struckCount - 1), struckCount);
    }

    /** Inserts a copy of leaf {@code i} in front of leaf {@code at}, which lies behind it. */
    void duplicate(int i, int at) {
        copy(intact[0], at, struck[0], at + 1, count - at);
        copy(intact[0], i, struck[0], at, 1);
        struckCount = count + 1;
        note(at, struckCount);
    }

    /** Gives leaf {@code i} another signature, in the same place. */
    void replace(int i, boolean slightly, SplittableRandom random) {
        int spare = messages.length - messageBytes;
        int signature = spare + prefixBytes;
        System.arraycopy(messages, i * messageBytes, messages, spare, messageBytes);
        if (slightly) {
            Signatures.alter(random, messages, signature, messageBytes - prefixBytes, hex);
        } else {
            long number = 2L * LARGEST_NUMBER + random.nextInt(LARGEST_NUMBER);
            signatures.write(number, random, messages, signature, messageBytes - prefixBytes, hex);
        }
        hasher.leaf(messages, spare, messageBytes, struck[0], i * slotBytes);
        note(i, i + 1);
    }

    /** True if the root is what it was. */
    boolean isUnnoticed() {
        int sizeBytes = rootBytes(count);
        return sizeBytes == rootBytes(struckCount)
                && Arrays.equals(root(intact, count), 0, sizeBytes, root(struck, struckCount), 0, sizeBytes);
    }

    /** How many of the root's words of 16 bits are what they were. */
    int agreeingWords() {
        byte[] before = root(intact, count);
        byte[] after = root(struck, struckCount);
        int agreeing = 0;
        for (int at = 0; at < treeHash.sizeBytes(); at += Short.BYTES) {
            if (before[at] == after[at] && before[at + 1] == after[at + 1]) {
                agreeing++;
            }
        }
        return agreeing;
    }

    /** How many words of 16 bits a root has. */
    int words() {
        return treeHash.sizeBytes() / Short.BYTES;
    }

    /** Undoes what was done since the tree was planted. */
    void mend() {
        for (int i = 0; i < strokes; i++) {
            int begin = begins[i];
            int end = struckCount == count ? ends[i] : count;
            for (int level = 0; level < intact.length; level++) {
                copy(intact[level], begin, struck[level], begin, Math.max(0, end - begin));
                begin >>= 1;
                end = (end + 1) >> 1;
            }
        }
        strokes = 0;
        struckCount = count;
    }

    Hash intactRoot() {
        return Hash.copyOf(root(intact, count), 0, rootBytes(count));
    }

    Hash struckRoot() {
        return Hash.copyOf(root(struck, struckCount), 0, rootBytes(struckCount));
    }

    /** The hashes of the leaves as they are now. */
    List<Hash> struckLeaves() {
        return IntStream.range(0, struckCount)
                .mapToObj(i -> Hash.copyOf(struck[0], i * slotBytes, leafBytes))
                .toList();
    }

    /** The leaves as they were planted, not hashed. */
    List<Hash> plantedMessages() {
        return IntStream.range(0, count)
                .mapToObj(i -> Hash.copyOf(messages, i * messageBytes, messageBytes))
                .toList();
    }

    private void note(int begin, int end) {
        begins[strokes] = begin;
        ends[strokes] = end;
        strokes++;
        rehash(begin, end);
    }

    private void rehash(int begin, int end) {
        int parentBegin = begin;
        int parentEnd = end;
        int nodes = struckCount;
        for (int level = 0; nodes > 1; level++) {
            parentBegin >>= 1;
            parentEnd = (parentEnd + 1) >> 1;
            for (int parent = parentBegin; parent < parentEnd; parent++) {
                int left = 2 * parent;
                if (left + 1 < nodes) {
                    join(level, left, parent);
                } else {
                    copy(struck[level], left, struck[level + 1], parent, 1);
                }
            }
            nodes = (nodes + 1) >> 1;
        }
    }

    private void join(int level, int left, int parent) {
        hasher.node(
                struck[level],
                left * slotBytes,
                nodeBytes(level, left, struckCount),
                (left + 1) * slotBytes,
                nodeBytes(level, left + 1, struckCount),
                struck[level + 1],
                parent * slotBytes);
    }

    private int nodeBytes(int level, int node, int leafCount) {
        boolean leaf = node << level == leafCount - 1;
        return level == 0 || leaf ? leafBytes : treeHash.sizeBytes();
    }

    private int rootBytes(int leafCount) {
        return nodeBytes(rootLevel(leafCount), 0, leafCount);
    }

    private static byte[] root(byte[][] levels, int leafCount) {
        return levels[rootLevel(leafCount)];
    }

    private static int rootLevel(int leafCount) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(leafCount - 1);
    }

    private void copy(byte[] source, int from, byte[] target, int to, int slots) {
        System.arraycopy(source, from * slotBytes, target, to * slotBytes, slots * slotBytes);
    }
}
