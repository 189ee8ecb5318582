package dev.stormproof.cli.conformance;

import java.util.List;

/**
 * The result of a trial of a topic.
 *
 * @param unread ranges that cannot be read as committed: no case was judged after them
 */
public record Trial(List<CaseResult> cases, List<Unread> unread) {
    /** The offsets [begin, end) of a partition, after the beginning of an open transaction. */
    public record Unread(int partition, long begin, long end) {}

    public Trial {
        cases = List.copyOf(cases);
        unread = List.copyOf(unread);
    }
}
