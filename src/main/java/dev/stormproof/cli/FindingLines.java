package dev.stormproof.cli;

import dev.stormproof.alert.AlertText;
import dev.stormproof.judge.Anomaly;
import dev.stormproof.judge.Finding;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** The lines below the table of a report tell each finding in one line. */
final class FindingLines {
    private FindingLines() {}

    /**
     * Prints every anomaly, and every record that belongs nowhere or was never read.
     *
     * @param remark what to add to an anomaly's line
     */
    static void print(Tally tally, List<Anomaly> anomalies, Function<Anomaly, String> remark, PrintWriter out) {
        if (!anomalies.isEmpty()) {
            out.printf(Locale.ROOT, "%nnamed anomalies: %,d%n", anomalies.size());
            anomalies.forEach(anomaly -> out.println("  " + AlertText.line(anomaly) + remark.apply(anomaly)));
        }
        if (tally.unnamed() > 0) {
            out.printf(Locale.ROOT, "  and %,d more that are not named one by one%n", tally.unnamed());
        }
        tally.unattributed().forEach(stray -> print(stray, out));
        tally.expiredUnread().forEach(missed -> print(missed, out));
    }

    /** Prints one finding. */
    static void print(Finding finding, PrintWriter out) {
        out.println("  " + AlertText.summary(finding));
    }
}
