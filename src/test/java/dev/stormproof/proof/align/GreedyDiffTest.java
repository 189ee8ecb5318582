package dev.stormproof.proof.align;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class GreedyDiffTest {
    /** All sequences of up to five items of two kinds. */
    @Test
    void theSubsequenceOfTwoSmallSequencesIsALongest() {
        List<int[]> all = new ArrayList<>();
        for (int size = 0; size <= 5; size++) {
            for (int bits = 0; bits < 1 << size; bits++) {
                int[] items = new int[size];
                for (int i = 0; i < size; i++) {
                    items[i] = bits >> i & 1;
                }
                all.add(items);
            }
        }
        for (int[] expected : all) {
            for (int[] observed : all) {
                String name = Arrays.toString(expected) + " and " + Arrays.toString(observed);
                int longest = longest(expected, observed);
                int edits = expected.length + observed.length - 2 * longest;
                assertThat(pairs(expected, observed, edits)).as(name).isEqualTo(longest);
                if (edits > 0) {
                    assertThat(new GreedyDiff(expected, observed, edits - 1).search())
                            .as(name)
                            .isFalse();
                }
            }
        }
    }

    /** How many pairs there are, each of equal items and before the one that was visited last. */
    private static int pairs(int[] expected, int[] observed, int mostEdits) {
        GreedyDiff diff = new GreedyDiff(expected, observed, mostEdits);
        assertThat(diff.search()).isTrue();
        int[] last = {observed.length, expected.length, 0};
        diff.visitFromEnd((item, place) -> {
            assertThat(observed[item]).isEqualTo(expected[place]);
            assertThat(item).isLessThan(last[0]);
            assertThat(place).isLessThan(last[1]);
            last[0] = item;
            last[1] = place;
            last[2]++;
        });
        return last[2];
    }

    private static int longest(int[] some, int[] others) {
        int[][] longest = new int[some.length + 1][others.length + 1];
        for (int i = 1; i <= some.length; i++) {
            for (int j = 1; j <= others.length; j++) {
                longest[i][j] = some[i - 1] == others[j - 1]
                        ? longest[i - 1][j - 1] + 1
                        : Math.max(longest[i - 1][j], longest[i][j - 1]);
            }
        }
        return longest[some.length][others.length];
    }
}
