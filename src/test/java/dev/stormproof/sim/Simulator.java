package dev.stormproof.sim;

import java.util.SplittableRandom;
import java.util.stream.LongStream;

/** Runs worlds, one for each seed. */
final class Simulator {
    private Simulator() {}

    static Outcome run(long seed) {
        return run(seed, new World(seed));
    }

    /**
     * Runs a world of one kind alone.
     *
     * @param kind {@code held} if outputs are held back until their input is verified
     */
    static Outcome run(long seed, String kind) {
        return run(seed, new World(seed, true, kind.equals("held")));
    }

    private static Outcome run(long seed, World world) {
        try {
            Outcome outcome = world.run();
            // Draws by itself, so that worlds stay as they are.
            Notarized.run(new SplittableRandom(seed ^ 0x40742EDL), World.bringsBack(seed), outcome);
            return outcome;
        } catch (AssertionError | RuntimeException broken) {
            if (Boolean.getBoolean("trace")) {
                System.out.println(world.describe());
            }
            throw new AssertionError("seed " + seed + ": " + broken, broken);
        }
    }

    static Outcome runAll(long firstSeed, int count) {
        Outcome all = new Outcome();
        LongStream.range(firstSeed, firstSeed + count)
                .parallel()
                .mapToObj(Simulator::run)
                .forEach(one -> {
                    synchronized (all) {
                        all.add(one);
                    }
                });
        return all;
    }
}
