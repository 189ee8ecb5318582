package dev.stormproof.merkle;

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

    public SplittableRandom random() {
        return new SplittableRandom(value);
    }

    @Override
    public String toString() {
        return "replay with -Dseed=" + value;
    }
}
