package dev.stormproof.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A plot of bars: what each variant gave, with the range over all rounds. Uses nothing but Java, so that scripts draw with it what
 * other programs measured: {@code java BarPlot.java TITLE FIGURES.csv PLOT.svg}, of whose columns the first four are the label, the
 * median, the least and the most.
 */
public final class BarPlot {
    private static final int LABEL_WIDTH = 320;
    private static final int BAR_WIDTH = 420;
    private static final int ROW = 28;
    private static final int TOP = 40;

    private final String title;
    private final List<Bar> bars = new ArrayList<>();

    private record Bar(String label, double median, double least, double most, String text) {}

    BarPlot(String title) {
        this.title = title;
    }

    /** Takes a title, a file of comma-separated values and the file to write. */
    public static void main(String[] arguments) throws IOException {
        BarPlot plot = new BarPlot(arguments[0]);
        List<String> lines = Files.readAllLines(Path.of(arguments[1]), UTF_8);
        for (String line : lines.subList(1, lines.size())) {
            int quote = line.lastIndexOf('"');
            String[] numbers = line.substring(quote + 2).split(",", -1);
            double median = Double.parseDouble(numbers[0]);
            plot.add(
                    line.substring(1, quote),
                    median,
                    Double.parseDouble(numbers[1]),
                    Double.parseDouble(numbers[2]),
                    String.format(Locale.ROOT, median < 100 ? "%.2f" : "%,.0f", median));
        }
        Files.writeString(Path.of(arguments[2]), plot.svg(), UTF_8);
    }

    /** Adds a bar, with a text behind it. */
    void add(String label, double median, double least, double most, String text) {
        bars.add(new Bar(label, median, least, most, text));
    }

    String svg() {
        double most = bars.stream().mapToDouble(Bar::most).max().orElse(1);
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\""
                        + " font-size=\"13\">%n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n"
                        + "<text x=\"12\" y=\"24\" font-size=\"15\">%s; median, least to most</text>%n",
                LABEL_WIDTH + BAR_WIDTH + 140,
                TOP + bars.size() * ROW + 16,
                escaped(title)));
        for (int i = 0; i < bars.size(); i++) {
            Bar bar = bars.get(i);
            int y = TOP + i * ROW;
            svg.append(String.format(
                    Locale.ROOT,
                    "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>"
                            + "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"16\" fill=\"#3b6ea8\"/>"
                            + "<path d=\"M%.1f %d h%.1f\" stroke=\"#222\" stroke-width=\"2\"/>"
                            + "<text x=\"%.1f\" y=\"%d\">%s</text>%n",
                    LABEL_WIDTH - 8,
                    y + 13,
                    escaped(bar.label),
                    LABEL_WIDTH,
                    y,
                    BAR_WIDTH * bar.median / most,
                    LABEL_WIDTH + BAR_WIDTH * bar.least / most,
                    y + 8,
                    BAR_WIDTH * (bar.most - bar.least) / most,
                    LABEL_WIDTH + BAR_WIDTH * bar.most / most + 8,
                    y + 13,
                    escaped(bar.text)));
        }
        return svg.append("</svg>\n").toString();
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }
}
