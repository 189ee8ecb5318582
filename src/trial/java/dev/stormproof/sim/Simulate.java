package dev.stormproof.sim;

import dev.stormproof.trial.Arguments;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;

/** Runs worlds, one for each seed, on all cores. */
final class Simulate {
    private static final String USAGE = """
            Runs simulated worlds, one for each seed, on all cores, and checks the invariants after every step (docs/TESTING.md).

              scripts/trial simulate [FIRST [COUNT]]

            FIRST is the first seed (1), COUNT the number of worlds (10000; a world costs about 15 ms of one core). It ends with what was
            injected and named, and the seeds of the worlds that broke an invariant, if any; the exit code is then 1. A single world
            is replayed with its log and every step: scripts/trial simulate SEED 1. Needs a JDK 17 or newer (JAVA_HOME, or java in PATH),
            and the network for the first build.
            """;

    private static final int PROGRESS_EVERY = 5_000;

    private Simulate() {}

    public static void main(String[] args) {
        Arguments arguments = Arguments.of(USAGE, 2, args);
        long first = arguments.number(0, 1);
        int count = Math.toIntExact(arguments.number(1, 10_000));
        if (count <= 1) {
            System.setProperty("trace", "true");
        }
        Outcome all = new Outcome();
        List<Long> broken = new ArrayList<>();
        AtomicInteger done = new AtomicInteger();
        long beganNanos = System.nanoTime();
        LongStream.range(first, first + count).parallel().forEach(seed -> {
            try {
                Outcome one = Simulator.run(seed);
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
