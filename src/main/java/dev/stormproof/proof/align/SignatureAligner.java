package dev.stormproof.proof.align;

import dev.stormproof.proof.tree.Leaves;
import java.util.Arrays;
import java.util.stream.IntStream;

/** Aligns leaves by their signatures. Belongs to one thread, for one alignment. */
public final class SignatureAligner {
    /** How many pairs of equal signatures for each observed leaf are compared for an exact result. */
    public static final long MOST_PAIRS_PER_LEAF = 2;

    /** How many pairs are compared if there are few leaves. */
    public static final long MOST_PAIRS_FLOOR = 4096;

    /** How many losses and additions are tried for an exact result if there are more pairs. */
    public static final int MOST_EDITS = 1_000;

    private static final int NONE = LeafIndex.NONE;

    private final Leaves expected;
    private final Leaves observed;
    private final CommonPrefixSuffix ends;
    private final LeafAlignment alignment;
    private final LeafIndex index;
    private final int[] firstPlaces;

    private SignatureAligner(Leaves expected, Leaves observed, CommonPrefixSuffix ends) {
        this.expected = expected;
        this.observed = observed;
        this.ends = ends;
        this.alignment = new LeafAlignment(expected, observed, ends);
        this.index = new LeafIndex(expected, ends.prefix(), expected.count() - ends.suffix());
        this.firstPlaces = new int[alignment.itemCount()];
        findFirstPlaces();
    }

    /** Most leaves follow the one that they followed before, so that a guess saves most searches. */
    private void findFirstPlaces() {
        boolean guess = !index.hasRepeats();
        int place = NONE;
        for (int item = 0; item < firstPlaces.length; item++) {
            int observedIndex = ends.prefix() + item;
            place = guess && index.isAt(place + 1, observed, observedIndex)
                    ? place + 1
                    : index.first(observed, observedIndex);
            firstPlaces[item] = place;
        }
    }

    /**
     * Aligns by signature alone: leaves of the same signature are paired.
     *
     * <p>The chain is a longest common subsequence, after J. W. Hunt and T. G. Szymanski, "A fast algorithm for computing
     * longest common subsequences" (1977). Where no signature is expected twice that is a longest increasing subsequence.
     * Where equal signatures make more than {@link #MOST_PAIRS_PER_LEAF} pairs for each leaf, it is found after E. W. Myers,
     * "An O(ND) difference algorithm and its variations" (1986). Only where that would take more than {@link #MOST_EDITS}
     * edits, k-th occurrences of a signature are paired with k-th ones, and more leaves may be called reordered than need
     * be: see {@link LeafAlignment#minimal()}.
     *
     * <p>Between two leaves in order, the first missing leaf and the first of an unknown signature make an altered one,
     * then the second ones, and so on; the rest is lost or foreign.
     */
    public static LeafAlignment align(Leaves expected, Leaves observed) {
        long mostPairs = Math.max(MOST_PAIRS_FLOOR, MOST_PAIRS_PER_LEAF * observed.count());
        return align(expected, observed, mostPairs, MOST_EDITS);
    }

    static LeafAlignment align(Leaves expected, Leaves observed, long mostPairs, int mostEdits) {
        SignatureAligner aligner = new SignatureAligner(expected, observed, CommonPrefixSuffix.of(expected, observed));
        if (aligner.pairInOrder(mostPairs, mostEdits)) {
            aligner.alignment.exact();
        }
        aligner.findCopiesOfEnds();
        aligner.pairAltered();
        aligner.pairRest();
        return aligner.alignment;
    }

    /** Pairs a longest chain in order, or one that may be shorter; true if no longer one is possible. */
    private boolean pairInOrder(long mostPairs, int mostEdits) {
        if (hasAtMost(mostPairs)) {
            pairByPlaces();
            return true;
        }
        GreedyDiff diff = new GreedyDiff(classes(), firstPlaces, mostEdits);
        if (diff.search()) {
            diff.visitFromEnd(alignment::inOrder);
            return true;
        }
        pairKthOccurrences();
        return false;
    }

    private boolean hasAtMost(long mostPairs) {
        if (!index.hasRepeats()) {
            return true;
        }
        long pairs = 0;
        for (int firstPlace : firstPlaces) {
            for (int place = firstPlace; place != NONE; place = index.next(place)) {
                if (++pairs > mostPairs) {
                    return false;
                }
            }
        }
        return true;
    }

    private void pairByPlaces() {
        IncreasingChain chain = newChain();
        int[] descending = new int[1];
        for (int item = 0; item < firstPlaces.length; item++) {
            int count = 0;
            for (int place = firstPlaces[item]; place != NONE; place = index.next(place)) {
                if (count == descending.length) {
                    descending = Arrays.copyOf(descending, 2 * count);
                }
                descending[count++] = place;
            }
            while (count > 0) {
                chain.offer(item, descending[--count]);
            }
        }
        chain.visitFromEnd(alignment::inOrder);
    }

