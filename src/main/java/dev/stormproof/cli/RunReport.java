package dev.stormproof.cli;

import dev.stormproof.alert.AlertText;
import dev.stormproof.cli.Tally.Counts;
import dev.stormproof.emit.EmitterStats;
import dev.stormproof.fault.InjectedFault;
import dev.stormproof.judge.Anomaly;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The end of a run in words: a table of partitions, every anomaly, and what was injected against what was named. */
final class RunReport {
    private static final String ROW = "%-10s %10s %12s %9s %9s %13s%n";

    private final Tally tally;
    private final Map<Integer, EmitterStats> stats;
    private final List<InjectedFault> injected;
    private final int partitions;
    private final String unit;

    /**
     * A report.
     *
     * @param stats what was emitted, by partition
     * @param partitions how many the topic has; event i went to partition i mod partitions
     * @param unit what an event of the input is called
     */
    RunReport(
            Tally tally, Map<Integer, EmitterStats> stats, List<InjectedFault> injected, int partitions, String unit) {
        this.tally = tally;
        this.stats = stats;
        this.injected = injected;
        this.partitions = partitions;
        this.unit = unit;
    }

    /** Prints the report and returns the exit code that goes with it. */
    int print(PrintWriter out) {
        printTable(out);
        List<Anomaly> anomalies = tally.anomalies();
        FindingLines.print(tally, anomalies, this::inputEvent, out);
        FaultComparison comparison = FaultComparison.of(injected, anomalies);
        if (!injected.isEmpty()) {
            printComparison(comparison, out);
        }
        out.println();
        out.println(conclusion(anomalies.size()));
        return comparison.missed().isEmpty() ? tally.exitCode() : ExitCode.FAILED;
    }

    private void printTable(PrintWriter out) {
        out.println();
        out.printf(Locale.ROOT, ROW, "partition", "events", "checkpoints", "verified", "violated", "inconclusive");
        for (int partition = 0; partition < partitions; partition++) {
            EmitterStats emitted = stats.getOrDefault(partition, new EmitterStats(0, 0, 0, -1, 0));
            row(
                    out,
                    Integer.toString(partition),
                    emitted.eventsSent(),
                    emitted.checkpointsSent(),
                    tally.countsOf(partition));
        }
        if (partitions > 1) {
            row(out, "all", events(), checkpoints(), tally.total());
        }
    }

    private static void row(PrintWriter out, String name, long events, long checkpoints, Counts counts) {
        out.printf(
                Locale.ROOT,
                ROW,
                name,
                String.format(Locale.ROOT, "%,d", events),
                String.format(Locale.ROOT, "%,d", checkpoints),
                String.format(Locale.ROOT, "%,d", counts.verified()),
                String.format(Locale.ROOT, "%,d", counts.violated()),
                String.format(Locale.ROOT, "%,d", counts.inconclusive()));
    }

    private void printComparison(FaultComparison comparison, PrintWriter out) {
        out.printf(
                Locale.ROOT,
                "%ninjected %,d, of these named %,d; others named %,d%n",
                injected.size(),
                comparison.named().size(),
                comparison.others().size());
        for (InjectedFault fault : comparison.missed()) {
            out.println("  NOT NAMED: " + fault.kind().label() + "  sequence " + fault.sequence() + "  " + fault.topic()
                    + "-" + fault.partition());
        }
        for (Anomaly anomaly : comparison.others()) {
            out.println("  NOT INJECTED: " + AlertText.line(anomaly));
        }
    }

    private String conclusion(int anomalies) {
        Counts total = tally.total();
        long intervals = checkpoints();
        if (total.violated() > 0) {
            return String.format(
                    Locale.ROOT,
                    "VIOLATED: %,d %s in %,d of %,d intervals",
                    anomalies,
                    anomalies == 1 ? "anomaly" : "anomalies",
                    total.violated(),
                    intervals);
        }
        int strays = tally.unattributed().size();
        if (strays > 0) {
            return String.format(
                    Locale.ROOT, "VIOLATED: %,d %s of no stream", strays, strays == 1 ? "record" : "records");
        }
        if (total.inconclusive() > 0) {
            return String.format(
                    Locale.ROOT,
                    "INCONCLUSIVE: %,d of %,d intervals are neither proven nor violated",
                    total.inconclusive(),
                    intervals);
        }
        if (!tally.expiredUnread().isEmpty()) {
            return "INCONCLUSIVE: the log dropped records before they were read";
        }
        return String.format(Locale.ROOT, "VERIFIED: all %,d events arrived once, in order and unaltered", events());
    }

    /** Which event of the input an anomaly is about, as long as every partition has one stream. */
    private String inputEvent(Anomaly anomaly) {
        EmitterStats emitted = stats.get(anomaly.stream().partition());
        boolean event = anomaly.kind() != Anomaly.Kind.CHECKPOINT_LOST && anomaly.kind() != Anomaly.Kind.CHAIN_BROKEN;
        if (!event
                || emitted == null
                || emitted.streamsEnded() > 0
                || emitted.emitter() != anomaly.stream().emitter()) {
            return "";
        }
        return "  input " + unit + " "
                + (anomaly.begin() * partitions + anomaly.stream().partition() + 1);
    }

    private long events() {
        return stats.values().stream().mapToLong(EmitterStats::eventsSent).sum();
    }

    private long checkpoints() {
        return stats.values().stream().mapToLong(EmitterStats::checkpointsSent).sum();
    }
}
