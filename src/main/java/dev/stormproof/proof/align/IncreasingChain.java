package dev.stormproof.proof.align;

import java.util.Arrays;

/**
 * A longest chain of items whose places strictly increase, found by patience sorting.
 *
 * <p>Items are offered in ascending order, each at one place or at several in descending order. {@code tailPlaces[k]} is
 * the lowest place at which a chain of k + 1 items can end:
 *
 * <pre>
 *   offered places   0      3      1      2
 *   tail places      0      0 3    0 1    0 1 2
 * </pre>
 *
 * <p>Offering several places makes it the algorithm of Hunt and Szymanski (1977) for a longest common subsequence. Of two
 * items at one place the earlier stays. An offer takes O(log n), and O(1) where it makes the longest chain longer.
 */
public final class IncreasingChain {
    private static final int NONE = -1;

    private int length;
    private final int[] tailPlaces;
    private final int[] tailNodes;

    private int nodes;
    private int[] nodeItems;
    private int[] nodePlaces;
    private int[] nodePrevious;

    public IncreasingChain(int maxLength) {
        tailPlaces = new int[maxLength];
        tailNodes = new int[maxLength];
        nodeItems = new int[maxLength];
        nodePlaces = new int[maxLength];
        nodePrevious = new int[maxLength];
    }

    public void offer(int item, int place) {
        int at = length;
        if (length > 0 && place <= tailPlaces[length - 1]) {
            at = Arrays.binarySearch(tailPlaces, 0, length, place);
            if (at >= 0) {
                return;
            }
            at = -at - 1;
        }
        if (nodes == nodeItems.length) {
            int room = nodes + (nodes >> 1) + 1;
            nodeItems = Arrays.copyOf(nodeItems, room);
            nodePlaces = Arrays.copyOf(nodePlaces, room);
            nodePrevious = Arrays.copyOf(nodePrevious, room);
        }
        nodeItems[nodes] = item;
        nodePlaces[nodes] = place;
        nodePrevious[nodes] = at == 0 ? NONE : tailNodes[at - 1];
        tailPlaces[at] = place;
        tailNodes[at] = nodes++;
        length = Math.max(length, at + 1);
    }

    public interface Visitor {
        void visit(int item, int place);
    }

    /** Visits every item of the chain with its place, in descending order. */
    public void visitFromEnd(Visitor visitor) {
        int node = length == 0 ? NONE : tailNodes[length - 1];
        while (node != NONE) {
            visitor.visit(nodeItems[node], nodePlaces[node]);
            node = nodePrevious[node];
        }
    }
}
