package dev.stormproof.merkle;

/** Aligns leaves by the places that they claim, as {@link LeafAlignment#ofPlaced} says. For one alignment. */
final class PlaceAligner {
    private static final int NONE = -1;

    private final Leaves expected;
    private final Leaves observed;
    private final int[] places;
    private final CommonEnds ends;
    private final AlignmentDraft draft;
    /** For each place between the common ends whether an observed leaf with its signature claims it. */
    private final boolean[] intact;

    /** {@code places} is read only while this is in use. */
    PlaceAligner(Leaves expected, Leaves observed, int[] places) {
        if (places.length != observed.count()) {
            throw new IllegalArgumentException(places.length + " places for " + observed);
        }
        for (int place : places) {
            if (place < NONE || place >= expected.count()) {
                throw new IllegalArgumentException("place " + place + " in " + expected);
            }
        }
        this.expected = expected;
        this.observed = observed;
        this.places = places;
        this.ends = endsInPlace();
        this.draft = new AlignmentDraft(expected, observed, ends);
        this.intact = new boolean[draft.placeCount()];
    }

    LeafAlignment align() {
        markIntact();
        pairLongestChain();
        pairRest();
        return new LeafAlignment(draft, true, ends, observed.count());
    }

    /** The common ends as far as their leaves claim the places where they are. */
    private CommonEnds endsInPlace() {
        CommonEnds common = CommonEnds.of(expected, observed);
        int prefix = 0;
        while (prefix < common.prefix() && places[prefix] == prefix) {
            prefix++;
        }
        int suffix = 0;
        while (suffix < common.suffix() && places[observed.count() - 1 - suffix] == expected.count() - 1 - suffix) {
            suffix++;
        }
        return new CommonEnds(prefix, suffix);
    }

    private void markIntact() {
        for (int item = 0; item < draft.itemCount(); item++) {
            int place = placeOf(item);
            if (isBetweenEnds(place) && isIntact(item)) {
                intact[place] = true;
            }
        }
    }

    private void pairLongestChain() {
        IncreasingChain chain = new IncreasingChain(Math.min(draft.placeCount(), draft.itemCount()));
        for (int item = 0; item < draft.itemCount(); item++) {
            int place = placeOf(item);
            if (isBetweenEnds(place) && isCandidate(item, place)) {
                chain.offer(item, place);
            }
        }
        chain.visitFromEnd((item, place) -> {
            draft.inOrder(item, place);
            markIfAltered(item, place);
        });
    }

    /** Pairs what is not part of the chain with what is left, and names the copies. */
    private void pairRest() {
        int[] paired = new int[draft.placeCount()];
        for (int item = 0; item < draft.itemCount(); item++) {
            if (draft.isInOrder(item)) {
                paired[draft.placeOf(item)] = item;
            }
        }
        for (int item = 0; item < draft.itemCount(); item++) {
            int place = placeOf(item);
            if (!draft.isOpen(item)) {
                continue;
            }
            if (!isBetweenEnds(place)) {
                // Claims no place, or one in a common end, which an intact leaf has.
                markIfCopy(item, isClaimed(item) && isIntact(item));
            } else if (draft.isTaken(place)) {
                markIfCopy(item, equalLeaves(item, observed, ends.prefix() + paired[place]));
            } else if (isCandidate(item, place)) {
                draft.reordered(item, place);
                markIfAltered(item, place);
                paired[place] = item;
            }
        }
    }

    private void markIfAltered(int item, int place) {
        if (!intact[place]) {
            draft.altered(item, place);
        }
    }

    private void markIfCopy(int item, boolean copy) {
        if (copy) {
            draft.duplicate(item, places[ends.prefix() + item]);
        }
    }

    /** True if the item may be paired with the place that it claims: intact, or nobody who claims it is. */
    private boolean isCandidate(int item, int place) {
        return !intact[place] || isIntact(item);
    }

    /** True if the item has the signature that is expected at the place that it claims. */
    private boolean isIntact(int item) {
        return equalLeaves(item, expected, places[ends.prefix() + item]);
    }

    private boolean isClaimed(int item) {
        return places[ends.prefix() + item] != NONE;
    }

    /** The place that the item claims, counted from the end of the prefix. */
    private int placeOf(int item) {
        return places[ends.prefix() + item] - ends.prefix();
    }

    private boolean isBetweenEnds(int place) {
        return place >= 0 && place < draft.placeCount();
    }

    private boolean equalLeaves(int item, Leaves other, int index) {
        int begin = other.begin(index);
        return observed.contentEquals(ends.prefix() + item, other.packed(), begin, other.begin(index + 1) - begin);
    }
}
