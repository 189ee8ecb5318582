package dev.stormproof.bench.naive;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Names what differs between expected and observed signatures as one writes it at first: a map from signature to place,
 * and a longest increasing subsequence over the places.
 *
 * <p>The yardstick for {@code SignatureAligner}, for signatures of which none is expected twice. An unknown signature right
 * behind a leaf in order whose successor is nowhere is that one, altered.
 *
 * @param lost indices in expected
 * @param altered indices in observed
 * @param foreign indices in observed
 * @param duplicates indices in observed
 * @param reordered indices in observed
 */
public record MapAlignment(
        List<Integer> lost,
        List<Integer> altered,
        List<Integer> foreign,
        List<Integer> duplicates,
        List<Integer> reordered) {
    private static final int NONE = -1;
    private static final int UNKNOWN = -2;
    private static final int DUPLICATE = -3;

    public static MapAlignment of(List<String> expected, List<String> observed) {
        Map<String, Integer> places = new HashMap<>(2 * expected.size());
        for (int place = 0; place < expected.size(); place++) {
            places.put(expected.get(place), place);
        }
        boolean[] found = new boolean[expected.size()];
        int[] placeOf = new int[observed.size()];
        List<Integer> duplicates = new ArrayList<>();
        for (int i = 0; i < observed.size(); i++) {
            Integer place = places.get(observed.get(i));
            if (place == null) {
                placeOf[i] = UNKNOWN;
            } else if (found[place]) {
                placeOf[i] = DUPLICATE;
                duplicates.add(i);
            } else {
                found[place] = true;
                placeOf[i] = place;
            }
        }
        boolean[] inOrder = longestIncreasing(placeOf);
        List<Integer> altered = new ArrayList<>();
        List<Integer> foreign = new ArrayList<>();
        List<Integer> reordered = new ArrayList<>();
        int next = 0;
        for (int i = 0; i < placeOf.length; i++) {
            if (inOrder[i]) {
                next = placeOf[i] + 1;
            } else if (placeOf[i] >= 0) {
                reordered.add(i);
            } else if (placeOf[i] == UNKNOWN && next < found.length && !found[next]) {
                found[next++] = true;
                altered.add(i);
            } else if (placeOf[i] == UNKNOWN) {
                foreign.add(i);
            }
        }
        List<Integer> lost = new ArrayList<>();
        for (int place = 0; place < found.length; place++) {
            if (!found[place]) {
                lost.add(place);
            }
        }
        return new MapAlignment(lost, altered, foreign, duplicates, reordered);
    }

    /** Which of the places, negative ones left out, make up a longest increasing subsequence. */
    private static boolean[] longestIncreasing(int[] placeOf) {
        int[] tails = new int[placeOf.length];
        int[] previous = new int[placeOf.length];
        int length = 0;
        for (int i = 0; i < placeOf.length; i++) {
            if (placeOf[i] < 0) {
                continue;
            }
            int low = 0;
            int high = length;
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (placeOf[tails[middle]] < placeOf[i]) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            previous[i] = low == 0 ? NONE : tails[low - 1];
            tails[low] = i;
            length = Math.max(length, low + 1);
        }
        boolean[] inOrder = new boolean[placeOf.length];
        for (int i = length == 0 ? NONE : tails[length - 1]; i != NONE; i = previous[i]) {
            inOrder[i] = true;
        }
        return inOrder;
    }

    /** How many indices are named in all. */
    public int count() {
        return lost.size() + altered.size() + foreign.size() + duplicates.size() + reordered.size();
    }
}
