package dev.stormproof.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** A file of results, one JSON object per line, that run after run appends to; and the table that it makes. */
final class Results {
    private final Path file;

    Results(Path file) {
        this.file = file;
    }

    void append(Result result) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.writeString(file, result.toJson() + "\n", UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    List<Result> read() throws IOException {
        List<Result> results = new ArrayList<>();
        for (String line : Files.readAllLines(file, UTF_8)) {
            results.add(Result.ofJson(line));
        }
        return results;
    }

    /** A Markdown table: a row for each cluster fault, and one over all; below it the rounds that were not good. Rounds
     * that ended before anything could be compared are only there. */
    static String table(List<Result> results) {
        List<Result> compared =
                results.stream().filter(result -> result.failure().isEmpty()).toList();
        StringBuilder table = new StringBuilder();
        table.append(
                "| cluster fault | rounds | events | faults injected | reported | false | output compared | wrong | verified again"
                        + " after, s | served again after, s |\n");
        table.append("|---|---|---|---|---|---|---|---|---|---|\n");
        for (ClusterFault fault : ClusterFault.values()) {
            List<Result> ofFault =
                    compared.stream().filter(result -> result.fault() == fault).toList();
            if (!ofFault.isEmpty()) {
                table.append(row(
                        "`" + fault.label() + "`",
                        ofFault,
                        medianAndMost(ofFault, Result::verifiedSeconds),
                        medianAndMost(ofFault, Result::servesSeconds)));
            }
        }
        table.append(row("all", compared, "", ""));
        long bad = results.stream().filter(result -> !result.isGood()).count();
        if (bad > 0) {
            table.append("\n").append(bad).append(" rounds were not as they should be:\n");
            results.stream()
                    .filter(result -> !result.isGood())
                    .forEach(result -> table.append(result.toJson()).append('\n'));
        }
        return table.toString();
    }

    private static String row(String name, List<Result> results, String verified, String serves) {
        return String.format(
                Locale.ROOT,
                "| %s | %d | %,d | %,d | %,d | %,d | %,d | %,d | %s | %s |%n",
                name,
                results.size(),
                sum(results, Result::events),
                sum(results, Result::injected),
                sum(results, Result::reported),
                sum(results, Result::falseAlerts),
                sum(results, Result::delivered),
                sum(results, Result::outputFaults),
                verified,
                serves);
    }

    private static long sum(List<Result> results, ToLongFunction<Result> number) {
        return results.stream().mapToLong(number).sum();
    }

    private static String medianAndMost(List<Result> results, ToDoubleFunction<Result> seconds) {
        double[] sorted = results.stream().mapToDouble(seconds).sorted().toArray();
        if (sorted.length == 0) {
            return "";
        }
        double median = (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
        return String.format(Locale.ROOT, "%.1f, at most %.1f", median, sorted[sorted.length - 1]);
    }
}
