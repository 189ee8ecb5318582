package dev.stormproof.cli.conformance;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The results count, for each case, what the log showed. */
final class Results {
    private final Map<Case, Long> seen = new EnumMap<>(Case.class);
    private final Map<Case, Long> failed = new EnumMap<>(Case.class);
    private final Map<Case, List<CaseResult.Fault>> faults = new EnumMap<>(Case.class);

    void pass(Case rule) {
        seen.merge(rule, 1L, Long::sum);
    }

    void fail(Case rule, int partition, long offset, String expected, String found) {
        failed.merge(rule, 1L, Long::sum);
        List<CaseResult.Fault> first = faults.computeIfAbsent(rule, any -> new ArrayList<>());
        if (first.size() < CaseResult.MAX_FAULTS) {
            first.add(new CaseResult.Fault(partition, offset, expected, found));
        }
    }

    List<CaseResult> all() {
        List<CaseResult> all = new ArrayList<>();
        for (Case rule : Case.values()) {
            all.add(new CaseResult(
                    rule,
                    seen.getOrDefault(rule, 0L),
                    failed.getOrDefault(rule, 0L),
                    faults.getOrDefault(rule, List.of())));
        }
        return all;
    }
}
