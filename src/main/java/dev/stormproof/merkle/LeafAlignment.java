package dev.stormproof.merkle;

/**
 * The alignment of expected leaves with observed ones: which are lost, altered or out of order, and what is there besides.
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
 * #lost() lost}. {@link #of} says which leaves are paired. Common beginnings and ends are trimmed, so that the
 * cost depends on what lies between the first and the last fault.
 *
 * <p>Indices count from 0 in the leaves that {@link #of} was given; every list of them that goes by one of the two sequences
 * ascends in it. Immutable.
 */
public final class LeafAlignment {
    /** How many pairs of equal signatures, for each observed leaf, are looked at for an exact result by signature. */
    public static final long MOST_PAIRS_PER_LEAF = 2;

    /** How many are looked at if there are few leaves. */
    public static final long MOST_PAIRS_FLOOR = 4096;

    /** How many losses and additions are looked at for an exact result if there are more pairs than that. */
    public static final int MOST_EDITS = 1_000;

    private final AlignmentDraft draft;
    private final boolean exact;

    private LeafAlignment(SignatureAligner.Result result) {
        this.draft = result.draft();
        this.exact = result.exact();
    }

    /**
     * Aligns by signature alone: what has the same signature is paired.
     *
     * <p>The chain is a longest common subsequence, after J. W. Hunt and T. G. Szymanski, "A fast algorithm for computing
     * longest common subsequences" (1977). Where no signature is expected twice that is a longest increasing subsequence.
     * Where equal signatures make more than {@link #MOST_PAIRS_PER_LEAF} pairs for each leaf, it is found after E. W. Myers,
     * "An O(ND) difference algorithm and its variations" (1986). Only where that would take more than {@link #MOST_EDITS}
     * edits, k-th occurrences of a signature are paired with k-th ones, and more leaves may be called reordered than need
     * be: see {@link #minimal()}.
     *
     * <p>Between two leaves in order, the first missing leaf and the first of an unknown signature make an altered one,
     * then the second ones, and so on; the rest is lost or foreign.
     */
    public static LeafAlignment of(Leaves expected, Leaves observed) {
        long mostPairs = Math.max(MOST_PAIRS_FLOOR, MOST_PAIRS_PER_LEAF * observed.count());
        return of(expected, observed, mostPairs, MOST_EDITS);
    }

    static LeafAlignment of(Leaves expected, Leaves observed, long mostPairs, int mostEdits) {
        return new LeafAlignment(SignatureAligner.align(expected, observed, mostPairs, mostEdits));
    }

    /** True if both are the same, leaf by leaf. */
    public boolean identical() {
        return draft.itemCount() == 0 && draft.placeCount() == 0;
    }

    /** Expected leaves that are nowhere. */
    public int[] lost() {
        return draft.lost();
    }

    /** Observed leaves beyond the expected ones. */
    public int[] foreign() {
        return draft.foreign();
    }

    /** Observed leaves that are one copy more than expected; {@link #expectedIndexOf} says of which. */
    public int[] duplicates() {
        return draft.duplicates();
    }

    /** Observed leaves that are out of order; no fewer could be if {@link #minimal()}. */
    public int[] reordered() {
        return draft.reordered();
    }

    /** Expected leaves that were altered, in the order of {@link #alteredObserved()}. */
    public int[] alteredExpected() {
        return draft.alteredExpected();
    }

    /** Observed leaves that were altered. */
    public int[] alteredObserved() {
        return draft.alteredObserved();
    }

    /** The expected leaf that an observed one is, alters or copies; -1 of a foreign one. */
    public int expectedIndexOf(int observedIndex) {
        return draft.expectedIndexOf(observedIndex);
    }

    /** False if a smaller set of reordered leaves might explain the difference. */
    public boolean minimal() {
        return exact || reordered().length == 0;
    }
}
