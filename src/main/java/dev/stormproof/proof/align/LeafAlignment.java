package dev.stormproof.proof.align;

import dev.stormproof.proof.tree.Leaves;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The alignment of expected leaves with observed ones: which are lost, altered, out of order or extra.
 *
 * <pre>
 *   expected   a  b  c  d  e  f
 *              |   \ |     :  |        c reordered, the second a duplicate, d lost,
 *   observed   a  c  b  a  X  f        e altered to X
 * </pre>
 *
 * <p>Every observed leaf is exactly one of
 *
 * <ul>
 *   <li>in order: paired with an expected leaf, and part of a longest chain of pairs in order;
 *   <li>{@linkplain #reordered() reordered}: paired with an expected leaf, and not part of that chain;
 *   <li>a {@linkplain #duplicates() duplicate}: one copy more of an expected leaf than there should be;
 *   <li>{@linkplain #foreign() foreign}: anything else;
 * </ul>
 *
 * <p>and a paired one may be {@linkplain #alteredObserved() altered}. An expected leaf without a partner is {@linkplain
 * #lost() lost}. {@link SignatureAligner#align} says which leaves are paired. Common beginnings and ends are trimmed, so that
 * the cost depends on the range between the first and the last fault.
 *
 * <p>Indices count from 0 in the given leaves; every list of them is ascending in its sequence. Between the common ends the
 * aligner finds a place for each item; after that nothing changes:
 *
 * <pre>
 *   expected   | prefix | places 0, 1, 2, …    | suffix |
 *   observed   | prefix | items 0, 1, 2, 3, …  | suffix |
 * </pre>
 */
public final class LeafAlignment {
    static final int NONE = -1;

    private static final byte IN_ORDER = 1;
    private static final byte REORDERED = 2;
    private static final byte DUPLICATE = 4;
    private static final byte ALTERED = 8;
    private static final byte ANY = 15;

    private final int prefix;
    /** For each item, the index of the expected leaf that it is, alters or copies. */
    private final int[] partners;
    /** The kind of each item; 0 as long as it is undecided, and in the end if it is foreign. */
    private final byte[] kinds;
    /** For each place, whether an item is paired with it. */
    private final boolean[] taken;

    private boolean exact;

    LeafAlignment(Leaves expected, Leaves observed, CommonPrefixSuffix ends) {
        int trimmed = ends.prefix() + ends.suffix();
        this.prefix = ends.prefix();
        this.partners = new int[observed.count() - trimmed];
        this.kinds = new byte[partners.length];
        this.taken = new boolean[expected.count() - trimmed];
        Arrays.fill(partners, NONE);
    }

    int itemCount() {
        return partners.length;
    }

    int placeCount() {
        return taken.length;
    }

    boolean isTaken(int place) {
        return taken[place];
    }

    boolean isOpen(int item) {
        return kinds[item] == 0;
    }

    boolean isInOrder(int item) {
        return (kinds[item] & IN_ORDER) != 0;
    }

    int placeOf(int item) {
        return partners[item] - prefix;
    }

    void inOrder(int item, int place) {
        take(item, place, IN_ORDER);
    }

    void reordered(int item, int place) {
        take(item, place, REORDERED);
    }

    /** The item was altered; it may be noted as in order too. */
    void altered(int item, int place) {
        take(item, place, ALTERED);
    }

    void duplicate(int item, int expectedIndex) {
        partners[item] = expectedIndex;
        kinds[item] |= DUPLICATE;
    }

    private void take(int item, int place, byte kind) {
        partners[item] = prefix + place;
        kinds[item] |= kind;
        taken[place] = true;
    }

    /** Notes that no chain is longer than that of the items in order. */
    void exact() {
        exact = true;
    }

    public boolean identical() {
        return partners.length == 0 && taken.length == 0;
    }

    /** Expected leaves without a partner. */
    public int[] lost() {
        return IntStream.range(0, taken.length)
                .filter(place -> !taken[place])
                .map(place -> prefix + place)
                .toArray();
    }

    public int[] foreign() {
        return observedOf(ANY, 0);
    }

    /** Observed leaves that are extra copies of {@linkplain #expectedIndexOf expected} ones. */
    public int[] duplicates() {
        return observedOf(DUPLICATE, DUPLICATE);
    }

    /** Observed leaves that are out of order; the fewest possible if {@link #minimal()}. */
    public int[] reordered() {
        return observedOf(REORDERED, REORDERED);
    }

    /** Expected leaves that were altered, in the order of {@link #alteredObserved()}. */
    public int[] alteredExpected() {
        return Arrays.stream(alteredObserved())
                .map(item -> partners[item - prefix])
                .toArray();
    }

    public int[] alteredObserved() {
        return observedOf(ALTERED, ALTERED);
    }

    /** The expected leaf that an observed one is, alters or copies; -1 for a foreign one. */
    public int expectedIndexOf(int observedIndex) {
        int item = observedIndex - prefix;
        if (item < 0) {
            return observedIndex;
        }
        return item < partners.length ? partners[item] : observedIndex + taken.length - partners.length;
    }

    /** False if a smaller set of reordered leaves might explain the difference. */
    public boolean minimal() {
        return exact || reordered().length == 0;
    }

    private int[] observedOf(int mask, int kind) {
        return IntStream.range(0, kinds.length)
                .filter(item -> (kinds[item] & mask) == kind)
                .map(item -> prefix + item)
                .toArray();
    }
}
