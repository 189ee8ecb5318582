package dev.stormproof.sim;

import java.util.stream.LongStream;

/** Runs worlds, one for each seed. */
public final class Simulator {
    private Simulator() {}

    static Outcome run(long seed) {
        World world = new World(seed);
        try {
            return world.run();
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

    /**
     * Runs the worlds of {@code SEED COUNT}, one after the other, and prints what happened; with {@code -Dtrace=true} also
     * how a broken one went.
     */
    public static void main(String[] args) {
        long first = Long.parseLong(args[0]);
        int count = Integer.parseInt(args[1]);
        Outcome all = new Outcome();
        int broken = 0;
        for (long seed = first; seed < first + count; seed++) {
            try {
                all.add(run(seed));
            } catch (AssertionError e) {
                broken++;
                System.out.println(e.getMessage());
            }
        }
        System.out.println(all);
        System.out.println(broken + " of " + count + " worlds broke an invariant");
    }
}
