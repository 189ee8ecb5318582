package dev.stormproof.proof.align;

import java.util.Arrays;

/**
 * A longest common subsequence of two sequences that differ in few edits, by E. W. Myers, "An O(ND) difference algorithm
 * and its variations" (1986), however often items repeat.
 *
 * <pre>
 *             observed, y
 *           0 ─────────────►
 *   place   │ ╲            an edit goes right or down, from one diagonal k = x − y to the next;
 *     x     │   ╲          equal items are passed diagonally for nothing; furthest[d] holds for each diagonal
 *           ▼    └─╲       how far d edits reach
 * </pre>
 *
 * <p>Takes O((N + M) D) for D edits, and D²/2 ints.
 */
final class GreedyDiff {
    private final int[] expected;
    private final int[] observed;
    /** For each count of edits d the furthest x on the diagonals -d, -d + 2, …, d. */
    private final int[][] furthest;

    private int edits = -1;

    /**
     * @param expected equal ints for equal items
     * @param observed the same
     * @param mostEdits how many edits are tried; memory grows with its square
     */
    GreedyDiff(int[] expected, int[] observed, int mostEdits) {
        this.expected = expected;
        this.observed = observed;
        this.furthest = new int[mostEdits + 1][];
    }

    /** Looks for the subsequence; false if it takes more edits than are tried. */
    boolean search() {
        for (int d = 0; d < furthest.length; d++) {
            int[] reached = new int[d + 1];
            for (int i = 0; i <= d; i++) {
                int k = 2 * i - d;
                int x = d == 0 ? 0 : stepInto(d, i);
                x = slide(x, k);
                reached[i] = x;
                if (x >= expected.length && x - k >= observed.length) {
                    furthest[d] = Arrays.copyOf(reached, i + 1);
                    edits = d;
                    return true;
                }
            }
            furthest[d] = reached;
        }
        return false;
    }

    /** Visits every pair of the subsequence, in descending order. */
    void visitFromEnd(IncreasingChain.Visitor visitor) {
        int x = expected.length;
        int y = observed.length;
        for (int d = edits; d > 0; d--) {
            int i = (x - y + d) / 2;
            boolean down = comesDown(d, i);
            int previousX = furthest[d - 1][down ? i : i - 1];
            int previousY = previousX - (down ? x - y + 1 : x - y - 1);
            while (x > previousX && y > previousY) {
                visitor.visit(--y, --x);
            }
            x = previousX;
            y = previousY;
        }
        while (x > 0) {
            visitor.visit(--y, --x);
        }
    }

    private int stepInto(int d, int i) {
        return comesDown(d, i) ? furthest[d - 1][i] : furthest[d - 1][i - 1] + 1;
    }

    private boolean comesDown(int d, int i) {
        return i == 0 || (i < d && furthest[d - 1][i - 1] < furthest[d - 1][i]);
    }

    private int slide(int begin, int k) {
        int x = begin;
        while (x < expected.length && x - k < observed.length && expected[x] == observed[x - k]) {
            x++;
        }
        return x;
    }
}
