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

    static CommonPrefixSuffix of(Leaves expected, Leaves observed) {
        int shorter = Math.min(expected.count(), observed.count());
        int prefix = prefix(expected, observed, shorter);
        return new CommonPrefixSuffix(prefix, suffix(expected, observed, shorter - prefix));
    }

    private static int prefix(Leaves expected, Leaves observed, int most) {
        int prefix = 0;
        while (prefix + STROKE <= most && equal(expected, prefix, observed, prefix, STROKE)) {
            prefix += STROKE;
        }
        while (prefix < most && equal(expected, prefix, observed, prefix, 1)) {
            prefix++;
        }
        return prefix;
    }

    private static int suffix(Leaves expected, Leaves observed, int most) {
        int expectedEnd = expected.count();
        int observedEnd = observed.count();
        int suffix = 0;
        while (suffix + STROKE <= most
                && endEqual(expected, expectedEnd - suffix, observed, observedEnd - suffix, STROKE)) {
            suffix += STROKE;
        }
        while (suffix < most && endEqual(expected, expectedEnd - suffix, observed, observedEnd - suffix, 1)) {
            suffix++;
        }
        return suffix;
    }

    private static boolean endEqual(Leaves expected, int expectedEnd, Leaves observed, int observedEnd, int count) {
        return equal(expected, expectedEnd - count, observed, observedEnd - count, count);
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
