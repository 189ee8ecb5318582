package dev.stormproof.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The costs that were measured, as a file of comma-separated values. */
final class CostTable {
    private final String name;
    private final List<Row> rows = new ArrayList<>();

    private record Row(String variant, CostRounds.Cost median, Spread ratio) {}

    CostTable(String name) {
        this.name = name;
    }

    void add(String variant, CostRounds.Cost median, Spread ratio) {
        rows.add(new Row(variant, median, ratio));
    }

    /** Writes the file, if the system property {@code bench.out} names a directory. */
    void write() throws IOException {
        String out = System.getProperty("bench.out");
        if (out != null) {
            Path dir = Files.createDirectories(Path.of(out));
            Files.writeString(dir.resolve(name + ".csv"), csv(), UTF_8);
        }
    }

    private String csv() {
        StringBuilder csv = new StringBuilder(
                "variant,nanos per event,ratio median,ratio least,ratio most,collector's nanos,compiler's nanos,"
                        + "others' nanos,bytes allocated,events per second\n");
        for (Row row : rows) {
            csv.append(String.format(
                    Locale.ROOT,
                    "\"%s\",%.1f,%.3f,%.3f,%.3f,%.1f,%.1f,%.1f,%.1f,%.0f%n",
                    row.variant,
                    row.median.threadNanos(),
                    row.ratio.median(),
                    row.ratio.least(),
                    row.ratio.most(),
                    row.median.collectorNanos(),
                    row.median.compilerNanos(),
                    row.median.otherNanos(),
                    row.median.allocatedBytes(),
                    1e9 / row.median.elapsedNanos()));
        }
        return csv.toString();
    }
}
