package dev.stormproof.sim;

import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Verified;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.Map;
import java.util.TreeMap;

/** What happened in one world, or in many: counts only. */
final class Outcome {
    final Map<String, Long> injected = new TreeMap<>();
    final Map<String, Long> named = new TreeMap<>();
    final Map<String, Long> findings = new TreeMap<>();
    final Map<String, Long> most = new TreeMap<>();

    void injected(Map<Mischief.Fault, Integer> faults, int cuts) {
        faults.forEach((fault, count) -> injected.merge(fault.name(), (long) count, Long::sum));
        if (cuts > 0) {
            injected.merge("CUT", (long) cuts, Long::sum);
        }
    }

    void injected(Map<String, Integer> hazards) {
        hazards.forEach((hazard, count) -> injected.merge(hazard, (long) count, Long::sum));
    }

    void found(Finding finding) {
        if (finding instanceof Verified verified) {
            count("verified by " + verified.basis());
        } else if (finding instanceof Inconclusive inconclusive) {
            count("inconclusive " + inconclusive.reason());
        } else if (finding instanceof Violated violated) {
            count(violated.isOpen() ? "violated unsealed" : "violated");
        } else {
            count(finding.getClass().getSimpleName().toLowerCase(java.util.Locale.ROOT));
            if (finding instanceof StrayRecord unattributed) {
                named.merge(unattributed.kind().name(), 1L, Long::sum);
            }
        }
    }

    void named(Anomaly.Kind kind, long count) {
        named.merge(kind.name(), count, Long::sum);
    }

    /** Notes the most of something that any one had. */
    void noteMost(String what, long count) {
        most.merge(what, count, Math::max);
    }

    void count(String what) {
        findings.merge(what, 1L, Long::sum);
    }

    void add(Outcome other) {
        other.most.forEach(this::noteMost);
        other.injected.forEach((what, count) -> injected.merge(what, count, Long::sum));
        other.named.forEach((what, count) -> named.merge(what, count, Long::sum));
        other.findings.forEach((what, count) -> findings.merge(what, count, Long::sum));
    }

    @Override
    public String toString() {
        return "injected " + sum(injected) + " " + injected + "\nnamed " + sum(named) + " " + named + "\nfound "
                + findings + "\nat most " + most;
    }

    private static long sum(Map<String, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }
}
