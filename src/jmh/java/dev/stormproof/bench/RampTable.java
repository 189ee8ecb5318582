package dev.stormproof.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** The steps of a ramp: printed, as a file of comma-separated values, and as a plot of percentiles over the rate. */
final class RampTable {
    private static final int LEFT = 70;
    private static final int TOP = 44;
    private static final int WIDTH = 620;
    private static final int HEIGHT = 300;
    private static final double MOST_MILLIS = 10_000;
    private static final double LEAST_MILLIS = 10;
    private static final List<String> COLORS = List.of("#3b6ea8", "#7aa6d8", "#b3452c", "#e08b72");
    private static final List<String> NAMES =
            List.of("latency, p50", "latency, p99", "detection delay, p50", "detection delay, p99");

    private final String name;
    private final List<Row> rows = new ArrayList<>();
    private @Nullable Row half;

    /**
     * One step.
     *
     * @param offered events a second
     * @param cameOut events a second, while so many were offered
     * @param latency in milliseconds
     * @param detection in milliseconds
     */
    record Row(double offered, double cameOut, Histogram latency, Histogram detection) {
        /** How much of what was offered came out meanwhile. */
        double kept() {
            return cameOut / offered;
        }

        private List<Double> percentiles() {
            return List.of(
                    (double) latency.getValueAtPercentile(50),
                    (double) latency.getValueAtPercentile(99),
                    (double) detection.getValueAtPercentile(50),
                    (double) detection.getValueAtPercentile(99));
        }
    }

    RampTable(String name) {
        this.name = name;
        System.out.println(name + ": milliseconds, p50 / p99 / p99.9 / most");
        System.out.println("  offered/s  came out/s                 latency             detection delay  alerts");
    }

    void add(Row row) {
        rows.add(row);
        print(row, "");
    }

    /** Says how long it took after the last step until all had come out and all faults were told. */
    void addRecovery(Duration took) {
        System.out.printf(
                Locale.ROOT, "  all came out, and all faults were told, %.1f s later%n", took.toMillis() / 1e3);
    }

    /** Adds the step at half of the greatest rate that was kept up with. */
    void addAtHalf(Row row) {
        half = row;
        print(row, "  at half load");
    }

    private static void print(Row row, String remark) {
        System.out.printf(
                Locale.ROOT,
                "  %,9.0f  %,10.0f  %22s  %26s  %,6d%s%n",
                row.offered,
                row.cameOut,
                percentiles(row.latency),
                percentiles(row.detection),
                row.detection.getTotalCount(),
                remark);
    }

    private static String percentiles(Histogram histogram) {
        return histogram.getValueAtPercentile(50) + " / " + histogram.getValueAtPercentile(99) + " / "
                + histogram.getValueAtPercentile(99.9) + " / " + histogram.getMaxValue();
    }

    /** Writes both files, if the system property {@code bench.out} names a directory. */
    void write() throws IOException {
        String out = System.getProperty("bench.out");
        if (out != null) {
            Path dir = Files.createDirectories(Path.of(out));
            Files.writeString(dir.resolve(name + ".csv"), csv(), UTF_8);
            Files.writeString(dir.resolve(name + ".svg"), svg(), UTF_8);
        }
    }

    private String csv() {
        StringBuilder csv =
                new StringBuilder("offered,came out,latency p50,p99,p99.9,detection p50,p99,p99.9,alerts\n");
        List<Row> all = new ArrayList<>(rows);
        if (half != null) {
            all.add(half);
        }
        for (Row row : all) {
            csv.append(String.format(
                    Locale.ROOT,
                    "%.0f,%.0f,%d,%d,%d,%d,%d,%d,%d%n",
                    row.offered,
                    row.cameOut,
                    row.latency.getValueAtPercentile(50),
                    row.latency.getValueAtPercentile(99),
                    row.latency.getValueAtPercentile(99.9),
                    row.detection.getValueAtPercentile(50),
                    row.detection.getValueAtPercentile(99),
                    row.detection.getValueAtPercentile(99.9),
                    row.detection.getTotalCount()));
        }
        return csv.toString();
    }

    private String svg() {
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\""
                        + " font-size=\"13\">%n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n"
                        + "<text x=\"12\" y=\"24\" font-size=\"15\">%s: milliseconds by events offered a second</text>%n",
                LEFT + WIDTH + 30,
                TOP + HEIGHT + 90,
                name));
        for (double millis = LEAST_MILLIS; millis <= MOST_MILLIS; millis *= 10) {
            svg.append(String.format(
                    Locale.ROOT,
                    "<path d=\"M%d %.1f h%d\" stroke=\"#ddd\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.0f</text>%n",
                    LEFT,
                    y(millis),
                    WIDTH,
                    LEFT - 8,
                    y(millis) + 4,
                    millis));
        }
        for (Row row : rows) {
            svg.append(String.format(
                    Locale.ROOT,
                    "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\" font-size=\"11\">%.0fk</text>%n",
                    x(row),
                    TOP + HEIGHT + 18,
                    row.offered / 1_000));
        }
        for (int i = 0; i < NAMES.size(); i++) {
            int at = i;
            svg.append(line(row -> row.percentiles().get(at), COLORS.get(i)));
            svg.append(String.format(
                    Locale.ROOT,
                    "<path d=\"M%d %d h24\" stroke=\"%s\" stroke-width=\"3\"/><text x=\"%d\" y=\"%d\">%s</text>%n",
                    LEFT + i % 2 * 240,
                    TOP + HEIGHT + 46 + i / 2 * 22,
                    COLORS.get(i),
                    LEFT + i % 2 * 240 + 32,
                    TOP + HEIGHT + 50 + i / 2 * 22,
                    NAMES.get(i)));
        }
        return svg.append("</svg>\n").toString();
    }

    private String line(Function<Row, Double> millis, String color) {
        StringBuilder points = new StringBuilder();
        for (Row row : rows) {
            points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(row), y(millis.apply(row))));
        }
        return String.format(
                "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>%n", points, color);
    }

    private double x(Row row) {
        return LEFT + (rows.indexOf(row) + 0.5) * WIDTH / rows.size();
    }

    private static double y(double millis) {
        double bounded = Math.max(LEAST_MILLIS, Math.min(MOST_MILLIS, millis));
        return TOP + HEIGHT * (1 - Math.log(bounded / LEAST_MILLIS) / Math.log(MOST_MILLIS / LEAST_MILLIS));
    }
}
