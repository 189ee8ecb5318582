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
        return run(seed, false, new SplittableRandom(seed ^ 0x2A3E5A6E5L).nextInt(5) == 0);
    }

    /** Runs the world of a seed, and the one with emitters of one name, which is a world of its own so that the first stays as it is. */
    private static Outcome run(long seed, boolean sameNameAlone, boolean sameName) {
        World world = new World(seed, sameNameAlone);
        try {
            Outcome outcome = world.run();
            if (sameNameAlone) {
                return outcome;
            }
            if (sameName) {
                world = new World(seed, true);
                outcome.add(world.run());
            }
            // Draws by itself, so that worlds stay as they are.
            Notarized.run(new SplittableRandom(seed ^ 0x40742EDL), outcome);
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
     * Runs the worlds of {@code FIRST COUNT}, with {@code namesakes} behind these only those of emitters of one name, on all cores; says on standard error how far it is, and prints what happened.
     * With {@code -Dtrace=true} it also prints how a broken one went. The exit code is 1 if any broke an invariant.
     */
    public static void main(String[] args) {
        long first = Long.parseLong(args[0]);
        int count = Integer.parseInt(args[1]);
        boolean sameName = args.length > 2 && args[2].equals("namesakes");
        Outcome all = new Outcome();
        List<Long> broken = new ArrayList<>();
        AtomicInteger done = new AtomicInteger();
        long beganNanos = System.nanoTime();
        LongStream.range(first, first + count).parallel().forEach(seed -> {
            try {
                Outcome one = sameName ? run(seed, true, true) : run(seed);
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
