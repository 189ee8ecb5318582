package dev.stormproof.cli;

import dev.stormproof.cli.Tally.Counts;
import dev.stormproof.log.RangeAudit.Contents;
import dev.stormproof.log.RangeAudit.Range;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A report ends an audit: a table of partitions, and a line for every finding that is not a proof. */
final class AuditReport {
    private static final String ROW = "%-10s %21s %10s %12s %9s %9s %13s %6s%n";

    private final Tally tally;
    private final List<Row> rows = new ArrayList<>();

    private record Row(int partition, OffsetRange offsets, Contents contents) {}

    /** A report of what a tally holds. */
    AuditReport(Tally tally) {
        this.tally = tally;
    }

    /** Adds a range that was audited, at most one of each partition. */
    void add(Range range, Contents contents) {
        rows.add(new Row(range.partition().partition(), new OffsetRange(range.begin(), range.end()), contents));
    }

    void print(PrintWriter out) {
        out.printf(
                Locale.ROOT,
                ROW,
                "partition",
                "offsets",
                "events",
                "checkpoints",
                "verified",
                "violated",
                "inconclusive",
                "open");
        for (Row row : rows) {
            row(
                    out,
                    Integer.toString(row.partition()),
                    row.offsets().toString(),
                    row.contents(),
                    tally.countsOf(row.partition()));
        }
        if (rows.size() > 1) {
            row(out, "all", "", total(), tally.total());
        }
        FindingLines.print(tally, tally.anomalies(), anomaly -> "", out);
        tally.inconclusive().forEach(verdict -> FindingLines.print(verdict, out));
        out.println();
        out.println(conclusion());
    }

    /** One line: the verdict on everything. */
    String conclusion() {
        Contents contents = total();
        String proven = contents.checkpoints() == 0
                ? "NOTHING TO VERIFY: no checkpoint lies here"
                : text(
                        "VERIFIED: the events of all %,d intervals arrived once, in order and unaltered",
                        tally.total().verified());
        return Conclusion.of(tally, contents.checkpoints(), proven + open(contents));
    }

    private static String open(Contents contents) {
        return contents.open() == 0
                ? ""
                : text(
                        "; %,d %s not sealed yet",
                        contents.open(), contents.open() == 1 ? "stream's end is" : "streams' ends are");
    }

    private Contents total() {
        return new Contents(
                rows.stream().mapToLong(row -> row.contents().events()).sum(),
                rows.stream().mapToLong(row -> row.contents().checkpoints()).sum(),
                rows.stream().mapToInt(row -> row.contents().open()).sum());
    }

    private static void row(PrintWriter out, String name, String offsets, Contents contents, Counts counts) {
        out.printf(
                Locale.ROOT,
                ROW,
                name,
                offsets,
                text("%,d", contents.events()),
                text("%,d", contents.checkpoints()),
                text("%,d", counts.verified()),
                text("%,d", counts.violated()),
                text("%,d", counts.inconclusive()),
                text("%,d", contents.open()));
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
