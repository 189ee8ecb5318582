package dev.stormproof.cli.conformance;

import java.util.List;

/**
 * What a trial of a topic came to.
 *
 * @param unread ranges that nobody can read as committed: behind them no case was judged
 */
public record Trial(List<CaseResult> cases, List<Unread> unread) {
    /** The offsets [begin, end) of a partition, behind the beginning of an open transaction. */
    public record Unread(int partition, long begin, long end) {}

    public Trial {
        cases = List.copyOf(cases);
        unread = List.copyOf(unread);
    }
}
