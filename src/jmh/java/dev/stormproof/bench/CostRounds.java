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
import java.util.function.ToDoubleFunction;

/**
 * The cost of each of several variants against the first: CPU time and bytes allocated for each event, by the thread that runs them.
 * Each round runs all, one after the other; what the JVM collects and compiles meanwhile stands apart, and other threads.
 */
final class CostRounds {
    /** How many rounds come first, to be compiled. */
    private static final int WARM_UP = 2;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final OperatingSystemMXBean process = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private final Map<String, Variant> variants = new LinkedHashMap<>();
    private final String name;

    /** @param name what is measured, and how its files are named */
    CostRounds(String name) {
        this.name = name;
    }

    /** A variant handles all events; returns how many it saw. */
    interface Variant {
        long run() throws Exception;
    }

    /** The rounds of one benchmark, with a broker. */
    interface Benchmark {
        void run(int events, int rounds) throws Exception;
    }

    /** One variant's cost in one round, an event. */
    record Cost(
            double elapsedNanos,
            double threadNanos,
            double collectorNanos,
            double compilerNanos,
            double otherNanos,
            double allocatedBytes) {}

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

    /** Runs the rounds, prints the table, and writes it into the directory of the system property {@code bench.out}. */
    void run(int count, int rounds) throws Exception {
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
        CostTable table = new CostTable(name);
        String first = variants.keySet().iterator().next();
        System.out.printf(Locale.ROOT, "%s: %,d events, %d rounds; CPU time an event%n", name, count, rounds);
        System.out.printf(
                "%32s its thread   ÷ %s, median (least, most)  collector  compiler    others  allocated   events/s ÷ the same%n",
                "", first);
        costs.forEach((variant, found) -> print(table, variant, found, costs.getOrDefault(first, List.of())));
        table.write();
    }

    private static void print(CostTable table, String name, List<Cost> found, List<Cost> firsts) {
        Spread ratio = ratioTo(found, firsts, Cost::threadNanos);
        Spread elapsed = ratioTo(firsts, found, Cost::elapsedNanos);
        Cost median = new Cost(
                median(found, Cost::elapsedNanos),
                median(found, Cost::threadNanos),
                median(found, Cost::collectorNanos),
                median(found, Cost::compilerNanos),
                median(found, Cost::otherNanos),
                median(found, Cost::allocatedBytes));
        table.add(name, median, ratio);
        System.out.printf(
                Locale.ROOT,
                "  %-32s %8.0f ns      %5.2f (%.2f, %.2f)  %14.0f ns %6.0f ns %6.0f ns %8.0f B %,10.0f  %.2f (%.2f, %.2f)%n",
                name,
                median.threadNanos(),
                ratio.median(),
                ratio.least(),
                ratio.most(),
                median.collectorNanos(),
                median.compilerNanos(),
                median.otherNanos(),
                median.allocatedBytes(),
                1e9 / median.elapsedNanos(),
                elapsed.median(),
                elapsed.least(),
                elapsed.most());
    }

    private static Spread ratioTo(List<Cost> above, List<Cost> below, ToDoubleFunction<Cost> part) {
        double[] ratios = new double[above.size()];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = part.applyAsDouble(above.get(i)) / part.applyAsDouble(below.get(i));
        }
        return Spread.of(ratios);
    }

    private static double median(List<Cost> costs, ToDoubleFunction<Cost> part) {
        return Spread.of(costs.stream().mapToDouble(part).toArray()).median();
    }

    private Cost costOf(Variant variant, int count) throws Exception {
        JvmThreads jvmBefore = JvmThreads.now();
        long processNanos = process.getProcessCpuTime();
        long threadNanos = threads.getCurrentThreadCpuTime();
        long allocated = threads.getCurrentThreadAllocatedBytes();
        long beganNanos = System.nanoTime();
        long seen = variant.run();
        long elapsed = System.nanoTime() - beganNanos;
        long thread = threads.getCurrentThreadCpuTime() - threadNanos;
        long all = process.getProcessCpuTime() - processNanos;
        JvmThreads jvm = JvmThreads.now().since(jvmBefore);
        if (seen != count) {
            throw new IllegalStateException(seen + " events instead of " + count);
        }
        return new Cost(
                (double) elapsed / count,
                (double) thread / count,
                (double) jvm.collecting() / count,
                (double) jvm.compiling() / count,
                Math.max(0, (double) (all - thread - jvm.collecting() - jvm.compiling())) / count,
                (double) (threads.getCurrentThreadAllocatedBytes() - allocated) / count);
    }
}
