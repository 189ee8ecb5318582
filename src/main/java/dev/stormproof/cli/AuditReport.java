package dev.stormproof.cli;

import dev.stormproof.alert.AlertText;
import dev.stormproof.alert.PlainVerdict;
import dev.stormproof.cli.Tally.Counts;
import dev.stormproof.log.RangeAudit.Contents;
import dev.stormproof.log.RangeAudit.Range;
import dev.stormproof.submit.Terminal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** A report ends an audit: a table of partitions, and a line for every finding that is not a proof. */
final class AuditReport {
    private static final String HEAD =
            "partition                offsets     events  checkpoints  verified  violated  inconclusive   open";

    private final String topic;
    private final Tally tally;
    private final List<Row> rows = new ArrayList<>();

    private long further;

    private record Row(Range range, Contents contents) {}

    AuditReport(String topic, Tally tally) {
        this.topic = topic;
        this.tally = tally;
    }

    /** Adds a range that was audited, at most one of each partition. */
    void add(Range range, Contents contents) {
        rows.add(new Row(range, contents));
        rows.sort(Comparator.comparingInt(row -> row.range().partition().partition()));
    }

    /** Notes that so many anomalies were printed beside the report. */
    void addFurther(int anomalies) {
        further += anomalies;
    }

    void print(Terminal out) {
        out.println(HEAD);
        for (Row row : rows) {
            int partition = row.range().partition().partition();
            String offsets = ReportText.range(row.range().begin(), row.range().end());
            print(out, partition, offsets, row.contents(), tally.countsOf(partition));
        }
        if (rows.size() > 1) {
            print(out, "all", "", total(), tally.total());
        }
        ReportText.printFindings(tally, tally.anomalies(), anomaly -> "", out);
        if (further > 0) {
            out.printf(Locale.ROOT, "  %,d of these stand above%n", further);
        }
        tally.inconclusive().forEach(verdict -> out.println("  " + AlertText.summary(verdict)));
        out.println();
        out.println(conclusion());
        out.println(sentence());
    }

    private static void print(Terminal out, Object name, String offsets, Contents contents, Counts counts) {
        out.printf(
                Locale.ROOT,
                "%-10s %21s %,10d %,12d %,9d %,9d %,13d %,6d%n",
                name,
                offsets,
                contents.events(),
                contents.checkpoints(),
                counts.verified(),
                counts.violated(),
                counts.inconclusive(),
                contents.open());
    }

    /** One line: the verdict on everything. */
    String conclusion() {
        Contents contents = total();
        String proven = ReportText.text(
                "VERIFIED: the events of all %,d intervals arrived once, in order and unaltered",
                tally.total().verified());
        String ends = contents.open() == 1 ? "stream's end is" : "streams' ends are";
        String open = contents.open() == 0 ? "" : ReportText.text("; %,d %s not sealed yet", contents.open(), ends);
        return ReportText.conclusion(tally, contents.checkpoints(), proven) + open;
    }

    /** The same for people who know neither intervals nor checkpoints. */
    String sentence() {
        Counts total = tally.total();
        // Where nothing is named, what is not sealed yet counts as well: of it nothing can be said.
        boolean named = !tally.anomalies().isEmpty() || tally.unnamed() > 0;
        long events = named || total().open() == 0 ? total.events() : Math.max(total.events(), total().events());
        return new PlainVerdict(
                        topic,
                        events,
                        total.proven(),
                        tally.anomalies(),
                        tally.unnamed(),
                        tally.unattributedRecords(),
                        !tally.expiredUnread().isEmpty())
                .sentence();
    }

    private Contents total() {
        return new Contents(
                rows.stream().mapToLong(row -> row.contents().events()).sum(),
                rows.stream().mapToLong(row -> row.contents().checkpoints()).sum(),
                rows.stream().mapToInt(row -> row.contents().open()).sum());
    }
}
