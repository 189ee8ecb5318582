package dev.stormproof.cli.text;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The words for what an audit did not judge, one clause each: without them a verdict would say more than is known. */
final class NotJudged {
    /** How many partitions a clause names. */
    private static final int MOST_NAMED = 3;

    private NotJudged() {}

    static List<String> clauses(AuditScope scope, List<Audited> rows) {
        List<String> clauses = new ArrayList<>();
        int otherPartitions = scope.otherPartitions();
        if (otherPartitions > 0) {
            clauses.add(
                    ReportText.count(otherPartitions, "other partition was", "other partitions were") + " not judged");
        }
        add(
                clauses,
                rows,
                Audited::isBeheaded,
                row -> "the log of partition " + row.partition() + " begins at " + row.logBegin()
                        + "; earlier records were not judged",
                row -> row.partition() + " (at " + row.logBegin() + ")",
                "the logs of partitions %s begin later than at 0; earlier records were not judged");
        add(
                clauses,
                rows,
                row -> !row.fromLogBegin(),
                row -> "the range before " + row.range().begin() + " in partition " + row.partition()
                        + " was not judged",
                row -> row.partition() + " (before " + row.range().begin() + ")",
                "the beginnings of partitions %s were not judged");
        add(
                clauses,
                rows,
                row -> !row.toReadableEnd(),
                row -> "the range from " + row.range().end() + " on in partition " + row.partition()
                        + ", and events whose checkpoint is there, were not judged",
                row -> row.partition() + " (from " + row.range().end() + " on)",
                "the ends of partitions %s, and events whose checkpoints are there, were not judged");
        add(
                clauses,
                rows,
                scope::hidesSomeOf,
                row -> ReportText.text(
                        "records from %d on in partition %d, %s after an open transaction, were not judged",
                        row.range().readableEnd(), row.partition(), hidden(row)),
                row -> ReportText.text("%d (%s)", row.partition(), hidden(row)),
                "records after open transactions in partitions %s were not judged");
        return clauses;
    }

    private static String hidden(Audited row) {
        return ReportText.count(row.range().logEnd() - row.range().readableEnd(), "offset", "offsets");
    }

    private static void add(
            List<String> clauses,
            List<Audited> rows,
            Predicate<Audited> which,
            Function<Audited, String> one,
            Function<Audited, String> named,
            String many) {
        List<Audited> found = rows.stream().filter(which).toList();
        if (found.size() == 1) {
            clauses.add(one.apply(found.get(0)));
        } else if (!found.isEmpty()) {
            String names = found.stream().limit(MOST_NAMED).map(named).collect(Collectors.joining(", "));
            int more = found.size() - MOST_NAMED;
            clauses.add(ReportText.text(many, more > 0 ? names + ReportText.text(" and %,d more", more) : names));
        }
    }
}
