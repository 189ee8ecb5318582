package dev.stormproof.cli.text;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stormproof.alert.RecordUrls;
import dev.stormproof.cli.fault.InjectedFault;
import dev.stormproof.cli.terminal.Terminal;
import dev.stormproof.cli.text.Tally.Counts;
import dev.stormproof.emit.EmitterStats;
import dev.stormproof.verify.judge.Anomaly;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * A report ends a run: a table of partitions, every anomaly, and the injected faults against the named ones.
 *
 * @param stats what was emitted, by partition
 * @param partitions how many the topic has; event i went to partition i mod partitions
 * @param unit what an event of the input is called
 * @param line what is said of one anomaly
 */
public record RunReport(
        Tally tally,
        Map<Integer, EmitterStats> stats,
        List<InjectedFault> injected,
        int partitions,
        String unit,
        Function<Anomaly, String> line) {
    /** Prints the report and returns the exit code that goes with it. */
    public int print(Terminal out) {
        out.println();
        Table table = new Table("partition", "events", "checkpoints", "verified", "violated", "inconclusive");
        for (int partition = 0; partition < partitions; partition++) {
            EmitterStats emitted = stats.getOrDefault(partition, EmitterStats.NONE);
            add(table, partition, emitted.eventsSent(), emitted.checkpointsSent(), tally.countsOf(partition));
        }
        if (partitions > 1) {
            add(table, "together", events(), checkpoints(), tally.total());
        }
        table.print(out);
        List<Anomaly> anomalies = tally.anomalies();
        ReportText.printFindings(
                tally, anomalies, anomaly -> line.apply(anomaly) + inputEvent(anomaly), RecordUrls.NONE, out);
        FaultComparison comparison = FaultComparison.of(injected, anomalies);
        if (!injected.isEmpty()) {
            printComparison(comparison, out);
        }
        out.println();
        out.printVerdict(conclusion());
        return comparison.missed().isEmpty() ? exitCode() : ExitCode.FAILED;
    }

    /**
     * The report as one object.
     *
     * @param ends the exit code of the whole run
     */
    public ObjectNode json(int ends) {
        ObjectNode node = JsonNodeFactory.instance
                .objectNode()
                .put("run", ExitCode.word(exitCode()))
                .put("summary", conclusion())
                .put("exitCode", ends);
        node.put("events", events()).put("checkpoints", checkpoints());
        ArrayNode each = node.putArray("partitions");
        for (int partition = 0; partition < partitions; partition++) {
            EmitterStats emitted = stats.getOrDefault(partition, EmitterStats.NONE);
            Counts counts = tally.countsOf(partition);
            each.addObject()
                    .put("partition", partition)
                    .put("events", emitted.eventsSent())
                    .put("checkpoints", emitted.checkpointsSent())
                    .put("verified", counts.verified())
                    .put("violated", counts.violated())
                    .put("inconclusive", counts.inconclusive());
        }
        FaultComparison comparison = FaultComparison.of(injected, tally.anomalies());
        node.put("anomalies", tally.anomalies().size());
        node.put("injected", injected.size());
        node.put("named", comparison.named().size());
        ArrayNode missed = node.putArray("notNamed");
        comparison
                .missed()
                .forEach(fault -> missed.addObject()
                        .put("injected", fault.kind().label())
                        .put("topic", fault.topic())
                        .put("partition", fault.partition())
                        .put("sequence", fault.sequence()));
        return node.put("notInjected", comparison.others().size());
    }

    private int exitCode() {
        int found = tally.exitCode();
        return found == ExitCode.VERIFIED && tally.total().proven() < events() ? ExitCode.INCONCLUSIVE : found;
    }

    private String conclusion() {
        return switch (exitCode()) {
            case ExitCode.VIOLATED -> ReportText.violated(tally, checkpoints());
            case ExitCode.INCONCLUSIVE -> {
                List<String> doubts = ReportText.doubts(tally, 0);
                doubts.add(
                        tally.isEmpty()
                                ? "nothing to verify, there is no checkpoint"
                                : ReportText.proven(tally) + " of " + ReportText.text("%,d that were sent", events()));
                yield "INCONCLUSIVE: " + String.join("; ", doubts);
            }
            default ->
                ReportText.text(
                        "VERIFIED: the %,d events that were sent arrived once, in order, with key and value unaltered",
                        events());
        };
    }

    private static void add(Table table, Object name, long events, long checkpoints, Counts counts) {
        table.add(name, events, checkpoints, counts.verified(), counts.violated(), counts.inconclusive());
    }

    private void printComparison(FaultComparison comparison, Terminal out) {
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
            out.println("  NOT INJECTED: " + line.apply(anomaly));
        }
    }

    /** The event of the input that an anomaly is about, as long as every partition has one stream. */
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
