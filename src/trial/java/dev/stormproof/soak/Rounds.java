package dev.stormproof.soak;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The rounds of a benchmark, in each of which every variant is measured once, one after the other. */
final class Rounds {
    private final Map<String, List<Round>> byVariant = new LinkedHashMap<>();

    /** What one variant did in one round. */
    private record Round(double recordsPerSecond, double cpuNanosPerRecord) {}

    void add(String variant, double recordsPerSecond, double cpuNanosPerRecord) {
        byVariant
                .computeIfAbsent(variant, first -> new ArrayList<>())
                .add(new Round(recordsPerSecond, cpuNanosPerRecord));
    }

    /** Prints how a variant compares with another of the same round. */
    void compare(String one, String other) {
        System.out.printf(
                Locale.ROOT,
                "%s ÷ %s, median (least to most): records/s %s, CPU time %s%n",
                one,
                other,
                ratios(one, other, Round::recordsPerSecond),
                ratios(one, other, Round::cpuNanosPerRecord));
    }

    private String ratios(String one, String other, ToDoubleFunction<Round> figure) {
        List<Round> of = byVariant.getOrDefault(one, List.of());
        List<Round> by = byVariant.getOrDefault(other, List.of());
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < of.size(); round++) {
            ratios.add(figure.applyAsDouble(of.get(round)) / figure.applyAsDouble(by.get(round)));
        }
        double[] sorted = sorted(ratios);
        return String.format(Locale.ROOT, "%.2f (%.2f to %.2f)", median(sorted), sorted[0], sorted[sorted.length - 1]);
    }

    /** Writes the CPU time a record as comma-separated values, if the system property {@code bench.out} names a directory. */
    void write(String name) throws IOException {
        String out = System.getProperty("bench.out");
        if (out == null) {
            return;
        }
        StringBuilder csv = new StringBuilder("variant,nanos of CPU a record,least,most,records a second\n");
        byVariant.forEach((variant, rounds) -> {
            double[] nanos =
                    sorted(rounds.stream().map(Round::cpuNanosPerRecord).toList());
            double[] rates = sorted(rounds.stream().map(Round::recordsPerSecond).toList());
            csv.append(String.format(
                    Locale.ROOT,
                    "\"%s\",%.1f,%.1f,%.1f,%.0f%n",
                    variant,
                    median(nanos),
                    nanos[0],
                    nanos[nanos.length - 1],
                    median(rates)));
        });
        Files.writeString(Files.createDirectories(Path.of(out)).resolve(name + ".csv"), csv, UTF_8);
    }

    private static double[] sorted(List<Double> figures) {
        return figures.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    }

    private static double median(double[] sorted) {
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
}
