package dev.stormproof.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The costs that were measured, as a file of comma-separated values and as a plot of their ratios to the first one. */
final class CostTable {
    private static final int NAME_WIDTH = 240;
    private static final int BAR_WIDTH = 420;
    private static final int ROW = 28;
    private static final int TOP = 40;

    private final String name;
    private final List<Row> rows = new ArrayList<>();

    private record Row(String variant, CostRounds.Cost median, Spread ratio) {}

    CostTable(String name) {
        this.name = name;
    }

    void add(String variant, CostRounds.Cost median, Spread ratio) {
        rows.add(new Row(variant, median, ratio));
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
        StringBuilder csv = new StringBuilder(
                "variant,nanos per event,ratio median,ratio least,ratio most,collector's nanos,compiler's nanos,"
                        + "others' nanos,bytes allocated\n");
        for (Row row : rows) {
            csv.append(String.format(
                    Locale.ROOT,
                    "\"%s\",%.1f,%.3f,%.3f,%.3f,%.1f,%.1f,%.1f,%.1f%n",
                    row.variant,
                    row.median.threadNanos(),
                    row.ratio.median(),
                    row.ratio.least(),
                    row.ratio.most(),
                    row.median.collectorNanos(),
                    row.median.compilerNanos(),
                    row.median.otherNanos(),
                    row.median.allocatedBytes()));
        }
        return csv.toString();
    }

    private String svg() {
        double most = rows.stream().mapToDouble(row -> row.ratio.most()).max().orElse(1);
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\""
                        + " font-size=\"13\">%n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n"
                        + "<text x=\"12\" y=\"24\" font-size=\"15\">%s: CPU time an event, ÷ the first; median, least"
                        + " to most</text>%n",
                NAME_WIDTH + BAR_WIDTH + 140,
                TOP + rows.size() * ROW + 16,
                name));
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            int y = TOP + i * ROW;
            svg.append(String.format(
                    Locale.ROOT,
                    "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>"
                            + "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"16\" fill=\"#3b6ea8\"/>"
                            + "<path d=\"M%.1f %d h%.1f\" stroke=\"#222\" stroke-width=\"2\"/>"
                            + "<text x=\"%.1f\" y=\"%d\">%.2f × (%.0f ns)</text>%n",
                    NAME_WIDTH - 8,
                    y + 13,
                    row.variant.replace("&", "&amp;").replace("<", "&lt;"),
                    NAME_WIDTH,
                    y,
                    BAR_WIDTH * row.ratio.median() / most,
                    NAME_WIDTH + BAR_WIDTH * row.ratio.least() / most,
                    y + 8,
                    BAR_WIDTH * (row.ratio.most() - row.ratio.least()) / most,
                    NAME_WIDTH + BAR_WIDTH * row.ratio.most() / most + 8,
                    y + 13,
                    row.ratio.median(),
                    row.median.threadNanos()));
        }
        return svg.append("</svg>\n").toString();
    }
}