    private void pairKthOccurrences() {
        int[] nextPlaces = newCursors();
        IncreasingChain chain = newChain();
        for (int item = 0; item < firstPlaces.length; item++) {
            int first = firstPlaces[item];
            if (first != NONE && nextPlaces[first] != NONE) {
                chain.offer(item, nextPlaces[first]);
                nextPlaces[first] = index.next(nextPlaces[first]);
            }
        }
        chain.visitFromEnd(alignment::inOrder);
    }

    /** Pairs items out of order with the free places of their signature; an item without one is a duplicate. */
    private void pairRest() {
        int[] nextPlaces = newCursors();
        for (int item = 0; item < firstPlaces.length; item++) {
            int first = firstPlaces[item];
            if (first != NONE && alignment.isOpen(item)) {
                int place = nextPlaces[first];
                while (place != NONE && alignment.isTaken(place)) {
                    place = index.next(place);
                }
                nextPlaces[first] = place;
                if (place != NONE) {
                    alignment.reordered(item, place);
                } else {
                    alignment.duplicate(item, ends.prefix() + first);
                }
            }
        }
    }

    private int[] newCursors() {
        int[] cursors = new int[alignment.placeCount()];
        Arrays.setAll(cursors, place -> place);
        return cursors;
    }

    private IncreasingChain newChain() {
        return new IncreasingChain(Math.min(alignment.placeCount(), alignment.itemCount()));
    }

    /** Finds copies of leaves in the common ends, all of which have their partners there. */
    private void findCopiesOfEnds() {
        int[] unknownItems = IntStream.range(0, firstPlaces.length)
                .filter(item -> firstPlaces[item] == NONE)
                .toArray();
        if (unknownItems.length > 0) {
            Leaves.Builder unknown = Leaves.builder();
            for (int item : unknownItems) {
                int index = ends.prefix() + item;
                unknown.append(observed, index);
            }
            findInEnds(unknown.build(), unknownItems);
        }
    }

    private void findInEnds(Leaves unknown, int[] unknownItems) {
        BloomFilter filter = new BloomFilter(unknown);
        LeafIndex unknownIndex = new LeafIndex(unknown, 0, unknown.count());
        int suffixBegin = expected.count() - ends.suffix();
        for (int i = 0; i < ends.prefix(); i++) {
            if (filter.mayContain(expected, i)) {
                markCopies(unknownIndex, unknownItems, i);
            }
        }
        for (int i = suffixBegin; i < expected.count(); i++) {
            if (filter.mayContain(expected, i)) {
                markCopies(unknownIndex, unknownItems, i);
            }
        }
    }

    private void markCopies(LeafIndex unknownIndex, int[] unknownItems, int expectedIndex) {
        int at = unknownIndex.first(expected, expectedIndex);
        if (at != NONE && alignment.isOpen(unknownItems[at])) {
            for (; at != NONE; at = unknownIndex.next(at)) {
                alignment.duplicate(unknownItems[at], expectedIndex);
            }
        }
    }

    /**
     * Pairs, between two items in order, the places that no item is left for with the items of unknown signature.
     *
     * <p>Of a repeated signature it is free which place is lost and which one's leaf is elsewhere; being altered comes first.
     */
    private void pairAltered() {
        int[] classes = classes();
        int[] missing = countMissing(classes);
        int place = 0;
        int begin = 0;
        for (int item = 0; item <= alignment.itemCount(); item++) {
            if (item == alignment.itemCount() || alignment.isInOrder(item)) {
                int endPlace = item == alignment.itemCount() ? alignment.placeCount() : alignment.placeOf(item);
                pairAltered(begin, item, place, endPlace, classes, missing);
                begin = item + 1;
                place = endPlace + 1;
            }
        }
    }

    private void pairAltered(int beginItem, int endItem, int beginPlace, int endPlace, int[] classes, int[] missing) {
        int place = beginPlace;
        for (int item = beginItem; item < endItem; item++) {
            if (firstPlaces[item] == NONE && alignment.isOpen(item)) {
                while (place < endPlace && (alignment.isTaken(place) || missing[classes[place]] == 0)) {
                    place++;
                }
                if (place == endPlace) {
                    return;
                }
                missing[classes[place]]--;
                alignment.altered(item, place);
            }
        }
    }

    /** For the first place of each signature, how many more places than items it has, without those in order. */
    private int[] countMissing(int[] classes) {
        int[] missing = new int[classes.length];
        for (int place = 0; place < classes.length; place++) {
            missing[classes[place]] += alignment.isTaken(place) ? 0 : 1;
        }
        for (int item = 0; item < firstPlaces.length; item++) {
            int first = firstPlaces[item];
            if (first != NONE && alignment.isOpen(item) && missing[first] > 0) {
                missing[first]--;
            }
        }
        return missing;
    }

    private int[] classes() {
        int[] classes = newCursors();
        if (index.hasRepeats()) {
            for (int place = 0; place < classes.length; place++) {
                if (index.next(place) != NONE) {
                    classes[index.next(place)] = classes[place];
                }
            }
        }
        return classes;
    }
}
