package dev.stormproof.proof.tree;

import java.util.SplittableRandom;

/**
 * The seed of a property test: a new one each time, or the one that {@code -Dseed=} gives. A failing test names it.
 *
 * @param value the seed
 */
public record Seed(long value) {
    public static Seed next() {
        return new Seed(Long.getLong("seed", new SplittableRandom().nextLong()));
    }

    /** How many cases to try: {@code full}, or the part of it that {@code -Dcases.percent=} gives, as mutation runs do. */
    public static int cases(int full) {
        return (int) (full * Long.getLong("cases.percent", 100) / 100);
    }

    public SplittableRandom random() {
        return new SplittableRandom(value);
    }

    @Override
    public String toString() {
        return "replay with -Dseed=" + value;
    }
}
