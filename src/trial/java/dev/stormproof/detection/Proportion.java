package dev.stormproof.detection;

/**
 * A proportion counts the successes of independent trials.
 *
 * @param hits how often it happened
 * @param trials in how many
 */
record Proportion(long hits, long trials) {
    /** The error that each end of an interval of 95 % leaves out. */
    private static final double TAIL = 0.025;

    private static final int BISECTIONS = 200;

    Proportion {
        if (hits < 0 || hits > trials || trials == 0) {
            throw new IllegalArgumentException(hits + " of " + trials);
        }
    }

    double share() {
        return (double) hits / trials;
    }

    /**
     * The lower end of the 95 % interval of C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits
     * illustrated in the case of the binomial" (1934).
     */
    double lower95() {
        return hits == 0 ? 0 : quantile((double) hits, (double) trials - hits + 1, TAIL);
    }

    /** The upper end of the same interval; without a hit about 3.7 divided by the trials. */
    double upper95() {
        return hits == trials ? 1 : quantile((double) hits + 1, (double) trials - hits, 1 - TAIL);
    }

    /** The point at which the beta distribution with the parameters a and b reaches a probability. */
    private static double quantile(double a, double b, double probability) {
        double low = 0;
        double high = 1;
        for (int i = 0; i < BISECTIONS; i++) {
            double middle = (low + high) / 2;
            if (beta(a, b, middle) < probability) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    /** The regularized incomplete beta function I<sub>x</sub>(a, b), after DLMF 8.17. */
    private static double beta(double a, double b, double x) {
        if (x <= 0 || x >= 1) {
            return x <= 0 ? 0 : 1;
        }
        if (x > (a + 1) / (a + b + 2)) {
            return 1 - beta(b, a, 1 - x);
        }
        double front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
        return front / (a * continuedFraction(a, b, x));
    }

    /** The continued fraction of DLMF 8.17.22, evaluated after W. J. Lentz (1976). */
    private static double continuedFraction(double a, double b, double x) {
        double c = 1;
        double d = 0;
        double fraction = 1;
        for (int n = 1; n < 100_000; n++) {
            int m = n / 2;
            double term = n % 2 == 0
                    ? m * (b - m) * x / ((a + n - 1) * (a + n))
                    : -(a + m) * (a + b + m) * x / ((a + n - 1) * (a + n));
            d = 1 / (1 + term * d);
            c = 1 + term / c;
            fraction *= c * d;
            if (Math.abs(c * d - 1) < 1e-14) {
                return fraction;
            }
        }
        throw new ArithmeticException("no convergence for " + a + ", " + b + ", " + x);
    }

    /** ln Γ(z) for z ≥ 1, by Stirling's series with the argument moved up to where it is exact enough. */
    private static double logGamma(double z) {
        double shift = 0;
        double w = z;
        while (w < 20) {
            shift += Math.log(w);
            w++;
        }
        double inverse = 1 / w;
        double square = inverse * inverse;
        double series = inverse * (1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1260 - square / 1680)));
        return (w - 0.5) * Math.log(w) - w + 0.5 * Math.log(2 * Math.PI) + series - shift;
    }
}
