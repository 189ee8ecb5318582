package dev.stormproof.proof.align;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.tree.Leaves;
import dev.stormproof.proof.tree.Seed;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Compares alignments of a few leaves, signatures repeated, with a search through all ways to keep leaves in order.
 *
 * <p>A case is an int for each expected and each observed leaf; equal ints are equal signatures.
 */
class LeafAlignmentOracleTest {
    private static final int CASES = Seed.cases(200_000);

    private final Seed seed = Seed.next();

    @Test
    void bySignatureAlignmentsAreExact() {
        SplittableRandom random = seed.random();
        for (int i = 0; i < CASES; i++) {
            int[] expected = expected(random);
            int[] observed = damaged(random, expected);
            LeafAlignment alignment = SignatureAligner.align(leaves(expected), leaves(observed));
            Case oracle = new Case(expected, observed, seed);
            oracle.checkBySignature(alignment);
            check(alignment.minimal(), oracle);
            check(alignment.reordered().length == oracle.common() - oracle.longest(0, 0), oracle);
        }
    }

    @Test
    void withinLimitsAlignmentsSayWhetherTheyAreMinimal() {
        SplittableRandom random = seed.random();
        int notMinimal = 0;
        for (int i = 0; i < CASES; i++) {
            int mostEdits = random.nextInt(5);
            int[] expected = expected(random);
            int[] observed = damaged(random, expected);
            LeafAlignment alignment = SignatureAligner.align(leaves(expected), leaves(observed), 0, mostEdits);
            Case oracle = new Case(expected, observed, seed);
            oracle.checkBySignature(alignment);
            int fewest = oracle.common() - oracle.longest(0, 0);
            if (alignment.minimal()) {
                check(alignment.reordered().length == fewest, oracle);
            } else {
                notMinimal++;
                check(alignment.reordered().length >= fewest, oracle);
            }
        }
        assertThat(notMinimal).as("cases that reach the other branch").isBetween(1, CASES / 2);
    }

    private static int[] expected(SplittableRandom random) {
        int kinds = 1 + random.nextInt(8);
        return IntStream.range(0, random.nextInt(8))
                .map(i -> random.nextInt(kinds))
                .toArray();
    }

    private static int[] damaged(SplittableRandom random, int[] expected) {
        if (random.nextInt(4) == 0) {
            return IntStream.range(0, random.nextInt(8))
                    .map(i -> random.nextInt(9))
                    .toArray();
        }
        int[] observed = expected.clone();
        for (int faults = random.nextInt(4); faults > 0 && observed.length > 0; faults--) {
            int at = random.nextInt(observed.length);
            int leaf = observed[at];
            switch (random.nextInt(4)) {
                case 0 -> observed = without(observed, at);
                case 1 -> observed = with(observed, random.nextInt(observed.length + 1), leaf);
                case 2 -> observed = with(without(observed, at), random.nextInt(observed.length), leaf);
                default -> observed[at] = random.nextInt(12);
            }
        }
        return observed;
    }

    private static int[] without(int[] items, int at) {
        return IntStream.range(0, items.length)
                .filter(i -> i != at)
                .map(i -> items[i])
                .toArray();
    }

    private static int[] with(int[] items, int at, int item) {
        int[] longer = Arrays.copyOf(items, items.length + 1);
        System.arraycopy(items, at, longer, at + 1, items.length - at);
        longer[at] = item;
        return longer;
    }

    private static Leaves leaves(int[] items) {
        Leaves.Builder leaves = Leaves.builder();
        for (int item : items) {
            // Every other signature has another size.
            leaves.append(new byte[] {(byte) item, 7, 7}, 0, 1 + item % 2);
        }
        return leaves.build();
    }

    private static void check(boolean condition, Case one) {
        if (!condition) {
            throw new AssertionError(one);
        }
    }

    private static boolean contains(int[] items, int item) {
        return Arrays.stream(items).anyMatch(other -> other == item);
    }

    /** The leaves of one case, and the conditions that its alignment must meet. */
    private static final class Case {
        final int[] expected;
        final int[] observed;
        private final Seed seed;

        Case(int[] expected, int[] observed, Seed seed) {
            this.expected = expected;
            this.observed = observed;
            this.seed = seed;
        }

