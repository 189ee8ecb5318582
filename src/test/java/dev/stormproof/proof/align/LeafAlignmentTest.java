package dev.stormproof.proof.align;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.tree.Leaves;
import dev.stormproof.proof.tree.Seed;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeafAlignmentTest {
    /** More than what the common ends compare at a stroke, at either side of every fault. */
    private static final int COUNT = 5_000;

    private final List<String> observed = new ArrayList<>(
            IntStream.range(0, COUNT).mapToObj(Integer::toString).toList());
    private final Leaves expected = leaves(observed);

    @Test
    void equalLeavesAreIdentical() {
        LeafAlignment alignment = align();
        assertThat(alignment.identical()).isTrue();
        assertThat(alignment.minimal()).isTrue();
        assertThat(alignment.expectedIndexOf(0)).isZero();
        assertThat(alignment.expectedIndexOf(COUNT - 1)).isEqualTo(COUNT - 1);
        assertNamed(alignment, "");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 511, 512, 513, 2_500, COUNT - 513, COUNT - 512, COUNT - 2, COUNT - 1})
    void aLostLeafIsNamedWhereverItWas(int lost) {
        observed.remove(lost);
        LeafAlignment alignment = align();
        assertThat(alignment.identical()).isFalse();
        assertNamed(alignment, "lost [" + lost + "] ");
        for (int i = 0; i < observed.size(); i++) {
            assertThat(alignment.expectedIndexOf(i)).isEqualTo(i < lost ? i : i + 1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 512, 2_500, COUNT - 2, COUNT - 1})
    void aDuplicateIsTheSecondOfTwo(int original) {
        observed.add(original + 1, observed.get(original));
        LeafAlignment alignment = align();
        assertNamed(alignment, "duplicates [" + (original + 1) + "] ");
        assertThat(alignment.expectedIndexOf(original + 1)).isEqualTo(original);
    }

    @Test
    void aDuplicateFarFromItsOriginalIsFoundInTheCommonEnds() {
        observed.add(2_500, "7");
        observed.add(2_501, "4990");
        observed.add(2_501, "4990");
        LeafAlignment alignment = align();
        assertNamed(alignment, "duplicates [2500, 2501, 2502] ");
        assertThat(alignment.expectedIndexOf(2_500)).isEqualTo(7);
        assertThat(alignment.expectedIndexOf(2_501)).isEqualTo(4_990);
        assertThat(alignment.expectedIndexOf(2_502)).isEqualTo(4_990);
    }

    @Test
    void aSwapOfNeighboursIsOneReorderedLeaf() {
        Collections.swap(observed, 100, 101);
        assertThat(align().reordered()).hasSize(1).containsAnyOf(100, 101);
    }

    @Test
    void aMovedLeafIsTheOnlyOneReordered() {
        observed.add(4_000, observed.remove(300));
        LeafAlignment alignment = align();
        assertNamed(alignment, "reordered [4000] ");
        assertThat(alignment.expectedIndexOf(4_000)).isEqualTo(300);
        observed.clear();
        IntStream.range(0, COUNT).forEach(i -> observed.add(Integer.toString(i)));
        observed.add(300, observed.remove(4_000));
        assertNamed(align(), "reordered [300] ");
    }

    @Test
    void anAlteredLeafIsNamedOnBothSides() {
        observed.set(42, "x");
        LeafAlignment alignment = align();
        assertNamed(alignment, "altered [42] by [42] ");
        assertThat(alignment.expectedIndexOf(42)).isEqualTo(42);
    }

    @Test
    void theRestOfAGapIsLostOrForeign() {
        observed.set(10, "x");
        observed.remove(11);
        observed.set(20, "y");
        observed.add(21, "z");
        LeafAlignment alignment = align();
        // Index 20 of what was observed is leaf 21, since 11 is gone.
        assertNamed(alignment, "lost [11] foreign [21] altered [10, 21] by [10, 20] ");
        assertThat(alignment.expectedIndexOf(21)).isEqualTo(-1);
    }

    @Test
    void nothingObservedIsAllLostAndNothingExpectedAllForeign() {
        assertThat(SignatureAligner.align(expected, Leaves.empty()).lost()).hasSize(COUNT);
        assertThat(SignatureAligner.align(Leaves.empty(), expected).foreign()).hasSize(COUNT);
        assertThat(SignatureAligner.align(Leaves.empty(), Leaves.empty()).identical())
                .isTrue();
    }

    @Test
    void aBeginningOfOtherSizesIsNoCommonBeginning() {
        LeafAlignment alignment = SignatureAligner.align(leaves(List.of("ab", "c")), leaves(List.of("a", "bc")));
        assertNamed(alignment, "altered [0, 1] by [0, 1] ");
    }

    @Test
    void fewFaultsAmongManyEqualLeavesAreExact() {
        List<String> pattern = alternating();
        Leaves alternating = leaves(pattern);
        pattern.set(100, "x");
        Collections.swap(pattern, 1_000, 1_001);
        pattern.remove(2_000);
        pattern.add(4_000, "a");
        LeafAlignment alignment = SignatureAligner.align(alternating, leaves(pattern));
        assertThat(alignment.minimal()).isTrue();
        // The loss of one a and the other a too many, far from there, are one move of an a.
        assertThat(alignment.reordered()).hasSize(2);
        assertThat(alignment.alteredObserved()).containsExactly(100);
        assertThat(alignment.lost()).isEmpty();
        assertThat(alignment.foreign()).isEmpty();
        assertThat(alignment.duplicates()).isEmpty();
    }

    @Test
    void tooManyFaultsAmongManyEqualLeavesMayNotBeMinimal() {
        List<String> pattern = alternating();
        Leaves alternating = leaves(pattern);
        for (int i = 1; i + 4 < COUNT; i += 4) {
            Collections.swap(pattern, i, i + 1);
        }
        LeafAlignment alignment = SignatureAligner.align(alternating, leaves(pattern));
        assertThat(alignment.minimal()).isFalse();
        assertThat(alignment.reordered()).isNotEmpty();
        assertThat(alignment.lost()).isEmpty();
        assertThat(alignment.foreign()).isEmpty();
        assertThat(alignment.duplicates()).isEmpty();
    }

    private static List<String> alternating() {
        return new ArrayList<>(
                IntStream.range(0, COUNT).mapToObj(i -> i % 2 == 0 ? "a" : "b").toList());
    }

    @Test
    void manyFaultsOfEveryKindAreAllNamed() {
        Seed seed = Seed.next();
        SplittableRandom random = seed.random();
        List<Integer> lost = new ArrayList<>();
        List<Integer> duplicated = new ArrayList<>();
        List<Integer> moved = new ArrayList<>();
        List<Integer> altered = new ArrayList<>();
        observed.clear();
        // One fault in every ten leaves, never in the first or last of them.
        for (int begin = 0; begin < COUNT; begin += 10) {
            List<String> ten = new ArrayList<>(IntStream.range(begin, begin + 10)
                    .mapToObj(Integer::toString)
                    .toList());
            int at = 1 + random.nextInt(4);
            switch (random.nextInt(4)) {
                case 0 -> lost.add(Integer.parseInt(ten.remove(at)));
                case 1 -> {
                    ten.add(8, ten.get(at));
                    duplicated.add(observed.size() + 8);
                }
                case 2 -> {
                    ten.add(7, ten.remove(at));
                    moved.add(observed.size() + 7);
                }
                default -> {
                    ten.set(at, "x" + at);
                    altered.add(observed.size() + at);
                }
            }
            observed.addAll(ten);
        }
        LeafAlignment alignment = align();
        String as = seed.toString();
        assertThat(boxed(alignment.lost())).as(as).isEqualTo(lost);
        assertThat(boxed(alignment.duplicates())).as(as).isEqualTo(duplicated);
        assertThat(boxed(alignment.reordered())).as(as).isEqualTo(moved);
        assertThat(boxed(alignment.alteredObserved())).as(as).isEqualTo(altered);
        assertThat(alignment.foreign()).as(as).isEmpty();
    }

    @Test
    void whatIsHandedOutCanBeChangedWithoutHarm() {
        observed.remove(3);
        LeafAlignment alignment = align();
        alignment.lost()[0] = 99;
        assertThat(alignment.lost()).containsExactly(3);
    }

    @Test
    void beyondBothLimitsKthOccurrencesArePaired() {
        LeafAlignment alignment = SignatureAligner.align(
                leaves(List.of("a", "b", "c", "a", "b")), leaves(List.of("b", "a", "c", "b", "a")), 0, 0);
        assertThat(alignment.minimal()).isFalse();
        assertThat(alignment.reordered()).hasSize(2);

        LeafAlignment more = SignatureAligner.align(
                leaves(List.of("d", "a", "b", "a", "c")), leaves(List.of("a", "b", "x", "a", "a")), 0, 0);
        assertNamed(more, "lost [0, 4] foreign [2] duplicates [4] ");
    }

    @Test
    void upToTheLimitOfPairsAnAlignmentIsMinimal() {
        Leaves some = leaves(List.of("a", "a", "b"));
        Leaves others = leaves(List.of("b", "a", "a"));
        assertThat(SignatureAligner.align(some, others, 5, 0).minimal()).isTrue();
        assertThat(SignatureAligner.align(some, others, 4, 0).minimal()).isFalse();
    }

    private LeafAlignment align() {
        return SignatureAligner.align(expected, leaves(observed));
    }

    private static void assertNamed(LeafAlignment alignment, String named) {
        StringBuilder text = new StringBuilder();
        append(text, "lost", alignment.lost());
        append(text, "foreign", alignment.foreign());
        append(text, "duplicates", alignment.duplicates());
        append(text, "reordered", alignment.reordered());
        if (alignment.alteredExpected().length > 0) {
            text.append("altered ").append(boxed(alignment.alteredExpected())).append(" by ");
            text.append(boxed(alignment.alteredObserved())).append(' ');
        }
        assertThat(text).hasToString(named);
    }

    private static void append(StringBuilder text, String kind, int[] indices) {
        if (indices.length > 0) {
            text.append(kind).append(' ').append(boxed(indices)).append(' ');
        }
    }

    private static List<Integer> boxed(int[] items) {
        return IntStream.of(items).boxed().toList();
    }

    private static Leaves leaves(List<String> signatures) {
        Leaves.Builder leaves = Leaves.builder();
        for (String signature : signatures) {
            byte[] bytes = signature.getBytes(StandardCharsets.UTF_8);
            leaves.append(bytes, 0, bytes.length);
        }
        return leaves.build();
    }
}
