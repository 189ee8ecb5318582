package dev.stormproof.cli.text;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stormproof.cli.terminal.Terminal;
import dev.stormproof.proof.compare.Difference;
import dev.stormproof.proof.compare.Difference.Kind;
import dev.stormproof.proof.compare.Differences;
import dev.stormproof.proof.compare.RecordLog;
import dev.stormproof.proof.compare.RecordLog.LeftOut;
import dev.stormproof.verify.judge.EnumNames;
import java.util.ArrayList;
import java.util.List;

/** A report ends a comparison: a table of partitions, a line for each difference, and the conclusions. */
public final class CompareReport {
    private static final String MANNER = ", in order, by key, value and headers";
    private static final List<String> ANSWERS = List.of("same", "different", "inconclusive");

    private final boolean held;
    private final int others;
    private final Terminal out;
    private final List<Row> rows = new ArrayList<>();
    private final List<String> audits = new ArrayList<>();
    private final List<String> ignored = new ArrayList<>();

    private record Row(int partition, RecordLog source, RecordLog target, Differences differences) {
        boolean expired() {
            return source.beginOffset() > 0 || target.beginOffset() > 0;
        }

        boolean keptBack() {
            return source.writtenEnd() > source.endOffset() || target.writtenEnd() > target.endOffset();
        }

        boolean leftOut() {
            return source.leftOut().count() > 0 || target.leftOut().count() > 0;
        }

        /** True if they differ, whatever the records hold that were not read: these may be what the other log has more. */
        boolean differ() {
            return differences.records(Kind.REORDERED) > 0
                    || differences.records(Kind.ALTERED) > 0
                    || differences.records(Kind.MISSING) > target.leftOut().count()
                    || differences.records(Kind.EXTRA) > source.leftOut().count();
        }

        /** True if all of both logs was compared; of what is left of them, if that will do and anything is the same. */
        boolean wholly(boolean held) {
            return !keptBack() && !leftOut() && (!expired() || (held && differences.same() > 0));
        }
    }

    /** A range of offsets of a log that was not read, and why. */
    private record NotRead(String log, long begin, long end, String reason) {
        String line() {
            return "not compared  " + log + " " + ReportText.range(begin, end) + ": " + reason;
        }

        void write(ObjectNode node) {
            node.put("log", log);
            node.put("begin", begin);
            node.put("end", end);
            node.put("reason", reason);
        }
    }

    /**
     * @param held true if what expired in one of the logs may be left out
     * @param others how many partitions were not asked for
     */
    public CompareReport(boolean held, int others, Terminal out) {
        this.held = held;
        this.others = others;
        this.out = out;
    }

    /** Adds a partition that was compared, and prints it at once if it is printed as JSON. */
    public void add(int partition, RecordLog source, RecordLog target, Differences differences, boolean json) {
        Row row = new Row(partition, source, target, differences);
        rows.add(row);
        if (json) {
            differences.named().forEach(one -> out.println(json(partition, one)));
            out.println(json(row));
        }
    }

    /** Notes that headers of a name were not compared. */
    public void addIgnored(String header) {
        ignored.add(header);
    }

    /** Notes that the topics have not as many partitions, so that records of one key may be in different ones. */
    public void addUnlike(String source, int ofSource, String target, int ofTarget) {
        audits.add(source + " has " + ReportText.count(ofSource, "partition", "partitions") + " and " + target + " has "
                + ReportText.count(ofTarget, "partition", "partitions")
                + "; each is compared with the one of its number, or with none");
    }

    public void addAudit(String name, String topic, String conclusion) {
        audits.add("the " + name + "'s audit, of " + topic + ": " + conclusion);
    }

    /** Whether the logs are the same: proven of all that was asked for, or not. */
    public int exitCode() {
        if (rows.stream().anyMatch(Row::differ)) {
            return ExitCode.VIOLATED;
        }
        boolean wholly = rows.stream().allMatch(row -> row.wholly(held));
        return wholly && same() > 0 ? ExitCode.VERIFIED : ExitCode.INCONCLUSIVE;
    }

    public void print() {
        Table table = new Table(
                "partition", "source offsets", "target offsets", "same", "missing", "extra", "reordered", "altered");
        for (Row row : rows) {
            Differences found = row.differences;
            table.add(
                    row.partition,
                    range(row.source),
                    range(row.target),
                    found.same(),
                    found.records(Kind.MISSING),
                    found.records(Kind.EXTRA),
                    found.records(Kind.REORDERED),
                    found.records(Kind.ALTERED));
        }
        table.print(out);
        rows.forEach(this::printDifferences);
        out.println();
        conclusions().forEach(out::printVerdict);
    }

    /** A line for each audit, and one with the answer. */
    public List<String> conclusions() {
        List<String> lines = new ArrayList<>(audits);
        lines.add(conclusion());
        return lines;
    }

