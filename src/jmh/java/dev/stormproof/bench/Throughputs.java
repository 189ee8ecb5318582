package dev.stormproof.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Events a second of several readers of the same logs, and each reader's share of the first one's, round by round. */
final class Throughputs {
    private final Map<String, Map<String, List<Double>>> byLog = new LinkedHashMap<>();

    void add(String log, String reader, double perSecond) {
        byLog.computeIfAbsent(log, first -> new LinkedHashMap<>())
                .computeIfAbsent(reader, first -> new ArrayList<>())
                .add(perSecond);
    }

    /** Prints those of the last rounds: the ones before warm up. */
    void print(int rounds) {
        System.out.println("events a second, by the clock; ÷ the first, median (least, most)");
        byLog.forEach((log, readers) -> {
            List<Double> firsts = last(readers.values().iterator().next(), rounds);
            readers.forEach((reader, all) -> {
                List<Double> found = last(all, rounds);
                double[] ratios = new double[rounds];
                for (int i = 0; i < rounds; i++) {
                    ratios[i] = found.get(i) / firsts.get(i);
                }
                Spread ratio = Spread.of(ratios);
                System.out.printf(
                        Locale.ROOT,
                        "  %-20s %-20s %,12.0f      %5.2f (%.2f, %.2f)%n",
                        log,
                        reader,
                        Spread.of(found.stream().mapToDouble(one -> one).toArray())
                                .median(),
                        ratio.median(),
                        ratio.least(),
                        ratio.most());
            });
        });
    }

    private static List<Double> last(List<Double> all, int rounds) {
        return all.subList(all.size() - rounds, all.size());
    }
}
