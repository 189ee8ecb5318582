package dev.stormproof.cli.conformance;

import java.util.List;

/**
 * The result of one case.
 *
 * @param seen how often the log showed the rule kept
 * @param failed how often it showed the rule broken
 * @param faults the first of the breaks, at most {@value #MAX_FAULTS}
 */
public record CaseResult(Case rule, long seen, long failed, List<Fault> faults) {
    /** How many faults of a case are kept. */
    public static final int MAX_FAULTS = 10;

    public enum Outcome {
        PASS,
        FAIL,
        NOT_SEEN
    }

    /** A place at which a rule is broken. */
    public record Fault(int partition, long offset, String expected, String found) {}

    public CaseResult {
        faults = List.copyOf(faults);
    }

    public Outcome outcome() {
        if (failed > 0) {
            return Outcome.FAIL;
        }
        return seen > 0 ? Outcome.PASS : Outcome.NOT_SEEN;
    }
}
