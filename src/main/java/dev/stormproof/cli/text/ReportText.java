package dev.stormproof.cli.text;

import dev.stormproof.alert.AlertText;
import dev.stormproof.alert.RecordUrls;
import dev.stormproof.cli.terminal.Terminal;
import dev.stormproof.cli.text.Tally.Counts;
import dev.stormproof.verify.judge.Anomaly;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** The text of a report's findings, one line each, and of what they come to. */
public final class ReportText {
    private ReportText() {}

    /** Prints every anomaly as {@code line} has it, and every record that belongs nowhere or was never read. */
    static void printFindings(
            Tally tally, List<Anomaly> anomalies, Function<Anomaly, String> line, RecordUrls urls, Terminal out) {
        if (!anomalies.isEmpty()) {
            out.printf(Locale.ROOT, "%nnamed anomalies: %,d%n", anomalies.size());
            anomalies.forEach(anomaly -> out.println("  " + line.apply(anomaly)));
        }
        if (tally.unnamed() > 0) {
            out.printf(Locale.ROOT, "  and %,d more that are not named one by one%n", tally.unnamed());
        }
        tally.unattributed().forEach(record -> out.println("  " + AlertText.summary(record, urls)));
        tally.expiredUnread().forEach(records -> out.println("  " + AlertText.summary(records)));
    }

    /** The verdict on what is violated, among so many intervals. */
    static String violated(Tally tally, long intervals) {
        int violated = tally.total().violated();
        if (violated == 0) {
            List<String> strays = new ArrayList<>();
            long records = tally.unattributedRecords();
            long unlisted = tally.unlistedCheckpoints();
            if (records > 0 || unlisted == 0) {
                strays.add(count(records, "record", "records") + " of no stream");
            }
            if (unlisted > 0) {
                strays.add(count(
                        unlisted,
                        "checkpoint of an emitter that may not write there",
                        "checkpoints of emitters that may not write there"));
            }
            return "VIOLATED: " + String.join(" and ", strays);
        }
        long anomalies = tally.anomalies().size() + tally.unnamed();
        return "VIOLATED: " + count(anomalies, "anomaly", "anomalies")
                + text(" in %,d of %,d intervals", violated, intervals);
    }

    /**
     * What keeps the findings from being a proof, though none is a violation; to be added to.
     *
     * @param open how many streams' ends are counted elsewhere, which are inconclusive because their checkpoint is overdue
     */
    static List<String> doubts(Tally tally, long open) {
        List<String> doubts = new ArrayList<>();
        Counts total = tally.total();
        long inconclusive = total.inconclusive() - Math.min(total.unsealed(), open);
        if (inconclusive > 0) {
            doubts.add(count(inconclusive, "interval is", "intervals are") + " neither proven nor violated");
        }
        if (tally.hasExpiredUnread()) {
            doubts.add("there are records that were never verified");
        }
        if (tally.undelivered() > 0) {
            doubts.add(text("the output lacks %,d records", tally.undelivered()));
        }
        return doubts;
    }

    static String proven(Tally tally) {
        long proven = tally.total().proven();
        return proven == 0 ? "no event is proven" : events(proven) + (proven == 1 ? " is proven" : " are proven");
    }

    static String events(long count) {
        return count(count, "event", "events");
    }

    /** How many there are, with the word for one of them or for several. */
    static String count(long count, String one, String several) {
        return text("%,d ", count) + (count == 1 ? one : several);
    }

    /** The exit code of two verdicts: a violation weighs most. */
    public static int worse(int one, int other) {
        return one == ExitCode.VIOLATED || other == ExitCode.VERIFIED ? one : other;
    }

    /** The offsets or sequences [begin, end), for people. */
    public static String range(long begin, long end) {
        if (begin >= end) {
            return "none";
        }
        return begin + 1 == end ? Long.toString(begin) : begin + " to " + (end - 1);
    }

    public static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
