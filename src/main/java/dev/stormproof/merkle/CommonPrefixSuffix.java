package dev.stormproof.merkle;

import java.util.Arrays;

/**
 * The counts of leaves that two sequences have in common at the beginning and at the end, without overlap.
 *
 * @param prefix how many agree at the beginning
 * @param suffix how many agree at the end, those of the prefix not counted
 */
record CommonPrefixSuffix(int prefix, int suffix) {
    /** How many leaves are compared at a stroke. */
    private static final int STROKE = 512;

    /** Compares so many leaves, behind those that were found equal. */
    private interface Comparison {
        boolean equal(int done, int count);
    }

    static CommonPrefixSuffix of(Leaves expected, Leaves observed) {
        int shorter = Math.min(expected.count(), observed.count());
        int prefix = longest(shorter, (done, count) -> equal(expected, done, observed, done, count));
        int suffix = longest(shorter - prefix, (done, count) -> {
            int end = done + count;
            return equal(expected, expected.count() - end, observed, observed.count() - end, count);
        });
        return new CommonPrefixSuffix(prefix, suffix);
    }

    private static int longest(int most, Comparison comparison) {
        int done = 0;
        while (done + STROKE <= most && comparison.equal(done, STROKE)) {
            done += STROKE;
        }
        while (done < most && comparison.equal(done, 1)) {
            done++;
        }
        return done;
    }

    /** True if {@code count} leaves have the same bytes and the same sizes. */
    private static boolean equal(Leaves expected, int expectedBegin, Leaves observed, int observedBegin, int count) {
        return sizesEqual(expected, expectedBegin, observed, observedBegin, count)
                && Arrays.equals(
                        expected.packed(),
                        expected.begin(expectedBegin),
                        expected.begin(expectedBegin + count),
                        observed.packed(),
                        observed.begin(observedBegin),
                        observed.begin(observedBegin + count));
    }

    private static boolean sizesEqual(
            Leaves expected, int expectedBegin, Leaves observed, int observedBegin, int count) {
        if (expected.sameFixedSize(observed)) {
            return true;
        }
        for (int i = 0; i < count; i++) {
            if (expected.sizeBytes(expectedBegin + i) != observed.sizeBytes(observedBegin + i)) {
                return false;
            }
        }
        return true;
    }
}
