package dev.stormproof.proof.align;

import dev.stormproof.proof.tree.Leaves;

/**
 * The index of the places of each signature in leaves [begin, end): an open-addressing table with linear probing.
 *
 * <pre>
 *   table   [ …, fingerprint ‖ place, … ]        the first place of each signature
 *   next    [ …, next place of the same signature, or -1, … ]
 * </pre>
 *
 * <p>A place is an index minus begin. At least a fifth of the slots stays free. Costs 14 to 24 bytes a leaf.
 */
final class LeafIndex {
    static final int NONE = -1;

    private static final long PLACE_MASK = 0xffff_ffffL;

    private final Leaves leaves;
    private final int begin;
    private final long[] table;
    private final int[] next;
    private boolean repeats;

    LeafIndex(Leaves leaves, int begin, int end) {
        this.leaves = leaves;
        this.begin = begin;
        int count = end - begin;
        long wanted = count + (count >>> 2) + 1L;
        this.table = new long[(int) Math.min(1 << 30, Long.highestOneBit(wanted) << 1)];
        this.next = new int[count];
        // From the end, so that the chains of equal signatures ascend.
        for (int place = count - 1; place >= 0; place--) {
            add(place);
        }
    }

    /** The first place of the signature that {@code other} has at {@code index}, or {@link #NONE}. */
    int first(Leaves other, int index) {
        long hash = other.keyedHash(index);
        int slot = slotOf(hash, other, index);
        return (int) (table[slot] & PLACE_MASK) - 1;
    }

    /** True if {@code place} is one and has the signature that {@code other} has at {@code index}. */
    boolean isAt(int place, Leaves other, int index) {
        return place < next.length && leaves.equal(begin + place, other, index, 1);
    }

    /** The next place with the signature of {@code place}, or {@link #NONE}. */
    int next(int place) {
        return next[place];
    }

    boolean hasRepeats() {
        return repeats;
    }

    private void add(int place) {
        long hash = leaves.keyedHash(begin + place);
        int slot = slotOf(hash, leaves, begin + place);
        next[place] = (int) (table[slot] & PLACE_MASK) - 1;
        repeats |= next[place] != NONE;
        table[slot] = (hash & ~PLACE_MASK) | (place + 1L);
    }

    /** The slot that holds the signature, or the empty one where it belongs. */
    private int slotOf(long hash, Leaves other, int index) {
        int mask = table.length - 1;
        int slot = (int) hash & mask;
        while (true) {
            long entry = table[slot];
            int place = (int) (entry & PLACE_MASK) - 1;
            if (place == NONE
                    || (((entry ^ hash) & ~PLACE_MASK) == 0 && leaves.equal(begin + place, other, index, 1))) {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }
}