        @Override
        public String toString() {
            return "expected " + Arrays.toString(expected) + ", observed " + Arrays.toString(observed) + ": " + seed;
        }

        /** The longest common subsequence, by trying everything. */
        int longest(int e, int o) {
            if (e == expected.length || o == observed.length) {
                return 0;
            }
            if (expected[e] == observed[o]) {
                return Math.max(1 + longest(e + 1, o + 1), Math.max(skipOne(e, o), 0));
            }
            return skipOne(e, o);
        }

        private int skipOne(int e, int o) {
            return Math.max(longest(e + 1, o), longest(e, o + 1));
        }

        /** How many leaves have a partner, whatever the order. */
        int common() {
            int common = 0;
            int[] left = observed.clone();
            for (int item : expected) {
                for (int o = 0; o < left.length; o++) {
                    if (left[o] == item) {
                        left[o] = -1;
                        common++;
                        break;
                    }
                }
            }
            return common;
        }

        void checkBySignature(LeafAlignment alignment) {
            check(alignment.identical() == Arrays.equals(expected, observed), this);
            int[] altered = alignment.alteredObserved();
            check(alignment.lost().length + altered.length == expected.length - common(), this);
            checkPartition(alignment);
            for (int o = 0; o < observed.length; o++) {
                boolean known = contains(expected, observed[o]);
                boolean unknownKind = contains(alignment.foreign(), o) || contains(altered, o);
                check(known != unknownKind, this);
                int partner = alignment.expectedIndexOf(o);
                check((partner == -1) == contains(alignment.foreign(), o), this);
                check(partner == -1 || contains(altered, o) || expected[partner] == observed[o], this);
            }
            checkGaps(alignment);
        }

        /** Each observed leaf is of one kind, each expected one has one partner or is lost, and the rest is in order. */
        void checkPartition(LeafAlignment alignment) {
            int[] uses = new int[expected.length];
            int last = -1;
            for (int o = 0; o < observed.length; o++) {
                boolean reordered = contains(alignment.reordered(), o);
                boolean duplicate = contains(alignment.duplicates(), o);
                boolean foreign = contains(alignment.foreign(), o);
                int kinds = (reordered ? 1 : 0) + (duplicate ? 1 : 0) + (foreign ? 1 : 0);
                check(kinds <= 1, this);
                int partner = alignment.expectedIndexOf(o);
                if (!duplicate && !foreign) {
                    uses[partner]++;
                }
                if (kinds == 0 && !contains(alignment.alteredObserved(), o)) {
                    check(partner > last, this);
                    last = partner;
                }
            }
            for (int e = 0; e < expected.length; e++) {
                check(uses[e] == (contains(alignment.lost(), e) ? 0 : 1), this);
            }
            for (int i = 0; i < alignment.alteredObserved().length; i++) {
                check(
                        alignment.expectedIndexOf(alignment.alteredObserved()[i])
                                == alignment.alteredExpected()[i],
                        this);
            }
        }

        /** Between two leaves in order nothing is lost where something is foreign, and altered ones stay between. */
        private void checkGaps(LeafAlignment alignment) {
            int gapBegin = 0;
            int lastPlace = -1;
            for (int o = 0; o <= observed.length; o++) {
                boolean end = o == observed.length;
                if (end || !isOfAnyKind(alignment, o)) {
                    int place = end ? expected.length : alignment.expectedIndexOf(o);
                    boolean lost = false;
                    for (int e = lastPlace + 1; e < place; e++) {
                        lost |= contains(alignment.lost(), e);
                    }
                    for (int gap = gapBegin; gap < o; gap++) {
                        check(!lost || !contains(alignment.foreign(), gap), this);
                        int partner = alignment.expectedIndexOf(gap);
                        boolean altered = contains(alignment.alteredObserved(), gap);
                        check(!altered || (partner > lastPlace && partner < place), this);
                    }
                    gapBegin = o + 1;
                    lastPlace = place;
                }
            }
        }

        private static boolean isOfAnyKind(LeafAlignment alignment, int o) {
            return contains(alignment.reordered(), o)
                    || contains(alignment.duplicates(), o)
                    || contains(alignment.foreign(), o)
                    || contains(alignment.alteredObserved(), o);
        }
    }
}
