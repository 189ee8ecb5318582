package dev.stormproof.small;

import dev.stormproof.trial.Arguments;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Plays every small log, on all cores, then pairs of faults until the time is up. */
final class SmallLogsTrial {
    private static final String USAGE = """
            Verifies every small log in every way, on all cores, then logs with two faults until the time is up (docs/TESTING.md).

              scripts/trial small-logs [MINUTES [SEED [EVERY]]]

            MINUTES is how long it takes at least (10), SEED that of the pairs of faults (by default another one each time); of EVERY
            faulty logs of the enumeration one is played (1: all). It ends with how many logs that was, and with the shortest ones that
            broke a promise, if any; the exit code is then 1. Needs a JDK 17 or newer (JAVA_HOME, or java in PATH), and the network for
            the first build.
            """;

    private static final int PAIRS_AT_ONCE = 500;

    private SmallLogsTrial() {}

    public static void main(String[] args) {
        Arguments arguments = Arguments.of(USAGE, 3, args);
        long endNanos = System.nanoTime() + arguments.number(0, 10) * 60_000_000_000L;
        long seed = arguments.number(1, new SplittableRandom().nextLong(1_000_000_000_000L));
        SmallLogs small = new SmallLogs(Math.toIntExact(arguments.number(2, 1)));
        long beganNanos = System.nanoTime();
        List<SmallLogs.Part> parts = small.everything();
        AtomicInteger done = new AtomicInteger();
        parts.parallelStream().forEach(part -> {
            part.run();
            int now = done.incrementAndGet();
            if (now % 100 == 0) {
                System.err.println(now + " of " + parts.size() + " parts");
            }
        });
        System.out.println("enumerated: " + small + ", in " + seconds(beganNanos) + " s");
        long enumerated = small.logs();
        AtomicInteger round = new AtomicInteger();
        IntStream.range(0, Runtime.getRuntime().availableProcessors())
                .parallel()
                .forEach(thread -> {
                    while (System.nanoTime() < endNanos) {
                        small.pairs(seed + round.getAndIncrement(), PAIRS_AT_ONCE);
                    }
                });
        System.out.println("with " + (small.logs() - enumerated) + " of two faults, seeds " + seed + " to "
                + (seed + round.get() - 1) + ": " + small + ", in " + seconds(beganNanos) + " s");
        System.out.print(small.broken().isEmpty() ? "None breaks promise 1 or 2.\n" : small.broken());
        System.exit(small.broken().isEmpty() ? 0 : 1);
    }

    private static long seconds(long beganNanos) {
        return (System.nanoTime() - beganNanos) / 1_000_000_000;
    }
}
