package dev.stormproof.sim;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;

/** Runs worlds, one for each seed, on all cores. */
final class Simulate {
    private static final int PROGRESS_EVERY = 5_000;

    private Simulate() {}

    /**
     * Runs the worlds of {@code FIRST COUNT}, or with a {@linkplain Simulator#run(long, String) kind} behind these only such; says on
     * standard error how far it is, and prints what happened, and how a single one went. The exit code is 1 if any broke an invariant.
     */
    public static void main(String[] args) {
        long first = Long.parseLong(args[0]);
        int count = Integer.parseInt(args[1]);
        String kind = args.length > 2 ? args[2] : "";
        if (count == 1) {
            System.setProperty("trace", "true");
        }
        Outcome all = new Outcome();
        List<Long> broken = new ArrayList<>();
        AtomicInteger done = new AtomicInteger();
        long beganNanos = System.nanoTime();
        LongStream.range(first, first + count).parallel().forEach(seed -> {
            try {
                Outcome one = kind.isEmpty() ? Simulator.run(seed) : Simulator.run(seed, kind);
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
