package dev.stormproof.bench;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * The cost of each of several variants against the first: CPU time and bytes allocated for each event, by the thread that runs them.
 * Each round runs all, one after the other; the other threads' CPU time stands apart.
 */
final class CostRounds {
    /** How many rounds come first, to be compiled. */
    private static final int WARM_UP = 2;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final OperatingSystemMXBean process = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private final Map<String, Variant> variants = new LinkedHashMap<>();

    /** A variant handles all events; returns how many it saw. */
    interface Variant {
        long run() throws Exception;
    }

    /** The rounds of one benchmark, with a broker. */
    interface Benchmark {
        void run(int events, int rounds) throws Exception;
    }

    private record Cost(double threadNanos, double otherNanos, double allocatedBytes) {}

    /** Runs a benchmark on a broker of its own; takes the number of events, and of rounds. */
    static void onABroker(String[] arguments, Function<String, Benchmark> benchmark) throws Exception {
        int events = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1_000_000;
        int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 7;
        try (ChildBroker broker = ChildBroker.start()) {
            benchmark.apply(broker.servers()).run(events, rounds);
        }
    }

    CostRounds add(String name, Variant variant) {
        variants.put(name, variant);
        return this;
    }

    /** Runs the rounds and prints the table. */
    void run(int count, int valueBytes, int rounds) throws Exception {
        Map<String, List<Cost>> costs = new LinkedHashMap<>();
        for (int round = -WARM_UP; round < rounds; round++) {
            for (Map.Entry<String, Variant> variant : variants.entrySet()) {
                Cost cost = costOf(variant.getValue(), count);
                if (round >= 0) {
                    costs.computeIfAbsent(variant.getKey(), name -> new ArrayList<>())
                            .add(cost);
                }
            }
        }
        String first = variants.keySet().iterator().next();
        System.out.printf(
                Locale.ROOT, "%,d events of %,d B, %d rounds; CPU time an event%n", count, valueBytes, rounds);
        System.out.printf("%32s its thread   ÷ %s, median (least, most)   other threads  allocated%n", "", first);
        costs.forEach((name, found) -> print(name, found, costs.getOrDefault(first, List.of())));
    }

    private static void print(String name, List<Cost> found, List<Cost> firsts) {
        double[] ratios = new double[found.size()];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = found.get(i).threadNanos() / firsts.get(i).threadNanos();
        }
        Spread ratio = Spread.of(ratios);
        System.out.printf(
                Locale.ROOT,
                "  %-32s %8.0f ns      %5.2f (%.2f, %.2f)  %18.0f ns %8.0f B%n",
                name,
                Spread.of(found.stream().mapToDouble(Cost::threadNanos).toArray())
                        .median(),
                ratio.median(),
                ratio.least(),
                ratio.most(),
                Spread.of(found.stream().mapToDouble(Cost::otherNanos).toArray())
                        .median(),
                Spread.of(found.stream().mapToDouble(Cost::allocatedBytes).toArray())
                        .median());
    }

    private Cost costOf(Variant variant, int count) throws Exception {
        long processNanos = process.getProcessCpuTime();
        long threadNanos = threads.getCurrentThreadCpuTime();
        long allocated = threads.getCurrentThreadAllocatedBytes();
        long seen = variant.run();
        long thread = threads.getCurrentThreadCpuTime() - threadNanos;
        long other = process.getProcessCpuTime() - processNanos - thread;
        if (seen != count) {
            throw new IllegalStateException(seen + " events instead of " + count);
        }
        return new Cost(
                (double) thread / count,
                (double) other / count,
                (double) (threads.getCurrentThreadAllocatedBytes() - allocated) / count);
    }
}
