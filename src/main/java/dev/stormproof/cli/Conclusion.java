package dev.stormproof.cli;

import dev.stormproof.cli.Tally.Counts;
import java.util.Locale;

/** The last line of a report states the verdict on everything that a tally holds. */
final class Conclusion {
    private Conclusion() {}

    /**
     * The line.
     *
     * @param intervals how many intervals were looked at
     * @param proven the line if everything is verified
     */
    static String of(Tally tally, long intervals, String proven) {
        return switch (tally.exitCode()) {
            case ExitCode.VIOLATED -> violated(tally, intervals);
            case ExitCode.INCONCLUSIVE -> inconclusive(tally.total());
            default -> proven;
        };
    }

    private static String violated(Tally tally, long intervals) {
        Counts total = tally.total();
        if (total.violated() == 0) {
            int strays = tally.unattributed().size();
            return text("VIOLATED: %,d %s of no stream", strays, strays == 1 ? "record" : "records");
        }
        long anomalies = tally.anomalies().size() + tally.unnamed();
        return text(
                "VIOLATED: %,d %s in %,d of %,d intervals",
                anomalies, anomalies == 1 ? "anomaly" : "anomalies", total.violated(), intervals);
    }

    private static String inconclusive(Counts total) {
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

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
