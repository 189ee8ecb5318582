package dev.stormproof.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** What was measured of each benchmark, round by round. */
final class Measurements {
    private final Map<String, List<Operation>> rounds = new TreeMap<>();

    /**
     * One operation of a benchmark: the medians of a round's iterations.
     *
     * @param cpuNanos CPU time of the process, with the garbage collector
     * @param threadNanos CPU time of the Java threads alone
     */
    record Operation(double cpuNanos, double threadNanos, double allocatedBytes) {}

    void add(String benchmark, Operation operation) {
        rounds.computeIfAbsent(benchmark, name -> new ArrayList<>()).add(operation);
    }

    /** For each round how many times the CPU time of one benchmark the other one takes. */
    double[] cpuRatios(String dividend, String divisor) {
        double[] dividends = each(dividend, Operation::cpuNanos);
        double[] divisors = each(divisor, Operation::cpuNanos);
        double[] ratios = new double[dividends.length];
        for (int round = 0; round < ratios.length; round++) {
            ratios[round] = dividends[round] / divisors[round];
        }
        return ratios;
    }

    double[] allocatedBytes(String benchmark) {
        return each(benchmark, Operation::allocatedBytes);
    }

    Iterable<String> benchmarks() {
        return rounds.keySet();
    }

    double[] each(String benchmark, ToDoubleFunction<Operation> property) {
        List<Operation> operations = rounds.get(benchmark);
        if (operations == null) {
            throw new IllegalArgumentException("no benchmark " + benchmark);
        }
        return operations.stream().mapToDouble(property).toArray();
    }
}
