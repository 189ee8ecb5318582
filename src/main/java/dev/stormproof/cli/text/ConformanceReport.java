package dev.stormproof.cli.text;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stormproof.cli.conformance.Case;
import dev.stormproof.cli.conformance.CaseResult;
import dev.stormproof.cli.conformance.Trial;
import dev.stormproof.cli.terminal.Terminal;
import java.util.List;
import java.util.Locale;

/** The report of the conformance kit, one line a case, as text or as JSON. */
public final class ConformanceReport {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String FORMAT = "FORMAT ";

    private final String topic;
    private final boolean allRequired;
    private final Terminal out;

    /** @param allRequired true if also what an emitter may leave out has to be seen */
    public ConformanceReport(String topic, boolean allRequired, Terminal out) {
        this.topic = topic;
        this.allRequired = allRequired;
        this.out = out;
    }

    /** Prints all cases: what each demands, and what shows it. */
    public static void list(boolean json, Terminal out) {
        for (Case one : Case.values()) {
            if (json) {
                out.println(describe(one));
            } else {
                out.printf("%-22s %s%n", one.id(), FORMAT + one.section() + (one.required() ? "" : ", optional"));
                out.printf("  %-6s %s%n", "rule", one.rule());
                out.printf("  %-6s %s%n", "needs", one.shownBy());
            }
        }
    }

    /** Prints the results and returns the exit code. */
    public int print(Trial trial, boolean json) {
        List<CaseResult> results = trial.cases();
        if (json) {
            results.forEach(result -> out.println(line(result)));
            out.println(sum(trial));
        } else {
            results.forEach(this::printText);
            trial.unread()
                    .forEach(range -> out.printf(
                            "not read  %s-%d, offsets %d to %d: a transaction is open there%n",
                            topic, range.partition(), range.begin(), range.end() - 1));
            out.printf(
                    "%n%s: %d cases passed, %d FAILED, %d not seen (%d of them required)%n",
                    verdict(trial),
                    count(results, CaseResult.Outcome.PASS),
                    count(results, CaseResult.Outcome.FAIL),
                    count(results, CaseResult.Outcome.NOT_SEEN),
                    missing(results).size());
        }
        return exitCode(trial);
    }

    private int exitCode(Trial trial) {
        List<CaseResult> results = trial.cases();
        if (count(results, CaseResult.Outcome.FAIL) > 0) {
            return ExitCode.VIOLATED;
        }
        return missing(results).isEmpty() && trial.unread().isEmpty() ? ExitCode.VERIFIED : ExitCode.INCONCLUSIVE;
    }

    private String verdict(Trial trial) {
        return switch (exitCode(trial)) {
            case ExitCode.VIOLATED -> "not conformant";
            case ExitCode.VERIFIED -> "conformant";
            default -> "incomplete";
        };
    }

    private void printText(CaseResult result) {
        Case rule = result.rule();
        switch (result.outcome()) {
            case PASS ->
                out.printf("%-9s %-22s %s, seen %d times%n", "pass", rule.id(), FORMAT + rule.section(), result.seen());
            case NOT_SEEN ->
                out.printf(
                        "%-9s %-22s %s, needs %s%s%n",
                        "not seen",
                        rule.id(),
                        FORMAT + rule.section(),
                        rule.shownBy(),
                        isRequired(rule) ? "" : " (optional)");
            case FAIL -> {
                CaseResult.Fault first = result.faults().get(0);
                String more = result.failed() > 1 ? "; failed " + result.failed() + " times" : "";
                out.printf(
                        "%-9s %-22s %s, %s-%d@%d: expected %s, found %s%s%n",
                        "FAIL",
                        rule.id(),
                        FORMAT + rule.section(),
                        topic,
                        first.partition(),
                        first.offset(),
                        first.expected(),
                        first.found(),
                        more);
            }
        }
    }

    private boolean isRequired(Case rule) {
        return allRequired || rule.required();
    }

    private List<String> missing(List<CaseResult> results) {
        return results.stream()
                .filter(result -> result.outcome() == CaseResult.Outcome.NOT_SEEN && isRequired(result.rule()))
                .map(result -> result.rule().id())
                .toList();
    }

    private static int count(List<CaseResult> results, CaseResult.Outcome outcome) {
        return (int)
                results.stream().filter(result -> result.outcome() == outcome).count();
    }

    private static ObjectNode describe(Case rule) {
        return JSON.createObjectNode()
                .put("case", rule.id())
                .put("section", rule.section())
                .put("required", rule.required())
                .put("rule", rule.rule())
                .put("needs", rule.shownBy());
    }

    private ObjectNode line(CaseResult result) {
        ObjectNode node = describe(result.rule())
                .put("required", isRequired(result.rule()))
                .put("outcome", result.outcome().name().toLowerCase(Locale.ROOT).replace('_', ' '))
                .put("seen", result.seen())
                .put("failed", result.failed());
        ArrayNode faults = node.putArray("faults");
        for (CaseResult.Fault fault : result.faults()) {
            faults.addObject()
                    .put("topic", topic)
                    .put("partition", fault.partition())
                    .put("offset", fault.offset())
                    .put("expected", fault.expected())
                    .put("found", fault.found());
        }
        return node;
    }

    private ObjectNode sum(Trial trial) {
        List<CaseResult> results = trial.cases();
        ObjectNode node = JSON.createObjectNode()
                .put("conformance", verdict(trial))
                .put("topic", topic)
                .put("passed", count(results, CaseResult.Outcome.PASS))
                .put("failed", count(results, CaseResult.Outcome.FAIL))
                .put("notSeen", count(results, CaseResult.Outcome.NOT_SEEN));
        ArrayNode names = node.putArray("missing");
        missing(results).forEach(names::add);
        ArrayNode unread = node.putArray("unread");
        trial.unread()
                .forEach(range -> unread.addObject()
                        .put("partition", range.partition())
                        .put("offset", range.begin())
                        .put("endOffset", range.end()));
        return node;
    }
}
