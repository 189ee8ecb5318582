package dev.stormproof.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stormproof.compare.Difference;
import dev.stormproof.compare.Difference.Kind;
import dev.stormproof.compare.Differences;
import dev.stormproof.compare.RecordLog;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A report ends a comparison: a table of partitions, a line for each difference, and the conclusions. */
final class CompareReport {
    private static final String HEAD =
            "partition     source offsets     target offsets         same    missing      extra  reordered";

    private final PrintWriter out;
    private final List<Row> rows = new ArrayList<>();
    private final List<String> audits = new ArrayList<>();

    private record Row(int partition, String source, String target, Differences differences) {}

    CompareReport(PrintWriter out) {
        this.out = out;
    }

    /** Adds a partition that was compared, and prints it at once if it is printed as JSON. */
    void add(int partition, RecordLog source, RecordLog target, Differences differences, boolean json) {
        rows.add(new Row(partition, range(source), range(target), differences));
        if (json) {
            differences.named().forEach(one -> out.println(json(partition, one)));
            out.println(json(partition, differences));
        }
    }

    void addAudit(String name, String topic, String conclusion) {
        audits.add("the " + name + "'s audit, of " + topic + ": " + conclusion);
    }

    boolean same() {
        return rows.stream().allMatch(row -> row.differences.none());
    }

    void print() {
        out.println(HEAD);
        for (Row row : rows) {
            Differences found = row.differences;
            out.printf(
                    Locale.ROOT,
                    "%-9d %18s %18s %,12d %,10d %,10d %,10d%n",
                    row.partition,
                    row.source,
                    row.target,
                    found.same(),
                    found.records(Kind.MISSING),
                    found.records(Kind.EXTRA),
                    found.records(Kind.REORDERED));
        }
        rows.forEach(this::printDifferences);
        out.println();
        conclusions().forEach(out::println);
    }

    /** A line for each audit, and one with the answer. */
    List<String> conclusions() {
        List<String> lines = new ArrayList<>(audits);
        lines.add(conclusion());
        return lines;
    }

    private void printDifferences(Row row) {
        List<Difference> named = row.differences.named();
        if (!named.isEmpty()) {
            out.printf("%npartition %d:%n", row.partition);
            named.forEach(one -> out.println("  " + line(one)));
        }
        long further = total(row.differences)
                - named.stream().mapToLong(Difference::records).sum();
        if (further > 0) {
            out.printf(Locale.ROOT, "  and %,d more records that are not named%n", further);
        }
    }

    private String conclusion() {
        long same = rows.stream().mapToLong(row -> row.differences.same()).sum();
        if (same()) {
            return ReportText.text("SAME: %,d records, in order, by key, value and headers", same);
        }
        return ReportText.text(
                "DIFFERENT: %,d missing, %,d extra, %,d reordered; %,d records are the same",
                sum(Kind.MISSING), sum(Kind.EXTRA), sum(Kind.REORDERED), same);
    }

    private long sum(Kind kind) {
        return rows.stream().mapToLong(row -> row.differences.records(kind)).sum();
    }

    private static long total(Differences differences) {
        long total = 0;
        for (Kind kind : Kind.values()) {
            total += differences.records(kind);
        }
        return total;
    }

    private static String line(Difference one) {
        String source = ReportText.range(one.source(), one.sourceEnd());
        String target = ReportText.range(one.target(), one.targetEnd());
        String count = ReportText.text(one.records() == 1 ? "" : "  %,d records", one.records());
        return switch (one.kind()) {
            case MISSING -> "missing  source " + source + ", before target " + one.target() + count;
            case EXTRA -> "extra  target " + target + ", before source " + one.source() + count;
            case REORDERED -> "reordered  source " + source + " is target " + target;
            case EXPIRED_AT_SOURCE -> "not compared  target " + target + ": the source begins behind them" + count;
            case EXPIRED_AT_TARGET -> "not compared  source " + source + ": the target begins behind them" + count;
        };
    }

    private static String json(int partition, Difference one) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("partition", partition);
        node.put("difference", name(one.kind()));
        node.put("sourceBegin", one.source());
        node.put("sourceEnd", one.sourceEnd());
        node.put("targetBegin", one.target());
        node.put("targetEnd", one.targetEnd());
        node.put("records", one.records());
        return node.toString();
    }

    private static String json(int partition, Differences differences) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("partition", partition);
        node.put("same", differences.same());
        for (Kind kind : Kind.values()) {
            node.put(name(kind), differences.records(kind));
        }
        return node.toString();
    }

    private static String name(Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static String range(RecordLog log) {
        return ReportText.range(log.beginOffset(), log.endOffset());
    }
}
