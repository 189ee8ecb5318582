package dev.stormproof.evidence;

import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.proof.tree.TreeHasher;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * An audit path from a leaf of a {@code sha256} tree to its root (RFC 6962, section 2.1.1): the hashes of the sibling subtrees, from the leaf
 * up.
 *
 * <pre>
 *              root
 *            /      \
 *          .          C      leaf 2 of five: 3, A, C
 *        /   \
 *      A       .
 *             / \
 *   0   1    2   3    4
 * </pre>
 */
public record AuditPath(List<Hash> hashes) {
    static final int HASH_BYTES = 32;

    public AuditPath {
        hashes = List.copyOf(hashes);
    }

    /** The hash of the leaf {@code sequence ‖ signature}. */
    static byte[] leaf(long sequence, Hash signature) {
        byte[] data = new byte[Long.BYTES + signature.sizeBytes()];
        ByteBuffer.wrap(data).putLong(sequence);
        signature.copyTo(data, Long.BYTES);
        byte[] hash = new byte[HASH_BYTES];
        TreeHash.SHA256.newHasher().leaf(data, 0, data.length, hash, 0);
        return hash;
    }

    /**
     * The path of one leaf.
     *
     * @param leaves the hashes of all leaves, concatenated
     * @param index the leaf's, from 0
     */
    static AuditPath of(byte[] leaves, int index) {
        List<Hash> hashes = new ArrayList<>();
        TreeHasher hasher = TreeHash.SHA256.newHasher();
        int begin = 0;
        int end = leaves.length / HASH_BYTES;
        while (end - begin > 1) {
            int middle = begin + Integer.highestOneBit(end - begin - 1);
            if (index < middle) {
                hashes.add(0, root(hasher, leaves, middle, end));
                end = middle;
            } else {
                hashes.add(0, root(hasher, leaves, begin, middle));
                begin = middle;
            }
        }
        return new AuditPath(hashes);
    }

    private static Hash root(TreeHasher hasher, byte[] leaves, int begin, int end) {
        byte[] level = Arrays.copyOfRange(leaves, begin * HASH_BYTES, end * HASH_BYTES);
        for (int count = end - begin; count > 1; count = (count + 1) / 2) {
            for (int i = 0; i + 1 < count; i += 2) {
                hasher.node(
                        level, i * HASH_BYTES, HASH_BYTES, (i + 1) * HASH_BYTES, HASH_BYTES, level, i / 2 * HASH_BYTES);
            }
            if (count % 2 == 1) { // promoted
                System.arraycopy(level, (count - 1) * HASH_BYTES, level, count / 2 * HASH_BYTES, HASH_BYTES);
            }
        }
        return Hash.copyOf(level, 0, HASH_BYTES);
    }

    /**
     * The root to which the path leads from a leaf; empty if the path's length does not fit the leaf.
     *
     * @param index the leaf's among {@code count} leaves, from 0
     */
    public Optional<Hash> root(byte[] leaf, long index, long count) {
        TreeHasher hasher = TreeHash.SHA256.newHasher();
        byte[] pair = new byte[2 * HASH_BYTES];
        byte[] node = leaf.clone();
        long at = index;
        long last = count - 1;
        for (Hash beside : hashes) {
            if (last == 0) {
                return Optional.empty();
            }
            while ((at & 1) == 0 && at == last) { // promoted, so it has no sibling
                at >>= 1;
                last >>= 1;
            }
            boolean right = (at & 1) == 1;
            System.arraycopy(node, 0, pair, right ? HASH_BYTES : 0, HASH_BYTES);
            beside.copyTo(pair, right ? 0 : HASH_BYTES);
            hasher.node(pair, 0, HASH_BYTES, HASH_BYTES, HASH_BYTES, node, 0);
            at >>= 1;
            last >>= 1;
        }
        return last == 0 ? Optional.of(Hash.copyOf(node)) : Optional.empty();
    }
}
