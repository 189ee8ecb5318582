package dev.stormproof.sim;

import java.util.SplittableRandom;
import java.util.stream.LongStream;

/** Runs worlds, one for each seed. */
final class Simulator {
    private Simulator() {}

    static Outcome run(long seed, Core.Kind core) {
        return run(seed, new World(seed, core));
    }

    /**
     * Runs a world of one kind alone.
     *
     * @param kind {@code held} if outputs are held back until their input is verified
     */
    static Outcome run(long seed, Core.Kind core, String kind) {
        return run(seed, new World(seed, core, true, kind.equals("held")));
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

    static Outcome runAll(Core.Kind core, long firstSeed, int count) {
        Outcome all = new Outcome();
        LongStream.range(firstSeed, firstSeed + count)
                .parallel()
                .mapToObj(seed -> run(seed, core))
                .forEach(one -> {
                    synchronized (all) {
                        all.add(one);
                    }
                });
        return all;
    }
}
