package dev.stormproof.cli.text;

import dev.stormproof.cli.terminal.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/**
 * A sum ends an audit of several topics: a line for each, and the verdict on all, which is the worst of theirs.
 *
 * <p>Accepted weighs more than verified, inconclusive more than that, violated most.
 */
public final class AuditSum {
    private static final List<Integer> BY_WEIGHT =
            List.of(ExitCode.VIOLATED, ExitCode.INCONCLUSIVE, ExitCode.ACCEPTED, ExitCode.VERIFIED);

    private final String named;
    private final List<String> leftOut;
    private final List<AuditReport> reports = new ArrayList<>();

    /**
     * @param named what the topics were named by
     * @param leftOut the topics so named that were not audited, since they are compacted
     */
    public AuditSum(String named, List<String> leftOut) {
        this.named = named;
        this.leftOut = List.copyOf(leftOut);
    }

    public void add(AuditReport report) {
        reports.add(report);
    }

    /** Prints a heading above the report on a topic. */
    public void begin(String topic, Terminal out) {
        if (!reports.isEmpty()) {
            out.println();
        }
        out.println("topic " + topic);
    }

    public void print(Terminal out) {
        out.println();
        Table table = new Table("topic", "events", "proven", "open", "verdict");
        for (AuditReport report : reports) {
            String verdict = ExitCode.word(report.exitCode());
            table.add(report.topic(), report.events(), report.proven(), report.openEvents(), verdict);
        }
        table.add(
                "together",
                sum(AuditReport::events),
                sum(AuditReport::proven),
                sum(AuditReport::openEvents),
                ExitCode.word(exitCode()));
        table.print(out);
        out.println();
        out.printVerdict(conclusion());
    }

    /** The exit code that goes with all of them. */
    public int exitCode() {
        return BY_WEIGHT.stream().filter(code -> count(code) > 0).findFirst().orElse(ExitCode.INCONCLUSIVE);
    }

    /** One line: the verdict on all of them, and what was left out. */
    public String conclusion() {
        int code = exitCode();
        List<String> clauses = new ArrayList<>();
        for (int other : BY_WEIGHT) {
            if (count(other) > 0) {
                clauses.add(ReportText.text(
                        count(other) == 1 ? "%,d topic is %s" : "%,d topics are %s",
                        count(other),
                        ExitCode.word(other)));
            }
        }
        clauses.add(ReportText.text(
                sum(AuditReport::proven) == 1 ? "%,d of %s is proven" : "%,d of %s are proven",
                sum(AuditReport::proven),
                ReportText.events(sum(AuditReport::events))));
        clauses.addAll(notJudged());
        return ExitCode.word(code).toUpperCase(Locale.ROOT) + ": " + String.join("; ", clauses);
    }

    /** The parts that were not judged, a clause each, with its topic. */
    private List<String> notJudged() {
        List<String> clauses = new ArrayList<>();
        leftOut.forEach(topic -> clauses.add("topic " + topic + " is compacted, and was not judged"));
        reports.forEach(
                report -> report.notJudged().forEach(clause -> clauses.add("of " + report.topic() + " " + clause)));
        return clauses;
    }

    /** Writes what the table says as one line of JSON. */
    public void printJson(Terminal out) {
        out.println(AuditJson.topics(
                named,
                reports.stream().map(AuditReport::topic).toList(),
                reports.stream().map(AuditReport::counts).toList(),
                sum(report -> report.rows().size()),
                sum(AuditReport::accepted),
                new AuditJson.Outcome(
                        exitCode(),
                        conclusion(),
                        sum(AuditReport::events),
                        sum(AuditReport::openEvents),
                        sum(AuditReport::ignoredUnsigned),
                        notJudged())));
    }

    private long count(int exitCode) {
        return reports.stream().filter(report -> report.exitCode() == exitCode).count();
    }

    private long sum(ToLongFunction<AuditReport> part) {
        return reports.stream().mapToLong(part).sum();
    }
}
