package dev.stormproof.sim;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;

/** Runs worlds, one for each seed. */
public final class Simulator {
    private static final int PROGRESS_EVERY = 5_000;

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

    /**
     * Runs the worlds of {@code FIRST COUNT}, or with a {@linkplain #run(long, String) kind} behind these only such, on all cores; says on
     * standard error how far it is, and prints what happened. With {@code -Dtrace=true} it also prints how a broken one went. The exit code
     * is 1 if any broke an invariant.
     */
    public static void main(String[] args) {
        long first = Long.parseLong(args[0]);
        int count = Integer.parseInt(args[1]);
        String kind = args.length > 2 ? args[2] : "";
        Outcome all = new Outcome();
        List<Long> broken = new ArrayList<>();
        AtomicInteger done = new AtomicInteger();
        long beganNanos = System.nanoTime();
        LongStream.range(first, first + count).parallel().forEach(seed -> {
            try {
                Outcome one = kind.isEmpty() ? run(seed) : run(seed, kind);
                synchronized (all) {
                    all.add(one);
                }
            } catch (AssertionError e) {
                synchronized (all) {
                    broken.add(seed);
                    System.out.println(e.getMessage());
                }
            }
            int now = done.incrementAndGet();
            if (now % PROGRESS_EVERY == 0) {
                System.err.println(now + " of " + count + " worlds");
            }
        });
        Collections.sort(broken);
        long seconds = (System.nanoTime() - beganNanos) / 1_000_000_000;
        System.out.println(count + " worlds, seeds " + first + " to " + (first + count - 1) + ", in " + seconds + " s");
        System.out.println(all);
        System.out.println(broken.size() + " broke an invariant" + (broken.isEmpty() ? "" : ": " + broken));
        System.exit(broken.isEmpty() ? 0 : 1);
    }
}
