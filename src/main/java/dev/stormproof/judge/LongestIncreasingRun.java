package dev.stormproof.judge;

import dev.stormproof.checkpoint.Event;
import java.util.Arrays;
import java.util.List;

/** A longest strictly increasing subsequence of the events' sequences, by patience sorting in O(n log n). */
final class LongestIncreasingRun {
    private LongestIncreasingRun() {}

    /** True at the places that belong to it. */
    static boolean[] of(List<Event> events) {
        int[] tails = new int[events.size()];
        int[] previous = new int[events.size()];
        int length = 0;
        for (int i = 0; i < events.size(); i++) {
            int at = lowerBound(events, tails, length, events.get(i).sequence());
            previous[i] = at == 0 ? -1 : tails[at - 1];
            tails[at] = i;
            length = Math.max(length, at + 1);
        }
        boolean[] kept = new boolean[events.size()];
        Arrays.fill(kept, false);
        for (int i = length == 0 ? -1 : tails[length - 1]; i >= 0; i = previous[i]) {
            kept[i] = true;
        }
        return kept;
    }

    private static int lowerBound(List<Event> events, int[] tails, int length, long sequence) {
        int low = 0;
        int high = length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (events.get(tails[middle]).sequence() < sequence) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
