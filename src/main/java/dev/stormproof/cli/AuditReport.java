package dev.stormproof.cli;

import dev.stormproof.audit.RangeAudit.Contents;
import dev.stormproof.audit.RangeAudit.Range;
import dev.stormproof.cli.Tally.Counts;
import dev.stormproof.judge.Anomaly;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The end of an audit in words: a table of partitions, and a line for everything that is not verified. */
final class AuditReport {
    private static final String ROW = "%-10s %21s %10s %12s %9s %9s %13s %6s%n";

    private final Tally tally;
    private final List<Row> rows = new ArrayList<>();

    private record Row(int partition, Span offsets, Contents contents) {}

    /** A report of what a tally holds. */
    AuditReport(Tally tally) {
        this.tally = tally;
    }

    /** Adds a range that was audited, at most one of each partition. */
    void add(Range range, Contents contents) {
        rows.add(new Row(range.partition().partition(), new Span(range.begin(), range.end()), contents));
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
        Counts counts = tally.total();
        Contents contents = total();
        return switch (tally.exitCode()) {
            case ExitCode.VIOLATED -> violated(counts, contents);
            case ExitCode.INCONCLUSIVE ->
                counts.inconclusive() > 0
                        ? text(
                                "INCONCLUSIVE: %,d of the intervals %s neither proven nor violated, %,d %s verified",
                                counts.inconclusive(),
                                counts.inconclusive() == 1 ? "is" : "are",
                                counts.verified(),
                                counts.verified() == 1 ? "is" : "are")
                        : "INCONCLUSIVE: the log dropped records before they were read";
            default ->
                contents.checkpoints() == 0
                        ? "NOTHING TO VERIFY: no checkpoint lies here" + open(contents)
                        : text(
                                "VERIFIED: the events of all %,d intervals arrived once, in order and unaltered%s",
                                counts.verified(), open(contents));
        };
    }

    private String violated(Counts counts, Contents contents) {
        if (counts.violated() == 0) {
            int strays = tally.unattributed().size();
            return text("VIOLATED: %,d %s of no stream", strays, strays == 1 ? "record" : "records");
        }
        List<Anomaly> anomalies = tally.anomalies();
        long count = anomalies.size() + tally.unnamed();
        return text(
                "VIOLATED: %,d %s in %,d of %,d intervals",
                count, count == 1 ? "anomaly" : "anomalies", counts.violated(), contents.checkpoints());
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
