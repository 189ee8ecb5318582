package dev.stormproof.cli;

import dev.stormproof.alert.AlertText;
import dev.stormproof.cli.Tally.Counts;
import dev.stormproof.judge.Anomaly;
import dev.stormproof.submit.Terminal;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** The text of a report's findings, one line each, and of its last line: the verdict on everything in a tally. */
final class ReportText {
    private ReportText() {}

    /** Prints every anomaly with its remark, and every record that belongs nowhere or was never read. */
    static void printFindings(Tally tally, List<Anomaly> anomalies, Function<Anomaly, String> remark, Terminal out) {
        if (!anomalies.isEmpty()) {
            out.printf(Locale.ROOT, "%nnamed anomalies: %,d%n", anomalies.size());
            anomalies.forEach(anomaly -> out.println("  " + AlertText.line(anomaly) + remark.apply(anomaly)));
        }
        if (tally.unnamed() > 0) {
            out.printf(Locale.ROOT, "  and %,d more that are not named one by one%n", tally.unnamed());
        }
        tally.unattributed().forEach(record -> out.println("  " + AlertText.summary(record)));
        tally.expiredUnread().forEach(records -> out.println("  " + AlertText.summary(records)));
    }

    /** The last line: {@code proven} if everything in {@code intervals} intervals is verified. */
    static String conclusion(Tally tally, long intervals, String proven) {
        return switch (tally.exitCode()) {
            case ExitCode.VIOLATED -> violated(tally, intervals);
            case ExitCode.INCONCLUSIVE -> inconclusive(tally);
            default -> proven;
        };
    }

    private static String violated(Tally tally, long intervals) {
        int violated = tally.total().violated();
        if (violated == 0) {
            long records = tally.unattributedRecords();
            return text("VIOLATED: %,d %s of no stream", records, records == 1 ? "record" : "records");
        }
        long anomalies = tally.anomalies().size() + tally.unnamed();
        return text(
                "VIOLATED: %,d %s in %,d of %,d intervals",
                anomalies, anomalies == 1 ? "anomaly" : "anomalies", violated, intervals);
    }

    private static String inconclusive(Tally tally) {
        if (tally.isEmpty()) {
            return "INCONCLUSIVE: nothing to verify, there is no checkpoint";
        }
        Counts total = tally.total();
        if (total.inconclusive() == 0) {
            return "INCONCLUSIVE: the log dropped records before they were read";
        }
        return text(
                "INCONCLUSIVE: %,d of the intervals %s neither proven nor violated, %,d %s verified",
                total.inconclusive(),
                total.inconclusive() == 1 ? "is" : "are",
                total.verified(),
                total.verified() == 1 ? "is" : "are");
    }

    /** The exit code of two verdicts: a violation weighs most. */
    static int worse(int one, int other) {
        return one == ExitCode.VIOLATED || other == ExitCode.VERIFIED ? one : other;
    }

    /** The offsets or sequences [begin, end), for people. */
    static String range(long begin, long end) {
        if (begin >= end) {
            return "none";
        }
        return begin + 1 == end ? Long.toString(begin) : begin + " to " + (end - 1);
    }

    static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
