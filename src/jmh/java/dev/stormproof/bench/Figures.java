package dev.stormproof.bench;

import dev.stormproof.bench.Measurements.Operation;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs the benchmarks and prints how many times less CPU time ours take than the naive way.
 *
 * <pre>
 *   round 1   naive, ours, naive, ours, …    each benchmark in a JVM of its own
 *   round 2   naive, ours, …
 *      ⋮                    a ratio for each round ──► least and median
 * </pre>
 *
 * <p>Both sides of a ratio are measured in the same round, so that what the machine does besides hits both. The collector
 * is the one that JDK 17 chooses by itself on a machine with two cores, with one thread: several wait for each other by
 * spinning, and so burn CPU time as soon as the machine is busy, which would be held against whoever allocates more.
 */
public final class Figures {
    private static final String ALLOCATED = "gc.alloc.rate.norm";
    private static final List<String> JVM = List.of(
            "-XX:+UseG1GC",
            "-XX:ParallelGCThreads=1",
            "-XX:ConcGCThreads=1",
            "-Xms1g",
            "-Xmx1g",
            "-XX:+AlwaysPreTouch",
            "-Xbatch");

    private static final List<String> ZLIB = List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:-UseAdler32Intrinsics");

    private enum Effort {
        QUICK(1, 4, 3, 500),
        FULL(4, 5, 4, 400);

        final int rounds;
        final int warmups;
        final int iterations;
        final int iterationMillis;

        Effort(int rounds, int warmups, int iterations, int iterationMillis) {
            this.rounds = rounds;
            this.warmups = warmups;
            this.iterations = iterations;
            this.iterationMillis = iterationMillis;
        }
    }

    private final Effort effort;
    private final OutputFormat log;
    private final Measurements measurements = new Measurements();

    private Figures(Effort effort, PrintStream log) {
        this.effort = effort;
        this.log = OutputFormatFactory.createFormatInstance(log, VerboseMode.NORMAL);
    }

    /** Takes "quick" or "full", and a file for JMH's own output. Exits with 1 if a figure is missed. */
    public static void main(String[] arguments) throws RunnerException, IOException {
        Effort effort = Effort.valueOf(arguments[0].toUpperCase(Locale.ROOT));
        try (PrintStream log = new PrintStream(arguments[1], StandardCharsets.UTF_8)) {
            Figures figures = new Figures(effort, log);
            figures.measure();
            figures.write();
            System.exit(figures.print() ? 0 : 1);
        }
    }

    private void measure() throws RunnerException {
        Set<String> benchmarks = new TreeSet<>();
        Goal.all().forEach(goal -> benchmarks.addAll(goal.benchmarks()));
        for (int round = 1; round <= effort.rounds; round++) {
            System.err.println("round " + round + " of " + effort.rounds + ", " + benchmarks.size() + " benchmarks");
            for (String benchmark : benchmarks) {
                measurements.add(benchmark, measure(benchmark));
            }
        }
    }

    /**
     * Measures one benchmark, named "Class.method parameter=value", in a JVM of its own; with {@link Goal#ZLIB} behind that,
     * in one that calls zlib for Adler-32 instead of compiling it in line.
     */
    private Operation measure(String benchmark) throws RunnerException {
        String[] parts = benchmark.split("[ =]", -1);
        List<String> jvm = new ArrayList<>(JVM);
        if (benchmark.endsWith(Goal.ZLIB)) {
            jvm.addAll(ZLIB);
        }
        TimeValue iteration = TimeValue.milliseconds(effort.iterationMillis);
        Options options = new OptionsBuilder()
                .include("\\.bench\\." + parts[0].replace(".", "\\.") + "$")
                .param(parts[1], parts[2])
                .mode(Mode.AverageTime)
                .timeUnit(TimeUnit.NANOSECONDS)
                .forks(1)
                .warmupIterations(effort.warmups)
                .warmupTime(iteration)
                .measurementIterations(effort.iterations)
                .measurementTime(iteration)
                .jvmArgs(jvm.toArray(String[]::new))
                .addProfiler(GCProfiler.class)
                .addProfiler(CpuTime.class)
                .shouldFailOnError(true)
                .build();
        RunResult result = new Runner(options, log).runSingle();
        return new Operation(
                median(result, CpuTime.PROCESS), median(result, CpuTime.THREADS), median(result, ALLOCATED));
    }

    private static double median(RunResult result, String property) {
        Result<?> measured = result.getSecondaryResults().get(property);
        if (measured == null) {
            throw new IllegalStateException("JMH did not measure " + property);
        }
        return measured.getStatistics().getPercentile(50);
    }

    /** Writes the factors as comma-separated values and as a plot, if the system property {@code bench.out} names a directory. */
    private void write() throws IOException {
        String out = System.getProperty("bench.out");
        if (out == null) {
            return;
        }
        StringBuilder csv = new StringBuilder("figure,median,least,most\n");
        BarPlot plot = new BarPlot(
                "core: CPU time, naive ÷ ours, Java " + Runtime.version().feature());
        for (Goal goal : Goal.all()) {
            goal.factors(measurements).ifPresent(factors -> {
                csv.append(String.format(
                        Locale.ROOT,
                        "\"%s\",%.3f,%.3f,%.3f%n",
                        goal.name(),
                        factors.median(),
                        factors.least(),
                        factors.most()));
                String text = String.format(Locale.ROOT, "%.1f×", factors.median());
                plot.add(goal.name(), factors.median(), factors.least(), factors.most(), text);
            });
        }
        Path directory = Files.createDirectories(Path.of(out));
        Files.writeString(directory.resolve("core.csv"), csv, StandardCharsets.UTF_8);
        Files.writeString(directory.resolve("core.svg"), plot.svg(), StandardCharsets.UTF_8);
    }

    /** Prints all figures; false if one is missed. */
    private boolean print() {
        boolean reached = true;
        System.out.println("CPU time, naive ÷ ours or ours ÷ naive; median and worst of " + effort.rounds + " rounds");
        for (Goal goal : Goal.all()) {
            Goal.Line line = goal.judge(measurements);
            System.out.println(line.text());
            reached &= line.reached();
        }
        System.out.println("An operation: CPU time, the part of it outside of the collector, bytes allocated; medians");
        for (String benchmark : measurements.benchmarks()) {
            System.out.printf(
                    Locale.ROOT,
                    "  %-52s %,14.0f ns %,14.0f ns %,14.0f B%n",
                    benchmark,
                    Spread.of(measurements.each(benchmark, Operation::cpuNanos)).median(),
                    Spread.of(measurements.each(benchmark, Operation::threadNanos))
                            .median(),
                    Spread.of(measurements.each(benchmark, Operation::allocatedBytes))
                            .median());
        }
        return reached;
    }
}
