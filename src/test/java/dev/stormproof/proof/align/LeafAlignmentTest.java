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
