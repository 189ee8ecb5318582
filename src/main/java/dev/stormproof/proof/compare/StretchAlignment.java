package dev.stormproof.proof.compare;

import dev.stormproof.proof.align.LeafAlignment;
import dev.stormproof.proof.align.SignatureAligner;
import dev.stormproof.proof.tree.Hash;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * An alignment of two stretches, whose end is not final: more records may change it.
 *
 * <pre>
 *   source   places  0 1 2 3 4 5 │ 6 7        the cut comes after the last pair in order of the first three quarters of
 *            pairs     |  X    | │            both, or after the first pair if that is later; what was moved across it
 *   target   items   0 1 2 3 4 5 │ 6 7        is compared, and drops out of what is kept
 * </pre>
 */
final class StretchAlignment {
    private static final int NONE = -1;

    private final Stretch source;
    private final Stretch target;
    private final Differences differences;
    private final LeafAlignment alignment;
    private final int[] items;
    private final int[] places;
    /** Of each place that has no pair, the item with the same key and value in the same gap. */
    private final int[] alteredItems;

    private final boolean[] isAltered;
    private final int[] inOrder;

    StretchAlignment(Stretch source, Stretch target, Differences differences) {
        this.source = source;
        this.target = target;
        this.differences = differences;
        this.alignment = SignatureAligner.align(source.leaves(), target.leaves());
        this.items = new int[source.entries().size()];
        this.places = new int[target.entries().size()];
        this.alteredItems = new int[items.length];
        this.isAltered = new boolean[places.length];
        Arrays.fill(items, NONE);
        Arrays.fill(alteredItems, NONE);
        Arrays.setAll(places, alignment::expectedIndexOf);
        unpair(alignment.duplicates());
        // What stands in another's place has nothing to do with it.
        unpair(alignment.alteredObserved());
        Set<Integer> moved = new HashSet<>();
        for (int item : alignment.reordered()) {
            moved.add(item);
        }
        for (int item = 0; item < places.length; item++) {
            if (places[item] != NONE) {
                items[places[item]] = item;
            }
        }
        this.inOrder = IntStream.range(0, places.length)
                .filter(item -> places[item] != NONE && !moved.contains(item))
                .toArray();
    }

    private void unpair(int[] observed) {
        for (int item : observed) {
            places[item] = NONE;
        }
    }

    /**
     * Notes the differences before the cut, and keeps the records after it. Returns false and does nothing if there is no pair in order.
     *
     * @param last true if both logs end with the stretches: everything is final
     */
    boolean commit(boolean last) {
        if (!last && inOrder.length == 0) {
            return false;
        }
        int pairs = last ? inOrder.length : finalPairs();
        int endItem = last ? places.length : inOrder[pairs - 1] + 1;
        int endPlace = last ? items.length : places[inOrder[pairs - 1]] + 1;
        Set<Integer> itemsGone = new HashSet<>();
        Set<Integer> placesGone = new HashSet<>();
        int item = 0;
        int place = 0;
        for (int pair = 0; pair <= pairs; pair++) {
            int nextItem = pair < pairs ? inOrder[pair] : endItem;
            int nextPlace = pair < pairs ? places[nextItem] : endPlace;
            pairAltered(place, nextPlace, item, nextItem);
            notePlaces(place, nextPlace, target.offsetAt(item), endItem, itemsGone);
            noteItems(item, nextItem, source.offsetAt(nextPlace), endPlace, placesGone);
            if (pair < pairs) {
                differences.pair();
            }
            item = nextItem + 1;
            place = nextPlace + 1;
        }
        source.keepFrom(endPlace, placesGone);
        target.keepFrom(endItem, itemsGone);
        return true;
    }

    private int finalPairs() {
        long mostItem = places.length * 3L / 4;
        long mostPlace = items.length * 3L / 4;
        int pairs = 0;
        while (pairs < inOrder.length && inOrder[pairs] < mostItem && places[inOrder[pairs]] < mostPlace) {
            pairs++;
        }
        return Math.max(1, pairs);
    }

    /** Pairs the records of a gap that have the same key and value, in order. */
    private void pairAltered(int place, int endPlace, int item, int endItem) {
        Map<Hash, ArrayDeque<Integer>> unpaired = new HashMap<>();
        for (int i = item; i < endItem; i++) {
            Hash body = target.entries().get(i).body();
            if (places[i] == NONE && body.sizeBytes() > 0) {
                unpaired.computeIfAbsent(body, same -> new ArrayDeque<>()).add(i);
            }
        }
        int next = item;
        for (int i = place; i < endPlace && !unpaired.isEmpty(); i++) {
            ArrayDeque<Integer> same =
                    unpaired.getOrDefault(source.entries().get(i).body(), new ArrayDeque<>());
            while (items[i] == NONE && !same.isEmpty() && alteredItems[i] == NONE) {
                int candidate = same.remove();
                if (candidate >= next) {
                    alteredItems[i] = candidate;
                    isAltered[candidate] = true;
                    next = candidate + 1;
                }
            }
        }
    }

    private void notePlaces(int begin, int end, long targetOffset, int endItem, Set<Integer> itemsGone) {
        for (int place = begin; place < end; place++) {
            long offset = source.offsetAt(place);
            int item = items[place];
            if (alteredItems[place] != NONE) {
                differences.altered(offset, target.offsetAt(alteredItems[place]));
            } else if (item == NONE) {
                differences.missing(offset, offset + 1, targetOffset, 1);
            } else {
                differences.reordered(offset, target.offsetAt(item));
            }
            if (item >= endItem) {
                itemsGone.add(item);
            }
        }
    }

    private void noteItems(int begin, int end, long sourceOffset, int endPlace, Set<Integer> placesGone) {
        for (int item = begin; item < end; item++) {
            long offset = target.offsetAt(item);
            int place = places[item];
            if (place == NONE && !isAltered[item]) {
                differences.extra(sourceOffset, offset, offset + 1, 1);
            } else if (place >= endPlace) {
                differences.reordered(source.offsetAt(place), offset);
                placesGone.add(place);
            }
        }
    }
}