    private void printDifferences(Row row) {
        List<String> lines = new ArrayList<>();
        notRead(row).forEach(range -> lines.add(range.line()));
        List<Difference> named = row.differences.named();
        named.forEach(one -> lines.add(line(one)));
        long further = total(row.differences)
                - named.stream().mapToLong(Difference::records).sum();
        if (further > 0) {
            lines.add(ReportText.text("and %,d more records that are not named", further));
        }
        if (!lines.isEmpty()) {
            out.printf("%npartition %d:%n", row.partition);
            lines.forEach(line -> out.println("  " + line));
        }
    }

    private static List<NotRead> notRead(Row row) {
        List<NotRead> ranges = new ArrayList<>();
        addNotRead("source", row.source, ranges);
        addNotRead("target", row.target, ranges);
        return ranges;
    }

    private static void addNotRead(String name, RecordLog log, List<NotRead> ranges) {
        if (log.beginOffset() > 0) {
            ranges.add(new NotRead(name, 0, log.beginOffset(), "expired"));
        }
        if (log.writtenEnd() > log.endOffset()) {
            ranges.add(new NotRead(name, log.endOffset(), log.writtenEnd(), "kept back by an open transaction"));
        }
        LeftOut left = log.leftOut();
        if (left.count() > 0) {
            String count = ReportText.text("%,d too large, ", left.count());
            ranges.add(new NotRead(name, left.begin(), left.end(), count + left.reason()));
        }
    }

    private String conclusion() {
        String same = ReportText.count(same(), "record", "records");
        String left = notCompared().isEmpty() ? "" : "; not compared: " + String.join(", ", notCompared());
        return switch (exitCode()) {
            case ExitCode.VERIFIED -> "SAME: " + same + MANNER + left;
            case ExitCode.INCONCLUSIVE ->
                "INCONCLUSIVE: "
                        + (same() == 0 ? "no record was found the same" : "the same are " + same + MANNER)
                        + left;
            default ->
                ReportText.text(
                                "DIFFERENT: %,d missing, %,d extra, %,d reordered, %,d altered in headers alone; the"
                                        + " same are ",
                                sum(Kind.MISSING), sum(Kind.EXTRA), sum(Kind.REORDERED), sum(Kind.ALTERED))
                        + same
                        + left;
        };
    }

    /** The parts that the answer leaves out, in few words; the report names their offsets above. */
    private List<String> notCompared() {
        List<String> parts = new ArrayList<>();
        if (rows.stream().anyMatch(Row::expired)) {
            parts.add("what expired");
        }
        addRecords(sum(Kind.EXPIRED_AT_SOURCE), "of the target from before the source's beginning", parts);
        addRecords(sum(Kind.EXPIRED_AT_TARGET), "of the source from before the target's beginning", parts);
        if (rows.stream().anyMatch(Row::keptBack)) {
            parts.add("what an open transaction keeps back");
        }
        addRecords(leftOut(), "too large to be read", parts);
        if (!ignored.isEmpty()) {
            parts.add("headers " + String.join(", ", ignored));
        }
        if (others > 0) {
            parts.add(ReportText.count(others, "partition that was", "partitions that were") + " not asked for");
        }
        return parts;
    }

    private static void addRecords(long count, String where, List<String> parts) {
        if (count > 0) {
            parts.add(ReportText.count(count, "record ", "records ") + where);
        }
    }

    private long leftOut() {
        return rows.stream()
                .mapToLong(row ->
                        row.source.leftOut().count() + row.target.leftOut().count())
                .sum();
    }

    private long same() {
        return rows.stream().mapToLong(row -> row.differences.same()).sum();
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
            case ALTERED ->
                "altered  source " + source + " is target " + target + " with other headers, key and value the same"
                        + count;
            case EXPIRED_AT_SOURCE -> "not compared  target " + target + ": the source begins after them" + count;
            case EXPIRED_AT_TARGET -> "not compared  source " + source + ": the target begins after them" + count;
        };
    }

    private static String json(int partition, Difference one) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("partition", partition);
        node.put("difference", EnumNames.of(one.kind()));
        node.put("sourceBegin", one.source());
        node.put("sourceEnd", one.sourceEnd());
        node.put("targetBegin", one.target());
        node.put("targetEnd", one.targetEnd());
        node.put("records", one.records());
        return node.toString();
    }

    private static String json(Row row) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("partition", row.partition);
        node.put("same", row.differences.same());
        for (Kind kind : Kind.values()) {
            node.put(EnumNames.of(kind), row.differences.records(kind));
        }
        ArrayNode notCompared = node.putArray("notCompared");
        notRead(row).forEach(range -> range.write(notCompared.addObject()));
        return node.toString();
    }

    public void printJson() {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("answer", ANSWERS.get(exitCode()));
        node.put("same", same());
        for (Kind kind : Kind.values()) {
            node.put(EnumNames.of(kind), sum(kind));
        }
        node.put("expired", rows.stream().anyMatch(Row::expired));
        node.put("keptBack", rows.stream().anyMatch(Row::keptBack));
        node.put("tooLarge", leftOut());
        node.put("partitionsNotAsked", others);
        out.println(node);
    }

    private static String range(RecordLog log) {
        return ReportText.range(log.beginOffset(), log.endOffset());
    }
}
