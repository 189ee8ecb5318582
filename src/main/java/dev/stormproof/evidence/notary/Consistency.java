package dev.stormproof.evidence.notary;

import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.proof.tree.TreeHasher;
import java.util.List;

/** Checks a consistency proof as in RFC 9162, section 2.1.4.2. */
public final class Consistency {
    private static final int HASH_BYTES = NotedTree.HASH_BYTES;

    private final TreeHasher hasher = TreeHash.SHA256.newHasher();

    /** True if the proof shows that the tree of {@code later} begins with the leaves of {@code earlier}. */
    public boolean holds(TreeHead earlier, TreeHead later, List<Hash> proof) {
        boolean otherHashes = proof.stream().anyMatch(hash -> hash.sizeBytes() != HASH_BYTES);
        if (earlier.size() > later.size() || otherHashes) {
            return false;
        }
        if (earlier.size() == later.size() || earlier.size() == 0) {
            boolean same = earlier.size() == 0
                    ? earlier.root().equals(TreeHash.SHA256.emptyRoot())
                    : earlier.root().equals(later.root());
            return same && proof.isEmpty();
        }
        boolean power = Long.bitCount(earlier.size()) == 1;
        if (!power && proof.isEmpty()) {
            return false;
        }
        long first = earlier.size() - 1;
        long second = later.size() - 1;
        while ((first & 1) == 1) {
            first >>= 1;
            second >>= 1;
        }
        byte[] of1 = (power ? earlier.root() : proof.get(0)).toByteArray();
        byte[] of2 = of1.clone();
        for (Hash beside : power ? proof : proof.subList(1, proof.size())) {
            if (second == 0) {
                return false;
            }
            if ((first & 1) == 1 || first == second) {
                join(beside.toByteArray(), of1, of1);
                join(beside.toByteArray(), of2, of2);
                while ((first & 1) == 0 && first != 0) {
                    first >>= 1;
                    second >>= 1;
                }
            } else {
                join(of2, beside.toByteArray(), of2);
            }
            first >>= 1;
            second >>= 1;
        }
        boolean made = earlier.root().equals(Hash.copyOf(of1)) && later.root().equals(Hash.copyOf(of2));
        return second == 0 && made;
    }

    private void join(byte[] left, byte[] right, byte[] out) {
        byte[] pair = new byte[2 * HASH_BYTES];
        System.arraycopy(left, 0, pair, 0, HASH_BYTES);
        System.arraycopy(right, 0, pair, HASH_BYTES, HASH_BYTES);
        hasher.node(pair, 0, HASH_BYTES, HASH_BYTES, HASH_BYTES, out, 0);
    }
}
