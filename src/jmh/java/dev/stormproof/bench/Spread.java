package dev.stormproof.bench;

import java.util.Arrays;

/**
 * What the rounds of a run gave for one figure.
 *
 * @param least the lowest
 * @param median the middle one; of an even number of rounds the mean of the two in the middle
 * @param most the highest
 */
record Spread(double least, double median, double most) {
    static Spread of(double[] rounds) {
        double[] sorted = rounds.clone();
        Arrays.sort(sorted);
        int n = sorted.length;
        return new Spread(sorted[0], (sorted[(n - 1) / 2] + sorted[n / 2]) / 2, sorted[n - 1]);
    }
}
