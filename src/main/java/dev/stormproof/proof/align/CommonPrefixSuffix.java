package dev.stormproof.proof.align;

import dev.stormproof.proof.tree.Leaves;

/**
 * The counts of leaves that two sequences have in common at the beginning and at the end, without overlap.
 *
 * @param prefix how many agree at the beginning
 * @param suffix how many agree at the end, those of the prefix not counted
 */
record CommonPrefixSuffix(int prefix, int suffix) {
    /** How many leaves are compared at once. */
    private static final int STROKE = 512;

    /** Compares {@code count} leaves after {@code done} equal ones. */
    private interface Comparison {
        boolean equal(int done, int count);
    }

    static CommonPrefixSuffix of(Leaves expected, Leaves observed) {
        int shorter = Math.min(expected.count(), observed.count());
        int prefix = longest(shorter, (done, count) -> expected.equal(done, observed, done, count));
        int suffix = longest(shorter - prefix, (done, count) -> {
            int end = done + count;
            return expected.equal(expected.count() - end, observed, observed.count() - end, count);
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
}
